import { type Page, expect } from '@playwright/test';
import { codeFor, messagesTo } from './messages.ts';
import type { Words } from './words.ts';

/** From the login screen in by the code of the SMS, whether or not this user chose an M-PIN before; a first one is left for later. */
export async function signInByCode(page: Page, t: Words, mobile: string): Promise<void> {
  const known = await messagesTo(mobile);
  await page.getByLabel(t('auth.mobile')).fill(mobile);
  await page.getByRole('button', { name: t('auth.send_code') }).click();
  await page.getByLabel(t('auth.otp_label')).fill(await codeFor(mobile, known));
  await expect(page).not.toHaveURL(/\/otp$/);
  if (page.url().endsWith('/m-pin')) await page.getByRole('button', { name: t('auth.mpin_skip') }).click();
}
