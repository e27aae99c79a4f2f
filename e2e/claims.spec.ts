import { expect, test } from '@playwright/test';
import { openApp, pageOf } from './support/app.ts';
import { CUSTOMER, RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

/** The shop's no to whatever another test said: nothing waits. */
async function nothingWaits() {
  const { api } = await sessionOf(RETAILER);
  const { customer_id } = (await api.call('listCustomers', { query: { search: CUSTOMER } })).list[0]!;
  const { payments } = await api.call('getEmiDetails', { body: { customer_id } });
  for (const { payment_id, state } of payments)
    if (state === 'claimed')
      await api.call('answerClaim', { body: { payment_id, is_received: false, reason: 'nothing came in' } });
}

test('a customer says it is paid and reads that the shop has not confirmed it; the shop finds it on Home and says yes: a receipt for both', async ({
  browser,
}) => {
  const language = SPOKEN;
  const amount = '102';
  await nothingWaits();
  const customer = await openApp(browser, await sessionOf(CUSTOMER), { language });
  await customer.page.goto('/');
  await expect(customer.page).toHaveURL(/my-emi/);
  await customer.page.getByRole('button', { name: customer.t('emi.i_paid') }).click();
  const sheet = customer.page.getByRole('dialog', { name: customer.t('emi.i_paid') });
  await sheet.getByLabel(customer.t('emi.amount')).fill(amount);
  await sheet.getByText(customer.t('emi.pay_CASH'), { exact: true }).click();
  await sheet.getByRole('button', { name: customer.t('emi.i_paid') }).click();
  await expect(sheet).toBeHidden();
  const told = customer.page.getByRole('status', { name: customer.t('mine.told') });
  await expect(told).toContainText(`₹${amount}`);
  await expect(told).toContainText(customer.t('mine.told_not_paid'));
  // Beside the button to pay it stands too, and a second word is asked about first.
  const waits = new RegExp(
    customer
      .t('emi.claim_waits', { amount: `₹${amount}`, at: '§' })
      .split('§')
      .at(-1)!,
  );
  await expect(customer.page.getByRole('region', { name: customer.t('mine.pay') })).toContainText(waits);
  await customer.page.getByRole('button', { name: customer.t('emi.i_paid') }).click();
  await expect(sheet.getByText(waits)).toBeVisible();
  await expect(sheet.getByLabel(customer.t('emi.amount'))).toHaveCount(0);
  // After the sheet's own cross, and before that of a message.
  await sheet
    .getByRole('button', { name: customer.t('common.close') })
    .nth(1)
    .click();
  await expect(sheet).toBeHidden();

  const shop = await openApp(browser, await sessionOf(RETAILER), { language });
  const { page, t } = shop;
  await page.goto('/');
  await page.getByRole('link', { name: t('dashboard.do_claim_waiting') }).click();
  const { api } = await sessionOf(RETAILER);
  const { customer_id: customerId, ...who } = (await api.call('listCustomers', { query: { search: CUSTOMER } }))
    .list[0]!;
  await page.getByText(`${who.first_name} ${who.last_name}`.trim(), { exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(customerId));
  // The customer's own page has it as well.
  const shopsPage = await pageOf(shop.context);
  await shopsPage.goto(`/customers/${customerId}`);
  const asked = shopsPage.getByRole('region', { name: t('emi.claimed') }).filter({ hasText: `₹${amount}` });
  await expect(asked.getByRole('button', { name: t('emi.claim_yes') })).toBeVisible();
  await expect(asked.getByRole('button', { name: t('emi.claim_no') })).toBeVisible();
  await expect(shopsPage.getByText(t('bell.payment_claimed')).first()).toBeVisible();
  await shopsPage.close();
  const card = page.getByRole('region', { name: t('emi.claimed') }).filter({ hasText: `₹${amount}` });
  await card.getByRole('button', { name: t('emi.claim_yes') }).click();
  await expect(page.getByText(t('emi.claim_answered'))).toBeVisible();
  await expect(card).toHaveCount(0);
  const { payments } = await api.call('getEmiDetails', { body: { customer_id: customerId } });
  expect(payments.filter((one) => one.amount_paise === Number(amount) * 100)).toMatchObject([
    { state: 'posted', receipt_no: expect.any(String) },
  ]);
  await customer.page.reload();
  const receipts = customer.page.getByRole('group', { name: customer.t('mine.receipts') });
  await receipts
    .getByRole('button', { name: `₹${amount}` })
    .first()
    .click();
  await expect(customer.page.getByRole('dialog', { name: customer.t('emi.receipt') })).toContainText(`₹${amount}`);
  await customer.context.close();
  await shop.context.close();
});
