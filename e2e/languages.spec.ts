import { expect, test } from '@playwright/test';
import { LANGUAGES, LANGUAGE_TAGS } from '@kist/contract/codes';
import { PHONE, openApp } from './support/app.ts';
import { sellAndEnrol } from './support/customers.ts';
import { type SignedIn, RETAILER, sessionOf } from './support/sign-in.ts';

/** What Intl says where a browser names a language but has no words for it, and English words of time. */
const FOREIGN_TIME = /\bM\d+ \d|-\d+ (s|min|h|d)\b|\b(ago|yesterday|now|min|sec|hr|days?)\b|\d[hmd]\b/;

let shop: SignedIn;
let customerId: string;
test.beforeAll(async () => {
  shop = await sessionOf(RETAILER);
  ({ customerId } = await sellAndEnrol(shop.api, { firstName: 'Savita', lastName: 'Rao' }));
});

for (const language of LANGUAGES)
  test(`the screens of every day fit a small phone and speak of time in its language (${language})`, async ({
    browser,
  }) => {
    const { page, context, t } = await openApp(browser, shop, { language, hasWorker: false });
    for (const path of [
      '/dashboard',
      '/customers',
      '/customers?due=overdue',
      '/upcoming-emi',
      `/customers/${customerId}`,
      `/view-emi-details/${customerId}`,
      '/sessions',
      '/add-customer',
    ]) {
      await page.goto(path);
      await expect(page.locator('h1').first()).toBeVisible();
      await expect(page.getByLabel(t('states.loading'))).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(LANGUAGE_TAGS[language]);
      const [wide, text] = await page.evaluate(() => [document.documentElement.scrollWidth, document.body.innerText]);
      expect(wide, path).toBeLessThanOrEqual(PHONE.width);
      if (!['en', 'sp'].includes(language)) expect(text, path).not.toMatch(FOREIGN_TIME);
    }
    await context.close();
  });

test('an address that begins with a language opens its screen in that language, and all that is gone to from there', async ({
  browser,
}) => {
  const { page, context, t } = await openApp(browser, shop, { language: 'hn' });
  await context.clearCookies();
  await page.addInitScript(() => localStorage.removeItem('language'));
  await page.goto(`/hn/customers/${customerId}`);
  await expect(page.getByRole('heading', { name: /Savita/ })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('hi');
  await page.getByRole('link', { name: t('shell.customers'), exact: true }).click();
  await expect(page).toHaveURL(/\/hn\/customers$/);
  await expect(page.getByText('Savita').first()).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('token'));
  await page.goto('/hn/customers?status=1');
  await expect(page).toHaveURL(/\/hn\/login$/);
  await expect(page.getByRole('heading', { name: t('auth.welcome') })).toBeVisible();
  // The choice made here counts before what the address says.
  await context.addCookies([{ name: 'i18next', value: 'en', url: page.url() }]);
  await page.goto('/hn/login');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  await context.close();
});
