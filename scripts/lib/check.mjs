import { staticCheckers } from './checkers.mjs';
import { run, toolEnv } from './exec.mjs';
import { goldenCheckers } from './goldens.mjs';
import { pinnedNode } from './node.mjs';
import { fromOutcome, printResult } from './results.mjs';
import { inRoot } from './root.mjs';
import { runVitest } from './vitest.mjs';

/** Writes, or verifies, what the queries know of the tables. */
const generateTables = inRoot('packages', 'server', 'test', 'generate-tables.ts');
const tests = 'unit and store tests';

/**
 * Format, lint, types, dead code, golden files, unit and store tests; prints each result as it comes.
 * @param {{ update: boolean, only?: string }} options update rewrites the golden files; only runs what has that in its name
 * @returns {Promise<import('./results.mjs').Result[]>}
 */
export async function check({ update, only = '' }) {
  const tables = [generateTables, ...(update ? [] : ['--verify'])];
  const checkers = [
    ...staticCheckers(),
    ...goldenCheckers({ update }),
    { name: 'golden types of tables', run: () => run(pinnedNode(), tables, { env: toolEnv() }) },
  ];
  /** @type {import('./results.mjs').Result[]} */
  const results = [];
  for (const checker of checkers.filter(({ name }) => name.includes(only))) {
    results.push(fromOutcome(checker.name, await checker.run()));
    results.slice(-1).forEach(printResult);
  }
  if (tests.includes(only)) {
    results.push(await runVitest({ name: tests }));
    results.slice(-1).forEach(printResult);
  }
  return results;
}
