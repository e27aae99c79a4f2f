import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { sellPhone } from './support/customers.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

test('a customer whose data is deleted leaves no name, number or button behind; the payment and its receipt stay', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const sold = await sellPhone(shop.api, { firstName: 'Zubeida', lastName: 'Ansari' });
  const { page, context, t } = await openApp(browser, shop, { language: SPOKEN });
  await page.goto(`/customers/${sold.customerId}`);
  const ask = page.getByRole('button', { name: t('erase.theirs') });
  const sheet = page.getByRole('dialog', { name: t('erase.theirs') });
  const erase = sheet.getByRole('button', { name: t('erase.theirs') });
  await ask.click();
  await expect(sheet.getByText(t('erase.no_AGREEMENT_RUNS'))).toBeVisible();
  await expect(erase).toBeDisabled();
  await page.goBack();

  const { api } = shop;
  await api.call('cancelAgreement', { body: { customer_id: sold.customerId, reason: 'Box given back unopened' } });
  await page.reload();
  await ask.click();
  await expect(sheet.getByText(t('erase.no_REFUND_OPEN'))).toBeVisible();
  await expect(erase).toBeDisabled();
  const refund = (await api.call('listRefunds')).find(({ customer_id }) => customer_id === sold.customerId);
  await api.call('refundDone', { body: { payment_id: refund?.payment_id ?? '', method: 'CASH' } });
  await page.reload();
  await ask.click();
  await erase.click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('customers.erased'));
  await expect(page.getByText(sold.agreementNo)).toBeVisible();
  for (const gone of [t('erase.theirs'), t('cancel.title'), t('customer.edit'), t('lock.lock')])
    await expect(page.getByRole('button', { name: gone, exact: true })).toHaveCount(0);
  const seen = async () => page.locator('body').innerText();
  const personal = new RegExp(`${sold.firstName}|${sold.lastName}|${sold.mobile}`);
  expect(await seen()).not.toMatch(personal);

  await page.getByRole('link', { name: t('emi.title') }).click();
  await page.getByRole('tab', { name: new RegExp(t('emi.payments')) }).click();
  await expect(page.getByRole('button', { name: /₹8,000/ }).first()).toBeVisible();
  expect(await seen()).not.toMatch(personal);
  await context.close();
});
