import { staticCheckers } from './checkers.mjs';
import { goldenCheckers } from './goldens.mjs';
import { fromOutcome, printResult } from './results.mjs';
import { runVitest, unitTests } from './vitest.mjs';

/**
 * Format, lint, types, dead code, golden files, unit and store tests; prints each result as it comes.
 * @param {{ update: boolean, only?: string }} options update rewrites the golden files; only runs what has that in its name
 * @returns {Promise<import('./results.mjs').Result[]>}
 */
export async function check({ update, only = '' }) {
  const checkers = [...staticCheckers(), ...goldenCheckers({ update })];
  /** @type {import('./results.mjs').Result[]} */
  const results = [];
  for (const checker of checkers.filter(({ name }) => name.includes(only))) {
    results.push(fromOutcome(checker.name, await checker.run()));
    results.slice(-1).forEach(printResult);
  }
  if (unitTests.name.includes(only)) {
    results.push(await runVitest(unitTests));
    results.slice(-1).forEach(printResult);
  }
  return results;
}
