import { expect } from '@playwright/test';
import type { App } from '#e2e/support/app.ts';
import { newMobile } from '#e2e/support/customers.ts';
import { signInFirst, withFinger } from '#e2e/support/finger.ts';
import { CUSTOMER } from '#e2e/support/sign-in.ts';
import type { Scene } from './walk.screens.ts';

/** A number that nobody has: the answer is the same, and no code is used up. */
async function toCode({ page, t }: App): Promise<void> {
  await page.goto('/login');
  await page.getByLabel(t('auth.mobile')).fill(newMobile());
  await page.getByRole('button', { name: t('auth.send_code') }).click();
  await expect(page.getByLabel(t('auth.otp_label'))).toBeVisible();
}

/** What the router would remember of the way here. */
async function withState({ page }: App, path: string, usr: Record<string, unknown>, stored: Record<string, string>) {
  await page.goto('/login');
  await page.evaluate(
    ([to, state, keys]) => {
      for (const [key, value] of Object.entries(keys)) localStorage.setItem(key, value);
      window.history.replaceState({ usr: state, key: 'walk', idx: 0 }, '', to);
    },
    [path, usr, stored] as const,
  );
  await page.reload();
  await expect(page.locator('h1').first()).toBeVisible();
}

/** Screens before sign-in. */
export const outside: readonly Scene[] = [
  {
    screen: 'login',
    state: 'empty',
    open: async ({ page, t }) => {
      await page.goto('/login');
      await expect(page.getByLabel(t('auth.mobile'))).toBeVisible();
      await page.waitForTimeout(600);
    },
  },
  {
    screen: 'login',
    state: 'error',
    open: async ({ page, t }) => {
      await page.goto('/login');
      await page.getByLabel(t('auth.mobile')).fill('12345');
      await page.getByRole('button', { name: t('auth.send_code') }).click();
    },
  },
  { screen: 'otp', state: 'empty', open: toCode },
  {
    screen: 'otp',
    state: 'error',
    open: async (app) => {
      await toCode(app);
      await app.page.getByLabel(app.t('auth.otp_label')).fill('000000');
      await expect(app.page.getByText(app.t('errors.OTP_INVALID'))).toBeVisible();
    },
  },
  {
    screen: 'm-pin',
    state: 'enter',
    open: async (app) => withState(app, '/m-pin', {}, { phone: '+919000000001', mpin: '1', type: 'mpin' }),
  },
  {
    screen: 'm-pin',
    state: 'set',
    open: async (app) => withState(app, '/m-pin', { mode: 'reset', resetToken: 'walk', mobile: '+919000000001' }, {}),
  },
  {
    screen: 'signup-request',
    state: 'empty',
    open: async ({ page }) => {
      await page.goto('/signup-request');
      await page.waitForTimeout(500);
    },
  },
  {
    screen: 'signup-request',
    state: 'errors',
    open: async ({ page, t }) => {
      await page.goto('/signup-request');
      await page.getByRole('button', { name: t('signup.send') }).click();
      await expect(page.getByText(t('field.required')).first()).toBeVisible();
    },
  },
  {
    screen: 'login',
    state: 'known',
    open: async (app) => withState(app, '/login', {}, { phone: '+919000000001', mpin: '1', type: 'mpin' }),
  },
  {
    screen: 'passkey',
    state: 'ask',
    open: async ({ page, t }) => {
      await withFinger(page);
      await signInFirst(page, t);
      await expect(page.getByRole('dialog', { name: t('auth.use_fingerprint') })).toBeVisible();
      await page.waitForTimeout(400);
    },
  },
];

/** The wall of simulated phones. */
export const lab: readonly Scene[] = [
  {
    screen: 'lab',
    state: 'wall',
    open: async ({ page }) => {
      await page.goto('/lab');
      await page.waitForTimeout(800);
    },
  },
  ...(['locked', 'reminded', 'fresh'] as const).map((who): Scene => ({
    screen: 'lab',
    state: `phone-${who}`,
    open: async ({ page }, cast) => {
      await page.goto(`/lab?phone=${cast[who].phone.id}`);
      await page.waitForTimeout(500);
    },
  })),
  {
    screen: 'lab',
    state: 'messages',
    open: async ({ page }) => {
      await page.goto('/lab?view=messages');
      await page.waitForTimeout(500);
    },
  },
];

/** Who has screens of their own. */
export const visitors: readonly { who: string; scenes: readonly Scene[] }[] = [
  {
    who: CUSTOMER,
    scenes: [
      ...(['my-emi', 'my-data'] as const).map((screen) => ({
        screen,
        state: 'ready',
        open: async ({ page }: App) => {
          await page.goto(`/${screen}`);
          await page.waitForTimeout(1200);
        },
      })),
      {
        screen: 'my-data',
        state: 'erase',
        open: async ({ page, t }: App) => {
          await page.goto('/my-data');
          await page.getByRole('button', { name: t('erase.mine') }).click();
          await expect(page.getByRole('dialog').getByRole('status')).toBeVisible();
          await page.waitForTimeout(400);
        },
      },
      {
        screen: 'my-emi',
        state: 'i-paid',
        open: async ({ page, t }: App) => {
          await page.goto('/my-emi');
          await page.getByRole('button', { name: t('emi.i_paid') }).click();
          await expect(page.getByRole('dialog', { name: t('emi.i_paid') })).toBeVisible();
          await page.waitForTimeout(400);
        },
      },
    ],
  },
];
