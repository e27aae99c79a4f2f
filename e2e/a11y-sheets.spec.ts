import { type Page, expect, test } from '@playwright/test';
import { LANGUAGES } from '@kist/contract/codes';
import { type App, openApp } from './support/app.ts';
import { ARE_ALL_LOOKED_AT, faultsOfBoth, settled } from './support/axe.ts';
import { daysFrom, today } from './support/clock.ts';
import { newImei, newMobile, sellAndEnrol, sellPhone } from './support/customers.ts';
import { signInFirst, withFinger } from './support/finger.ts';
import { CUSTOMER, RETAILER, type SignedIn, freshSession, sessionOf } from './support/sign-in.ts';
import type { Words } from './support/words.ts';

const LOOKED_AT = ARE_ALL_LOOKED_AT ? LANGUAGES : (['en'] as const);

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

/** What a shop asks of a phone and hears from its holder. */
async function phoneSheets({ api }: SignedIn): Promise<Opener[]> {
  const { customerId } = await sellAndEnrol(api, { firstName: 'Gauri', lastName: 'Sawant' });
  const { customerId: heard } = await sellAndEnrol(api, { firstName: 'Imran', lastName: 'Khan' });
  await api.call('openDispute', { body: { customer_id: heard, text: 'I paid this one on Monday' } });
  await api.call('setHold', {
    body: { customer_id: heard, kind: 'hardship', until_on: daysFrom(await today(), 5), reason: 'in hospital' },
  });
  const { customerId: answered } = await sellAndEnrol(api, { firstName: 'Kiran', lastName: 'More' });
  const { dispute_id } = await api.call('openDispute', { body: { customer_id: answered, text: 'I paid it' } });
  await api.call('closeDispute', { body: { dispute_id, outcome: 'it was paid on Monday' } });
  const { list } = await api.call('listCustomers', { query: { lock_status: '1' } });
  return [
    ...['hold.start', 'theft.start', 'dispute.start', 'cancel.title'].map((key) =>
      sheet(`/customers/${customerId}`, key),
    ),
    { on: `/customers/${customerId}`, opens: press('command.emi_alert'), named: 'device.message' },
    { on: `/customers/${customerId}`, opens: press('command.reboot'), named: 'device.reboot_ask' },
    ...['hold.lift', 'dispute.close'].map((key) => sheet(`/customers/${heard}`, key)),
    sheet(`/customers/${answered}`, 'dispute.further'),
    { on: `/customers/${list[0]!.customer_id}`, opens: press('lock.unlock'), named: 'lock.unlock_ask' },
  ];
}

/** What a sale is given up by, and the camera that reads its phone's number. */
async function saleSheets({ api }: SignedIn): Promise<Opener[]> {
  const { customerId } = await sellPhone(api, { firstName: 'Jaya', lastName: 'Shetty' });
  const [plan] = await api.call('listPlans');
  const draft = await api.call('registerCustomer', {
    body: {
      draft: true,
      plan_id: plan!.plan_id,
      customer: { first_name: 'Nitin', last_name: 'Sonawane', mobile: newMobile() },
    },
  });
  const toScanner = async (page: Page, t: Words) => {
    await page.getByLabel(t('add.first_name')).fill('Sangeeta');
    await page.getByLabel(t('auth.mobile'), { exact: true }).fill(newMobile());
    await page.getByRole('button', { name: t('common.continue') }).click();
    await page.getByLabel(t('add.imei1'), { exact: true }).fill(newImei());
    await page.getByRole('button', { name: t('add.scan_for', { field: t('add.imei1') }), exact: true }).click();
  };
  return [
    ...['unclaim.title', 'cancel.title'].map((key) => sheet(`/customer-navigate?customer_id=${customerId}`, key)),
    {
      on: `/customer-navigate?customer_id=${draft.customer_id}`,
      opens: press('navigate.delete'),
      named: 'navigate.delete_ask',
    },
    { on: '/add-customer', opens: toScanner, named: 'add.scan' },
  ];
}

/** Taking money: the code to scan over the sheet, and the receipt behind it. Then what is about the shop and its own people. */
async function counterSheets({ api }: SignedIn): Promise<Opener[]> {
  const { customerId } = await sellAndEnrol(api, { firstName: 'Leela', lastName: 'Nair' });
  const { list } = await api.call('listUsers', { query: { state: 'active', page_size: 100 } });
  const { user_id: below } = list.find(({ customers }) => customers > 0)!;
  const toCode = async (page: Page, t: Words) => {
    await press('emi.collect')(page, t);
    await page.getByRole('dialog').getByText(t('emi.pay_UPI'), { exact: true }).click();
    await press('customer.qr')(page, t);
    await expect(page.getByRole('dialog', { name: t('customer.qr') })).toBeVisible();
  };
  const toReceipt = async (page: Page, t: Words) => {
    await press('emi.collect')(page, t);
    const dialog = page.getByRole('dialog', { name: t('emi.collect') });
    await dialog.getByRole('textbox', { name: t('emi.amount') }).fill('25');
    await dialog.locator('button[type=submit]').click();
    await expect(page.getByRole('dialog', { name: t('emi.receipt') })).toBeVisible();
  };
  const toLogout = async (page: Page, t: Words) => {
    await page.getByRole('button', { name: t('shell.more') }).click();
    await press('shell.logout')(page, t);
    await expect(page.getByRole('dialog', { name: t('shell.logout_ask') })).toBeVisible();
  };
  return [
    { on: `/view-emi-details/${customerId}`, opens: toCode, named: 'customer.qr' },
    { on: `/view-emi-details/${customerId}`, opens: toReceipt, named: 'emi.receipt' },
    sheet(`/retailers/${below}`, 'retailers.keys_pass'),
    sheet(`/retailers/${below}`, 'retailers.pass_some'),
    { on: '/dashboard', opens: toLogout, named: 'shell.logout_ask' },
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
    await expect(dialog.last()).toBeVisible();
    await expect(dialog.locator('.animate-pulse, [aria-busy=true]')).toHaveCount(0);
    const found = await faultsOfBoth(page);
    if (found.length > 0) faults[`${on} ${named}`] = found;
    // Of one over another the other is left.
    for (let left = await dialog.count(); left > 0; left -= 1) {
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(left - 1);
    }
    // Its entry is off the history as well, before the next one has one.
    await expect.poll(() => page.evaluate(() => (history.state as { sheets?: number } | null)?.sheets)).toBeUndefined();
  }
  return faults;
}

for (const [what, sheetsOfThese, language] of LOOKED_AT.flatMap((each) => [
  ['a shop opens now and then over its screens', sheetsOf, each] as const,
  ['a shop asks of a phone and hears from its holder', phoneSheets, each] as const,
  ['gives up a sale or reads the number of its phone', saleSheets, each] as const,
  ['stands over the counter', counterSheets, each] as const,
]))
  test(`no barrier in what ${what}, light or dark (axe, ${language})`, async ({ browser }) => {
    test.setTimeout(180_000);
    const shop = await sessionOf(RETAILER);
    const app = await openApp(browser, shop, { language, theme: 'system', hasWorker: false });
    expect(await faultsIn(app, await sheetsOfThese(shop, app.t))).toEqual({});
    await app.context.close();
  });

for (const language of LOOKED_AT)
  test(`no barrier in the sheets of a customer, light or dark (axe, ${language})`, async ({ browser }) => {
    test.setTimeout(180_000);
    const app = await openApp(browser, await sessionOf(CUSTOMER), { language, theme: 'system', hasWorker: false });
    const toReceipt = (page: Page, t: Words) =>
      page
        .getByRole('group', { name: t('mine.receipts') })
        .getByRole('button')
        .first()
        .click();
    const sheets = [
      ...['emi.i_paid', 'mine.pay_elsewhere', 'lost.start', 'dispute.start_own'].map((key) => sheet('/my-emi', key)),
      { on: '/my-emi', opens: toReceipt, named: 'emi.receipt' },
      sheet('/my-data', 'erase.mine'),
    ];
    expect(await faultsIn(app, sheets)).toEqual({});
    await app.context.close();
  });

for (const language of LOOKED_AT)
  test(`no barrier where a fingerprint is offered and taken away, and a session is ended, light or dark (axe, ${language})`, async ({
    browser,
  }) => {
    test.setTimeout(180_000);
    const app = await openApp(browser, null, { language, theme: 'system', hasWorker: false });
    const { page, context, t } = app;
    await withFinger(page);
    const mobile = await signInFirst(page, t);
    const offer = page.getByRole('dialog', { name: t('auth.use_fingerprint') });
    await expect(offer).toBeVisible();
    expect(await faultsOfBoth(page)).toEqual([]);
    await offer.getByRole('button', { name: t('passkey.use') }).click();
    await expect(page.getByText(t('passkey.added'))).toBeVisible();
    await freshSession(mobile);
    const sheets = ['passkey.remove', 'sessions.logout_one', 'sessions.logout_others'];
    expect(
      await faultsIn(
        app,
        sheets.map((key) => sheet('/sessions', key)),
      ),
    ).toEqual({});
    await context.close();
  });
