import type { LockReason } from '@kist/contract/lock-policy';
import type { Tx } from '#server/platform/database.ts';
import type { Change } from './apply.ts';
import { freed } from './decide.ts';
import { type Phone, causeOf, isHeldBy, lookAtPhones } from './facts.ts';
import { restLadders } from './hold-store.ts';
import { closeRequests } from './protection-store.ts';

/** A theft lock is lifted by `protection.ts` alone: by the customer's word, or the organisation's. No right to unlock is one to that. */
export type UnlockReason = Exclude<LockReason, 'THEFT_REPORTED'>;

/** Which locks an unlock for this reason takes off. Money never lifts a theft lock; a customer's request lifts all but that. */
const UNLOCKS: Record<UnlockReason, readonly UnlockReason[]> = {
  EMI_OVERDUE: ['EMI_OVERDUE', 'ORG_OVERRIDE', 'ENROLMENT_TEST'],
  ORG_OVERRIDE: ['ORG_OVERRIDE', 'EMI_OVERDUE', 'ENROLMENT_TEST'],
  CUSTOMER_REQUEST: ['CUSTOMER_REQUEST', 'EMI_OVERDUE', 'ORG_OVERRIDE', 'ENROLMENT_TEST'],
  ENROLMENT_TEST: ['ENROLMENT_TEST'],
};
export const REPORT_KIND: Partial<Record<LockReason, 'theft' | 'request'>> = {
  THEFT_REPORTED: 'theft',
  CUSTOMER_REQUEST: 'request',
};

/**
 * The first half of freeing phones that this transaction has seized, before their facts are read. The owner's report that a lifted lock stood on is closed with it; of a debt that stays unpaid the
 * ladder rests to the end of the next day and starts again from its first step, so that what was just freed is not locked again within minutes.
 */
export async function beginUnlock(
  tx: Tx,
  deviceIds: readonly string[],
  reason: UnlockReason,
  by: { userId: string; note?: string | undefined },
): Promise<void> {
  const reasons = UNLOCKS[reason];
  const { userId: created_by, note = '' } = by;
  if (reasons.includes('EMI_OVERDUE')) await restLadders.run(tx, { device_ids: deviceIds, created_by, note });
  if (reasons.includes('CUSTOMER_REQUEST')) await closeRequests.run(tx, { device_ids: deviceIds });
}

/** What comes off a phone: the asked reason always (a new revision also voids steps the phone took by its lease), others where they hold. */
export function unlocked(phone: Phone, reason: UnlockReason): { phone: Phone; changes: Change[] } {
  const off = UNLOCKS[reason].filter((one) => one === reason || isHeldBy(phone.row, causeOf(one)));
  return { phone, changes: off.map((one) => freed(phone, one, 'manual')) };
}

/** All but the owner's own word that the phone was stolen. */
const ALL_BUT_THEFT = ['EMI_OVERDUE', 'ORG_OVERRIDE', 'ENROLMENT_TEST', 'CUSTOMER_REQUEST'] as const;

/** What comes off a phone when the fleet is freed; of one that nothing holds by our word, what it took by itself. */
export function unlockedButForTheft(phone: Phone): { phone: Phone; changes: Change[] } {
  const held = ALL_BUT_THEFT.filter((reason) => isHeldBy(phone.row, causeOf(reason)));
  const off = held.length > 0 ? held : (['EMI_OVERDUE'] as const);
  return { phone, changes: off.map((reason) => freed(phone, reason, 'manual')) };
}

/** Everything that holds phones that this transaction has seized comes off, save a theft lock. @returns each with what comes off */
export async function unlockAllButTheft(
  tx: Tx,
  deviceIds: readonly string[],
  by: { userId: string },
): Promise<{ phone: Phone; changes: Change[] }[]> {
  await beginUnlock(tx, deviceIds, 'CUSTOMER_REQUEST', by);
  return (await lookAtPhones(tx, deviceIds)).map(unlockedButForTheft);
}

/** A person frees phones that this transaction has seized. @returns each with what comes off */
export async function unlock(
  tx: Tx,
  deviceIds: readonly string[],
  reason: UnlockReason,
  by: { userId: string; note?: string | undefined },
): Promise<{ phone: Phone; changes: Change[] }[]> {
  await beginUnlock(tx, deviceIds, reason, by);
  return (await lookAtPhones(tx, deviceIds)).map((phone) => unlocked(phone, reason));
}
