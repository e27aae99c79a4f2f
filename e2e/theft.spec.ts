import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { sellAndEnrol } from './support/customers.ts';
import { expectLevel } from './support/lab.ts';
import { codeFor, messagesTo } from './support/messages.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { tellCode } from './support/told-code.ts';
import { SPOKEN } from './support/words.ts';

test('a shop reports a theft by the customer’s OTP, the phone locks, and only another OTP of the customer’s lifts it', async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const { customerId, mobile, phone } = await sellAndEnrol(shop.api, {
    firstName: 'Farida',
    lastName: 'Khan',
    language,
  });
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto(`/customers/${customerId}`);
  await page.getByRole('button', { name: t('theft.start') }).click();
  const sheet = page.getByRole('dialog', { name: t('theft.start') });
  await tellCode(sheet, t, mobile);
  await expect(page.getByText(t('theft.reported'))).toBeVisible();
  const card = page.getByRole('region', { name: t('theft.report') });
  await expect(card).toContainText(t('theft.said_theft'));
  await expectLevel(phone.id, 4);

  // The right to unlock is none to this.
  const body = { customer_id: customerId, reason: 'THEFT_REPORTED' as const };
  const refused = await shop.api.raw('sendCommand', { params: { command: 'unlock' }, body });
  expect(refused.status).toBe(403);

  await card.getByRole('button', { name: t('theft.lift') }).click();
  const lifting = page.getByRole('dialog', { name: t('theft.lift') });
  await lifting.getByLabel(t('theft.lift_reason')).fill('It was under the seat');
  const before = await messagesTo(mobile);
  await lifting.getByRole('button', { name: t('consent.send_code') }).click();
  const found = await codeFor(mobile, before);
  await lifting.getByLabel(t('auth.otp_label')).fill(found);
  await expect(page.getByText(t('theft.lifted'), { exact: true })).toBeVisible();
  await expect(card).toHaveCount(0);
  await expectLevel(phone.id, 0);
  await context.close();
});
