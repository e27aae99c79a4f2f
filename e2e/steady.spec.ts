import { type Page, type Request, expect, test } from '@playwright/test';
import { openApp, PHONE } from './support/app.ts';
import { sellPhone } from './support/customers.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

/** Google's 'good' is 0.1. */
const STEADY = 0.05;

/** Adds up what moves by itself on a page, from the first byte on. */
async function watching(page: Page): Promise<() => Promise<{ sum: number; worst: string[] }>> {
  await page.addInitScript(() => {
    const moved: { sum: number; worst: string[] } = { sum: 0, worst: [] };
    Object.assign(window, { moved });
    interface Shift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources?: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[];
    }
    const name = (node?: Node) => (node instanceof Element ? `${node.tagName}.${node.className}` : node?.textContent);
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        if (shift.hadRecentInput) continue;
        moved.sum += shift.value;
        for (const { node, previousRect, currentRect } of shift.sources ?? [])
          moved.worst.push(
            `${shift.value.toFixed(3)} ${name(node)?.slice(0, 80)} ${previousRect.y}+${previousRect.height} → ${currentRect.y}+${currentRect.height}`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { moved: { sum: number; worst: string[] } }).moved);
}

/** What comes later than this after the last answer no answer has brought. */
const QUIET_MS = 800;

/**
 * Answers come as late as on a phone: what they bring after the first paint comes where one sees it come.
 * @returns whether all that was asked is answered, and has been for a while. Some screens ask on and on, seconds apart.
 */
async function slowAnswers(page: Page): Promise<() => boolean> {
  const asked = new Set<Request>();
  let lastMs = Number.POSITIVE_INFINITY;
  const answered = (request: Request) => {
    if (asked.delete(request)) lastMs = Date.now();
  };
  // What the list of EMIs brings along for when the network goes changes nothing on it.
  const isAlong = (request: Request) =>
    request.url().endsWith('/get_emi_details') && page.url().includes('/upcoming-emi');
  page.on('response', (response) => answered(response.request()));
  page.on('requestfailed', answered);
  await page.route(/\/(api|country)\//, async (route) => {
    if (isAlong(route.request())) return route.continue();
    asked.add(route.request());
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  return () => asked.size === 0 && Date.now() - lastMs > QUIET_MS;
}

test('nothing jumps between the first paint and the data', async ({ browser }) => {
  test.setTimeout(120_000);
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Asha', lastName: 'Kulkarni' });
  const rows = (await shop.api.call('listCustomers', { query: { status: 1, page: 1, page_size: 1 } })).list;
  const active = rows[0]?.customer_id ?? customerId;
  const screens: [string, boolean][] = [
    ['/login', false],
    ['/dashboard', true],
    ['/customers', true],
    [`/customers/${active}`, true],
    [`/view-emi-details/${active}`, true],
    ['/upcoming-emi', true],
    ['/add-customer', true],
  ];
  for (const [path, isInside] of screens) {
    const { page, context } = await openApp(browser, isInside ? shop : null, { hasWorker: false });
    const moved = await watching(page);
    const quiet = await slowAnswers(page);
    await page.goto(path);
    await expect(page.locator('main').last()).toBeVisible();
    await expect.poll(quiet, { timeout: 20_000 }).toBe(true);
    const { sum, worst } = await moved();
    expect.soft(sum, `${path}\n${worst.join('\n')}`).toBeLessThan(STEADY);
    await context.close();
  }
});

test('a new screen begins at its top, and the way back leads to where one was', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER), { hasWorker: false, viewport: PHONE });
  await page.goto('/dashboard');
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 10_000));
  const down = await page.evaluate(() => window.scrollY);
  expect(down).toBeGreaterThan(200);
  await page.getByRole('link', { name: t('shell.emis'), exact: true }).click();
  // The address changes a moment before the screen does; link and place change with the screen.
  await expect(page.getByRole('link', { name: t('shell.emis'), exact: true })).toHaveAttribute('aria-current', 'page');
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200);
  // Another filter begins with its first row, however far one had come; the filters themselves stay where the thumb is.
  await page.goto('/customers');
  const filter = page.getByRole('button', { name: new RegExp(`^${t('customers.quick_overdue')}`) });
  await expect(filter).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(1600);
  await page.evaluate(() => window.scrollTo(0, 700));
  const before = await filter.boundingBox();
  await slowAnswers(page);
  await filter.click();
  await expect(page).toHaveURL(/due=overdue/);
  await expect(filter).toHaveAttribute('aria-pressed', 'true');
  // Until they are answered for, the rows of before are pale, stand where they stood and cannot be pressed.
  const pale = page.locator('main [aria-busy=true][inert]');
  await expect(pale).toHaveCount(1);
  // Where rows have fractions of a pixel the browser rounds either way.
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - 700)).toBeLessThanOrEqual(1);
  await expect(pale).toHaveCount(0);
  const firstRow = page.locator('main [aria-busy=false] button').first();
  const gap = async () => (await firstRow.boundingBox())!.y - (await filter.boundingBox())!.y;
  await expect.poll(gap).toBeGreaterThan(0);
  expect(await gap()).toBeLessThan(120);
  expect((await filter.boundingBox())?.y).toBe(before?.y);
  await context.close();
});

test('a message lies on no button where there is room beside them', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Radha', lastName: 'More' });
  const { page, context, t } = await openApp(browser, shop, { hasWorker: false });
  await page.goto(`/signature?customer_id=${customerId}`);
  await page.goto('/language');
  await page.getByRole('radio', { name: 'हिन्दी' }).click({ force: true });
  const message = page.locator('[role=status] > div').first();
  await expect(message).toBeVisible();
  const covered = () =>
    message.evaluate((own) => {
      const box = own.getBoundingClientRect();
      return [
        ...document.querySelectorAll(
          'main button, main a[href], header button, header a[href], nav a[href], nav button',
        ),
      ].filter((one) => {
        const { top, bottom, left, right, width } = one.getBoundingClientRect();
        return (
          width > 0 &&
          !own.contains(one) &&
          top < box.bottom &&
          bottom > box.top &&
          left < box.right &&
          right > box.left
        );
      }).length;
    });
  await expect.poll(covered).toBe(0);
  expect(t('shell.more')).not.toBe('');
  await context.close();
});

test('logo and name stand there before any code of the app, inside too', async ({ browser }) => {
  const { page, context } = await openApp(browser, await sessionOf(RETAILER), { hasWorker: false });
  await page.route('**/assets/*.js', () => undefined);
  await page.goto('/dashboard', { waitUntil: 'commit' });
  const head = page.locator('#shell header');
  await expect(head.locator('i')).toHaveText(/^[A-Z]{1,2}$/);
  await expect(head.locator('b')).toHaveText(await page.title());
  expect(await page.title()).not.toBe('EMI');
  await context.close();
});
