import { type Browser, expect, test } from '@playwright/test';
import { brandVars } from '@kist/contract/brand';
import { type App, openApp } from './support/app.ts';
import { settled, unreadableOn } from './support/axe.ts';
import { newMobile, sellAndEnrol, sellPhone } from './support/customers.ts';
import { CUSTOMER, RETAILER, type SignedIn, sessionOf } from './support/sign-in.ts';

const AWKWARD = ['#ffd600', '#ff9100', '#ffffff', '#000000', '#00e5ff', '#808080'] as const;
/** Says that the server's own word has come, so that it does not come in between. */
const COME = '#123456';

/** A screen, by its path; or what is come to from there, under a name. */
type Place = string | { name: string; from: string; go: (app: App) => Promise<void> };
type Places = (ids: { customerId: string; below: string }) => string[];

interface Looks {
  /** Each place in one of the colours, another each time: what is seen seldom. */
  isOneEach?: boolean;
  /** What the phone has kept. */
  kept?: Record<string, string>;
}

/** Words that cannot be read, of each place in each of the awkward colours, in both layouts, by day and by night. */
async function unreadable(
  browser: Browser,
  who: SignedIn | null,
  places: readonly Place[],
  { isOneEach = false, kept = {} }: Looks = {},
): Promise<string[]> {
  const faults: string[] = [];
  for (const [no, one] of places.entries()) {
    const place = typeof one === 'string' ? one : one.name;
    const app = await openApp(browser, who, { theme: 'system', hasWorker: false, localStorage: kept });
    const { page, context } = app;
    await page.route(/get_org_app_config/, async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { data: { theme: { accent: string } } };
      json.data.theme.accent = COME;
      await route.fulfill({ response, json });
    });
    await settled(page, typeof one === 'string' ? one : one.from);
    if (typeof one !== 'string') await one.go(app);
    await page.waitForFunction((come) => localStorage.getItem('brand')?.includes(come), COME);
    for (const [at, accent] of AWKWARD.entries()) {
      if (isOneEach && at !== no % AWKWARD.length) continue;
      const vars = { light: brandVars(accent, 'light'), dark: brandVars(accent, 'dark') };
      const layout = at % 2 === 0 ? 'compact' : 'classic';
      await page.evaluate(
        (brand) => {
          const known = JSON.parse(localStorage.getItem('brand') ?? '{}') as object;
          localStorage.setItem('brand', JSON.stringify({ ...known, ...brand }));
        },
        { accent, layout, ...vars },
      );
      // The app paints anew when the phone turns dark or light.
      for (const mode of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: mode });
        await expect(page.locator('html')).toHaveCSS('--accent', vars[mode]['--accent']);
        faults.push(...(await unreadableOn(page)).map((fault) => `${place} ${accent} ${layout} ${mode}: ${fault}`));
      }
    }
    await context.close();
  }
  return faults;
}

for (const [where, placesOf] of [
  ['home and lists', () => ['/dashboard', '/customers', '/retailers', '/upcoming-emi', '/sessions', '/lock-rules']],
  [
    'profiles',
    ({ customerId, below }) => [
      `/customers/${customerId}`,
      `/view-emi-details/${customerId}`,
      `/customer-documents?customer_id=${customerId}`,
      `/retailers/${below}`,
      '/retailers/me',
    ],
  ],
  ['forms', ({ customerId }) => ['/add-customer', '/add-retailer', `/emi-details/${customerId}`]],
] as const satisfies readonly (readonly [string, Places])[])
  test(`six awkward colours leave every word readable, in both layouts, by day and by night: ${where}`, async ({
    browser,
  }) => {
    test.setTimeout(240_000);
    const shop = await sessionOf(RETAILER);
    const { customerId } = await sellPhone(shop.api, { firstName: 'Charu', lastName: 'Sen' });
    const below = (await shop.api.call('listUsers', { query: { state: 'active' } })).list[0]!.user_id;
    expect(await unreadable(browser, shop, placesOf({ customerId, below }))).toEqual([]);
  });

test('six awkward colours leave every word readable, in both layouts, by day and by night: outside, and what is a customer’s own', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  expect(await unreadable(browser, null, ['/login', '/signup-request'])).toEqual([]);
  expect(await unreadable(browser, await sessionOf(CUSTOMER), ['/my-emi', '/my-data'])).toEqual([]);
});

/** What a press on a screen opens over it. @param word of the button */
const sheet = (from: string, word: 'emi.collect' | 'lock.lock'): Place => ({
  name: `${word} over ${from}`,
  from,
  go: async ({ page, t }) => {
    await page.getByRole('button', { name: t(word), exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByRole('dialog').locator('[aria-busy=true]')).toHaveCount(0);
  },
});
/** Nobody's mobile is answered as everybody's, so no code goes out. */
const codeAsked: Place = {
  name: '/otp',
  from: '/login',
  go: async ({ page, t }) => {
    await page.getByLabel(t('auth.mobile')).fill(newMobile());
    await page.getByRole('button', { name: t('auth.send_code') }).click();
    await expect(page.getByLabel(t('auth.otp_label'))).toBeVisible();
  },
};

test('awkward colours leave every word readable, by day and by night, each of these places in one of them: what is seen seldom, and sheets', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const shop = await sessionOf(RETAILER);
  const { customerId: waiting } = await sellPhone(shop.api, { firstName: 'Charu', lastName: 'Sen' });
  const { customerId: enrolled } = await sellAndEnrol(shop.api, { firstName: 'Dipti', lastName: 'Rao' });
  const places: Place[] = [
    '/collections?days=14',
    '/waiting',
    `/signature?customer_id=${waiting}`,
    `/witness-signature?customer_id=${waiting}`,
    `/customer-navigate?customer_id=${waiting}`,
    `/emm-qr?customer_id=${waiting}`,
    sheet(`/view-emi-details/${enrolled}`, 'emi.collect'),
    sheet(`/customers/${enrolled}`, 'lock.lock'),
  ];
  expect(await unreadable(browser, shop, places, { isOneEach: true })).toEqual([]);
  // A phone that signed in before is asked for its M-PIN.
  const before = { isOneEach: true, kept: { phone: '9000000099' } };
  expect(await unreadable(browser, null, [codeAsked, '/m-pin'], before)).toEqual([]);
});
