import { expect, test } from '@playwright/test';
import { INDIA_OFFSET_MS } from '@kist/contract/dates';
import { openApp } from './support/app.ts';
import { AFTERNOON, daysFrom, demoTime, goTo, moveClock, today } from './support/clock.ts';
import { expectLevel, getPhone, press } from './support/lab.ts';
import { collectInCash, noticeDelivered, phoneState, sellDueTomorrow, underWay } from './support/shop.ts';
import { RETAILER, sessionOf } from './support/sign-in.ts';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;

/** 'HH:mm' in India of the minute that this moment lies in. */
const timeOf = (atMs: number): string => new Date(atMs + INDIA_OFFSET_MS).toISOString().slice(11, 16);

/** The phone has lived through this moment: what its level is now, it is knowingly. */
async function hasReached(phoneId: string, at: string): Promise<void> {
  await expect
    .poll(async () => Date.parse((await getPhone(phoneId)).managed?.trusted_time ?? ''), { timeout: 10_000 })
    .toBeGreaterThanOrEqual(Date.parse(at) - 1000);
}

test('without network a phone locks by its signed lease: at its moment, no minute sooner, whatever its clock says', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const shop = await sessionOf(RETAILER);
  const { customerId, phone } = await sellDueTomorrow(shop, 'Ganesh');
  const lawfulOn = daysFrom(await today(), 4);
  await goTo(2, AFTERNOON);
  await noticeDelivered(shop, customerId);
  await goTo(1, AFTERNOON);
  await expectLevel(phone.id, 2);
  await press(phone.id, 'contact');
  await press(phone.id, 'network', { on: false });
  // Phones take their steps spread over the morning, each at its own moment of the first lawful day.
  const next = (await getPhone(phone.id)).managed?.lease?.next;
  expect(next?.what).toBe('level 3');
  const stepAtMs = Date.parse(next?.at ?? '');
  expect(stepAtMs).toBeGreaterThanOrEqual(Date.parse(`${lawfulOn}T10:00:00+05:30`));
  expect(stepAtMs).toBeLessThanOrEqual(Date.parse(`${lawfulOn}T12:30:00+05:30`));

  // Its clock set a year ahead, then back: no early lock, down to the last minute.
  await press(phone.id, 'clock', { by_ms: YEAR_MS });
  await moveClock({ advance_days: 1, set_time: timeOf(stepAtMs - 2 * MINUTE_MS) });
  await hasReached(phone.id, (await demoTime()).now);
  expect((await getPhone(phone.id)).managed?.lock_level).toBe(2);
  for (const _ of [1, 2]) await press(phone.id, 'clock', { by_ms: -YEAR_MS });
  await moveClock({ set_time: timeOf(stepAtMs - MINUTE_MS) });
  await hasReached(phone.id, (await demoTime()).now);
  expect((await getPhone(phone.id)).managed?.lock_level).toBe(2);

  // The moment itself. Set back by years it is held all the same, also after a restart.
  await moveClock({ set_time: timeOf(stepAtMs + MINUTE_MS) });
  await expectLevel(phone.id, 3);
  await press(phone.id, 'reboot');
  await expect.poll(async () => (await getPhone(phone.id)).managed?.lock_level, { timeout: 20_000 }).toBe(3);
  await press(phone.id, 'clock', { by_ms: -YEAR_MS });
  expect((await getPhone(phone.id)).managed?.lock_level).toBe(3);

  // Paid while nobody reaches it: the app waits for its word; at the next contact it is free.
  const { page, context, t } = await openApp(browser, shop);
  await collectInCash(page, t, customerId, '500');
  await page
    .getByRole('dialog', { name: t('emi.receipt') })
    .getByRole('link', { name: t('emi.see_phone') })
    .click();
  await expect(phoneState(page, t)).not.toContainText(underWay(t, 'lock.pending_locked'));
  await press(phone.id, 'network', { on: true });
  await expectLevel(phone.id, 0, 5000);
  await expect(phoneState(page, t).getByText(t('lock.unlocked'), { exact: true })).toBeVisible();
  await context.close();
});

test('a phone that is paid up stays free without network, however long and whatever its clock says', async () => {
  test.setTimeout(180_000);
  const shop = await sessionOf(RETAILER);
  const { customerId, phone } = await sellDueTomorrow(shop, 'Asha');
  const { instalments } = await shop.api.call('getEmiDetails', { body: { customer_id: customerId } });
  await shop.api.call('multipleEmiPaid', {
    body: {
      customer_id: customerId,
      instalment_ids: instalments.slice(0, 3).map((row) => row.instalment_id),
      method: 'CASH',
    },
  });
  await press(phone.id, 'contact');
  await press(phone.id, 'network', { on: false });
  await press(phone.id, 'clock', { by_ms: YEAR_MS });
  await goTo(6, AFTERNOON);
  await hasReached(phone.id, (await demoTime()).now);
  expect((await getPhone(phone.id)).managed?.lock_level).toBe(0);
});
