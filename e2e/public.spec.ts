import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { PHONE, openApp } from './support/app.ts';
import { sellPhone } from './support/customers.ts';
import { CUSTOMER, RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

test('whoever buys a used phone asks by its IMEI whether it is still on EMI, and learns nothing else', async ({
  browser,
}) => {
  const language = SPOKEN;
  const { api } = await sessionOf(RETAILER);
  const row = (await api.call('listCustomers', { query: { search: CUSTOMER } })).list[0]!;
  const { page, t, context } = await openApp(browser, null, { language, viewport: PHONE, hasWorker: false });
  await page.goto(`/public/imei?lang=${language}`);
  const ask = async (imei: string) => {
    await page.getByLabel(t('imei_check.label')).fill(imei);
    await page.getByRole('button', { name: t('imei_check.ask') }).click();
  };
  await ask(row.imei1!);
  await expect(page.getByRole('status')).toContainText(t('imei_check.under_agreement'));
  const words = await page.locator('body').innerText();
  for (const secret of [row.first_name, row.mobile, row.device, row.agreement_no ?? row.mobile])
    expect(words).not.toContain(secret);
  await ask('490154203237518');
  await expect(page.getByRole('status')).toContainText(t('imei_check.free'));
  await ask('490154203237519');
  await expect(page.getByText(t('imei_check.wrong'))).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect(page.url()).not.toContain('4901542');
  await context.close();
});

test("a customer's notices are read by their link, without logging in: what is owed, how to pay, how to complain, no name", async ({
  browser,
}) => {
  const language = SPOKEN;
  const { api } = await sessionOf(CUSTOMER);
  const { customer_id: id } = await api.call('getUserAccess');
  const { url } = await api.call('getNoticeLink', { query: { customer_id: id! } });
  const { customer } = await api.call('getCustomerProfile', { query: { customer_id: id! } });
  const { page, t, context } = await openApp(browser, null, { language, viewport: PHONE, hasWorker: false });
  await page.goto(`${new URL(url).pathname}?lang=${language}`);
  await expect(page.getByRole('heading', { name: t('notice_page.messages') })).toBeVisible();
  await expect(page.getByRole('link', { name: /UPI/ })).toHaveAttribute('href', /^upi:\/\/pay\?/);
  await expect(page.getByRole('heading', { name: t('notice_page.wrong') })).toBeVisible();
  const words = await page.locator('body').innerText();
  for (const secret of [customer.first_name, customer.last_name, customer.mobile.slice(-10)])
    expect(words).not.toContain(secret);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  // No room is lost to the right at 320 pixels.
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect((await context.cookies()).filter(({ name }) => !['i18next', 'theme'].includes(name))).toEqual([]);
  await page.goto(`${new URL(url).pathname.slice(0, -1)}_`);
  await expect(page.getByText(t('notice_page.gone_body'))).toBeVisible();
  await context.close();
});

test('a customer complains about an EMI on the page of notices, reads the shop’s answer there and takes it further, without a script', async ({
  browser,
}) => {
  const language = SPOKEN;
  const { api } = await sessionOf(RETAILER);
  const { customerId: id } = await sellPhone(api, { firstName: 'Nutan', lastName: 'Pawar', language });
  const { url } = await api.call('getNoticeLink', { query: { customer_id: id } });
  const { page, t, context } = await openApp(browser, null, { language, viewport: PHONE, hasWorker: false });
  await page.goto(`${new URL(url).pathname}?lang=${language}`);
  await page.getByText(t('dispute.start_own'), { exact: true }).click();
  await page.getByLabel(t('dispute.which')).selectOption({ index: 1 });
  const words = 'Charged twice';
  await page.getByLabel(t('dispute.text_own')).fill(words);
  const isClean = async () => {
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.setViewportSize(PHONE);
  };
  await isClean();
  await page.getByRole('button', { name: t('notice_page.send') }).click();
  const told = page.getByRole('listitem').filter({ hasText: words });
  await expect(told).toContainText(t('dispute.state_open'));
  await expect(told).toContainText(t('dispute.no_lock'));

  const { disputes } = await api.call('getCustomerProfile', { query: { customer_id: id } });
  const dispute = disputes.find(({ moves }) => moves[0]!.text === words)!;
  await api.call('closeDispute', {
    body: { dispute_id: dispute.dispute_id, outcome: 'It was charged once, see the receipt' },
  });
  await page.reload();
  await expect(told).toContainText('It was charged once, see the receipt');
  await told.getByText(t('dispute.further'), { exact: true }).click();
  await told.getByLabel(t('dispute.further_text')).fill('The receipt shows it twice');
  await isClean();
  await told.getByRole('button', { name: t('notice_page.send') }).click();
  await expect(told).toContainText(t('dispute.state_escalated'));
  await expect(told.getByText(t('dispute.further'), { exact: true })).toHaveCount(0);
  await context.close();
});
