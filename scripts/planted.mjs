import { parseArgs } from 'node:util';
import { ensureDependencies } from './lib/install.mjs';
import { continueOnPinnedNode } from './lib/node.mjs';
import { checkPlanted } from './lib/planted.mjs';
import { printTable, sum } from './lib/results.mjs';

// Proves that every checker of `npm run check` fires: part of `npm test`. --only proves the checkers with that word in their name.
await ensureDependencies();
await continueOnPinnedNode(import.meta.filename);
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const results = await checkPlanted(values.only);
printTable('planted faults', results);
process.exitCode = sum(results).failed > 0 ? 1 : 0;
