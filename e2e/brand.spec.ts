import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Page, expect, test } from '@playwright/test';
import { createApi } from './support/api.ts';
import { openApp } from './support/app.ts';
import { faultsOf, settled } from './support/axe.ts';
import { BASE_URL } from './support/base-url.ts';
import { CANARIES, expectOnlyWords, listenFor } from './support/canaries.ts';
import { newMobile, sellAndEnrol } from './support/customers.ts';
import { kist } from './support/kist.ts';
import { messagesTo } from './support/messages.ts';
import { collectInCash } from './support/shop.ts';
import { signInByCode } from './support/sign-in-screen.ts';
import { CUSTOMER, RETAILER, freshSession, sessionOf } from './support/sign-in.ts';
import { wordsOf } from './support/words.ts';

const ORG = '20';

interface Listed {
  org_id: number;
  name: string;
  company_name: string;
  parent_company_name: string;
  ai_name: string;
  ai_agent_id: string;
  support: { phone?: string };
  privacy_contact?: string;
}

let before: Listed;
const folder = mkdtempSync(path.join(tmpdir(), 'kist-brand-'));
const fileWith = (text: string): string => {
  const file = path.join(folder, 'privacy.txt');
  writeFileSync(file, text);
  return file;
};

/** Says it of the shop of the tests, and waits until its pages say so: a process remembers an organisation for ten seconds. */
async function call(org: Listed, privacyText: string, witness: 'on' | 'off' = 'off'): Promise<void> {
  const said = {
    name: org.name,
    company: org.company_name,
    parent: org.parent_company_name,
    'ai-name': org.ai_name,
    'ai-agent': org.ai_agent_id,
    'support-phone': org.support.phone ?? '',
    'privacy-contact': org.privacy_contact ?? '',
    'privacy-file': fileWith(privacyText),
    'witness-signature': witness,
  };
  await kist('org', 'edit', ORG, ...Object.entries(said).map(([option, value]) => `--${option}=${value}`));
  const shown = org.ai_name.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  await expect
    .poll(async () => (await fetch(`${BASE_URL}/login`)).text(), { timeout: 20_000 })
    .toContain(`<title>${shown}</title>`);
}

test.beforeAll(async () => {
  before = (await kist<Listed[]>('org', 'list')).find(({ org_id }) => String(org_id) === ORG)!;
});
test.afterAll(() => rmSync(folder, { recursive: true }));

/** A shop that is called by a canary too, and has sold under a plan that is. */
async function shopOfCanaries() {
  const mobile = newMobile();
  const name = `${CANARIES.shop} ${mobile}`;
  await kist('retailer', 'add', ORG, mobile, `--first-name=${CANARIES.person}`, `--shop=${name}`, '--upi=canary@bank');
  await kist('keys', 'grant', ORG, mobile, 'DPC', '2', '--id', 'canary');
  await kist('access', 'set', ORG, mobile, '--set', 'add_retailer=on');
  // Below it a shop that is called so as well: by it the list of shops and another one's page are seen.
  const below = newMobile();
  const its = [`--first-name=${CANARIES.person}`, `--shop=${CANARIES.shop} ${below}`, '--upi=canary@bank'];
  await kist('retailer', 'add', ORG, below, ...its, '--under', mobile);
  const shop = await freshSession(mobile);
  const { list } = await shop.api.call('listUsers', { query: { state: 'active' } });
  const { user_id: belowId } = list.find((one) => one.mobile.endsWith(below))!;
  return { shop, belowId, sold: await sellAndEnrol(shop.api, { firstName: CANARIES.person, lastName: 'Bird' }) };
}

/** The page as it stands before any code of the app has come: login, or the shell around a screen. */
async function openShell(page: Page, at: string): Promise<void> {
  // On its way for good: of a file that is gone the page would say so.
  await page.route('**/assets/*.js', () => undefined);
  await page.goto(at, { waitUntil: 'commit' });
  await expect(page.locator('.name:visible').first()).toHaveText(CANARIES.assistant);
  await expectOnlyWords(page);
  await page.unroute('**/assets/*.js');
}

test('nothing that an organisation, a plan or a shop is called is ever carried out: it is read, on every screen and page', async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const plans = await (await sessionOf(RETAILER)).api.call('listPlans');
  const plan = plans.find(({ plan_type }) => plan_type === 0)!;
  const heard: (() => string[])[] = [];
  const open = async (who: Parameters<typeof openApp>[1], options: Parameters<typeof openApp>[2] = {}) => {
    const app = await openApp(browser, who, { ...options, hasWorker: false });
    heard.push(await listenFor(app.page));
    return app;
  };
  /** A place beside words: they stand there, and not that it is nobody's business. */
  const walk = async (page: Page, places: readonly (string | readonly [string, string])[]) => {
    for (const one of places) {
      const [place, words] = typeof one === 'string' ? [one] : one;
      await page.goto(place);
      await expect(page.locator('h1').first()).toBeVisible();
      if (words) await expect(page.getByText(words).first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectOnlyWords(page);
    }
  };
  try {
    const called: Listed = {
      ...before,
      name: CANARIES.name,
      company_name: CANARIES.company,
      parent_company_name: CANARIES.parent,
      ai_name: CANARIES.assistant,
      ai_agent_id: CANARIES.agent,
      support: { phone: CANARIES.phone },
      privacy_contact: CANARIES.contact,
    };
    await kist('plan', 'edit', ORG, String(plan.plan_id), `--name=${CANARIES.plan}`);
    await call(called, CANARIES.text, 'on');

    const outside = await open(null, { localStorage: { phone: '9000000099' } });
    const manifest = await fetch(`${BASE_URL}/manifest.webmanifest`);
    expect(await manifest.json()).toMatchObject({ name: CANARIES.assistant });
    await openShell(outside.page, '/login');
    await walk(outside.page, ['/login', '/m-pin', '/signup-request', '/privacy-policy', '/public/imei']);
    await outside.page.goto('/privacy-policy');
    for (const words of [CANARIES.company, CANARIES.contact])
      await expect(outside.page.locator('body')).toContainText(words);

    const { shop, belowId, sold } = await shopOfCanaries();
    const { page, t } = await open(shop);
    await openShell(page, '/dashboard');
    await walk(page, [
      '/dashboard',
      '/customers',
      `/customers/${sold.customerId}`,
      `/customer-navigate?customer_id=${sold.customerId}`,
      '/add-customer',
      '/upcoming-emi',
      '/collections',
      `/view-emi-details/${sold.customerId}`,
      `/emm-qr?customer_id=${sold.customerId}`,
      `/signature?customer_id=${sold.customerId}`,
      [`/witness-signature?customer_id=${sold.customerId}`, t('signature.none')],
      [`/emi-details/${sold.customerId}`, t('emi_edit.same')],
      `/customer-documents?customer_id=${sold.customerId}`,
      '/retailers/me',
      ['/retailers', CANARIES.shop],
      [`/retailers/${belowId}`, t('retailers.suspend')],
      ['/add-retailer', t('retailers.shop_name')],
      [`/add-retailer?user_id=${belowId}`, t('retailers.shop_name')],
      '/lock-rules',
      '/waiting',
      '/sessions',
      '/language',
      '/no-such-page',
    ]);
    await page.goto('/add-customer');
    await page.getByRole('button', { name: t('add.plan_change') }).click();
    await expect(page.getByText(CANARIES.plan)).toBeVisible();
    await page.goto('/dashboard');
    await page.getByRole('button', { name: t('shell.more') }).click();
    await expect(page.getByText(t('shell.logout'))).toBeVisible();
    await expectOnlyWords(page);

    await collectInCash(page, t, sold.customerId, '500');
    const receipt = page.getByRole('dialog', { name: t('emi.receipt') });
    await expect(receipt).toBeVisible();
    await expectOnlyWords(page);
    await expect.poll(async () => (await messagesTo(sold.mobile)).length).toBeGreaterThan(0);

    const wide = await open(shop, { viewport: { width: 1280, height: 800 } });
    await walk(wide.page, ['/dashboard', `/customers/${sold.customerId}`, ['/retailers', CANARIES.shop]]);

    // Seen by the customer: the page of notices, the own phone, the messages that went out.
    const customer = await open(await sessionOf(CUSTOMER));
    await walk(customer.page, ['/my-emi', '/my-data']);
    const { url } = await shop.api.call('getNoticeLink', { query: { customer_id: sold.customerId } });
    await walk(outside.page, [new URL(url).pathname]);
    await expect(outside.page.locator('h1')).toContainText(CANARIES.shop);
    await outside.page.goto(`/lab?phone=${sold.phone.id}`);
    await expect(outside.page.getByRole('heading', { name: sold.phone.name })).toBeVisible();
    await expectOnlyWords(outside.page);
    await outside.page.goto('/lab?view=messages');
    await expect(outside.page.locator('body')).toContainText(sold.mobile.slice(-4));
    await expectOnlyWords(outside.page);
    expect(heard.flatMap((each) => each())).toEqual([]);
  } finally {
    await kist('plan', 'edit', ORG, String(plan.plan_id), `--name=${plan.name}`);
    await call(before, '');
  }
});

/** One of the demo's organisations: compact, five languages, and of an inactive customer it only warns. */
const COMPACT = { orgId: '46', host: 'saral-kist.localhost', accent: 'rgb(11, 95, 165)', unspoken: 'gj' } as const;

test('an organisation is drawn as it chose, before any code of the app has come and after: layout, languages, witness, warnings', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  await kist('org', 'edit', COMPACT.orgId, `--host=${COMPACT.host}`, '--witness-signature=on');
  const origin = `http://${COMPACT.host}:${new URL(BASE_URL).port}`;
  const { page, context } = await openApp(browser, null, { origin, hasWorker: false, language: COMPACT.unspoken });
  const t = await wordsOf('en');
  try {
    const title = async () => {
      await page.goto('/privacy-policy');
      return page.title();
    };
    await expect.poll(title, { timeout: 20_000 }).toContain('Saral');
    await page.evaluate(() => localStorage.removeItem('brand'));

    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/*.js', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.goto('/login', { waitUntil: 'commit' });
    await expect(page.locator('#front b')).toHaveCSS('background-color', COMPACT.accent);
    // A language that it does not speak is not begun in.
    await expect(page.locator('#front label')).toHaveText(t('auth.mobile'));
    const parts = () =>
      Promise.all(
        [
          page.locator('h1').first(),
          page.getByLabel(t('auth.mobile')),
          page.getByRole('button', { name: t('auth.send_code') }),
        ].map((part) => part.boundingBox()),
      );
    const before = await parts();
    release();
    await expect(page.locator('#front')).toHaveCount(0);
    for (const [at, box] of (await parts()).entries())
      for (const side of ['x', 'y', 'width', 'height'] as const)
        expect(Math.abs(box![side] - before[at]![side]), `${side} of part ${at}`).toBeLessThanOrEqual(1);
    await expect(page.locator('header')).toHaveCSS('background-color', COMPACT.accent);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: t('language.title') }).click();
    await expect(page.getByRole('dialog').getByRole('radio')).toHaveCount(5);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('common.close') })
      .click();

    await signInByCode(page, t, RETAILER);
    await expect(page.locator('header').first()).toHaveCSS('background-color', COMPACT.accent);
    expect(await faultsOf(page)).toEqual([]);
    const api = createApi((await page.evaluate(() => localStorage.getItem('token')))!);
    const [plan] = await api.call('listPlans');
    const customer = { first_name: 'Nitin', last_name: 'Sonawane', mobile: newMobile() };
    const { customer_id: id } = await api.call('registerCustomer', {
      body: { draft: true, plan_id: plan!.plan_id, customer },
    });
    // By the step of the sale, and back to it when it is signed.
    await settled(page, `/customer-navigate?customer_id=${id}`);
    const step = (state: string) =>
      page.getByRole('link', { name: new RegExp(`^${t('customer.witness')}\\s*${t(state)}`) });
    await step('navigate.open').click();
    await page.getByRole('button', { name: t('signature.new') }).click();
    await expect(page.locator('canvas')).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('tab', { name: t('signature.type') }).click();
    await page.getByLabel(t('signature.full_name')).fill('Ramesh Sonawane');
    await page.getByRole('button', { name: t('signature.save') }).click();
    await expect(page.getByText(t('signature.saved'), { exact: true })).toBeVisible();
    await page
      .getByRole('link', { name: t('common.back') })
      .first()
      .click();
    await expect(page).toHaveURL(/\/customer-navigate/);
    await expect(step('navigate.done')).toBeVisible();
    await settled(page, '/customers');
    const row = page.getByRole('button', { name: /Nitin/ }).first();
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(64);
    // The filled band and what comes first below it do not touch.
    const band = (await page.locator('header').first().boundingBox())!;
    const first = (await page.locator('main > *').first().boundingBox())!;
    expect(first.y - band.y - band.height).toBeGreaterThanOrEqual(8);
    expect(await faultsOf(page)).toEqual([]);
    await row.click();
    await expect(page.getByRole('status').filter({ hasText: t('customers.inactive_warning') })).toBeVisible();
    await expect(page).toHaveURL(/\/customers$/);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.locator('nav').first().locator('xpath=..')).toHaveCSS('background-color', COMPACT.accent);
    expect(await faultsOf(page)).toEqual([]);
  } finally {
    await kist('org', 'edit', COMPACT.orgId, '--host=', '--witness-signature=off');
    await context.close();
  }
});
