import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { sellAndEnrol } from './support/customers.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { tellCode } from './support/told-code.ts';
import { typedIsKept } from './support/typed.ts';
import { SPOKEN } from './support/words.ts';

test('a shop puts a customer’s details right, and another number speaks at once with the code from the old one', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { customerId, mobile } = await sellAndEnrol(shop.api, { firstName: 'Frida', lastName: 'Khan' });
  const { page, context, t } = await openApp(browser, shop, { language: SPOKEN });
  await page.goto(`/customers/${customerId}`);
  await page.getByRole('button', { name: t('customer.edit') }).click();
  const sheet = page.getByRole('dialog', { name: t('customer.edit') });
  const save = sheet.getByRole('button', { name: t('common.save') });
  await expect(save).toBeDisabled();
  await sheet.getByLabel(t('add.first_name')).fill('Farida');
  await typedIsKept(page);
  await page.reload();
  await page.getByRole('button', { name: t('customer.edit') }).click();
  await expect(sheet.getByLabel(t('add.first_name'))).toHaveValue('Farida');
  await sheet.getByLabel(t('person.email')).fill('farida@');
  await save.click();
  await expect(sheet.getByText(t('field.email'))).toBeInViewport();
  await expect(sheet.getByLabel(t('person.email'))).toBeFocused();
  await sheet.getByLabel(t('person.email')).fill('farida@example.in');

  const other = `9${String(Date.now()).slice(-9)}`;
  await sheet.locator('input[name=mobile]').fill(other);
  await expect(sheet.getByText(t('person.number_waits'))).toBeVisible();
  await tellCode(sheet, t, mobile);
  await expect(page.getByText(t('person.saved'), { exact: true })).toBeVisible();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Farida');
  const { customer } = await shop.api.call('getCustomerProfile', { query: { customer_id: customerId } });
  expect(customer).toMatchObject({ first_name: 'Farida', email: 'farida@example.in', mobile: `+91${other}` });
  await context.close();
});
