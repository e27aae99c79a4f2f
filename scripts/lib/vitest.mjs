import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { runTool } from './exec.mjs';
import { reasonOf } from './results.mjs';
import { artifacts, inRoot, root } from './root.mjs';

/** One per core of the smallest machine we promise to test on. Said here: the root config's own word for it does not reach the projects. */
const maxWorkers = 2;

/** Of the server: what starts programs and a PostgreSQL of its own, waits for real time, or tries every call, field or state. */
const slowProject = 'server-slow';

/** Of all packages: what developers wait for. */
export const unitTests = { name: 'unit and store tests', filters: [`--project=!${slowProject}`] };
export const slowTests = {
  name: 'process and sweep tests',
  filters: [`--project=${slowProject}`],
  report: 'vitest-slow.json',
  /** They start the server and the command line over and over: as they are built, which takes a quarter of the time. */
  hasPrograms: true,
};

/**
 * Runs tests of all packages, all but what `filters` leave out.
 * @param {{ name?: string, cwd?: string, filters?: string[], echo?: boolean, report?: string, hasPrograms?: boolean }} [options] report: the file of
 *   artifacts/ with times and faults; hasPrograms: of programs that tests start, the built ones
 * @returns {Promise<import('./results.mjs').Result>}
 */
export async function runVitest(options = {}) {
  const { name = 'tests', cwd, filters = [], echo = true, report: file = 'vitest.json', hasPrograms = false } = options;
  if (hasPrograms) await ensureBuilt(['server']);
  const report = path.join(artifacts, file);
  mkdirSync(artifacts, { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code, output, elapsedMs } = await runTool(
    'vitest',
    ['run', `--maxWorkers=${maxWorkers}`, ...reporters, ...filters],
    {
      echo,
      ...(cwd === undefined ? {} : { cwd }),
      ...(hasPrograms ? { env: { KIST_TEST_PROGRAMS: inRoot('dist') } } : {}),
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
        .map(
          (/** @type {any} */ { fullName, failureMessages }) =>
            `${path.relative(root, name)} ${fullName}${reasonOf(failureMessages?.[0])}`,
        ),
    );
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests, faults };
  } catch {
    return { passed: 0, failed: 0, skipped: 0, faults: [] };
  }
}
