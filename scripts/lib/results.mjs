import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {object} Result one line of the closing table
 * @property {string} name
 * @property {number} passed
 * @property {number} failed
 * @property {number} [skipped]
 * @property {number} elapsedMs
 * @property {string} [output] shown when something failed
 * @property {string[]} [faults] what did not hold, and how: said again at the end
 */

/**
 * One checker that either holds or does not.
 * @param {string} name
 * @param {import('./exec.mjs').Outcome} outcome
 * @returns {Result}
 */
export function fromOutcome(name, { code, output, elapsedMs }) {
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, elapsedMs, output };
}

/**
 * Prints one result as it comes, with what a failing one said.
 * @param {Result} result
 */
export function printResult(result) {
  if (result.failed > 0 && result.output) process.stdout.write(`\n${result.output.trimEnd()}\n\n`);
  process.stdout.write(`${line(result)}\n`);
}

/**
 * @param {string} title
 * @param {Result[]} results
 */
export function printTable(title, results) {
  process.stdout.write(`\n${title}\n${results.map(line).join('\n')}\n${line({ name: 'sum', ...sum(results) })}\n`);
  const faults = results.flatMap(({ name, faults = [] }) => faults.map((fault) => `✗ ${name}: ${fault}\n`));
  if (faults.length > 0) process.stdout.write(`\n${faults.join('')}`);
}

/** Lines of a failure that are said again at the end: of a long run only the end may be kept. */
const reasonLines = 6;

/** @param {string | undefined} message as a test runner keeps it. @returns {string} its first lines, below what failed; '' where there is none */
export function reasonOf(message) {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .filter((said) => said.trim() !== '');
  return lines
    .slice(0, reasonLines)
    .map((said) => `\n    ${said.slice(0, 300)}`)
    .join('');
}

/** @param {Pick<Result, 'passed' | 'failed' | 'skipped' | 'elapsedMs'>[]} results */
export function sum(results) {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.reduce((total, { failed }) => total + failed, 0),
    skipped: results.reduce((total, { skipped = 0 }) => total + skipped, 0),
    elapsedMs: results.reduce((total, { elapsedMs }) => total + elapsedMs, 0),
  };
}

/** @param {Result} result */
function line({ name, passed, failed, skipped = 0, elapsedMs }) {
  const counts = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(', ');
  return `${failed > 0 ? '✗' : '✓'} ${name.padEnd(34)} ${counts.padEnd(34)} ${(elapsedMs / 1000).toFixed(1).padStart(7)} s`;
}
