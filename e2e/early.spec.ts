import { type Page, type Request, expect, test } from '@playwright/test';
import { serveFront } from '#scripts/lib/front.mjs';
import { openApp } from './support/app.ts';
import { BASE_URL } from './support/base-url.ts';
import { sellPhone } from './support/customers.ts';
import { CUSTOMER, RETAILER, sessionOf } from './support/sign-in.ts';

/** Calls of the app that left this page, by their path. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(api|country)\//.test(pathname)) calls.push(pathname);
  });
  return calls;
}

/** Opens a page and holds all code of the app back. @returns lets it come */
async function openWithoutCode(page: Page, path: string): Promise<() => void> {
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return release;
}

/** Nothing that was asked early waits for somebody who asks the same. */
const isAllTaken = (page: Page) =>
  page.waitForFunction(() => ((window as { early?: { answers: { size: number } } }).early?.answers.size ?? 0) === 0);

test('what a screen asks first is asked while its code is on its way, and not a second time', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Vaishali', lastName: 'Pawar' });
  const screens: Record<string, string> = {
    '/dashboard': '/api/stats/get_keygen_dashboardV1',
    '/': '/api/stats/get_keygen_dashboardV1',
    '/hn/customers': '/api/customer',
    [`/view-emi-details/${customerId}`]: '/country/get_emi_details',
    [`/customers/${customerId}`]: '/country/getCustomerProfile',
    '/upcoming-emi': '/country/upcoming_emi_counts',
    '/add-customer': '/api/plans',
  };
  for (const [path, first] of Object.entries(screens)) {
    const { page, context } = await openApp(browser, shop, { hasWorker: false });
    const calls = callsOf(page);
    const release = await openWithoutCode(page, path);
    await expect.poll(() => calls, path).toEqual(['/api/user/user_access', first]);
    await expect(page.locator('#shell'), path).toBeVisible();
    release();
    // Then and not later: some ask anew every few seconds.
    await isAllTaken(page);
    const asked = calls.filter((call) => call === first || call === '/api/user/user_access');
    expect(asked, path).toEqual(['/api/user/user_access', first]);
    await expect(page.locator('#shell'), path).toHaveCount(0);
    await context.close();
  }
});

test('of a filtered list the page asks nothing that the screen does not, and of a customer not the day of a shop', async ({
  browser,
}) => {
  for (const [who, path] of [
    [RETAILER, '/customers?due=overdue&sort=overdue'],
    [CUSTOMER, '/dashboard'],
    [CUSTOMER, '/customers'],
  ] as const) {
    const { page, context } = await openApp(browser, await sessionOf(who), { hasWorker: false });
    const calls = callsOf(page);
    const answered = page.waitForResponse(/user_access/);
    await openWithoutCode(page, path);
    await answered;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(calls, `${who} ${path}`).toEqual(['/api/user/user_access']);
    await context.close();
  }
});

test('nothing of a session is sent to where the page came from while its server is elsewhere', async ({ browser }) => {
  const { page, context } = await openApp(browser, await sessionOf(RETAILER), {
    hasWorker: false,
    localStorage: { server: '{"baseUrl":"https://api.example.in","requestTimeoutMs":20000}' },
  });
  const calls = callsOf(page);
  await openWithoutCode(page, '/dashboard');
  await expect(page.locator('#shell')).toBeVisible();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(calls).toEqual([]);
  await context.close();
});

test('what a screen asks first is asked before the files that only screens inside need, and those come all the same when nothing is answered', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  for (const isAnswered of [true, false]) {
    const { page, context } = await openApp(browser, shop, { hasWorker: false });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    if (!isAnswered) await page.route(/user_access/, () => undefined);
    await openWithoutCode(page, '/dashboard');
    const place = (of: RegExp) => asked.findIndex((path) => of.test(path));
    await expect.poll(() => place(/assets\/inside-/)).toBeGreaterThan(0);
    expect(place(/assets\/react-/)).toBeLessThan(place(/assets\/inside-/));
    if (isAnswered) expect(place(/get_keygen_dashboard/)).toBeLessThan(place(/assets\/inside-/));
    if (isAnswered) expect(place(/get_keygen_dashboard/)).toBeGreaterThan(0);
    await context.close();
  }
});

test('over HTTP/2 the files that only screens inside need are asked when the first of the others has come, and not before', async ({
  browser,
}) => {
  const front = await serveFront(Number(new URL(BASE_URL).port));
  try {
    const { page, context } = await openApp(browser, await sessionOf(RETAILER), {
      hasWorker: false,
      origin: front.url,
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // Nothing is asked because time has gone by.
    await page.addInitScript(() => {
      const after = window.setTimeout.bind(window);
      Object.assign(window, { setTimeout: (run: () => void, ms = 0) => (ms < 100 ? after(run, ms) : 0) });
    });
    const release = await openWithoutCode(page, '/dashboard');
    const hasAsked = (of: RegExp) => asked.some((path) => of.test(path));
    await expect.poll(() => hasAsked(/get_keygen_dashboard/)).toBe(true);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(hasAsked(/assets\/react-/)).toBe(true);
    expect(hasAsked(/assets\/inside-|locales/)).toBe(false);
    release();
    await expect.poll(() => hasAsked(/assets\/inside-/)).toBe(true);
    await context.close();
  } finally {
    front.close();
  }
});

test('a page brings its words and its styles: the first screen asks for neither', async ({ browser }) => {
  const { page, context } = await openApp(browser, await sessionOf(RETAILER), { hasWorker: false, language: 'hn' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/dashboard');
  const bar = page.getByRole('navigation').filter({ hasText: 'होम' });
  await expect(bar).toBeVisible();
  expect(asked.filter((path) => /^\/locales\/\w+\.json|\.css$/.test(path))).toEqual([]);
  await expect(bar).toHaveCSS('position', 'fixed');
  await context.close();
});

test('who was told before that a shop is kept asks for its day at once, and a customer never', async ({ browser }) => {
  for (const [who, user_type] of [
    [RETAILER, 'retailer'],
    [CUSTOMER, 'customer'],
  ] as const) {
    const { page, context } = await openApp(browser, await sessionOf(who), {
      hasWorker: false,
      localStorage: { user_type },
    });
    const calls = callsOf(page);
    // Nobody is told who asks.
    await page.route(/user_access/, () => undefined);
    await openWithoutCode(page, '/dashboard');
    const expected = ['/api/user/user_access', ...(who === RETAILER ? ['/api/stats/get_keygen_dashboardV1'] : [])];
    await expect.poll(() => calls, user_type).toEqual(expected);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(calls, user_type).toEqual(expected);
    await context.close();
  }
});
