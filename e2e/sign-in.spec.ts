import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { moveClock } from './support/clock.ts';
import { newMobile } from './support/customers.ts';
import { MOST, countHandwork } from './support/handwork.ts';
import { codeFor, messagesTo } from './support/messages.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

test(`a shop is in with ${MOST.signIn.taps} taps, its number's digits and the code's`, async ({ browser }) => {
  const mobile = newMobile();
  const { api } = await sessionOf(RETAILER);
  await api.call('addUser', { body: { first_name: 'Komal', mobile, shop_name: 'Komal Corner' } });
  await moveClock({ advance_minutes: 1 });
  const known = await messagesTo(mobile);
  const { page, context, t } = await openApp(browser, null, { language: SPOKEN });
  const handwork = await countHandwork(page);
  await page.goto('/login');
  await page.getByLabel(t('auth.mobile')).click();
  await page.keyboard.type(mobile);
  await page.getByRole('button', { name: t('auth.send_code') }).click();
  // The code's field has the keyboard, and its last digit sends it.
  await expect(page.getByLabel(t('auth.otp_label'))).toBeFocused();
  await page.keyboard.type(await codeFor(mobile, known));
  await page.getByRole('button', { name: t('auth.mpin_skip') }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await handwork()).toEqual(MOST.signIn);
  await context.close();
});
