import { type Page, expect } from '@playwright/test';
import type { App } from '#e2e/support/app.ts';
import { newImei, newMobile } from '#e2e/support/customers.ts';
import { loseNetwork } from '#e2e/support/network.ts';
import type { Cast } from './cast.ts';
import type { Scene } from './walk.screens.ts';

/** The screen is drawn and nothing loads any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeVisible();
  await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined);
}

export type PathOf = string | ((cast: Cast) => string);
export const at = (
  screen: string,
  state: string,
  where: PathOf,
  then?: (app: App, cast: Cast) => Promise<void>,
): Scene => ({
  screen,
  state,
  open: async (app, cast) => {
    await app.page.goto(typeof where === 'string' ? where : where(cast));
    await settled(app.page);
    await then?.(app, cast);
  },
});

export const details = (of: (cast: Cast) => string) => (cast: Cast) => `/customers/${of(cast)}`;
const emis = (of: (cast: Cast) => string) => (cast: Cast) => `/view-emi-details/${of(cast)}`;

/** A slow network, not a stopped one: what stands there while the answer is on its way. */
const loading = (screen: string, where: PathOf): Scene => ({
  screen,
  state: 'loading',
  open: async (app, cast) => {
    await app.page.goto('/language');
    await settled(app.page);
    const network = await app.context.newCDPSession(app.page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 4000,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    const path = typeof where === 'string' ? where : where(cast);
    await app.page.evaluate((to) => {
      window.history.pushState({ key: 'walk' }, '', to);
      window.dispatchEvent(new PopStateEvent('popstate', { state: { key: 'walk' } }));
    }, path);
    await app.page.waitForTimeout(5500);
  },
});

const offline = (screen: string, where: PathOf): Scene => ({
  screen,
  state: 'offline',
  open: async (app, cast) => {
    await app.page.goto('/privacy-policy');
    await app.page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => app.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await loseNetwork(app.context);
    await app.page.goto(typeof where === 'string' ? where : where(cast));
    await app.page.waitForTimeout(1200);
  },
});

const next = ({ page, t }: App) => page.getByRole('button', { name: t('common.continue') }).click();
/** The shop has sold before: its form begins with the plan of then. */
const toPlan = ({ page, t }: App) => page.getByRole('button', { name: t('add.plan_change') }).click();
async function toDevice(app: App): Promise<void> {
  await app.page.getByLabel(app.t('add.first_name')).fill('Sangeeta');
  await app.page.getByLabel(app.t('auth.mobile'), { exact: true }).fill(newMobile());
  await next(app);
}
async function toEmi(app: App): Promise<void> {
  await toDevice(app);
  await app.page.getByLabel(app.t('add.imei1'), { exact: true }).fill(newImei());
  await app.page.getByLabel(app.t('add.brand')).fill('Samsung');
  await app.page.getByLabel(app.t('add.model')).fill('Galaxy A06');
  await next(app);
}
async function toPreview(app: App): Promise<void> {
  await toEmi(app);
  await app.page.getByLabel(app.t('add.price')).fill('15000');
  await app.page.getByLabel(app.t('emi.down')).fill('3000');
  await app.page.getByLabel(app.t('add.rate')).fill('12');
  await app.page.getByRole('textbox', { name: app.t('add.tenure') }).fill('12');
  await expect(app.page.getByLabel(app.t('add.preview'))).toContainText('₹16,440');
}

const collect = ({ page, t }: App) => page.getByRole('button', { name: t('emi.collect'), exact: true }).click();
const openLock = async ({ page, t }: App) => {
  await page.getByRole('button', { name: t('lock.lock'), exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('status')).toBeVisible();
  await page.waitForTimeout(400);
};

/** Screens of a retailer. */
export const inside: readonly Scene[] = [
  at('dashboard', 'ready', '/dashboard'),
  at('dashboard', 'menu', '/dashboard', async ({ page, t }) => {
    // On a desk its entries stand beside every screen.
    const more = page.getByRole('button', { name: t('shell.more') });
    if (await more.isVisible()) await more.click();
    await expect(page.getByText(t('shell.logout'))).toBeVisible();
  }),
  at('dashboard', 'outbox', '/dashboard', async ({ page }) => {
    await page.locator('button[aria-haspopup=dialog]').first().click();
  }),
  loading('dashboard', '/dashboard'),
  offline('dashboard', '/dashboard'),
  at('customer-list', 'ready', '/customers'),
  at('customer-list', 'overdue', '/customers?due=overdue'),
  at('upcoming-emi', 'overdue', '/upcoming-emi?bucket=overdue'),
  at('upcoming-emi', 'month', '/upcoming-emi?bucket=month'),
  at('collections', 'fortnight', '/collections?days=14'),
  at('customer-list', 'locked', '/customers?lock_status=1'),
  at('customer-list', 'no-result', '/customers?search=nobody-of-this-name'),
  at('customer-list', 'filter', '/customers', async ({ page, t }) => {
    await page.getByRole('button', { name: t('customers.filter') }).click();
    await page.waitForTimeout(300);
  }),
  loading('customer-list', '/customers'),
  offline('customer-list', '/customers'),
  at(
    'customer-details',
    'unlocked',
    details((cast) => cast.fresh.customerId),
  ),
  at(
    'customer-details',
    'restricted',
    details((cast) => cast.reminded.customerId),
  ),
  at(
    'customer-details',
    'locking',
    details((cast) => cast.locking.customerId),
  ),
  at(
    'customer-details',
    'locked',
    details((cast) => cast.locked.customerId),
  ),
  at(
    'customer-details',
    'unlocking',
    details((cast) => cast.unlocking.customerId),
  ),
  at(
    'customer-details',
    'disputed',
    details((cast) => cast.disputed),
  ),
  at(
    'customer-details',
    'completed',
    details((cast) => cast.completed),
  ),
  at(
    'customer-details',
    'lock-refused',
    details((cast) => cast.fresh.customerId),
    openLock,
  ),
  at(
    'customer-details',
    'unlock-ask',
    details((cast) => cast.locked.customerId),
    async ({ page, t }) => {
      await page.getByRole('button', { name: t('lock.unlock'), exact: true }).click();
    },
  ),
  at(
    'customer-details',
    'message',
    details((cast) => cast.fresh.customerId),
    async ({ page, t }) => {
      await page.getByRole('button', { name: t('command.emi_alert') }).click();
    },
  ),
  at(
    'customer-details',
    'dispute',
    details((cast) => cast.fresh.customerId),
    async ({ page, t }) => {
      await page.getByRole('button', { name: t('dispute.start') }).click();
    },
  ),
  at('customer-details', 'not-found', '/customers/019aa1b2-0000-7000-8000-000000000000'),
  loading(
    'customer-details',
    details((cast) => cast.fresh.customerId),
  ),
  at('customer-navigate', 'waiting', (cast) => `/customer-navigate?customer_id=${cast.waiting.customerId}`),
  at('customer-navigate', 'draft', (cast) => `/customer-navigate?customer_id=${cast.draft}`),
  at('add-customer', 'plan', '/add-customer', toPlan),
  at('add-customer', 'identity', '/add-customer'),
  at('add-customer', 'identity-errors', '/add-customer', async (app) => {
    await next(app);
  }),
  at('add-customer', 'imei-wrong', '/add-customer', async (app) => {
    await toDevice(app);
    await app.page.getByLabel(app.t('add.imei1'), { exact: true }).fill('490154203237519');
    await next(app);
  }),
  at('add-customer', 'emi', '/add-customer', toEmi),
  at('add-customer', 'emi-preview', '/add-customer', toPreview),
  at('add-customer', 'consent', '/add-customer', async (app) => {
    await toPreview(app);
    await next(app);
    await expect(app.page.getByRole('button', { name: app.t('add.finish') })).toBeVisible();
    await app.page.waitForTimeout(500);
  }),
  at('emm-qr', 'waiting', (cast) => `/emm-qr?customer_id=${cast.waiting.customerId}`),
  at('emm-qr', 'connected', (cast) => `/emm-qr?customer_id=${cast.fresh.customerId}`),
  at('signature', 'empty', (cast) => `/signature?customer_id=${cast.waiting.customerId}`),
  at(
    'view-emi-details',
    'schedule',
    emis((cast) => cast.locked.customerId),
  ),
  at(
    'view-emi-details',
    'payments',
    emis((cast) => cast.completed),
    async ({ page, t }) => {
      await page.getByRole('tab', { name: new RegExp(t('emi.payments')) }).click();
    },
  ),
  at(
    'view-emi-details',
    'payment',
    emis((cast) => cast.unlocking.customerId),
    async ({ page, t }) => {
      await page.getByRole('tab', { name: new RegExp(t('emi.payments')) }).click();
      await page.getByRole('button', { name: /₹/ }).first().click();
    },
  ),
  at(
    'view-emi-details',
    'agreement',
    emis((cast) => cast.locked.customerId),
    async ({ page, t }) => {
      await page.getByRole('tab', { name: new RegExp(t('emi.agreement')) }).click();
    },
  ),
  at('emi-details', 'as-they-stand', (cast) => `/emi-details/${cast.fresh.customerId}`),
  at(
    'emi-details',
    'needs-code',
    (cast) => `/emi-details/${cast.fresh.customerId}`,
    async ({ page, t }) => {
      await page.getByLabel(t('emi_edit.tenure'), { exact: true }).and(page.getByRole('textbox')).fill('1');
      await expect(page.getByText(t('emi_edit.needs_code'))).toBeVisible();
    },
  ),
  at(
    'view-emi-details',
    'collect',
    emis((cast) => cast.locked.customerId),
    collect,
  ),
  at(
    'view-emi-details',
    'receipt',
    emis((cast) => cast.fresh.customerId),
    async (app) => {
      await collect(app);
      const { page, t } = app;
      await page
        .getByRole('dialog')
        .getByRole('textbox', { name: t('emi.amount') })
        .fill('25');
      await page.getByRole('dialog').getByRole('button', { name: /₹25/ }).click();
      await expect(page.getByRole('dialog', { name: t('emi.receipt') })).toBeVisible();
    },
  ),
  at(
    'view-emi-details',
    'queued',
    emis((cast) => cast.reminded.customerId),
    async (app) => {
      await collect(app);
      await app.context.setOffline(true);
      await app.page.getByRole('dialog').locator('button[type=submit]').click();
      await expect(app.page.getByText(app.t('shell.saved_offline'))).toBeVisible();
    },
  ),
  offline(
    'view-emi-details',
    emis((cast) => cast.locked.customerId),
  ),
  at('sessions', 'ready', '/sessions'),
  at('language', 'ready', '/language'),
  at('privacy-policy', 'ready', '/privacy-policy'),
  at('not-found', 'ready', '/no-such-page'),
];
