import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { runTool } from './exec.mjs';
import { artifacts } from './root.mjs';

/**
 * Runs the browser tests on the real server and simulated phones.
 * @param {{ seededData?: string }} [options] a data folder at rest whose shop is new; without it the server makes one
 * @returns {Promise<import('./results.mjs').Result>}
 */
export async function runPlaywright({ seededData } = {}) {
  const report = path.join(artifacts, 'playwright.json');
  rmSync(report, { force: true });
  const started = performance.now();
  const name = 'browser tests';
  const chromium = await ensureChromium().catch((/** @type {Error} */ error) => error);
  if (chromium instanceof Error) {
    return { name, passed: 0, failed: 1, elapsedMs: performance.now() - started, output: chromium.message };
  }
  const { code } = await runTool('playwright', ['test'], {
    echo: true,
    env: { CHROME_PATH: chromium, ...(seededData && { KIST_SEEDED_DATA: seededData }) },
  });
  const { passed, failed, skipped } = countPlaywright(report);
  const isBroken = (code !== 0 && failed === 0) || passed + failed === 0;
  return { name, passed, failed: failed + (isBroken ? 1 : 0), skipped, elapsedMs: performance.now() - started };
}

/** @param {string} report */
function countPlaywright(report) {
  try {
    const { expected, unexpected, flaky, skipped } = JSON.parse(readFileSync(report, 'utf8')).stats;
    return { passed: expected, failed: unexpected + flaky, skipped };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
