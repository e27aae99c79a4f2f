import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { newImei, newMobile } from './support/customers.ts';
import { codeFor } from './support/messages.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { sign } from './support/signature.ts';

test('a phone is sold on a financer’s loan: whose it is and what was sanctioned stand in the agreement', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const [financer] = await shop.api.call('financerList', { body: {} });
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/add-customer');
  const next = () => page.getByRole('button', { name: t('common.continue') }).click();
  const mobile = newMobile();
  await page.getByLabel(t('add.first_name')).fill('Lata');
  await page.getByLabel(t('auth.mobile'), { exact: true }).fill(mobile);
  await next();
  await page.getByLabel(t('add.imei1'), { exact: true }).fill(newImei());
  await page.getByLabel(t('add.brand')).fill('Redmi');
  await page.getByLabel(t('add.model')).fill('13C');
  await next();

  const lender = page.getByLabel(t('emi.financer'));
  await expect(lender).toHaveValue('');
  await expect(page.getByLabel(t('emi.loan_no'))).toBeHidden();
  await lender.selectOption({ label: financer!.name });
  await page.getByLabel(t('add.price')).fill('12000');
  await page.getByLabel(t('emi.down')).fill('2000');
  await page.getByRole('button', { name: t('emi.method_ZERO') }).click();
  await page.getByRole('textbox', { name: t('add.tenure') }).fill('6');
  // What it comes to is reckoned before the loan is written down.
  await expect(page.getByText(t('add.total_cost'))).toBeVisible();
  const number = `GF-${mobile}`;
  await page.getByLabel(t('emi.loan_no')).fill(number);
  await page.getByLabel(t('add.sanctioned'), { exact: true }).fill('9999');
  await next();
  await expect(page.getByText(t('field.sanctioned'))).toBeVisible();

  await page.getByLabel(t('add.sanctioned'), { exact: true }).fill('10000');
  await next();
  await expect(page.getByText(financer!.name)).toBeVisible();
  await expect(page.getByText(t('add.save_saved'), { exact: true })).toBeVisible();
  // The form is closed and opened again: the loan is still there.
  await page.reload();
  await expect(page.getByText(financer!.name)).toBeVisible();
  await page.getByRole('checkbox', { name: t('consent.accept', { name: 'Lata' }) }).check();
  await sign(page, t);
  await page.getByLabel(t('auth.otp_label')).fill(await codeFor(mobile, []));
  await page.getByRole('button', { name: t('add.finish') }).click();
  await expect(page.getByRole('img', { name: t('qr.alt') })).toBeVisible({ timeout: 20_000 });

  const customerId = new URL(page.url()).searchParams.get('customer_id')!;
  const { agreement } = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  expect(agreement.loan).toMatchObject({
    financer: financer!.name,
    loan_account_no: number,
    sanctioned_paise: 10_000_00,
  });
  await page.goto(`/view-emi-details/${customerId}`);
  await page.getByRole('tab', { name: t('emi.agreement') }).click();
  await expect(page.getByText(number)).toBeVisible();
  await context.close();
});
