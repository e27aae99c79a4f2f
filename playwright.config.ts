import { defineConfig } from '@playwright/test';
import { chromiumFlags, findChromium } from './scripts/lib/chromium.mjs';

const port = Number(process.env['KIST_E2E_PORT'] ?? 3210);
/** Tests that look at every screen in its colours, sizes and languages: half of the time that all take. */
const LOOKS = ['a11y', 'a11y-sheets', 'brand', 'brand-colours', 'desktop', 'held-screens', 'languages'].map(
  (name) => `**/${name}.spec.ts`,
);
/** `npm test` runs both lanes side by side, each on a shop of its own; without a lane all tests run one after the other. */
const lane = process.env['KIST_E2E_LANE'];
const SPECS = '**/*.spec.ts';
/** A server that runs already, for one test at a time while it is written; else a fresh one is started. */
const running = process.env['KIST_E2E_URL'];
/** `npm run screens` walks the screens instead of testing them. */
const isWalk = process.env['KIST_SCREENS'] !== undefined;
const executablePath = await findChromium();

export default defineConfig({
  testDir: 'e2e',
  testMatch: isWalk ? '**/*.screens.ts' : lane === 'looks' ? LOOKS : SPECS,
  testIgnore: lane === 'acts' ? LOOKS : [],
  outputDir: `artifacts/e2e${lane ? `-${lane}` : ''}`,
  // All tests of a lane share one shop, one clock and one wall of phones.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['line'], ['json', { outputFile: process.env['KIST_E2E_REPORT'] ?? 'artifacts/playwright.json' }]],
  use: {
    baseURL: running ?? `http://localhost:${port}`,
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { args: chromiumFlags, ...(executablePath === undefined ? {} : { executablePath }) },
  },
  webServer:
    running === undefined
      ? {
          command: 'node scripts/e2e-server.mjs',
          url: `http://localhost:${port}/readyz`,
          env: { PORT: String(port) },
          // A first start: builds the app, makes the database, plays a year of the demo shop.
          timeout: 600_000,
          gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
        }
      : undefined,
});
