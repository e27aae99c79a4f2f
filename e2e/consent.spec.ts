import { type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { newImei, newMobile, sellAndEnrol } from './support/customers.ts';
import { codeFor, maskMobile, messagesTo } from './support/messages.ts';
import { regainNetwork } from './support/network.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { sign } from './support/signature.ts';
import { SPOKEN, type Words } from './support/words.ts';

test('a consent that lacks the customer’s code says so, and is collected on the customer’s page', async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const { customerId, mobile } = await sellAndEnrol(shop.api, {
    firstName: 'Sarita',
    lastName: 'More',
    language,
    isCodeLeft: true,
  });
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto(`/customers/${customerId}`);
  await expect(page.getByText(t('rules.CONSENT_MISSING')).first()).toBeVisible();

  const known = await messagesTo(mobile);
  await page.getByRole('button', { name: t('consent.collect') }).click();
  const sheet = page.getByRole('dialog', { name: t('consent.collect') });
  await sheet.getByRole('button', { name: t('consent.send_code') }).click();
  const code = await codeFor(mobile, known);
  const wrong = code === '111111' ? '222222' : '111111';
  await expect(sheet.getByLabel(t('auth.otp_label'))).toBeVisible();
  await sheet.getByLabel(t('auth.otp_label')).fill(wrong);
  await expect(sheet.getByText(t('errors.OTP_INVALID'))).toBeVisible();
  await sheet.getByLabel(t('auth.otp_label')).fill(code);
  await expect(page.getByText(t('consent.saved'))).toBeVisible();
  await expect(page.getByText(t('rules.CONSENT_MISSING'))).toHaveCount(0);
  const profile = await shop.api.call('getCustomerProfile', { query: { customer_id: customerId } });
  expect(profile.consent_missing).toEqual([]);
  await context.close();
});

/** The form, filled in up to the customer's consent. */
async function toConsent(page: Page, t: Words): Promise<string> {
  const [mobile, next] = [newMobile(), () => page.getByRole('button', { name: t('common.continue') }).click()];
  await page.goto('/add-customer');
  // A shop that has sold before begins after the plan.
  await expect(page.getByLabel(t('add.first_name')).or(page.getByRole('radio', { name: t('plan.DPC') }))).toBeVisible();
  if (!(await page.getByLabel(t('add.first_name')).isVisible())) {
    await page.getByRole('radio', { name: t('plan.DPC') }).check();
    await next();
  }
  await page.getByLabel(t('add.first_name')).fill('Kamal');
  await page.getByLabel(t('auth.mobile'), { exact: true }).fill(mobile);
  await next();
  await page.getByLabel(t('add.imei1'), { exact: true }).fill(newImei());
  await page.getByLabel(t('add.brand')).fill('Redmi');
  await page.getByLabel(t('add.model')).fill('13C');
  await next();
  await page.getByLabel(t('add.price')).fill('12000');
  await page.getByLabel(t('emi.down')).fill('2000');
  await page.getByRole('button', { name: t('emi.method_ZERO'), exact: true }).click();
  await page.getByRole('textbox', { name: t('add.tenure') }).fill('6');
  await next();
  await expect(page.getByRole('button', { name: t('add.finish') })).toBeVisible();
  return mobile;
}
const accept = (page: Page, t: Words) =>
  page.getByRole('checkbox', { name: t('consent.accept', { name: 'Kamal' }) }).check();
const finish = (page: Page, t: Words) => page.getByRole('button', { name: t('add.finish') }).click();
/** What is pressed asks something whose answer never comes. */
const losing = (page: Page, press: () => Promise<void>) => Promise.all([page.waitForEvent('requestfailed'), press()]);
const sold = async (page: Page, t: Words) => {
  await expect(page.getByRole('img', { name: t('qr.alt') })).toBeVisible({ timeout: 20_000 });
  return new URL(page.url()).searchParams.get('customer_id')!;
};

test('a sale whose OTP is left for later lacks the consent, and its steps say so and collect it', async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const { page, context, t } = await openApp(browser, shop, { language });
  const mobile = await toConsent(page, t);
  await expect(page.getByText(t('add.code_next', { mobile: maskMobile(mobile) }))).toBeVisible();
  expect(await messagesTo(mobile)).toEqual([]);
  await accept(page, t);
  await sign(page, t);
  await page.getByRole('button', { name: t('add.code_later'), exact: true }).click();
  await expect(page.getByText(t('add.code_postponed'))).toBeVisible();
  await finish(page, t);
  const customerId = await sold(page, t);
  const profile = () => shop.api.call('getCustomerProfile', { query: { customer_id: customerId } });
  expect((await profile()).consent_missing).toEqual(['code']);

  await page.goto(`/customer-navigate?customer_id=${customerId}`);
  await expect(page.getByText(t('rules.CONSENT_MISSING'))).toBeVisible();
  await page.getByRole('button', { name: t('consent.collect') }).click();
  const sheet = page.getByRole('dialog', { name: t('consent.collect') });
  await sheet.getByRole('button', { name: t('consent.send_code') }).click();
  // The one that left with the tick still counts, and another may be asked for after its wait.
  await sheet.getByLabel(t('auth.otp_label')).fill(await codeFor(mobile, []));
  await expect(page.getByText(t('consent.saved'))).toBeVisible();
  expect((await profile()).consent_missing).toEqual([]);
  await context.close();
});

test('on a bad network no OTP is lost: neither the one whose answer did not come, nor the digits that nobody answered', async ({
  browser,
}) => {
  const shop = await sessionOf(RETAILER);
  const { page, context, t } = await openApp(browser, shop, { hasWorker: false });
  const mobile = await toConsent(page, t);
  // No line at all: the tick stays, and says that nothing was sent.
  await context.setOffline(true);
  await accept(page, t);
  await expect(page.getByRole('button', { name: t('consent.send_code') })).toBeVisible();
  expect(await messagesTo(mobile)).toEqual([]);
  await regainNetwork(page);
  // The message goes, its answer does not come back.
  await page.route('**/send_consent_code', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await losing(page, () => page.getByRole('button', { name: t('consent.send_code') }).click());
  const code = await codeFor(mobile, []);
  await page.unroute('**/send_consent_code');
  await page.getByRole('button', { name: t('consent.send_code') }).click();
  const field = page.getByLabel(t('auth.otp_label'));
  await expect(field).toBeVisible();
  await sign(page, t);
  // The code is taken, and the answer is lost again: pressing "finish" finds that out, and presents it to nobody twice.
  await page.route('**/collect_consent', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await losing(page, () => field.fill(code));
  await expect(field).toHaveValue(code);
  await page.unroute('**/collect_consent');
  await finish(page, t);
  const customerId = await sold(page, t);
  const profile = await shop.api.call('getCustomerProfile', { query: { customer_id: customerId } });
  expect(profile.consent_missing).toEqual([]);
  expect(await messagesTo(mobile)).toHaveLength(1);
  await context.close();
});

test('another language of the text, or another number, wants an OTP of its own; a form that is opened again knows what was told', async ({
  browser,
}) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER));
  const mobile = await toConsent(page, t);
  await sign(page, t);
  await accept(page, t);
  const code = await codeFor(mobile, []);
  // The same text in another language is another text: back at the first, the code for it counts.
  await page.getByLabel(t('consent.language')).selectOption('hn');
  await expect(page.getByLabel(t('auth.otp_label'))).toBeHidden();
  await page.getByLabel(t('consent.language')).selectOption('en');
  await accept(page, t);
  await page.getByLabel(t('auth.otp_label')).fill(code);
  const told = page.getByText(t('add.code_told', { mobile: maskMobile(mobile) }));
  await expect(told).toBeVisible();
  await page.getByLabel(t('consent.language')).selectOption('hn');
  await expect(told).toBeHidden();
  await page.getByLabel(t('consent.language')).selectOption('en');
  await expect(told).toBeVisible();
  await page.reload();
  await accept(page, t);
  await expect(told).toBeVisible();
  // The signature is on this phone, and was not of what changed meanwhile.
  await expect(page.getByRole('button', { name: t('signature.pad_signed') })).toBeVisible();
  expect(await messagesTo(mobile)).toHaveLength(1);
  await context.close();
});
