import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { sellAndEnrol } from './support/customers.ts';
import { codeFor, messagesTo } from './support/messages.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { TEST_LANGUAGES } from './support/words.ts';

for (const language of TEST_LANGUAGES)
  test(`a consent that lacks the customer’s code says so, and is collected on the customer’s page (${language})`, async ({
    browser,
  }) => {
    const shop = await sessionOf(RETAILER);
    const { customerId, mobile } = await sellAndEnrol(shop.api, {
      firstName: 'Sarita',
      lastName: 'More',
      language,
      isCodeLeft: true,
    });
    const { page, context, t } = await openApp(browser, shop, { language });
    await page.goto(`/customers/${customerId}`);
    await expect(page.getByText(t('rules.CONSENT_MISSING'))).toBeVisible();

    const known = await messagesTo(mobile);
    await page.getByRole('button', { name: t('consent.collect') }).click();
    const sheet = page.getByRole('dialog', { name: t('consent.collect') });
    await sheet.getByRole('button', { name: t('consent.send_code') }).click();
    const code = await codeFor(mobile, known);
    const wrong = code === '111111' ? '222222' : '111111';
    await expect(sheet.getByLabel(t('auth.otp_label'))).toBeVisible();
    await sheet.getByLabel(t('auth.otp_label')).fill(wrong);
    await expect(sheet.getByText(t('errors.OTP_INVALID'))).toBeVisible();
    await sheet.getByLabel(t('auth.otp_label')).fill(code);
    await expect(page.getByText(t('consent.saved'))).toBeVisible();
    await expect(page.getByText(t('rules.CONSENT_MISSING'))).toBeHidden();
    const profile = await shop.api.call('getCustomerProfile', { query: { customer_id: customerId } });
    expect(profile.consent_missing).toEqual([]);
    await context.close();
  });
