import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { businessDate } from '@kist/contract/dates';
import { requires } from '#server/identity/access.ts';
import type { Actor } from '#server/identity/actor.ts';
import { audit } from '#server/audit/audit.ts';
import { post, postedAmount } from '#server/ledger/ledger.ts';
import type { Line } from '#server/ledger/chart.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import {
  type Lot,
  addKeys,
  balances,
  insertReservation,
  keepReserved,
  keyFacts,
  settle,
  takeExpired,
  takeOne,
} from './store.ts';

const line = (code: Line['code'], side: Line['side'], amount: number, planType: number, ownerId?: string): Line => ({
  code,
  side,
  amount,
  planType,
  ...(ownerId ? { ownerId } : {}),
});

/** Credits keys to a shop once for each effect key (a paid order, a scheme, the demo seed). @returns whether this call did */
export async function credit(
  tx: Tx,
  to: { userId: string; planType: number; lot: Lot; count: number; effectKey: string },
): Promise<boolean> {
  const journalId = await post(tx, {
    effectKey: to.effectKey,
    kind: 'keys_credited',
    refKind: 'user',
    refId: to.userId,
    businessOn: businessDate((await now(tx)).getTime()),
    lines: [
      line('keys_available', 'debit', to.count, to.planType, to.userId),
      line('keys_issued', 'credit', to.count, to.planType),
    ],
  });
  if (journalId) await addKeys(tx, to.userId, to.planType, to.lot, to.count);
  return journalId !== null;
}

/** How many keys an effect credited when it was carried out; 0 when it never was. */
export function creditedBy(tx: Tx, effectKey: string): Promise<number> {
  return postedAmount(tx, effectKey, 'keys_available');
}

/**
 * Sets one key aside for a customer until the phone enrols, at most seven days.
 * @throws KistError INSUFFICIENT_KEYS when the wallet has none of this type.
 */
export async function reserve(
  tx: Tx,
  actor: Actor,
  userId: string,
  planType: number,
  customerId: string,
): Promise<void> {
  const lot = await takeOne(tx, userId, planType);
  if (!lot) throw new KistError('INSUFFICIENT_KEYS', { params: { plan_type: planType } });
  await insertReservation(tx, { customerId, userId, planType, lot, days: LIMITS.keyReservationDays });
  await post(tx, {
    effectKey: `key:reserve:${newId()}`,
    kind: 'key_reserved',
    refKind: 'customer',
    refId: customerId,
    businessOn: businessDate((await now(tx)).getTime()),
    lines: [line('keys_reserved', 'debit', 1, planType, userId), line('keys_available', 'credit', 1, planType, userId)],
  });
  await audit.append(tx, {
    kind: 'customer',
    id: customerId,
    actor,
    action: 'key_reserved',
    data: { plan_type: planType, lot },
  });
}

/**
 * A code for a phone rests on a key: one set aside now, which then stays as long as a code that is made now is good, or spent before for the same
 * enrolment. Whoever calls holds the customer's row, so that two
 * codes asked for at once set one key aside.
 * @param isNew the phone was never enrolled, or was given up: what was spent before does not count
 * @throws KistError INSUFFICIENT_KEYS
 */
export async function ensureKey(
  tx: Tx,
  actor: Actor,
  { userId, planType, customerId, isNew }: { userId: string; planType: number; customerId: string; isNew: boolean },
): Promise<void> {
  const { isOpen, isOverdue, isSpent } = await keyFacts(tx, customerId);
  if (isOpen && !isOverdue) return keepReserved(tx, customerId, LIMITS.enrolmentTokenTtlS);
  if (!isOpen && isSpent && !isNew) return;
  if (isOverdue) await giveBack(tx, actor, customerId, 'expired');
  await reserve(tx, actor, userId, planType, customerId);
}

/**
 * The phone enrols: the key that was set aside for it is spent, once. One that was erased and enrols again costs nothing more.
 * @param isNew the phone was never enrolled, or was given up: it costs a key, whatever was spent before
 * @throws KistError ENROLMENT_TOKEN_EXPIRED when there is none: the key went back to the shop, and the code died with it
 */
export async function spendForEnrolment(tx: Tx, actor: Actor, customerId: string, isNew: boolean): Promise<void> {
  if (await spend(tx, actor, customerId)) return;
  if (isNew || !(await keyFacts(tx, customerId)).isSpent)
    throw new KistError('ENROLMENT_TOKEN_EXPIRED', { internal: 'no key is set aside for this phone' });
}

/** The reserved key is spent. @returns false when none is set aside */
export async function spend(tx: Tx, actor: Actor, customerId: string): Promise<boolean> {
  const settled = await settle(tx, customerId, 'posted');
  if (!settled) return false;
  await post(tx, {
    effectKey: `key:spend:${customerId}:${settled.reserved_at.getTime()}`,
    kind: 'key_spent',
    refKind: 'customer',
    refId: customerId,
    businessOn: businessDate((await now(tx)).getTime()),
    lines: [
      line('keys_used', 'debit', 1, settled.plan_type),
      line('keys_reserved', 'credit', 1, settled.plan_type, settled.user_id),
    ],
  });
  await audit.append(tx, {
    kind: 'customer',
    id: customerId,
    actor,
    action: 'key_spent',
    data: { plan_type: settled.plan_type },
  });
  return true;
}

/** Gives a reserved key back (draft deleted, or nobody enrolled in time). @returns how many came back: 1 or 0. */
export async function giveBack(
  tx: Tx,
  actor: Actor,
  customerId: string,
  why: 'draft_deleted' | 'expired',
): Promise<number> {
  const settled = await settle(tx, customerId, 'voided');
  if (!settled) return 0;
  await post(tx, {
    effectKey: `key:void:${customerId}:${settled.reserved_at.getTime()}`,
    kind: 'key_returned',
    refKind: 'customer',
    refId: customerId,
    businessOn: businessDate((await now(tx)).getTime()),
    lines: [
      line('keys_available', 'debit', 1, settled.plan_type, settled.user_id),
      line('keys_reserved', 'credit', 1, settled.plan_type, settled.user_id),
    ],
  });
  await audit.append(tx, {
    kind: 'customer',
    id: customerId,
    actor,
    action: 'key_returned',
    data: { plan_type: settled.plan_type, why },
  });
  return 1;
}

/** Returns keys whose seven days are over; called by the daily run until it answers less than the batch. */
export async function expire(tx: Tx, actor: Actor, batch = 500): Promise<number> {
  const customers = await takeExpired(tx, batch);
  for (const customerId of customers) await giveBack(tx, actor, customerId, 'expired');
  return customers.length;
}

/** Keys of a user by plan type: paid and granted ones to spend, and those set aside. */
export const keysOf = (tx: Tx, userId: string) => balances(tx, userId);

/** The keys of who asks. @throws KistError FEATURE_NOT_ALLOWED */
export async function ownKeys(tx: Tx, actor: Actor) {
  requires(actor, NEEDS.catalogue);
  return keysOf(tx, actor.userId);
}
