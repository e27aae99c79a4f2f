import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { moveClock } from './support/clock.ts';
import { sellAndEnrol } from './support/customers.ts';
import { expectLevel, press } from './support/lab.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

test('an open customer page says within 2 s what the phone has reported, and its ages follow the clock', async ({
  browser,
}) => {
  const language = SPOKEN;
  const shop = await sessionOf(RETAILER);
  const { customerId, phone } = await sellAndEnrol(shop.api, { firstName: 'Deepak', lastName: 'Thorat' });
  const { page, context, t } = await openApp(browser, shop, { language });
  await page.goto(`/customers/${customerId}`);
  await expect(page.getByText(t('device.online'), { exact: true })).toBeVisible();

  // Somebody else locks, and unlocks: nobody touches this page.
  const lock = page.getByRole('region', { name: t('customer.phone_state') });
  await expect(lock.getByText(t('lock.unlocked'), { exact: true })).toBeVisible();
  const order = (command: 'lock' | 'unlock', reason: 'ENROLMENT_TEST' | 'EMI_OVERDUE') =>
    shop.api.call('sendCommand', { params: { command }, body: { customer_id: customerId, reason } });
  await order('lock', 'ENROLMENT_TEST');
  await expectLevel(phone.id, 4, 15_000);
  await expect(lock.getByText(t('lock.locked'), { exact: true })).toBeVisible({ timeout: 2000 });
  await order('unlock', 'EMI_OVERDUE');
  await expectLevel(phone.id, 0, 15_000);
  await expect(lock.getByText(t('lock.unlocked'), { exact: true })).toBeVisible({ timeout: 2000 });

  // The phone goes silent, and the shop's clock is moved elsewhere.
  await press(phone.id, 'network', { on: false });
  const seen = page.locator('dt', { hasText: t('device.last_seen') }).locator('xpath=following-sibling::dd');
  const before = await seen.textContent();
  await moveClock({ advance_days: 3 });
  await expect(seen).not.toHaveText(before ?? '', { timeout: 10_000 });
  const days = new Intl.RelativeTimeFormat('hi-IN-u-nu-latn', {
    numeric: 'auto',
    style: 'short',
  }).format(-3, 'day');
  await expect(seen).toHaveText(days);
  await context.close();
});
