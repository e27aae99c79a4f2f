import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { IsoDate } from '@kist/contract/dates';
import { AFTERNOON, daysFrom, goTo, today, waitForHour } from './clock.ts';
import { type Sold, plainTerms, sellAndEnrol } from './customers.ts';
import { type LabPhone, expectLevel } from './lab.ts';
import type { SignedIn } from './sign-in.ts';
import type { Words } from './words.ts';

export type SoldPhone = Sold & { phone: LabPhone };

/** A sale may be written down three days late, not more; the first weekly instalment then falls due in four days. */
const SOLD_AGO_DAYS = 3;
const DUE_IN_DAYS = 7 - SOLD_AGO_DAYS;

/** Sells a phone whose first instalment of ₹500 falls due in four days; the others follow every week. */
export async function sellWeekly(who: SignedIn, firstName: string, language: 'en' | 'hn' = 'en'): Promise<SoldPhone> {
  await waitForHour(AFTERNOON);
  const terms = plainTerms('WEEKLY', daysFrom(await today(), -SOLD_AGO_DAYS));
  return sellAndEnrol(who.api, { firstName, lastName: 'Patil', language, terms });
}

/** Sells a phone whose first instalment falls due tomorrow, when the days before have passed. */
export async function sellDueTomorrow(
  who: SignedIn,
  firstName: string,
  language: 'en' | 'hn' = 'en',
): Promise<SoldPhone> {
  const sold = await sellWeekly(who, firstName, language);
  await goTo(DUE_IN_DAYS - 1, AFTERNOON);
  return sold;
}

/** Lives through the days until what was sold by `sellWeekly` today is late by so many, with all that the ladder does meanwhile. */
export const goToLate = (lateDays: number): Promise<IsoDate> => goTo(DUE_IN_DAYS + lateDays, AFTERNOON);

/** Waits until the shop has the proof that its notice reached the customer; the clock of the lock starts there. */
export const noticeDelivered = (who: SignedIn, customerId: string): Promise<void> =>
  expect
    .poll(async () => {
      const { lock_timeline } = await who.api.call('getCustomerProfile', { query: { customer_id: customerId } });
      return lock_timeline?.events.map((event) => event.kind) ?? [];
    })
    .toContain('notice_delivered');

/** Waits until the server has the phone's own word for its lock: a phone may be cut off between the lock and the telling. */
const lockConfirmed = (who: SignedIn, customerId: string): Promise<void> =>
  expect
    .poll(
      async () => (await who.api.call('getCustomerProfile', { query: { customer_id: customerId } })).lock?.lock_status,
    )
    .toBe(1);

/** Sells phones and lets the ladder go: told, reminded, then restricted. The first instalments are three days late. */
export async function sellAndLetLockAll(who: SignedIn, firstNames: readonly string[]): Promise<SoldPhone[]> {
  const all: SoldPhone[] = [];
  for (const firstName of firstNames) all.push(await sellWeekly(who, firstName));
  await goToLate(1);
  for (const { customerId } of all) await noticeDelivered(who, customerId);
  await goTo(2, AFTERNOON);
  for (const { customerId, phone } of all) {
    await expectLevel(phone.id, 3);
    await lockConfirmed(who, customerId);
  }
  return all;
}

/** As `sellAndLetLockAll`, one phone. */
export async function sellAndLetLock(who: SignedIn, firstName: string): Promise<SoldPhone> {
  const [sold] = await sellAndLetLockAll(who, [firstName]);
  return sold!;
}

/** The part of the customer's page that says what the phone itself last said. */
export const phoneState = (page: Page, t: Words) => page.getByLabel(t('customer.phone_state'));

/** The words of a state under way, whatever its age: 'Locking… 3 s'. */
export const underWay = (t: Words, key: 'lock.pending_locked' | 'lock.pending_unlocked'): RegExp =>
  new RegExp(
    t(key, { age: '' })
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );

/** Takes the oldest instalment in cash on the EMI page, as a shop does. The receipt is open afterwards. */
export async function collectInCash(page: Page, t: Words, customerId: string, rupees: string): Promise<void> {
  await page.goto(`/view-emi-details/${customerId}`);
  await page.getByRole('button', { name: t('emi.collect'), exact: true }).click();
  const sheet = page.getByRole('dialog', { name: t('emi.collect') });
  await expect(sheet.getByLabel(t('emi.pay_CASH'))).toBeChecked();
  await sheet.getByRole('button', { name: t('emi.received', { amount: `₹${rupees}` }) }).click();
}
