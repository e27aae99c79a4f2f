import { expect, test } from '@playwright/test';
import { openApp, pageOf } from './support/app.ts';
import { AFTERNOON, waitForHour } from './support/clock.ts';
import { ofEmis, sellAndEnrol, sellPhone } from './support/customers.ts';
import { loseNetwork } from './support/network.ts';
import { signInByCode } from './support/sign-in-screen.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

test('after a cold start without a network the shop goes on: home, lists, EMIs, a sale, and what waits stands where it belongs', async ({
  browser,
}) => {
  const language = SPOKEN;
  test.setTimeout(120_000);
  const shop = await sessionOf(RETAILER);
  await waitForHour(AFTERNOON);
  const { customerId } = await sellAndEnrol(shop.api, { firstName: 'Godavari', lastName: 'Pawar' });
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto('/dashboard');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  // What a shop looks at in a day.
  const looksAt = async (path: string, seen: string) => {
    await page.goto(path);
    await expect(page.getByText(seen).first()).toBeVisible();
    await page.waitForTimeout(1000);
  };
  await looksAt('/dashboard', t('dashboard.do_now'));
  await looksAt('/customers', 'Godavari Pawar');
  await looksAt(`/customers/${customerId}`, t('customers.paid_of', { paid: 0, total: 4 }));
  await looksAt(`/view-emi-details/${customerId}`, t('customers.paid_of', { paid: 0, total: 4 }));
  await looksAt('/add-customer', t('add.plan_change'));
  await page.close();

  await loseNetwork(context);
  const cold = await pageOf(context);
  await cold.goto('/dashboard');
  await expect(cold.getByText(t('dashboard.do_now'))).toBeVisible();
  await expect(
    cold
      .locator('main')
      .getByText(t('states.kept', { ago: '@' }).split('@')[1] ?? '')
      .first(),
  ).toBeVisible();
  await expect(cold.getByRole('button', { name: new RegExp(t('shell.offline')) }).first()).toBeVisible();
  await cold.goto('/customers');
  await expect(cold.getByRole('button', { name: /Godavari/ }).first()).toBeVisible();
  // Names are heard here as the server hears them.
  await cold.getByRole('searchbox').fill('गोदावरी पवार');
  await expect(cold.getByRole('button', { name: /Godavari/ })).toHaveCount(1);
  await cold.goto(`/view-emi-details/${customerId}`);
  await cold.getByRole('button', { name: t('emi.collect'), exact: true }).click();
  await cold.getByRole('textbox', { name: t('emi.amount') }).fill('200');
  await cold.getByRole('button', { name: t('emi.received', { amount: '₹200' }) }).click();
  await expect(cold.getByText(`₹200 · ${t('shell.not_sent')}`)).toBeVisible();
  await cold.goto(`/customers/${customerId}`);
  await expect(cold.getByRole('region', { name: t('shell.outbox') })).toContainText('₹200');
  // A new sale can be begun.
  await cold.goto('/add-customer');
  await expect(cold.getByLabel(t('add.first_name'))).toBeVisible();
  // What was never read says why it is not there.
  await cold.goto('/view-emi-details/00000000-0000-4000-8000-000000000000');
  await expect(cold.getByRole('heading', { name: t('states.offline_title') })).toBeVisible();
  await context.close();
});

test('a payment that waits is shut at log-out, opens at the next sign-in and goes out once', async ({ browser }) => {
  test.setTimeout(120_000);
  const shop = await sessionOf(RETAILER);
  await waitForHour(AFTERNOON);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Kaveri', lastName: 'Pawar' });
  const { page, context, t } = await openApp(browser, null);
  const keys = () =>
    page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const opened = indexedDB.open('shop');
          opened.onsuccess = () => {
            const asked = opened.result.transaction('keys').objectStore('keys').getAllKeys();
            asked.onsuccess = () => resolve(asked.result.map(String));
          };
        }),
    );
  await page.goto('/login');
  await signInByCode(page, t, RETAILER);
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await page.goto(`/view-emi-details/${customerId}`);
  await page.getByRole('button', { name: t('emi.collect'), exact: true }).click();
  await context.setOffline(true);
  await page.getByRole('button', { name: t('emi.received', { amount: '₹500' }) }).click();
  await expect(page.getByText(t('shell.queued', { count: 1 }))).toBeVisible();
  expect(await keys()).toContainEqual(expect.stringMatching(/^handed\//));
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('button', { name: t('shell.logout'), exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('shell.logout_keep') })
    .click();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(keys).toEqual([]);
  await context.setOffline(false);
  await page.goto('/login');
  await page
    .getByRole('button', { name: t('auth.other_number') })
    .or(page.getByLabel(t('auth.mobile')))
    .first()
    .click();
  await signInByCode(page, t, RETAILER);
  await expect
    .poll(
      async () =>
        ofEmis((await shop.api.call('getEmiDetails', { body: { customer_id: customerId } })).payments).map(
          (paid) => paid.amount_paise,
        ),
      { timeout: 15_000 },
    )
    .toEqual([500_00]);
  await context.close();
});
