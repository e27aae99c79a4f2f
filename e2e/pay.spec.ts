import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { ofEmis, sellAndEnrol } from './support/customers.ts';
import { expectLevel, getPhone, press } from './support/lab.ts';
import { messagesTo } from './support/messages.ts';
import {
  collectInCash,
  goToLate,
  phoneState,
  type SoldPhone,
  sellAndLetLockAll,
  sellWeekly,
  underWay,
} from './support/shop.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

/** From the press on 'received' to a free phone that is online. */
const FREE_WITHIN_MS = 5000;

/** Locked, both in the same days. */
let sold: { online: SoldPhone; away: SoldPhone };
test.beforeAll(async () => {
  test.setTimeout(180_000);
  const [online, away] = await sellAndLetLockAll(await sessionOf(RETAILER), ['Kavita', 'Imran']);
  sold = { online: online!, away: away! };
});

test('cash at the counter frees an online phone within five seconds, with a receipt', async ({ browser }) => {
  const language = SPOKEN;
  test.setTimeout(180_000);
  const shop = await sessionOf(RETAILER);
  const { customerId, mobile, phone } = sold.online;
  const { page, context, t } = await openApp(browser, shop, { language });

  const isFree = (async () => {
    await expect(page.getByRole('dialog', { name: t('emi.receipt') })).toBeVisible({ timeout: 60_000 });
    const receiptAt = Date.now();
    await expectLevel(phone.id, 0, FREE_WITHIN_MS);
    return Date.now() - receiptAt;
  })();
  await collectInCash(page, t, customerId, '500');
  expect(await isFree).toBeLessThan(FREE_WITHIN_MS);

  const receipt = page.getByRole('dialog', { name: t('emi.receipt') });
  await expect(receipt).toContainText('₹500');
  // Said when the phone has said it, and not before.
  await expect(receipt).toContainText(t('emi.phone_unlocked'));
  await receipt.getByRole('link', { name: t('emi.see_phone') }).click();
  await expect(phoneState(page, t).getByText(t('lock.unlocked'), { exact: true })).toBeVisible();

  // The ledger has it once, the customer has it in writing.
  const details = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  expect(ofEmis(details.payments).map((payment) => payment.amount_paise)).toEqual([500_00]);
  expect(details.agreement.overdue_paise).toBe(0);
  await expect
    .poll(async () => (await messagesTo(mobile)).find((message) => message.template === 'receipt')?.body)
    .toContain('Rs. 500');
  await context.close();
});

test('a phone without network opens at its next contact, and until then the app does not say unlocked', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const shop = await sessionOf(RETAILER);
  const { customerId, phone } = sold.away;
  await press(phone.id, 'network', { on: false });
  const { page, context, t } = await openApp(browser, shop);

  await collectInCash(page, t, customerId, '500');
  await page
    .getByRole('dialog', { name: t('emi.receipt') })
    .getByRole('link', { name: t('emi.see_phone') })
    .click();
  await expect(phoneState(page, t)).toContainText(underWay(t, 'lock.pending_unlocked'));
  await page.waitForTimeout(3000);
  await expect(phoneState(page, t).getByText(t('lock.unlocked'), { exact: true })).toHaveCount(0);
  expect((await getPhone(phone.id)).managed?.lock_level).toBe(3);

  await press(phone.id, 'network', { on: true });
  await expectLevel(phone.id, 0, FREE_WITHIN_MS);
  await expect(phoneState(page, t).getByText(t('lock.unlocked'), { exact: true })).toBeVisible();
  await context.close();
});

test('a phone whose last EMI is paid is free for good, and the app offers nothing more to order of it', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { customerId, phone } = await sellAndEnrol(shop.api, { firstName: 'Imran', lastName: 'Khan' });
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/customers/${customerId}`);
  const lockIt = page.getByRole('button', { name: t('lock.lock'), exact: true });
  const setUpAgain = page.getByRole('link', { name: t('customer.qr') });
  await expect(lockIt).toBeVisible();
  await expect(setUpAgain).toBeVisible();

  // The phone does not hear of it yet: the shop is told that it cannot be reached, not that all is done.
  await press(phone.id, 'network', { on: false });
  const { instalments } = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  await shop.api.call('multipleEmiPaid', {
    body: {
      customer_id: customerId,
      instalment_ids: instalments.map((instalment) => instalment.instalment_id),
      method: 'CASH',
    },
  });
  await page.reload();
  await expect(phoneState(page, t)).toBeVisible();
  await expect(lockIt).toHaveCount(0);
  await expect(setUpAgain).toHaveCount(0);
  await expect(page.getByText(t('device.ask'), { exact: true })).toHaveCount(0);
  await expect(page.getByText(t('device.released'))).toHaveCount(0);

  await press(phone.id, 'network', { on: true });
  await expect(page.getByText(t('device.released'))).toBeVisible();
  await expect(page.getByText(t('device.offline'))).toHaveCount(0);
  await expect(lockIt).toHaveCount(0);
  await context.close();
});

test('a payment taken back makes the instalment due again and keeps both in the list', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const { customerId } = await sellWeekly(shop, 'Deepak');
  await goToLate(2);
  const { instalments } = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  await shop.api.call('updateEmiStatus', {
    body: { instalment_id: instalments[0]!.instalment_id, amount: 500_00, method: 'CASH' },
  });
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/view-emi-details/${customerId}`);
  await page.getByRole('tab', { name: new RegExp(t('emi.payments')) }).click();
  await page.getByRole('button', { name: /₹500/ }).click();
  await page
    .getByRole('button', { name: t('emi.reverse'), exact: true })
    .first()
    .click();
  await page.getByLabel(t('emi.reverse_reason')).fill('Counted twice');
  await page
    .getByRole('button', { name: t('emi.reverse'), exact: true })
    .last()
    .click();
  await expect(page.getByText(t('emi.reversed_done'))).toBeVisible();
  const after = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  expect(after.agreement.overdue_paise).toBe(500_00);
  expect(ofEmis(after.payments).map((payment) => payment.state)).toEqual(['reversed']);
  await context.close();
});
