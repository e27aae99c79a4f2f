import { type Page, expect, test } from '@playwright/test';
import { type App, openApp } from './support/app.ts';
import { faultsOfBoth, settled } from './support/axe.ts';
import { sellAndEnrol } from './support/customers.ts';
import { CUSTOMER, RETAILER, type SignedIn, sessionOf } from './support/sign-in.ts';
import type { Words } from './support/words.ts';

/** One sheet: the screen that has it, what opens it, and what it is called here. */
interface Opener {
  on: string;
  opens: (page: Page, t: Words) => Promise<void>;
  named: string;
}

const press =
  (key: string, isWhole = true) =>
  (page: Page, t: Words) =>
    page
      .getByRole('button', { name: isWhole ? t(key) : new RegExp(`^${t(key)}`), exact: isWhole })
      .first()
      .click();
const sheet = (on: string, key: string): Opener => ({ on, opens: press(key), named: key });

/** A customer who is late enough to be charged for it, of the year that the demo shop has behind it. */
async function lateOne({ api }: SignedIn): Promise<string> {
  const { list } = await api.call('listCustomers', { query: { due: 'overdue', page_size: 50 } });
  for (const { customer_id } of list) {
    const { charges, chargeable } = await api.call('getEmiDetails', { body: { customer_id } });
    if (charges.length > 0 || chargeable !== null) return customer_id;
  }
  throw new Error('nobody is late');
}

/** Every sheet of a shop that another test of barriers does not look at. */
async function sheetsOf(shop: SignedIn, t: Words): Promise<Opener[]> {
  const { customerId } = await sellAndEnrol(shop.api, { firstName: 'Bhavna', lastName: 'Deshmukh' });
  const { list } = await shop.api.call('listUsers', { query: { state: 'active', page_size: 100 } });
  const { user_id: below } = list.find(({ customers }) => customers > 0)!;
  const count = t('dues.remind_all', { count: 2 }).replace('2', String.raw`\d+`);
  const remind = new RegExp(`^(${count}|${t('dues.remind_all', { count: 1 })})$`);
  const toPayments = async (page: Page) => {
    await page.getByRole('tab', { name: new RegExp(t('emi.payments')) }).click();
    await page.getByRole('button', { name: /₹/ }).first().click();
  };
  return [
    sheet(`/retailers/${below}`, 'retailers.suspend'),
    sheet(`/retailers/${below}`, 'retailers.pass_on'),
    sheet(`/customers/${customerId}`, 'customer.edit'),
    sheet(`/customers/${customerId}`, 'exchange.title'),
    sheet(`/customers/${customerId}`, 'erase.theirs'),
    { on: `/view-emi-details/${customerId}`, opens: toPayments, named: 'emi.receipt' },
    sheet(`/view-emi-details/${await lateOne(shop)}`, 'penalty.title'),
    {
      on: '/upcoming-emi?bucket=overdue',
      opens: (page) => page.getByRole('button', { name: remind }).click(),
      named: 'dues.remind_all',
    },
    { on: '/customers', opens: press('customers.filter', false), named: 'customers.filter' },
    { on: '/dashboard', opens: press('bell.title', false), named: 'bell.title' },
    {
      on: '/dashboard',
      opens: (page) => page.locator('button[aria-haspopup=dialog]').first().click(),
      named: 'shell.outbox',
    },
  ];
}

/** Looks at each, and closes it. @returns the barriers, by the sheets that have them */
async function faultsIn({ page, t }: App, openers: readonly Opener[]): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  let at = '';
  for (const { on, opens, named } of openers) {
    if (on !== at) await settled(page, on);
    at = on;
    await opens(page, t);
    const dialog = page.locator('dialog[open]');
    await expect(dialog).toHaveCount(1);
    await expect(dialog.locator('.animate-pulse')).toHaveCount(0);
    const found = await faultsOfBoth(page);
    if (found.length > 0) faults[`${on} ${named}`] = found;
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    // Its entry is off the history as well, before the next one has one.
    await expect.poll(() => page.evaluate(() => (history.state as { sheets?: number } | null)?.sheets)).toBeUndefined();
  }
  return faults;
}

test('no barrier in what a shop opens now and then over its screens, light or dark (axe)', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const app = await openApp(browser, shop, { theme: 'system', hasWorker: false });
  expect(await faultsIn(app, await sheetsOf(shop, app.t))).toEqual({});
  await app.context.close();
  const own = await openApp(browser, await sessionOf(CUSTOMER), { theme: 'system', hasWorker: false });
  expect(await faultsIn(own, [sheet('/my-emi', 'emi.i_paid')])).toEqual({});
  await own.context.close();
});
