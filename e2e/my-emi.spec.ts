import { expect, test } from '@playwright/test';
import { openApp, PHONE } from './support/app.ts';
import { CUSTOMER, RETAILER, sessionOf } from './support/sign-in.ts';
import { TEST_LANGUAGES } from './support/words.ts';

const trOf = (link: string): string => new URLSearchParams(link.split('?')[1]).get('tr') ?? '';

test('a customer pays by a UPI app of this phone; each link and each QR code has a tr of its own', async ({
  browser,
}) => {
  const { page, t, context } = await openApp(browser, await sessionOf(CUSTOMER), { viewport: PHONE });
  await page.goto('/my-emi');
  const { api, grant } = await sessionOf(CUSTOMER);
  const me = await api.call('getUserAccess');
  const to = await api.call('getPayTo', { query: { customer_id: me.customer_id! } });
  expect(grant.token).not.toBe('');
  const pay = page.locator('a[href^="upi://pay?"]');
  const first = (await pay.getAttribute('href'))!;
  expect(first).toContain(`am=${(to.amount_paise / 100).toFixed(2)}`);
  expect(first).toContain(`pa=${to.upi_id}`);
  const seen = new Set([trOf(first)]);
  for (let time = 0; time < 2; time += 1) {
    await page.getByRole('button', { name: t('mine.pay_elsewhere') }).click();
    const code = page.locator('[data-qr]');
    seen.add(trOf((await code.getAttribute('data-qr'))!));
    // Its own: news that come meanwhile have such a button too.
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('common.close') })
      .click();
    await expect(code).toHaveCount(0);
  }
  seen.add(trOf((await pay.getAttribute('href'))!));
  // The first code is the link that stood there; after it was put away there was another each time.
  expect(seen.size).toBe(3);
  await context.close();
});

test('a customer reads what is kept, and takes it along', async ({ browser }) => {
  const { page, t, context } = await openApp(browser, await sessionOf(CUSTOMER));
  await page.goto('/my-data');
  await expect(page.getByText('IMEI', { exact: true })).toBeVisible();
  await expect(page.getByText(t('my_data.complaints'), { exact: true })).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: t('my_data.download') }).click();
  const path = await (await saved).path();
  const { readFile } = await import('node:fs/promises');
  const kept = JSON.parse(await readFile(path, 'utf8')) as {
    customer: { mobile: string };
    emi: { payments: unknown[] };
    disputes: unknown[];
    messages: { body: string }[];
    messages_page: string;
    consents: unknown[];
    history: unknown[];
  };
  expect(kept.customer.mobile).toContain(CUSTOMER);
  expect(kept.emi.payments.length).toBeGreaterThan(0);
  expect(kept.disputes).toBeInstanceOf(Array);
  await expect(page.getByRole('link', { name: t('mine.notices') })).toHaveAttribute('href', kept.messages_page);
  for (const part of [kept.messages, kept.consents, kept.history]) expect(part.length).toBeGreaterThan(0);
  await context.close();
});

test('a shop’s user has no page of a customer’s', async ({ browser }) => {
  const { page, context } = await openApp(browser, await sessionOf(RETAILER));
  for (const path of ['/my-emi', '/my-data']) {
    await page.goto(path);
    await expect(page).toHaveURL(/dashboard/);
  }
  await context.close();
});

for (const language of TEST_LANGUAGES)
  test(`the privacy policy is read without logging in, and from there one can log in (${language})`, async ({
    browser,
  }) => {
    const { page, t, context } = await openApp(browser, null, { language });
    await page.goto('/login');
    await page.getByRole('link', { name: t('shell.privacy') }).click();
    await expect(page.getByRole('heading', { name: t('privacy.never_title') })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: t('privacy.never_title') })).toBeVisible();
    await page.getByRole('link', { name: t('common.back') }).click();
    await expect(page.getByLabel(t('auth.mobile'))).toBeVisible();
    await context.close();
  });
