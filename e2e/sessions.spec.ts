import { type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { AFTERNOON, waitForHour } from './support/clock.ts';
import { ofEmis, sellPhone } from './support/customers.ts';
import { loseNetwork, regainNetwork } from './support/network.ts';
import { OTHER_RETAILER, RETAILER, freshSession, sessionOf } from './support/sign-in.ts';
import { signInByCode } from './support/sign-in-screen.ts';
import { typedIsKept } from './support/typed.ts';

test('a session that was ended elsewhere clears the storage at its next request and lands on login', async ({
  browser,
}) => {
  const old = await freshSession(OTHER_RETAILER);
  const { page, context, t } = await openApp(browser, old, { hasWorker: false });
  await page.goto('/customers');
  const filter = page.getByRole('button', { name: new RegExp(`^${t('customers.quick_inactive')}`) });
  await expect(filter).toBeVisible();
  const code = await holdCode(page);

  // Another phone of the same person logs all others out.
  const elsewhere = await freshSession(OTHER_RETAILER);
  const other = await openApp(browser, elsewhere);
  await other.page.goto('/sessions');
  await other.page.getByRole('button', { name: t('sessions.logout_others') }).click();
  await other.page
    .getByRole('dialog')
    .getByRole('button', { name: t('shell.logout'), exact: true })
    .click();
  await expect(other.page.getByText(t('sessions.only_this'))).toBeVisible();
  await other.context.close();

  // The press asks, unless what the app asks for by itself has learned of the end before: then the screen is gone already.
  void filter.click({ timeout: 5000 }).catch(() => undefined);
  await expect.poll(() => code.isWanted()).toBe(true);
  // Nothing of the shop stands any more, and no white page either, while login's code is on the way.
  await expect(filter).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: t('states.loading') })).toBeVisible();
  // Told where somebody reads it, however long the way there takes.
  const why = page.getByText(t('auth.session_lost_logged_out'));
  await expect(why).toHaveCount(0);
  const told = expect(why).toBeVisible();
  code.come();
  await told;
  await expect(page).toHaveURL(/\/login$/);
  const left = await page.evaluate(() =>
    ['token', 'account_id', 'user_id', 'phone', 'mpin'].filter((key) => localStorage.getItem(key)),
  );
  expect(left).toEqual([]);
  await context.close();
});

/** Lets no more code of the app come until `come` is called. */
async function holdCode(page: Page): Promise<{ come: () => void; isWanted: () => boolean }> {
  let isWanted = false;
  let come = (): void => undefined;
  const released = new Promise<void>((resolve) => (come = resolve));
  await page.route('**/assets/*.js', async (route) => {
    isWanted = true;
    await released;
    await route.continue();
  });
  return { come, isWanted: () => isWanted };
}

test('a device that was logged out leaves the keyboard on the next one', async ({ browser }) => {
  const shop = await freshSession(OTHER_RETAILER);
  await freshSession(OTHER_RETAILER);
  await freshSession(OTHER_RETAILER);
  const { page, context, t } = await openApp(browser, shop);
  await page.goto('/sessions');
  const others = page.getByRole('button', { name: t('sessions.logout_one'), exact: true });
  await expect(others.first()).toBeVisible();
  const count = await others.count();
  await others.first().press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('shell.logout'), exact: true })
    .press('Enter');
  await expect(others).toHaveCount(count - 1);
  await expect(others.first()).toBeFocused();
  await context.close();
});

test('a payment taken without network is kept, and sent exactly once when it is back', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  await waitForHour(AFTERNOON);
  const { customerId } = await sellPhone(shop.api, { firstName: 'Meena', lastName: 'Pawar' });
  const { page, context, t } = await openApp(browser, shop);
  // The network is lost before what nobody waits for has come.
  await page.route('**/assets/rest-*.js', (route) => route.abort());
  await page.goto(`/view-emi-details/${customerId}`);
  await page.getByRole('button', { name: t('emi.collect'), exact: true }).click();
  await context.setOffline(true);
  await page.getByRole('button', { name: t('emi.received', { amount: '₹500' }) }).click();
  await expect(page.getByText(t('shell.saved_offline'))).toBeVisible();
  await expect(page.getByText(t('shell.queued', { count: 1 }))).toBeVisible();
  const before = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  expect(ofEmis(before.payments)).toEqual([]);

  await context.setOffline(false);
  await expect(page.getByText(t('shell.queued', { count: 1 }))).toHaveCount(0, { timeout: 20_000 });
  await page.reload();
  await page.waitForTimeout(1500);
  const after = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  expect(ofEmis(after.payments).map((payment) => payment.amount_paise)).toEqual([500_00]);
  await context.close();
});

test('what was typed into the form is there again after a reload', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER));
  await page.goto('/add-customer');
  await page.getByLabel(t('add.first_name')).fill('Sangeeta');
  await typedIsKept(page);
  await page.reload();
  await expect(page.getByLabel(t('add.first_name'))).toHaveValue('Sangeeta');
  await context.close();
});

test('a signed-out visitor is led to login and back to where they wanted to go', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, null);
  await page.goto('/customers?status=1');
  await expect(page).toHaveURL(/\/login$/);
  await signInByCode(page, t, RETAILER);
  await expect(page).toHaveURL(/\/customers\?status=1$/);
  await context.close();
});

test('an unknown address says Not found and leads home', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER));
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { level: 1, name: t('states.not_found') })).toBeVisible();
  await page.getByRole('link', { name: t('common.go_home') }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await context.close();
});

test('a screen whose code cannot be had says Unexpected Application Error! and offers a way out', async ({
  browser,
}) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER), { hasWorker: false });
  await page.goto('/dashboard');
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  // No worker that keeps a copy, no network: the screen's code cannot come.
  // The menu's own code is there before the network goes: it is the screen's that cannot be had.
  await page.getByRole('button', { name: t('shell.more') }).click();
  await expect(page.getByRole('link', { name: t('shell.privacy') })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: t('shell.privacy') }).click();
  await expect(page.getByRole('heading', { name: t('states.unexpected') })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: t('common.go_home') }).click();
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await context.close();
});

test('a screen whose code cannot be had on a network that carries nothing says so, leads back, and comes when the server does', async ({
  browser,
}) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER), { hasWorker: false });
  // What the worker would have kept comes, the screen's own code does not; to the browser there is a network.
  const away = /\/assets\/screen-away-|\/kist-config\.json/;
  await page.goto('/dashboard');
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await page.route(away, (route) => route.abort());
  const open = async () => {
    await page.getByRole('button', { name: t('shell.more') }).click();
    await page.getByRole('link', { name: t('shell.lock_rules') }).click();
    await expect(page.getByRole('heading', { name: t('shell.server_away') })).toBeVisible();
  };
  await open();
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  await expect(page.getByRole('button', { name: t('common.retry') })).toBeVisible();
  // It stands still, and is left the way one came.
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.waitForTimeout(3000);
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
  await page.getByRole('button', { name: t('common.back') }).click();
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await open();
  await page.unroute(away);
  await expect(page.getByRole('heading', { name: t('shell.lock_rules') })).toBeVisible({ timeout: 20_000 });
  await context.close();
});

test('without network the app opens from what it kept and says so', async ({ browser }) => {
  const { page, context, t } = await openApp(browser, await sessionOf(RETAILER));
  await page.goto('/dashboard');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await loseNetwork(context);
  await page.reload();
  await expect(page.getByText(t('shell.offline')).first()).toBeVisible();
  // What was kept stands there with its age.
  const [, after = ''] = t('states.kept', { ago: '|' }).split('|');
  const age = page.getByRole('main').getByText(after.trim());
  await expect(age.first()).toBeVisible();
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await regainNetwork(page);
  // It asks again by itself.
  await expect(age).toHaveCount(0);
  await context.close();
});
