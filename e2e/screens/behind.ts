import { expect } from '@playwright/test';
import type { App } from '#e2e/support/app.ts';
import { cardPicture } from '#e2e/support/picture.ts';
import { at, details } from './inside.ts';
import type { Scene } from './walk.screens.ts';

/** Presses what opens a sheet, and waits until it stands. */
const sheet =
  (key: string, title = key) =>
  async ({ page, t }: App) => {
    await page
      .getByRole('button', { name: t(key), exact: true })
      .first()
      .click();
    await expect(title ? page.getByRole('dialog', { name: t(title) }) : page.locator('dialog[open]')).toBeVisible();
    await page.waitForTimeout(400);
  };
/** The same, sent with nothing in it: what is missing says so. */
const refused =
  (key: string, send = key) =>
  async (app: App) => {
    await sheet(key, '')(app);
    await app.page
      .getByRole('dialog')
      .getByRole('button', { name: app.t(send), exact: true })
      .last()
      .click();
    await app.page.waitForTimeout(300);
  };

const documents =
  (rest = '') =>
  (cast: { fresh: { customerId: string } }) =>
    `/customer-documents?customer_id=${cast.fresh.customerId}${rest}`;

/** What a retailer opens now and then: shops, rules, papers, and what ends or changes a sale. */
export const behind: readonly Scene[] = [
  at('dashboard', 'bell', '/dashboard', async ({ page, t }) => {
    // Its name ends with how much nobody has read.
    await page.getByRole('button', { name: new RegExp(`^${t('bell.title')}`) }).click();
    await expect(
      page
        .getByRole('dialog', { name: t('bell.title') })
        .locator('a')
        .first(),
    ).toBeVisible();
    await page.waitForTimeout(400);
  }),
  at('retailer-list', 'ready', '/retailers'),
  at('retailer-list', 'suspended', '/retailers?state=suspended'),
  at('retailer-profile', 'ready', (cast) => `/retailers/${cast.shop}`),
  at('retailer-profile', 'suspend', (cast) => `/retailers/${cast.shop}`, refused('retailers.suspend')),
  at('retailer-profile', 'transfer', (cast) => `/retailers/${cast.shop}`, sheet('retailers.pass_on')),
  at('retailer-profile', 'own', '/retailers/me'),
  at('add-retailer', 'empty', '/add-retailer'),
  at('add-retailer', 'errors', '/add-retailer', async ({ page, t }) => {
    await page.getByRole('button', { name: t('common.save'), exact: true }).click();
  }),
  at('lock-rules', 'ready', '/lock-rules'),
  at('lock-rules', 'coming', '/lock-rules', async ({ page, t }) => {
    await page.getByRole('button', { name: t('lock_rules.show') }).click();
    await expect(page.getByText(t('lock_rules.coming_hint'))).toBeVisible();
    await expect(page.locator('main .animate-pulse')).toHaveCount(0, { timeout: 15_000 });
  }),
  at('customer-documents', 'list', documents()),
  at('customer-documents', 'place', documents('&document_type=aadhaar&image_name=front')),
  at('customer-documents', 'editor', documents('&document_type=aadhaar&image_name=front'), async ({ page, t }) => {
    const card = { name: 'IMG_2041.png', mimeType: 'image/png', buffer: cardPicture() };
    await page.getByRole('dialog').locator('[data-pick=file]').setInputFiles(card);
    await expect(page.getByText(t('documents.hide_aadhaar'))).toBeVisible();
  }),
  at(
    'customer-details',
    'erase-refused',
    details((cast) => cast.fresh.customerId),
    sheet('erase.theirs'),
  ),
  at(
    'customer-details',
    'erase',
    details((cast) => cast.completed),
    sheet('erase.theirs'),
  ),
  at(
    'customer-details',
    'exchange',
    details((cast) => cast.fresh.customerId),
    sheet('exchange.title'),
  ),
  at(
    'customer-details',
    'exchange-errors',
    details((cast) => cast.fresh.customerId),
    refused('exchange.title'),
  ),
  at(
    'customer-details',
    'theft',
    details((cast) => cast.fresh.customerId),
    sheet('theft.start'),
  ),
  at(
    'customer-navigate',
    'cancel',
    (cast) => `/customer-navigate?customer_id=${cast.waiting.customerId}`,
    refused('cancel.title'),
  ),
  at(
    'customer-navigate',
    'exchange',
    (cast) => `/customer-navigate?customer_id=${cast.waiting.customerId}`,
    sheet('exchange.title'),
  ),
  at('witness-signature', 'empty', (cast) => `/witness-signature?customer_id=${cast.waiting.customerId}`),
];
