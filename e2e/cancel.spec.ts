import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { sellAndEnrol, sellPhone } from './support/customers.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

test('a sale whose phone was never set up is cancelled: the sheet says what becomes of money, phone and key', async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const sold = await sellPhone(shop.api, { firstName: 'Lata', lastName: 'Patil', language });
  const keys = async () => (await shop.api.call('getKeys')).reduce((sum, { paid, granted }) => sum + paid + granted, 0);
  const before = await keys();
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto(`/customer-navigate?customer_id=${sold.customerId}`);
  await page.getByRole('button', { name: t('cancel.title') }).click();
  const sheet = page.getByRole('dialog', { name: t('cancel.title') });
  await expect(sheet.getByText(t('cancel.intro', { no: sold.agreementNo }))).toBeVisible();
  await expect(sheet.getByText(t('cancel.owed', { amount: '₹2,000' }))).toBeVisible();
  await expect(sheet.getByText(t('cancel.back', { amount: '₹8,000' }))).toBeVisible();
  await expect(sheet.getByText(t('cancel.phone_new'))).toBeVisible();
  await expect(sheet.getByText(t('cancel.key_RETURNED'))).toBeVisible();
  // Not without a reason.
  await sheet.getByRole('button', { name: t('cancel.title') }).click();
  await expect(sheet.getByText(t('field.required'))).toBeVisible();
  await sheet.getByLabel(t('cancel.reason')).fill('Box given back unopened');
  await sheet.getByRole('button', { name: t('cancel.title') }).click();
  await expect(page.getByText(t('cancel.done', { no: sold.agreementNo }))).toBeVisible();
  await expect(page.getByText(t('cancel.over'))).toBeVisible();
  await expect(page.getByRole('button', { name: t('cancel.title') })).toHaveCount(0);
  expect(await keys()).toBe(before + 1);

  // The money waits to be given back, where money is.
  await page.getByRole('link', { name: t('emi.title') }).click();
  await expect(page.getByText(t('cancel.over'))).toBeVisible();
  const refund = page.getByLabel(t('dashboard.do_refund_open'));
  await expect(refund).toContainText('₹8,000');
  await refund.getByRole('button', { name: new RegExp(t('emi.pay_CASH')) }).click();
  await expect(page.getByText(t('emi.refund_done')).first()).toBeVisible();
  await expect(refund).toHaveCount(0);
  await context.close();
});

test('a phone that is given back is let go by the cancellation, and the customer’s page says so', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const sold = await sellAndEnrol(shop.api, { firstName: 'Mohan', lastName: 'Jadhav' });
  const { page, context, t } = await openApp(browser, shop);
  await page.goto(`/customers/${sold.customerId}`);
  await page.getByRole('button', { name: t('cancel.title') }).click();
  const sheet = page.getByRole('dialog', { name: t('cancel.title') });
  await expect(sheet.getByText(t('cancel.phone_set'))).toBeVisible();
  await expect(sheet.getByText(t('cancel.key_SPENT'))).toBeVisible();
  await sheet.getByLabel(t('cancel.reason')).fill('Phone given back');
  await sheet.getByRole('button', { name: t('cancel.title') }).click();
  await expect(page.getByText(t('cancel.state'), { exact: true })).toBeVisible();
  const profile = () => shop.api.call('getCustomerProfile', { query: { customer_id: sold.customerId } });
  await expect.poll(async () => (await profile()).device?.released_at ?? null).not.toBeNull();
  expect(await profile()).toMatchObject({ agreement: { state: 'cancelled', outstanding_paise: 0, overdue_paise: 0 } });
  await context.close();
});
