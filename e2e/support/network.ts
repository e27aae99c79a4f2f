import type { BrowserContext, Page } from '@playwright/test';

/**
 * A phone without network, for pages that are opened in it: Chromium's emulation cuts the line, but tells a page that is loaded afterwards
 * (navigator.onLine) that there is one. A phone's browser knows.
 */
export async function loseNetwork(context: BrowserContext): Promise<void> {
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false }),
  );
  await context.setOffline(true);
}

/** The network is back under the page that is open. */
export async function regainNetwork(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await page.evaluate(() => {
    Reflect.deleteProperty(navigator, 'onLine');
    window.dispatchEvent(new Event('online'));
  });
}
