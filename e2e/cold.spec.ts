import { type Browser, type Locator, expect, test } from '@playwright/test';
import { type App, openApp, pageOf } from './support/app.ts';
import { sellPhone } from './support/customers.ts';
import { loseNetwork } from './support/network.ts';
import { CUSTOMER, RETAILER, type SignedIn, sessionOf } from './support/sign-in.ts';
import { SPOKEN, type TestLanguage } from './support/words.ts';

/** A phone on which only `opened` was ever looked at, started again where there is no network. */
async function coldStart(browser: Browser, who: SignedIn, opened: string, language: TestLanguage = 'en'): Promise<App> {
  const app = await openApp(browser, who, { language });
  const { page, context } = app;
  // All that a sale begins with, by the time the shop has looked at its day.
  const stocked = opened === '/dashboard' ? page.waitForResponse(/plan/i) : undefined;
  await page.goto(opened);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await stocked;
  // What came is written down, the words of both files among it.
  await page.waitForTimeout(2000);
  await page.close();
  await loseNetwork(context);
  return { ...app, page: await pageOf(context) };
}

test('a sale is begun without a network on a phone that never opened the form', async ({ browser }) => {
  const language = SPOKEN;
  const { page, context, t } = await coldStart(browser, await sessionOf(RETAILER), '/dashboard', language);
  await page.goto('/add-customer');
  // The plan of the last sale is chosen, or the plans stand there to choose from.
  await expect(page.getByText(t('add.plan_change')).or(page.getByRole('radio').first())).toBeVisible();
  await expect(page.getByRole('status', { name: t('states.loading') })).toHaveCount(0);
  await context.close();
});

/** While the phone asks again by itself it goes on saying so. @returns the looks at which it did not */
async function stands(said: Locator, path: string): Promise<string[]> {
  const gone: string[] = [];
  for (let look = 0; look < 8; look += 1) {
    if (!(await said.isVisible())) gone.push(`${path}, look ${look}`);
    await said.page().waitForTimeout(400);
  }
  return gone;
}

test('every screen that was never opened says without a network what is wrong and what to do, and none stays grey', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Narmada', lastName: 'Shirke' });
  const { page, context, t } = await coldStart(browser, shop, '/dashboard');
  const stays: Promise<string[]>[] = [];
  for (const path of [
    '/customers',
    `/customers/${customerId}`,
    `/view-emi-details/${customerId}`,
    `/customer-navigate?customer_id=${customerId}`,
    `/emm-qr?customer_id=${customerId}`,
    `/signature?customer_id=${customerId}`,
    `/add-customer?customer_id=${customerId}`,
    '/upcoming-emi',
    '/collections',
    '/retailers',
    '/retailers/me',
    `/emi-details/${customerId}`,
    '/lock-rules',
    '/waiting',
    '/sessions',
    '/privacy-policy',
  ]) {
    const screen = await pageOf(context);
    await screen.goto(path);
    const said = screen.getByRole('heading', { name: t('states.offline_title') });
    await expect(said, path).toBeVisible();
    await expect(screen.getByText(t('states.offline_body')), path).toBeVisible();
    stays.push(stands(said, path).finally(() => screen.close()));
  }
  expect((await Promise.all(stays)).flat()).toEqual([]);
  // These need nothing of the server.
  await page.goto('/language');
  await expect(page.getByRole('radio', { name: 'हिन्दी' })).toBeVisible();
  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { name: t('states.not_found') }).first()).toBeVisible();
  await context.close();
});

test('a customer without a network reads one line about it, and what is kept stands below', async ({ browser }) => {
  const { page, context, t } = await coldStart(browser, await sessionOf(CUSTOMER), '/my-emi');
  await page.goto('/my-emi');
  await expect(page.getByText(t('mine.receipts')).first()).toBeVisible();
  await expect(page.locator('[data-kept]')).toHaveCount(1);
  // Of the documents nothing is kept: that part says so, and the others stand there all the same.
  await page.goto('/my-data');
  await expect(page.getByText('IMEI', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: t('my_data.pictures') })).toContainText(t('errors.FETCH_ERROR'));
  await expect(page.getByRole('region', { name: t('my_data.pictures') }).getByRole('button')).toBeVisible();
  await expect(page.getByRole('button', { name: t('my_data.download') })).toBeDisabled();
  await expect(page.getByText(t('my_data.not_whole'))).toBeVisible();
  await expect(page.locator('[data-kept]')).toHaveCount(1);
  await context.close();
});
