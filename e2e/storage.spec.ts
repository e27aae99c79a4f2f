import { type Page, expect, test } from '@playwright/test';
import { openApp, pageOf } from './support/app.ts';
import { BASE_URL } from './support/base-url.ts';
import { AFTERNOON, waitForHour } from './support/clock.ts';
import { ofEmis, sellPhone } from './support/customers.ts';
import { OTHER_RETAILER, RETAILER, freshSession, sessionOf } from './support/sign-in.ts';
import type { Words } from './support/words.ts';

/** Names that occur nowhere else: wherever one of them lies on the disk, somebody's data does. */
const TYPED = 'Zephyrine';
const BOUGHT = 'Quixotina';
const CANARIES = [TYPED, BOUGHT];

interface Kept {
  /** Rows and names of keys by store of the app's own database. */
  stores: Record<string, string[]>;
  /** Everything in local and session storage, cookies and Cache Storage, as one text. */
  text: string;
}

/** Reads all that a browser keeps of this origin. */
const kept = (page: Page): Promise<Kept> =>
  page.evaluate(async () => {
    const wait = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error as Error);
      });
    const stores: Record<string, string[]> = {};
    const texts: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
    for (const { name } of await indexedDB.databases()) {
      const database = await wait(indexedDB.open(name ?? ''));
      for (const store of database.objectStoreNames) {
        const open = database.transaction(store).objectStore(store);
        if (name?.startsWith('shop'))
          stores[store] = [...(stores[store] ?? []), ...(await wait(open.getAllKeys())).map(String)];
        texts.push(JSON.stringify(await wait(open.getAll())));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        texts.push(request.url, (await (await cache.match(request))?.text()) ?? '');
    }
    return { stores, text: texts.join('\n') };
  });

/** Begins a form that is only on this phone: the step is not left. */
async function beginForm(page: Page, t: Words): Promise<void> {
  await page.goto('/add-customer');
  await page.getByLabel(t('add.first_name')).fill(TYPED);
  await expect.poll(async () => (await kept(page)).stores['drafts']).toHaveLength(1);
}

/** Takes a payment that cannot be sent: the network is away. */
async function payOffline(page: Page, t: Words, customerId: string): Promise<void> {
  await page.goto(`/view-emi-details/${customerId}`);
  await page.getByRole('button', { name: t('emi.collect'), exact: true }).click();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: t('emi.received', { amount: '₹500' }) }).click();
  await expect(page.getByText(t('shell.queued', { count: 1 }))).toBeVisible();
}

async function askToLogOut(page: Page, t: Words): Promise<void> {
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('button', { name: t('shell.logout'), exact: true }).click();
}

async function expectNothingPersonal(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/login$/);
  await expect
    .poll(async () => {
      const { drafts, keys } = (await kept(page)).stores;
      return [drafts, keys?.filter((key) => key.startsWith('drafts/'))];
    })
    .toEqual([[], []]);
  const { text } = await kept(page);
  for (const canary of CANARIES) expect(text).not.toContain(canary);
  const session = await page.evaluate(() =>
    ['token', 'account_id', 'user_id'].filter((key) => localStorage.getItem(key) !== null),
  );
  expect(session).toEqual([]);
}

test('a session ended elsewhere takes the begun form with it, and ends in every tab', async ({ browser }) => {
  const shop = await freshSession(OTHER_RETAILER);
  const { page, context, t } = await openApp(browser, shop);
  const second = await pageOf(context);
  await second.goto('/dashboard');
  await expect(second.getByText(t('dashboard.do_now'))).toBeVisible();
  await beginForm(page, t);
  await shop.api.raw('logout', { body: {} });
  // The step that is left is saved, and the server knows the session no more; unless what is read beside the form has told it before.
  const back = page.getByRole('button', { name: t('common.back') }).first();
  await Promise.race([page.waitForURL(/\/login$/), back.click()]);
  await expectNothingPersonal(page);
  await expect(second).toHaveURL(/\/login$/);
  await context.close();
});

test('log-out asks about a payment that waits: kept it goes out once at the next sign-in, removed it leaves nothing', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const shop = await sessionOf(RETAILER);
  await waitForHour(AFTERNOON);
  const { customerId } = await sellPhone(shop.api, { firstName: BOUGHT, lastName: 'Pawar' });
  const mine = await freshSession(RETAILER);
  const { page, context, t } = await openApp(browser, mine);
  await beginForm(page, t);
  await payOffline(page, t, customerId);
  await askToLogOut(page, t);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t('shell.logout_send') }).click();
  await expect(page.getByText(t('shell.logout_unsent'))).toBeVisible();
  await dialog.getByRole('button', { name: t('shell.logout_keep') }).click();
  await expectNothingPersonal(page);
  const { stores } = await kept(page);
  expect(stores['outbox']).toHaveLength(1);
  expect(stores['keys']).toEqual([mine.grant.user_id]);

  await context.setOffline(false);
  const again = await freshSession(RETAILER);
  await page.evaluate((grant) => {
    localStorage.setItem('token', grant.token);
    localStorage.setItem('account_id', grant.account_id);
    localStorage.setItem('user_id', grant.user_id);
  }, again.grant);
  await page.goto('/dashboard');
  await expect.poll(async () => (await kept(page)).stores).toMatchObject({ drafts: [], outbox: [] });
  const { payments } = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  expect(ofEmis(payments).map((payment) => payment.amount_paise)).toEqual([500_00]);

  await beginForm(page, t);
  await payOffline(page, t, customerId);
  await askToLogOut(page, t);
  const discard = dialog.getByRole('button', { name: t('shell.logout_discard') });
  await discard.click();
  await expect(page.getByText(t('shell.logout_discard_body'))).toBeVisible();
  expect((await kept(page)).stores['outbox']).toHaveLength(1);
  await discard.click();
  await expectNothingPersonal(page);
  expect((await kept(page)).stores).toEqual({ drafts: [], keys: [], outbox: [], reads: [] });
  await context.close();
});

test('over plain http nothing personal reaches the disk, and the app says so', async ({ browser }) => {
  const shop = await sessionOf(RETAILER);
  const insecure = 'http://shop.test';
  const { page, context, t } = await openApp(browser, null, { origin: insecure, hasWorker: false });
  await page.route(`${insecure}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: `${BASE_URL}${pathname}${search}` }) });
  });
  // Signed in as after a code: the app's own store keeps it, wherever it may.
  await page.route('**/api/auth/loginWithOtp', (route) =>
    route.fulfill({
      json: {
        status: 200,
        response: 'success',
        message: '',
        data: { step: 'session', session: { ...shop.grant, mpin_set: true } },
      },
    }),
  );
  await page.goto('/login');
  expect(await page.evaluate(() => [isSecureContext, crypto.subtle === undefined])).toEqual([false, true]);
  await page.getByLabel(t('auth.mobile')).fill(RETAILER);
  await page.getByRole('button', { name: t('auth.send_code') }).click();
  await expect(page.getByText(t('dashboard.do_now'))).toBeVisible();
  await page.getByRole('link', { name: t('shell.add'), exact: true }).click();
  await page.getByLabel(t('add.first_name')).fill(TYPED);
  await page.route('**/customerRegistrationByKegenUpdateV3', (route) => route.abort());
  await page.getByRole('button', { name: t('common.continue') }).click();
  await page
    .getByRole('button', { name: t('common.back') })
    .first()
    .click();
  await expect(page.getByText(t('shell.memory_only'))).toBeVisible();
  // What it says in passing is no other truth.
  await page.getByRole('button', { name: t('common.continue') }).click();
  await page.getByRole('button', { name: t('my_data.type.photo') }).click();
  await expect(page.getByText(`${t('add.needs_server')} ${t('shell.memory_only')}`)).toBeVisible();
  await expect(page.getByText(t('add.form_safe'))).toHaveCount(0);
  const left = await page.evaluate(async () => ({
    databases: await indexedDB.databases(),
    keys: Object.keys(localStorage).toSorted(),
    session: Object.keys(sessionStorage),
    text: JSON.stringify(localStorage),
  }));
  expect(left.databases).toEqual([]);
  expect(left.session).toEqual([]);
  expect(left.keys.filter((key) => !['brand', 'device_id', 'language', 'server'].includes(key))).toEqual([]);
  expect(left.text).not.toContain(TYPED);
  await context.close();
});
