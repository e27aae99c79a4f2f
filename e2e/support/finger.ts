import { type CDPSession, type Page, expect } from '@playwright/test';
import { moveClock } from './clock.ts';
import { newMobile } from './customers.ts';
import { codeFor, messagesTo } from './messages.ts';
import { RETAILER, sessionOf } from './sign-in.ts';
import type { Words } from './words.ts';

const MPIN = '8305';

/** A phone with a finger that fits: Chromium's own virtual authenticator. */
export async function withFinger(page: Page): Promise<{ devtools: CDPSession; authenticatorId: string }> {
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

export async function typePin(page: Page): Promise<void> {
  for (const digit of MPIN) await page.getByRole('button', { name: digit, exact: true }).click();
}

/** Somebody who was never here: in by a code, with a first M-PIN. @returns the mobile */
export async function signInFirst(page: Page, t: Words): Promise<string> {
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
  return mobile;
}
