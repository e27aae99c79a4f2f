import { parseArgs } from 'node:util';
import { check } from './lib/check.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { continueOnPinnedNode } from './lib/node.mjs';
import { printTable, sum } from './lib/results.mjs';

// npm run check [-- --update] [--only WORD]: everything that needs no browser. --update rewrites the golden files,
// --only runs what has that word in its name (format, lint, types, dead code, golden, tests).
await ensureDependencies();
await continueOnPinnedNode(import.meta.filename);
const { values } = parseArgs({
  options: { update: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const results = await check(values);
printTable('npm run check', results);
const { passed, failed } = sum(results);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
