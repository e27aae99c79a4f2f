import { type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { sellPhone } from './support/customers.ts';
import { addPhone } from './support/lab.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

/** The browser's own offer, which Chromium makes when it finds the time; this one counts how often it was asked. */
async function offers(page: Page, outcome: 'accepted' | 'dismissed'): Promise<() => Promise<number>> {
  await page.addInitScript((answer) => {
    Object.assign(window, { asked: 0 });
    window.addEventListener('load', () => {
      const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: async () => ((window as unknown as { asked: number }).asked += 1),
        userChoice: Promise.resolve({ outcome: answer }),
      });
      setTimeout(() => {
        window.dispatchEvent(event);
        Object.assign(window, { isHeldBack: event.defaultPrevented });
      }, 500);
    });
  }, outcome);
  return () => page.evaluate(() => (window as unknown as { asked: number }).asked);
}

test('the menu has the home screen while the browser offers it, and the browser’s own bar is held back', async ({
  browser,
}) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER), { hasWorker: false });
  const asked = await offers(page, 'accepted');
  await page.goto('/dashboard');
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await page.waitForFunction(() => (window as unknown as { isHeldBack?: boolean }).isHeldBack === true);
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('button', { name: t('shell.install') }).click();
  expect(await asked()).toBe(1);
  await page.getByRole('button', { name: t('shell.more') }).click();
  await expect(page.getByRole('button', { name: t('shell.install') })).toHaveCount(0);
  await context.close();
});

test('it is offered once, after a sale; who says no is not asked again', async ({ browser }) => {
  test.setTimeout(120_000);
  const shop = await sessionOf(RETAILER);
  const { page, context, t } = await openApp(browser, shop, { hasWorker: false });
  const asked = await offers(page, 'dismissed');
  const sellTo = async (firstName: string) => {
    const sold = await sellPhone(shop.api, { firstName, lastName: 'Gaikwad' });
    await page.goto(`/emm-qr?customer_id=${sold.customerId}`);
    await expect(page.getByRole('img', { name: t('qr.alt') })).toBeVisible();
    await page.waitForTimeout(1000);
    await addPhone({ name: firstName, imei: sold.imei, qr: sold.qr });
    await expect(page.getByText(t('qr.connected'))).toBeVisible({ timeout: 20_000 });
  };
  await sellTo('Usha');
  const offer = page.getByRole('region', { name: t('install.title', { name: '' }).trim().slice(0, 3) });
  await expect(offer).toBeVisible();
  await offer.getByRole('button', { name: t('shell.install') }).click();
  expect(await asked()).toBe(1);
  await expect(offer).toHaveCount(0);
  await sellTo('Vimal');
  await expect(offer).toHaveCount(0);
  expect(await asked()).toBe(0);
  await context.close();
});

test('an iPhone is told how it is done by hand', async ({ browser }) => {
  const agent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER), { hasWorker: false });
  await page.addInitScript((own) => Object.defineProperty(navigator, 'userAgent', { get: () => own }), agent);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('button', { name: t('shell.install') }).click();
  await expect(page.getByRole('dialog', { name: t('shell.install') })).toContainText(t('install.by_hand'));
  await context.close();
});
