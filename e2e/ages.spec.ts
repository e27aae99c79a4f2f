import { expect, test } from '@playwright/test';
import { DAY_MS } from '@kist/contract/dates';
import { openApp } from './support/app.ts';
import { AFTERNOON, demoTime, moveClock, shownDay, today } from './support/clock.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

const DAYS = 3;
/** A demo's app asks for the clock every few seconds. */
const HEARD = { timeout: 15_000 };
const daysAgo = (days: number): string =>
  new Intl.RelativeTimeFormat('en-IN', { numeric: 'auto', style: 'short' }).format(-days, 'day');

test('a demo’s clock is the clock of every age: list, queue, bell and sessions stand open while it is moved', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const shop = await sessionOf(RETAILER);
  const { list } = await shop.api.call('listCustomers', { query: { due: 'overdue' } });
  const late = list.find((row) => row.days_past_due > 0 && row.mobile)!;
  // By columns: there how late somebody is has one of its own.
  const customers = await openApp(browser, shop, { viewport: { width: 1280, height: 800 } });
  const queue = await openApp(browser, shop);
  const home = await openApp(browser, shop);
  const sessions = await openApp(browser, shop);
  const { t } = home;
  const lateBy = (days: number) => t('customers.late', { count: days });

  await customers.page.goto(`/customers?due=overdue&search=${late.mobile.slice(-10)}`);
  const row = customers.page
    .getByRole('row')
    .filter({ has: customers.page.locator(`[data-row="${late.customer_id}"]`) });
  await expect(row).toContainText(`${late.days_past_due}d`);
  await queue.page.goto('/upcoming-emi?bucket=overdue');
  // The whole row: how late somebody is stands below what opens the customer.
  const dues = queue.page.locator('main [data-due]');
  const said = (await dues.first().textContent()) ?? '';
  const wasLate = Number(/(\d+) days? overdue/.exec(said)?.[1]);
  expect(said).toContain(lateBy(wasLate));
  const whose = await dues.first().getAttribute('data-due');
  await home.page.goto('/dashboard');
  await home.page.getByRole('button', { name: new RegExp(`^${t('bell.title')}`) }).click();
  const bell = home.page.getByRole('dialog', { name: t('bell.title') });
  await expect(bell.locator('a[href^="/"]').first()).toBeVisible();
  await sessions.page.goto('/sessions');
  await expect(sessions.page.getByText(t('sessions.this_device'), { exact: true })).toBeVisible();

  await moveClock({ advance_days: DAYS, set_time: AFTERNOON });
  await expect(row).toContainText(`${late.days_past_due + DAYS}d`, HEARD);
  await expect(queue.page.locator(`main [data-due="${whose}"]`)).toContainText(lateBy(wasLate + DAYS), HEARD);
  const nowMs = Date.parse((await demoTime()).now);
  const days = (await shop.api.call('listNotifications')).list
    .map(({ created_at: at }) => Math.floor((nowMs - Date.parse(at)) / DAY_MS))
    // Whatever hour it was: what stood there before is two whole days older at least.
    .filter((one) => one >= DAYS - 1);
  expect(days.length).toBeGreaterThan(0);
  await expect(bell.getByText(daysAgo(days[0]!), { exact: true }).first()).toBeVisible(HEARD);
  // A session lives in real time; it is dated as all else on the screen is, by the shop's day.
  const since = t('sessions.since', { at: '§' }).split('§')[0]!.trim();
  const own = sessions.page.getByText(since).first();
  await expect(own).toContainText(shownDay(await today()), HEARD);
  for (const { context } of [customers, queue, home, sessions]) await context.close();
});
