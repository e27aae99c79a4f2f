import { expect, test } from '@playwright/test';
import { LANGUAGES, LANGUAGE_TAGS, type Language } from '@kist/contract/codes';
import { type App, PHONE, openApp } from './support/app.ts';
import { BASE_URL } from './support/base-url.ts';
import { sellAndEnrol } from './support/customers.ts';
import { type SignedIn, RETAILER, sessionOf } from './support/sign-in.ts';
import { type Words, wordsOf } from './support/words.ts';

/** What Intl says where a browser names a language but has no words for it, and English words of time. */
const FOREIGN_TIME = /\bM\d+ \d|-\d+ (s|min|h|d)\b|\b(ago|yesterday|now|min|sec|hr|days?)\b|\d[hmd]\b/;

let shop: SignedIn;
let customerId: string;
/** One phone whose language is chosen anew: what it has of the app it need not fetch ten times. */
let phone: App;
test.beforeAll(async ({ browser }) => {
  shop = await sessionOf(RETAILER);
  ({ customerId } = await sellAndEnrol(shop.api, { firstName: 'Savita', lastName: 'Rao' }));
  phone = await openApp(browser, shop, { hasWorker: false });
});
test.afterAll(() => phone.context.close());

async function speak(language: Language): Promise<Words> {
  await phone.context.addCookies([{ name: 'i18next', value: language, url: BASE_URL }]);
  return wordsOf(language);
}

/** Runs in the page. @returns the words of chips that stand on more than one line */
const brokenChips = (): string[] =>
  [...document.querySelectorAll('[data-chip]')]
    .filter((chip) => {
      const words = document.createRange();
      words.selectNodeContents(chip.lastChild ?? chip);
      return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    })
    .map((chip) => chip.textContent ?? '');

for (const language of LANGUAGES)
  test(`the screens of every day fit a small phone and speak of time in its language (${language})`, async () => {
    const { page } = phone;
    const t = await speak(language);
    for (const path of [
      '/dashboard',
      '/customers',
      '/customers?due=overdue',
      '/upcoming-emi',
      '/collections?days=14',
      `/customers/${customerId}`,
      `/view-emi-details/${customerId}`,
      `/emi-details/${customerId}`,
      '/sessions',
      '/add-customer',
    ]) {
      await page.goto(path);
      await expect(page.locator('h1').first()).toBeVisible();
      await expect(page.getByLabel(t('states.loading'))).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(LANGUAGE_TAGS[language]);
      const [wide, text] = await page.evaluate(() => [document.documentElement.scrollWidth, document.body.innerText]);
      expect(wide, path).toBeLessThanOrEqual(PHONE.width);
      expect(await page.evaluate(brokenChips), path).toEqual([]);
      if (!['en', 'sp'].includes(language)) expect(text, path).not.toMatch(FOREIGN_TIME);
    }
  });

for (const language of LANGUAGES)
  test(`a state stands on one line of its chip in a row of a small phone's list, however long it lasts (${language})`, async () => {
    const { page } = phone;
    const t = await speak(language);
    await page.goto('/customers?due=overdue');
    const age = new Intl.NumberFormat(`${LANGUAGE_TAGS[language]}-IN-u-nu-latn`, {
      style: 'unit',
      unit: 'day',
      unitDisplay: 'narrow',
    }).format(14);
    const states = [
      ...['locked', 'unlocked', 'level'].map((to) => t(`lock.pending_${to}`, { age })),
      ...['locked', 'unlocked'].map((state) => t(`lock.${state}`)),
      ...[0, 1, 2, 3, 4, 5, 6].map((status) => t(`status.s${status}`)),
      ...['disputed', 'paid'].map((word) => t(`customers.${word}`)),
      t('customers.late', { count: 120 }),
    ];
    const chip = page.locator('main [data-chip]').first();
    await expect(chip).toBeVisible();
    const broken: string[] = [];
    for (const state of states) {
      await chip.evaluate((element, words) => (element.lastChild!.textContent = words), state);
      broken.push(...(await page.evaluate(brokenChips)));
    }
    expect(broken).toEqual([]);
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

test('a language that is chosen speaks at once, after a screen with words of its own and on the way back to English too', async ({
  browser,
}) => {
  const { page, context } = await openApp(browser, shop, { hasWorker: false });
  await page.goto('/sessions');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto('/language');
  for (const language of ['hn', 'tm', 'en', 'mr', 'en'] as const) {
    const t = await wordsOf(language);
    await page.locator(`input[type=radio][value=${language}]`).click({ force: true });
    await expect(page.getByRole('heading', { level: 1, name: t('language.title'), exact: true })).toBeVisible();
    await page.getByRole('link', { name: t('shell.customers'), exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: t('customers.title'), exact: true })).toBeVisible();
    await page.goBack();
  }
  await context.close();
});
