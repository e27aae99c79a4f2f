import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { type Sold, sellPhone } from './support/customers.ts';
import { RETAILER, type SignedIn, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

let shop: SignedIn;
let sold: Sold;
let other: Sold;
test.beforeAll(async () => {
  shop = await sessionOf(RETAILER);
  sold = await sellPhone(shop.api, { firstName: 'Meera', lastName: 'Joshi' });
  other = await sellPhone(shop.api, { firstName: 'Iqbal', lastName: 'Shaikh' });
});

test('a refusal is seen and heard while the sheet that it is about is open', async ({ browser }) => {
  const language = SPOKEN;
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto(`/customer-navigate?customer_id=${sold.customerId}`);
  await page.getByRole('button', { name: t('exchange.title') }).click();
  const sheet = page.getByRole('dialog', { name: t('exchange.title') });
  const region = sheet.getByRole('status');
  await sheet.getByLabel(t('exchanging.imei'), { exact: true }).fill(other.imei);
  await expect(region).toBeEmpty();
  await sheet.getByLabel(t('cancel.reason')).fill('Typed wrongly');
  await sheet.getByRole('button', { name: t('exchange.title') }).click();
  await expect(region).toContainText(t('errors.DUPLICATE_IMEI'));
  const isOnTop = await region.locator('span').evaluate((words) => {
    const { x, y, width, height } = words.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === words;
  });
  expect(isOnTop).toBe(true);
  // Nor is it told to a page that is inert.
  await expect(page.getByText(t('errors.DUPLICATE_IMEI'))).toHaveCount(1);
  await context.close();
});

test('back closes an open sheet and stays on the page; closed otherwise, a sheet is nothing to go back to', async ({
  browser,
}) => {
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/customers');
  await page.goto(`/customer-navigate?customer_id=${sold.customerId}`);
  const open = page.getByRole('button', { name: t('exchange.title') });
  const sheet = page.getByRole('dialog', { name: t('exchange.title') });
  await open.click();
  await expect(sheet).toBeVisible();
  await page.goBack();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(/customer-navigate/);
  await expect(open).toBeFocused();
  await open.click();
  await sheet.getByRole('button', { name: t('common.close') }).click();
  await expect(sheet).toBeHidden();
  await expect.poll(() => page.evaluate(() => (history.state as { sheets?: number } | null)?.sheets)).toBeUndefined();
  await page.goBack();
  await expect(page).toHaveURL(/\/customers$/);
  await context.close();
});

test('a page that a sheet led to leads back to the page below the sheet', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('link', { name: t('shell.sessions') }).click();
  await expect(page).toHaveURL(/\/sessions$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await context.close();
});
