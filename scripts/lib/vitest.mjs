import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runTool } from './exec.mjs';
import { artifacts, root } from './root.mjs';

/** One per core of the smallest machine we promise to test on. Said here: the root config's own word for it does not reach the projects. */
const maxWorkers = 2;

/**
 * Runs the unit and store tests of all packages.
 * @param {{ name?: string, cwd?: string, filters?: string[], echo?: boolean }} [options]
 * @returns {Promise<import('./results.mjs').Result>}
 */
export async function runVitest({ name = 'tests', cwd, filters = [], echo = true } = {}) {
  const report = path.join(artifacts, 'vitest.json');
  mkdirSync(artifacts, { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code, output, elapsedMs } = await runTool(
    'vitest',
    ['run', `--maxWorkers=${maxWorkers}`, ...reporters, ...filters],
    {
      echo,
      ...(cwd === undefined ? {} : { cwd }),
    },
  );
  const { passed, failed, skipped, faults } = countVitest(report);
  // A file that cannot be loaded, or an error outside any test, fails the run without a failed test.
  const isBroken = (code !== 0 && failed === 0) || passed + failed === 0;
  return {
    name,
    passed,
    failed: failed + (isBroken ? 1 : 0),
    skipped,
    faults,
    elapsedMs,
    output: echo ? '' : output,
  };
}

/** @param {string} file */
function countVitest(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report;
    const faults = report.testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
      assertionResults
        .filter((/** @type {any} */ { status }) => status === 'failed')
        .map((/** @type {any} */ { fullName }) => `${path.relative(root, name)} ${fullName}`),
    );
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests, faults };
  } catch {
    return { passed: 0, failed: 0, skipped: 0, faults: [] };
  }
}
