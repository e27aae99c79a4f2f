import { expect, type Locator } from '@playwright/test';
import { codeFor, messagesTo } from './messages.ts';
import type { Words } from './words.ts';

/** Has the code sent and typed in, first a wrong one, which is said, and then the customer's. @param to who reads it */
export async function tellCode(form: Locator, t: Words, to: string): Promise<void> {
  const known = await messagesTo(to);
  await form.getByRole('button', { name: t('consent.send_code') }).click();
  const code = await codeFor(to, known);
  await form.getByLabel(t('auth.otp_label')).fill(code === '111111' ? '222222' : '111111');
  await expect(form.getByText(t('errors.OTP_INVALID'))).toBeVisible();
  await form.getByLabel(t('auth.otp_label')).fill(code);
}
