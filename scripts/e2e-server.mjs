import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { inRoot } from './lib/root.mjs';

// The server of the browser tests: `npm start` on a shop that nobody has touched yet. `npm test` has just made one for
// its start test and passes it on in KIST_SEEDED_DATA; a copy of it saves the year that a first start plays.
const dataDir = process.env['KIST_E2E_DATA'] ?? inRoot('artifacts', 'e2e-data');
const seeded = process.env['KIST_SEEDED_DATA'];
rmSync(dataDir, { recursive: true, force: true });
// Not fs.cp: the database's files keep their owner.
if (seeded) spawnSync('cp', ['-a', seeded, dataDir]);
process.env['KIST_DATA_DIR'] = dataDir;
await import('./start.mjs');
