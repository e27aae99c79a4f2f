import { type Browser, type Locator, type Page, expect, test } from '@playwright/test';
import { type App, openApp, PHONE } from './support/app.ts';
import { faultsOfBoth, settled } from './support/axe.ts';
import { type Sold, sellAndEnrol, sellPhone } from './support/customers.ts';
import { RETAILER, type SignedIn, sessionOf } from './support/sign-in.ts';

const DESK = { width: 1280, height: 800 };
const TABLET = { width: 820, height: 1180 };
/** Where a list of customers has how much room. */
const ROOMS = [
  { name: 'a small phone, compact', viewport: { width: 320, height: 640 }, isCompact: true },
  { name: 'a phone, compact', viewport: PHONE, isCompact: true },
  { name: 'a tablet', viewport: TABLET },
  { name: 'a small desk', viewport: { width: 1024, height: 768 } },
  { name: 'a small desk, beside a customer', viewport: { width: 1024, height: 768 }, isBeside: true },
  { name: 'a desk, beside a customer', viewport: DESK, isBeside: true },
];

let shop: SignedIn;
let sold: Sold;
let waiting: Sold;
test.beforeAll(async () => {
  shop = await sessionOf(RETAILER);
  sold = await sellAndEnrol(shop.api, { firstName: 'Gauri', lastName: 'Kulkarni' });
  waiting = await sellPhone(shop.api, { firstName: 'Waman', lastName: 'Joshi' });
});

const openDesk = (browser: Browser, theme: 'light' | 'system' = 'light'): Promise<App> =>
  openApp(browser, shop, { viewport: DESK, theme });
const list = ({ page, t }: App): Locator => page.getByRole('table', { name: t('customers.title') });
const rowOf = (app: App, id: string): Locator => app.page.locator(`[data-row="${id}"]`);
const scrollOf = (page: Page): Promise<number> => page.evaluate(() => window.scrollY);

/** Some way down a list that is long enough for it. */
async function scrollDown(app: App): Promise<number> {
  const { page } = app;
  await expect(list(app).getByRole('row').nth(5)).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(1300);
  await page.mouse.move(500, 500);
  await page.mouse.wheel(0, 437);
  await expect.poll(() => scrollOf(page)).toBe(437);
  return 437;
}

test('the list stays beside the customer who is chosen from it, at the very pixel, there and back', async ({
  browser,
}) => {
  const app = await openDesk(browser);
  const { page, context, t } = app;
  await page.goto('/customers');
  for (const head of ['customers.sort_name', 'emi.phone', 'customers.emi_date', 'customers.status', 'customers.lock'])
    await expect(list(app).getByRole('columnheader', { name: t(head), exact: true })).toBeVisible();
  const place = await scrollDown(app);
  const links = list(app).locator('[data-row]');
  const inSight = await links.evaluateAll((all) =>
    all.filter((one) => one.getBoundingClientRect().top > 300).map((one) => one.getAttribute('data-row') ?? ''),
  );
  const [first = '', second = ''] = inSight;
  await rowOf(app, first).click();
  await expect(page).toHaveURL(new RegExp(`customer.*${first}`));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(list(app)).toBeVisible();
  await expect(rowOf(app, first)).toHaveAttribute('aria-current', 'true');
  expect(await scrollOf(page)).toBe(place);
  await rowOf(app, second).click();
  await expect(rowOf(app, second)).toHaveAttribute('aria-current', 'true');
  await page.goBack();
  await expect(rowOf(app, first)).toHaveAttribute('aria-current', 'true');
  await page.goForward();
  await expect(rowOf(app, second)).toHaveAttribute('aria-current', 'true');
  expect(await scrollOf(page)).toBe(place);
  // Away to another screen, and back.
  await page.getByRole('link', { name: t('shell.emis'), exact: true }).click();
  await expect(page).toHaveURL(/upcoming-emi/);
  await expect.poll(() => scrollOf(page)).toBe(0);
  await page.goBack();
  await expect(rowOf(app, second)).toHaveAttribute('aria-current', 'true');
  await expect.poll(() => scrollOf(page)).toBe(place);
  await context.close();
});

test('the filters stay as they are while customers are opened from them', async ({ browser }) => {
  const app = await openDesk(browser);
  const { page, context, t } = app;
  await page.goto('/customers?status=0');
  await rowOf(app, waiting.customerId).click();
  await expect(page).toHaveURL(/customer-navigate\?.*customer_id=/);
  await expect(page).toHaveURL(/status=0/);
  await expect(list(app)).toBeVisible();
  await expect(page.getByRole('button', { name: new RegExp(`^${t('customers.quick_inactive')}`) })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.getByRole('link', { name: t('common.close') }).click();
  await expect(page).toHaveURL(/\/customers\?status=0$/);
  await context.close();
});

test('a customer is found, opened, collected from and left by the keyboard alone', async ({ browser }) => {
  const app = await openDesk(browser);
  const { page, context, t } = app;
  await settled(page, '/dashboard');
  const search = page.getByRole('searchbox');
  await expect(search).toHaveAttribute('aria-keyshortcuts', '/ Control+K');
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  // In a field a key is a letter, whatever it does elsewhere.
  await page.keyboard.type('c?/');
  await expect(search).toHaveValue('c?/');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await search.fill(sold.agreementNo);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/customers\?search=/);
  await expect(page.getByText(t('customers.end', { count: 1 }))).toBeVisible();
  await expect(search).toBeFocused();
  // While one types on, the list follows.
  await search.fill('');
  await expect(list(app).getByRole('row').nth(5)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  const links = list(app).locator('[data-row]');
  await expect(links.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(links.nth(1)).toBeFocused();
  const id = await links.nth(1).getAttribute('data-row');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveURL(new RegExp(id ?? 'no row'));
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/customers$/);
  await expect(rowOf(app, id ?? '')).toBeFocused();

  await settled(page, `/customers/${sold.customerId}`);
  await expect(page.locator('[aria-keyshortcuts=C]')).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog', { name: t('emi.collect') })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/customers/${sold.customerId}$`));
  await settled(page, `/view-emi-details/${sold.customerId}`);
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog', { name: t('emi.collect') })).toBeVisible();
  await context.close();
});

test('the shortcuts are told, and single keys can be turned off', async ({ browser }) => {
  const app = await openDesk(browser);
  const { page, context, t } = app;
  await settled(page, '/dashboard');
  await expect(page.locator('[aria-keyshortcuts="Shift+?"]')).toBeVisible();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: t('keyboard.title') });
  await expect(help).toContainText(t('keyboard.collect'));
  await help.getByRole('switch', { name: t('keyboard.single') }).click();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  const search = page.getByRole('searchbox');
  await page.keyboard.press('/');
  await page.keyboard.press('?');
  await expect(help).toHaveCount(0);
  await expect(search).not.toBeFocused();
  await expect(search).not.toHaveAttribute('aria-keyshortcuts');
  await page.keyboard.press('Control+k');
  await expect(search).toBeFocused();
  await page.reload();
  await expect(search).not.toHaveAttribute('aria-keyshortcuts');
  await context.close();
});

const paiseOf = (text: string): number => Math.round(Number(text.replace(/[^\d.]/g, '') || '0') * 100);
/** What a table shows: its heads, its rows, and what stands below them, cell by cell. */
const readTable = (table: Locator): Promise<{ heads: string[]; rows: string[][]; sums: string[] }> =>
  table.evaluate((node: HTMLTableElement) => {
    const cells = (row: HTMLTableRowElement | undefined) => [...(row?.cells ?? [])].map((cell) => cell.innerText);
    const body = node.tBodies[0];
    return {
      heads: cells(node.tHead?.rows[0]),
      rows: [...(body?.rows ?? [])].map(cells),
      sums: cells(node.tFoot?.rows[0]),
    };
  });

test('what stands below the columns is what the rows come to', async ({ browser }) => {
  const app = await openDesk(browser);
  const { page, context, t } = app;
  await settled(page, `/view-emi-details/${sold.customerId}`);
  const schedule = await readTable(page.getByRole('table', { name: t('emi.schedule') }));
  expect(schedule.rows.length).toBeGreaterThan(2);
  const figures = schedule.heads.flatMap((_head, column) => (schedule.sums[column]?.includes('₹') ? [column] : []));
  expect(figures.length).toBeGreaterThanOrEqual(4);
  for (const column of figures) {
    const sum = schedule.rows.reduce((all, row) => all + paiseOf(row[column] ?? ''), 0);
    expect(paiseOf(schedule.sums[column] ?? ''), schedule.heads[column]).toBe(sum);
  }

  await settled(page, '/upcoming-emi?bucket=month');
  const table = page.getByRole('table', { name: t('dues.month') });
  const tile = (await shop.api.call('upcomingEmiCounts')).find(({ bucket }) => bucket === 'month');
  let count = 0;
  await page.mouse.move(640, 600);
  // By a wheel, which draws the page anew as a hand does. Page after page, until neither more rows nor a place where they would come are left.
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 20_000);
        const before = count;
        count = await table.locator('tbody tr th').count();
        return count > 0 && count === before && (await table.locator('tbody td[colspan]').count()) === 0;
      },
      { timeout: 45_000 },
    )
    .toBe(true);
  const dues = await readTable(table);
  const amount = dues.heads.indexOf(t('emi.amount'));
  const sum = dues.rows.reduce((all, row) => all + paiseOf(row[amount] ?? ''), 0);
  expect(sum).toBe(tile?.paise);
  expect(paiseOf(dues.sums[amount] ?? '')).toBe(sum);
  await context.close();
});

test('a form has two columns, and dialogs stand in the middle', async ({ browser }) => {
  const app = await openDesk(browser);
  const { page, context, t } = app;
  await settled(page, '/add-customer');
  const change = page.getByRole('button', { name: t('add.plan_change') });
  if (await change.isVisible()) {
    const name = await page.getByLabel(t('add.first_name')).boundingBox();
    const street = await page.getByLabel(t('add.line1')).boundingBox();
    expect(street!.x).toBeGreaterThan(name!.x + name!.width);
  }
  await settled(page, `/view-emi-details/${sold.customerId}`);
  await page.keyboard.press('c');
  const box = await page.getByRole('dialog').boundingBox();
  expect(Math.abs(box!.x + box!.width / 2 - DESK.width / 2)).toBeLessThan(2);
  expect(box!.width).toBeLessThanOrEqual(480);
  expect(box!.y + box!.height).toBeLessThan(DESK.height - 20);
  await context.close();
});

test('no barrier on a desk, light or dark (axe)', async ({ browser }) => {
  test.setTimeout(420_000);
  const app = await openDesk(browser, 'system');
  const { page, context, t } = app;
  const faults: Record<string, string[]> = {};
  const look = async (where: string) => {
    const found = await faultsOfBoth(page);
    if (found.length > 0) faults[where] = found;
  };
  for (const path of [
    '/dashboard',
    '/customers',
    `/customers/${sold.customerId}`,
    `/customer-navigate?customer_id=${waiting.customerId}`,
    '/customers?search=nobody-of-this-name',
    '/upcoming-emi?bucket=month',
    '/collections?days=14',
    `/view-emi-details/${sold.customerId}`,
    '/add-customer',
    '/retailers',
    '/add-retailer',
    '/sessions',
    '/language',
  ]) {
    await settled(page, path);
    await look(path);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) faults[`${path}, wide by`] = [String(over)];
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: t('keyboard.title') })).toBeVisible();
  await look('shortcuts');
  await context.close();
  expect(faults).toEqual({});
});

test('a tablet has a rail at the left, tables, and one screen at a time', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, shop, { viewport: TABLET });
  await settled(page, '/customers');
  const rail = await page.getByRole('navigation', { name: t('shell.main') }).boundingBox();
  expect([rail!.x, rail!.y, rail!.height]).toEqual([0, 0, TABLET.height]);
  const table = page.getByRole('table', { name: t('customers.title') });
  await expect(table).toBeVisible();
  await page.locator(`[data-row="${sold.customerId}"]`).click();
  await expect(page.getByRole('heading', { level: 1, name: /Gauri/ })).toBeVisible();
  await expect(table).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await context.close();
});

/** Whether every letter of a text stands within its cell, or its row, and that in the window. */
const isWhole = (text: Locator): Promise<boolean> =>
  text.evaluate((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const around = (node.closest('td, th') ?? node.closest('button')!).getBoundingClientRect();
    const isWithin = left >= around.left - 1 && right <= Math.min(around.right, window.innerWidth) + 1;
    const row = (node.closest('tr') ?? node.closest('button')!).getBoundingClientRect();
    return isWithin && node.scrollWidth <= node.clientWidth + 1 && top >= row.top - 1 && bottom <= row.bottom + 1;
  });
const isOnTop = (part: Locator): Promise<boolean> =>
  part.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

test('every row of customers calls, writes and says how far its EMIs are, whole, however little room it has', async ({
  browser,
}) => {
  // In the language that says it longest.
  const { page, context, t } = await openApp(browser, shop, { language: 'tm' });
  const paid = new RegExp(`^${t('customers.paid_of', { paid: 0, total: '\\d+' })}$`);
  for (const { name, viewport, isCompact, isBeside } of ROOMS)
    await test.step(name, async () => {
      await page.setViewportSize(viewport);
      await settled(page, `/customers${isBeside ? `/${sold.customerId}` : ''}?search=${waiting.agreementNo}`);
      await page.evaluate((is) => document.documentElement.classList.toggle('compact', is), isCompact ?? false);
      const call = page.getByRole('link', { name: `${t('common.call')} Waman Joshi` });
      const write = page.getByRole('link', { name: `${t('common.whatsapp')} Waman Joshi` });
      const progress = call.locator('xpath=ancestor::tr | parent::div').getByText(paid).filter({ visible: true });
      await expect(progress).toHaveCount(1);
      expect(await isWhole(progress), `${name}: how far the EMIs are`).toBe(true);
      for (const icon of [call, write]) expect(await isOnTop(icon), `${name}: to call and to write`).toBe(true);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over, name).toBeLessThanOrEqual(0);
    });
  await context.close();
});
