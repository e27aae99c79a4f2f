import { expect, test } from '@playwright/test';
import { openApp } from './support/app.ts';
import { AFTERNOON, daysFrom, goTo, shownDay, today } from './support/clock.ts';
import { expectLevel, getPhone, press } from './support/lab.ts';
import { messagesTo } from './support/messages.ts';
import { noticeDelivered, phoneState, sellAndLetLock, sellDueTomorrow, underWay } from './support/shop.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';
import { SPOKEN } from './support/words.ts';

test('an unpaid phone is told, then restricted, and shown as locked only on its own word', async ({ browser }) => {
  const language = SPOKEN;
  test.setTimeout(180_000);
  const shop = await sessionOf(RETAILER);
  const { customerId, mobile, phone } = await sellDueTomorrow(shop, 'Ramesh', language);
  const dueOn = daysFrom(await today(), 1);
  const { page, context, t } = await openApp(browser, shop, { language });

  // The day it falls due: reminded by SMS, nothing on the phone.
  await goTo(1, AFTERNOON);
  await expect.poll(async () => (await messagesTo(mobile)).length).toBeGreaterThan(0);
  await expectLevel(phone.id, 0);

  // A day late: the notice goes out and arrives; a lock by hand is refused with the rule and the first lawful day.
  await goTo(1, AFTERNOON);
  const lawfulOn = daysFrom(dueOn, 3);
  await noticeDelivered(shop, customerId);
  await page.goto(`/customers/${customerId}`);
  await expect(phoneState(page, t)).toContainText(t('lock.unlocked'));
  await phoneState(page, t)
    .getByRole('button', { name: t('lock.lock'), exact: true })
    .click();
  const sheet = page.getByRole('dialog', { name: t('lock.lock_title') });
  await expect(sheet.getByText(t('lock.refused'))).toBeVisible();
  await expect(sheet.locator('[data-rule=BELOW_DPD]')).toContainText(shownDay(lawfulOn));
  await expect(sheet.getByRole('button', { name: t('lock.lock'), exact: true })).toBeDisabled();
  await page.keyboard.press('Escape');

  // Two days late: still not restricted.
  await goTo(1, AFTERNOON);
  expect((await getPhone(phone.id)).managed?.lock_level).toBeLessThan(3);

  // Three days late, the notice's days are over, but nobody reaches the phone: requested, never 'Locked'.
  await press(phone.id, 'network', { on: false });
  await goTo(1, AFTERNOON);
  await page.reload();
  await expect(phoneState(page, t)).toContainText(underWay(t, 'lock.pending_locked'));
  await page.waitForTimeout(3000);
  await expect(phoneState(page, t).getByText(t('lock.locked'), { exact: true })).toHaveCount(0);

  // It comes back and says so itself: now it is locked.
  await press(phone.id, 'network', { on: true });
  await expectLevel(phone.id, 3);
  await expect(phoneState(page, t).getByText(t('lock.locked'), { exact: true })).toBeVisible();
  await context.close();
});

test('the restricted phone shows amount, shop, how to pay, how to object and the emergency call', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const shop = await sessionOf(RETAILER);
  const { phone, agreementNo } = await sellAndLetLock(shop, 'Savita');
  const { page, context } = await openApp(browser, null, { viewport: { width: 1280, height: 800 } });
  await page.goto(`/lab?phone=${phone.id}`);
  const screen = page.locator('#panel .phone-screen');
  const tellsTheWayOut = async () => {
    await expect(screen).toContainText('Sunita Mobile');
    await expect(screen).toContainText(agreementNo);
    await expect(screen.locator('.money').first()).toContainText(/₹\s*500/);
    await expect(screen.getByRole('link', { name: 'Pay by UPI' })).toBeVisible();
    await expect(screen.getByRole('button', { name: 'This is wrong' })).toBeVisible();
    await expect(screen.getByRole('button', { name: 'Emergency call 112' })).toBeVisible();
    await expect(screen).toContainText('Calls, internet and alerts keep working');
  };
  // Some apps locked, the rest of the phone as always.
  await expect(screen).toContainText('Some apps are locked');
  await tellsTheWayOut();
  await screen.getByRole('button', { name: 'Emergency call 112' }).click();
  await expect(screen).toContainText('Calling 112');
  await screen.getByRole('button', { name: 'End call' }).click();

  // The whole phone, from a week late on.
  await goTo(4, AFTERNOON);
  await expectLevel(phone.id, 4);
  await expect(screen).toContainText('This phone is locked');
  await tellsTheWayOut();

  // The holder objects on the phone itself, and no further step is taken by itself while that is open.
  await press(phone.id, 'dispute', { text: 'I paid on Monday.' });
  await expect(screen).toContainText('Your complaint is sent to');
  await context.close();
});
