import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { chromiumFlags, findChromium } from '#scripts/lib/chromium.mjs';

/** A cheap phone on a slow line, as Lighthouse has it: 562 ms there and back, 1.44 Mbit/s, a processor four times slower. */
export const LINE = {
  offline: false,
  latency: 562,
  downloadThroughput: (1.44e6 / 8) | 0,
  uploadThroughput: (675e3 / 8) | 0,
};
export const SLOWER = 4;

/**
 * A phone's own browser for as long as `work` takes, with a new profile on disk: in a private window compiled code is not kept from one visit to the next.
 * @param serviceWorkers 'block' where what they fetch behind the first page would run on the line that is measured
 */
export async function inProfile<T>(
  work: (context: BrowserContext) => Promise<T>,
  serviceWorkers: 'allow' | 'block' = 'allow',
): Promise<T> {
  const { chromium } = await import('@playwright/test');
  const profile = await mkdtemp(path.join(tmpdir(), 'kist-bench-'));
  const executablePath = await findChromium({ isWhole: true });
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath ? { executablePath } : {}),
    args: chromiumFlags,
    viewport: { width: 360, height: 640 },
    locale: 'en-IN',
    hasTouch: true,
    // That of a front in this process (scripts/lib/front.mjs) is signed by nobody.
    ignoreHTTPSErrors: true,
    serviceWorkers,
  });
  try {
    return await work(context);
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}
