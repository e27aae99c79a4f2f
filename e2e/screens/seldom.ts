import { type Page, expect } from '@playwright/test';
import { PATHS } from '@kist/contract/paths';
import type { App } from '#e2e/support/app.ts';
import { newImei, newMobile, sellPhone } from '#e2e/support/customers.ts';
import { addPhone } from '#e2e/support/lab.ts';
import type { Cast } from './cast.ts';
import { at, settled } from './inside.ts';
import type { Scene } from './walk.screens.ts';

const OVERDUE = '/upcoming-emi?bucket=overdue';

/** A sheet stands, and nothing in it loads any more. */
async function sheetStands({ page }: App): Promise<void> {
  const dialog = page.locator('dialog[open]');
  await expect(dialog.last()).toBeVisible();
  await expect(dialog.locator('.animate-pulse, [aria-busy=true]')).toHaveCount(0);
  await page.waitForTimeout(400);
}

/** What of an answer is told otherwise: of `data` itself, and of each in its list. */
interface Otherwise {
  path: string;
  data?: Record<string, unknown>;
  each?: Record<string, unknown>;
}

/** The server's own answers, told otherwise in one thing: for what the demo shop has none of. */
const answering = (page: Page, told: readonly Otherwise[]): Promise<unknown> =>
  page.addInitScript((others) => {
    const ask = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const reply = await ask(input, init);
      const url = new URL(input instanceof Request ? input.url : String(input), window.location.href);
      const other = others.find(({ path }) => url.pathname.endsWith(path));
      if (!other || !reply.ok) return reply;
      const said = (await reply.json()) as { data: Record<string, unknown> & { list?: object[] } };
      const { list } = said.data;
      const data = {
        ...said.data,
        ...(list && { list: list.map((one) => ({ ...one, ...other.each })) }),
        ...other.data,
      };
      return Response.json({ ...said, data }, { status: reply.status, headers: reply.headers });
    };
  }, told);

/** A scene whose page is prepared before it is opened. */
const prepared = (
  screen: string,
  state: string,
  prepare: (page: Page) => Promise<unknown>,
  open: (app: App, cast: Cast) => Promise<void>,
): Scene => ({
  screen,
  state,
  open: async (app, cast) => {
    await prepare(app.page);
    await open(app, cast);
  },
});

const goTo =
  (path: string) =>
  async ({ page }: App) => {
    await page.goto(path);
    await settled(page);
  };

/** The camera shows something, and no number is in it. */
const withPicture = (page: Page) =>
  page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => document.createElement('canvas').captureStream(5);
  });

async function toScanner(app: App): Promise<void> {
  const { page, t } = app;
  await goTo('/add-customer')(app);
  await page.getByLabel(t('add.first_name')).fill('Sangeeta');
  await page.getByLabel(t('auth.mobile'), { exact: true }).fill(newMobile());
  await page.getByRole('button', { name: t('common.continue') }).click();
  await page.getByLabel(t('add.imei1'), { exact: true }).fill(newImei());
  await page.getByRole('button', { name: t('add.scan_for', { field: t('add.imei1') }), exact: true }).click();
  await expect(page.getByRole('dialog', { name: t('add.scan') })).toBeVisible();
  await page.waitForTimeout(400);
}

/** The browser's own offer, which Chromium makes when it finds the time. */
const offersInstall = (page: Page) =>
  page.addInitScript(() =>
    window.addEventListener('load', () => {
      const said = { prompt: async () => undefined, userChoice: Promise.resolve({ outcome: 'dismissed' }) };
      const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), said);
      setTimeout(() => window.dispatchEvent(offer), 500);
    }),
  );

/** Offered where a phone has just reported: one is sold and set up for the picture. */
async function setUpNow({ page, t }: App, { api }: Cast): Promise<void> {
  const sold = await sellPhone(api, { firstName: 'Usha', lastName: 'Gaikwad' });
  await page.goto(`/emm-qr?customer_id=${sold.customerId}`);
  await expect(page.getByRole('img', { name: t('qr.alt') })).toBeVisible();
  await page.waitForTimeout(1000);
  await addPhone({ name: 'Usha', imei: sold.imei, qr: sold.qr });
  await expect(page.getByText(t('qr.connected'))).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(t('install.later'))).toBeVisible();
}

/** What opens now and then over the screens of a shop, and what few ever see. */
export const seldom: readonly Scene[] = [
  at('upcoming-emi', 'remind', OVERDUE, async (app) => {
    const { page, t } = app;
    const many = t('dues.remind_all', { count: 2 }).replace('2', String.raw`\d+`);
    const name = new RegExp(`^(${many}|${t('dues.remind_all', { count: 1 })})$`);
    await page.getByRole('button', { name }).click();
    await sheetStands(app);
  }),
  at('upcoming-emi', 'collect', OVERDUE, async (app) => {
    const { page, t } = app;
    const amount = String.raw`₹[\d,]+`;
    const onPhone = t('emi.collect_amount', { amount: '₹' }).replace('₹', () => amount);
    const name = new RegExp(`^(${onPhone}|${t('emi.collect')} ${amount}) `);
    await page.getByRole('button', { name }).first().click();
    await sheetStands(app);
  }),
  prepared('add-customer', 'scan', withPicture, toScanner),
  at(
    'signature',
    'whole-screen',
    (cast) => `/signature?customer_id=${cast.waiting.customerId}`,
    async ({ page, t }) => {
      const start = new RegExp(`^(${t('signature.new')}|${t('signature.replace')})$`);
      await page.getByRole('button', { name: start }).click();
      await page.getByRole('button', { name: t('signature.pad_empty') }).click();
      await expect(page.getByRole('img', { name: t('signature.pad_empty') })).toBeInViewport({ ratio: 1 });
    },
  ),
  at('dashboard', 'shortcuts', '/dashboard', async (app) => {
    const { page, t } = app;
    // A phone has no keys, and its Home stands there once more.
    if (!(await page.locator('[aria-keyshortcuts="Shift+?"]').isVisible())) return;
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: t('keyboard.title') })).toBeVisible();
    await sheetStands(app);
  }),
  prepared('emm-qr', 'install', offersInstall, setUpNow),
  at('waiting', 'some', '/waiting'),
  prepared(
    'waiting',
    'none',
    (page) => answering(page, [{ path: PATHS.listWaiting.path, data: { list: [], total: 0 } }]),
    goTo('/waiting'),
  ),
  // The demo shop has no administrator, who sees what waits in all shops and no customer.
  prepared(
    'dashboard',
    'administrator',
    (page) =>
      answering(page, [
        { path: PATHS.getUserAccess.path, data: { user_type: 'admin' } },
        {
          path: PATHS.listWaiting.path,
          each: { customer_id: null, customer_name: '', is_own: false, may_agree: true },
        },
      ]),
    async (app) => {
      await goTo('/dashboard')(app);
      await expect(app.page.getByText(app.t('waiting.admin'))).toBeVisible();
    },
  ),
];
