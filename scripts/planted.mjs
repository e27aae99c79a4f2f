import { ensureDependencies } from './lib/install.mjs';
import { continueOnPinnedNode } from './lib/node.mjs';
import { checkPlanted } from './lib/planted.mjs';
import { printTable, sum } from './lib/results.mjs';

// Proves that every checker of `npm run check` fires: part of `npm test`.
await ensureDependencies();
await continueOnPinnedNode(import.meta.filename);
const results = await checkPlanted();
printTable('planted faults', results);
process.exitCode = sum(results).failed > 0 ? 1 : 0;
