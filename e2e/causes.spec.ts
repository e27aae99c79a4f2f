import { type Page, type Route, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { newMobile } from './support/customers.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

const PORTAL = '<!doctype html><title>Cafe Wi-Fi</title><form>Room number</form>';
const html = (status: number) => (route: Route) => route.fulfill({ status, contentType: 'text/html', body: PORTAL });

/** What stands between the phone and the shop's server, and what the app says of it: heading, and what to do. */
const CAUSES: readonly {
  cause: string;
  meets: (route: Route) => Promise<void>;
  says: [string, string];
  strip: string;
}[] = [
  {
    cause: 'our server refuses the line',
    meets: (route) => route.abort('connectionrefused'),
    says: ['shell.server_away', 'states.server_away_body'],
    strip: 'shell.server_away',
  },
  {
    cause: "a gateway's page says 502",
    meets: html(502),
    says: ['shell.server_away', 'states.server_away_body'],
    strip: 'shell.server_away',
  },
  {
    cause: 'our server is busy: 503',
    meets: (route) =>
      route.fulfill({
        status: 503,
        json: { status: 503, response: 'failure', message: 'Busy.', code: 'UNAVAILABLE' },
      }),
    says: ['shell.server_away', 'states.server_away_body'],
    strip: 'shell.server_away',
  },
  {
    cause: "a captive portal's page comes with 200",
    meets: html(200),
    says: ['states.error_title', 'errors.PARSING_ERROR'],
    strip: 'errors.PARSING_ERROR',
  },
  {
    cause: "a captive portal's page comes with 511",
    meets: html(511),
    says: ['states.error_title', 'errors.PARSING_ERROR'],
    strip: 'errors.PARSING_ERROR',
  },
  {
    cause: 'a captive portal answers in JSON of its own',
    meets: (route) => route.fulfill({ status: 200, json: { captive: true, url: 'http://wifi.example/' } }),
    says: ['states.error_title', 'errors.PARSING_ERROR'],
    strip: 'errors.PARSING_ERROR',
  },
  {
    cause: 'a captive portal answers 511 in JSON of its own',
    meets: (route) => route.fulfill({ status: 511, json: { message: 'Network Authentication Required' } }),
    says: ['states.error_title', 'errors.PARSING_ERROR'],
    strip: 'errors.PARSING_ERROR',
  },
];

const token = (page: Page) => page.evaluate(() => localStorage.getItem('token'));

for (const { cause, meets, says, strip } of CAUSES)
  test(`${cause}: the screen and the strip say so, and nobody is signed out`, async ({ browser }) => {
    const shop = await sessionOf(RETAILER);
    const { page, context, t } = await openApp(browser, shop, { language: SPOKEN, hasWorker: false });
    await page.route(/\/(api|country)\//, meets);
    await page.goto('/upcoming-emi');
    await expect(page.getByRole('heading', { name: t(says[0]) })).toBeVisible();
    await expect(page.locator('main').getByText(t(says[1]))).toBeVisible();
    await expect(page.locator('main').getByRole('button', { name: t('common.retry') })).toBeVisible();
    await expect(page.getByRole('button', { name: new RegExp(t(strip).slice(0, 20)) }).first()).toBeVisible();
    expect(await token(page)).toBe(shop.grant.token);
    // It is asked again when somebody presses, and the page is there once the way is free.
    await page.unroute(/\/(api|country)\//);
    await page
      .locator('main')
      .getByRole('button', { name: t('common.retry') })
      .click();
    await expect(page.getByRole('heading', { name: t(says[0]) })).toHaveCount(0);
    await context.close();
  });

for (const { cause, meets, strip } of CAUSES)
  test(`at the sign-in, ${cause}: it is named there too`, async ({ browser }) => {
    const { page, context, t } = await openApp(browser, null, { hasWorker: false });
    await page.goto('/login');
    await page.route(/\/(api|country)\//, meets);
    await page.getByLabel(t('auth.mobile')).fill(newMobile());
    await page.getByRole('button', { name: t('auth.send_code') }).click();
    const said = strip === 'shell.server_away' ? t('errors.server_away') : t(strip);
    await expect(
      page
        .getByText(said)
        .or(page.getByText(t('errors.UNAVAILABLE', { wait: t('wait.soon') })))
        .first(),
    ).toBeVisible();
    await expect(page.getByText(t('errors.FETCH_ERROR'))).toHaveCount(0);
    await context.close();
  });

const BAD = ['zzz', '00000000-0000-4000-8000-000000000000'];
test('an address of nobody says that it is not found, and leads on', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER), { hasWorker: false });
  for (const id of BAD)
    for (const path of [
      `/customers/${id}`,
      `/view-emi-details/${id}`,
      `/customer-navigate?customer_id=${id}`,
      `/emm-qr?customer_id=${id}`,
      `/signature?customer_id=${id}`,
      `/add-customer?customer_id=${id}`,
      `/retailers/${id}`,
      `/add-retailer?user_id=${id}`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: t('states.not_found') }), path).toBeVisible();
      const way = page.locator('main').getByRole('link');
      await expect(way.first(), path).toHaveAttribute('href', /retailer/.test(path) ? '/retailers' : '/customers');
    }
  await context.close();
});

test("a captive portal's page is never kept as a language's words", async ({ browser }) => {
  const { page, context } = await openApp(browser, await sessionOf(RETAILER));
  await page.goto('/dashboard');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  // What the worker itself fetches meets the portal.
  await context.route('**/locales/**', html(200));
  await page.evaluate(() => fetch('/locales/kn.json?v=portal').then((response) => response.text()));
  await page.waitForTimeout(500);
  const kept = await page.evaluate(async () => (await (await caches.open('locales')).keys()).map(({ url }) => url));
  expect(kept.filter((url) => url.includes('portal'))).toEqual([]);
  expect(kept.length).toBeGreaterThan(0);
  await context.close();
});
