import { type CDPSession, type Page, expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { moveClock } from './support/clock.ts';
import { codeFor, messagesTo } from './support/messages.ts';
import { newMobile } from './support/customers.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import type { Words } from './support/words.ts';

const MPIN = '8305';

/** A phone with a finger that fits: Chromium's own virtual authenticator. */
async function withFinger(page: Page): Promise<{ devtools: CDPSession; authenticatorId: string }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: false,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

async function typePin(page: Page): Promise<void> {
  for (const digit of MPIN) await page.getByRole('button', { name: digit, exact: true }).click();
}

/** Somebody who was never here: in by a code, with a first M-PIN. */
async function signInFirst(page: Page, t: Words): Promise<void> {
  const mobile = newMobile();
  const { api } = await sessionOf(RETAILER);
  await api.call('addUser', { body: { first_name: 'Komal', mobile, shop_name: 'Komal Corner' } });
  await moveClock({ advance_minutes: 1 });
  await page.goto('/login');
  const known = await messagesTo(mobile);
  await page.getByLabel(t('auth.mobile')).fill(mobile);
  await page.getByRole('button', { name: t('auth.send_code') }).click();
  await page.getByLabel(t('auth.otp_label')).fill(await codeFor(mobile, known));
  await expect(page).toHaveURL(/m-pin/);
  await typePin(page);
  await expect(page.getByRole('heading', { name: t('auth.mpin_confirm') })).toBeVisible();
  await typePin(page);
}

const logOut = async (page: Page, t: Words) => {
  await page.getByRole('button', { name: t('shell.more') }).click();
  await page.getByRole('button', { name: t('shell.logout'), exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('shell.logout'), exact: true })
    .last()
    .click();
  await expect(page).toHaveURL(/login/);
};

test('a finger opens the app after the M-PIN did, is listed, and is taken away', async ({ browser }) => {
  test.setTimeout(120_000);
  const { page, context, t } = await openApp(browser, null, { hasWorker: false });
  const { devtools, authenticatorId } = await withFinger(page);
  await signInFirst(page, t);
  // Offered where the M-PIN was just typed.
  const offer = page.getByRole('dialog', { name: t('auth.use_fingerprint') });
  await expect(offer).toBeVisible();
  await offer.getByRole('button', { name: t('passkey.use') }).click();
  await expect(page.getByText(t('passkey.added'))).toBeVisible();
  expect((await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1);

  await logOut(page, t);
  await page.getByRole('button', { name: t('auth.use_fingerprint') }).click();
  await expect(page).toHaveURL(/dashboard/);

  // A finger that does not fit: nothing happens, and the M-PIN is there.
  await logOut(page, t);
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: t('auth.use_fingerprint') }).click();
  await page.getByRole('link', { name: t('auth.continue_mpin') }).click();
  await typePin(page);
  await expect(page).toHaveURL(/dashboard/);
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });

  await page.goto('/sessions');
  await expect(page.getByRole('heading', { name: t('passkey.devices') })).toBeVisible();
  await page.getByRole('button', { name: t('passkey.remove') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('passkey.remove') })
    .click();
  await expect(page.getByText(t('passkey.removed'))).toBeVisible();
  await logOut(page, t);
  await page.getByRole('button', { name: t('auth.use_fingerprint') }).click();
  await expect(page.getByText(t('errors.PASSKEY_REFUSED'))).toBeVisible();
  await expect(page.getByRole('button', { name: t('auth.use_fingerprint') })).toHaveCount(0);
  await context.close();
});
