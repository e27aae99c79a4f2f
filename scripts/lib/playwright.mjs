import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { runTool } from './exec.mjs';
import { reasonOf, sum } from './results.mjs';
import { artifacts } from './root.mjs';

/** Half of the tests each (playwright.config.ts says which), on a server, a shop and a clock of its own: one lane leaves a core idle for half of the time. */
const LANES = /** @type {const} */ ({ looks: 3210, acts: 3230 });

/**
 * Runs the browser tests on the real server and simulated phones.
 * @param {{ seededData?: string }} [options] a data folder at rest whose shop is new, with the app built: each lane takes a copy; without it the tests run one after the other
 * @returns {Promise<import('./results.mjs').Result>}
 */
export async function runPlaywright({ seededData } = {}) {
  const started = performance.now();
  const name = 'browser tests';
  const chromium = await ensureChromium().catch((/** @type {Error} */ error) => error);
  if (chromium instanceof Error) {
    return { name, passed: 0, failed: 1, elapsedMs: performance.now() - started, output: chromium.message };
  }
  const lanes = seededData
    ? Object.entries(LANES).map(([lane, port]) =>
        runLane(lane, {
          KIST_E2E_LANE: lane,
          KIST_E2E_PORT: String(port),
          KIST_E2E_DATA: path.join(artifacts, `e2e-data-${lane}`),
          KIST_SEEDED_DATA: seededData,
          CHROME_PATH: chromium,
        }),
      )
    : [runLane('all', { CHROME_PATH: chromium })];
  const results = await Promise.all(lanes);
  return {
    name,
    ...sum(results),
    faults: results.flatMap(({ faults }) => faults),
    elapsedMs: performance.now() - started,
  };
}

/**
 * @param {string} lane
 * @param {NodeJS.ProcessEnv} env
 */
async function runLane(lane, env) {
  const started = performance.now();
  const report = path.join(artifacts, `playwright-${lane}.json`);
  rmSync(report, { force: true });
  const { code } = await runTool('playwright', ['test'], { echo: true, env: { ...env, KIST_E2E_REPORT: report } });
  const { passed, failed, skipped, faults } = countPlaywright(report);
  const isBroken = (code !== 0 && failed === 0) || passed + failed === 0;
  return { passed, failed: failed + (isBroken ? 1 : 0), skipped, faults, elapsedMs: performance.now() - started };
}

/** @param {string} report */
function countPlaywright(report) {
  try {
    const { stats, suites } = JSON.parse(readFileSync(report, 'utf8'));
    const { expected, unexpected, flaky, skipped } = stats;
    return { passed: expected, failed: unexpected + flaky, skipped, faults: failedSpecs(suites) };
  } catch {
    return { passed: 0, failed: 0, skipped: 0, faults: [] };
  }
}

/** @param {any[]} suites as the reporter nests them. @returns {string[]} */
const failedSpecs = (suites) =>
  suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs
      .filter((/** @type {any} */ spec) =>
        spec.tests.some((/** @type {any} */ { status }) => status === 'unexpected' || status === 'flaky'),
      )
      .map(
        (/** @type {any} */ { file, line, title, tests }) => `${file}:${line} ${title}${reasonOf(messageOf(tests))}`,
      ),
    ...failedSpecs(inner),
  ]);

/** @param {any[]} tests of one place, each with its tries. @returns {string | undefined} why the first that failed did */
const messageOf = (tests) =>
  tests.flatMap(({ results = [] }) => results.map((/** @type {any} */ { error }) => error?.message)).find(Boolean);
