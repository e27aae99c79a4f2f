import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import type { IsoDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { AuditData } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Line, Posting } from '#server/ledger/ledger.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as store from './store.ts';

/** Keys of one type on an account; whose they are and of which lot, where the account is a shop's. */
const line = (
  code: Line['code'],
  side: Line['side'],
  amount: number,
  planType: number,
  of?: { user_id: string; lot: store.Lot },
): Line => ({ code, side, amount, planType, ...(of && { ownerId: of.user_id, lot: of.lot }) });

/**
 * Grants keys to a shop, once for each effect key (sold by hand, a scheme, the demo seed).
 * @param tx of whoever runs the installation, as kist_operator: the account that serves grants none
 * @returns whether this call did
 */
export async function credit(
  tx: Tx,
  to: { userId: string; planType: number; lot: store.Lot; count: number; effectKey: string },
): Promise<boolean> {
  const { effectKey: effect_key, userId: user_id, planType: plan_type, lot, count } = to;
  if (!(await store.insertGrant.first(tx, { effect_key, user_id, plan_type, lot, count }))) return false;
  // The wallet before the books, as whoever takes a key from it does: the other way round the two would meet in a circle.
  await store.addKeys.run(tx, { user_id, plan_type, lot, count });
  await ledger.post(tx, {
    effectKey: to.effectKey,
    kind: 'keys_credited',
    refKind: 'user',
    refId: to.userId,
    businessOn: await today(tx),
    lines: [
      line('keys_available', 'debit', to.count, to.planType, { user_id: to.userId, lot: to.lot }),
      line('keys_issued', 'credit', to.count, to.planType),
    ],
  });
  return true;
}

/** How many keys an effect credited when it was carried out; 0 when it never was. */
export function creditedBy(tx: Tx, effectKey: string): Promise<number> {
  return ledger.postedAmount(tx, effectKey, 'keys_available');
}

/** Whose key of which type, and for which customer. */
export interface KeyFor {
  user_id: string;
  plan_type: number;
  customer_id: string;
}

/**
 * Sets one key aside for a customer until the phone enrols, at most seven days.
 * @throws KistError INSUFFICIENT_KEYS when the wallet has none of this type.
 */
export async function reserve(tx: Tx, actor: Actor, { user_id, plan_type, customer_id }: KeyFor): Promise<void> {
  const taken = await store.takeOne.first(tx, { user_id, plan_type });
  if (!taken) throw new KistError('INSUFFICIENT_KEYS', { params: { plan_type } });
  const { lot } = taken;
  await store.insertReservation.run(tx, { customer_id, user_id, plan_type, lot, days: LIMITS.keyReservationDays });
  await ledger.post(tx, {
    effectKey: `key:reserve:${newId()}`,
    kind: 'key_reserved',
    refKind: 'customer',
    refId: customer_id,
    businessOn: await today(tx),
    lines: [
      line('keys_reserved', 'debit', 1, plan_type, { user_id, lot }),
      line('keys_available', 'credit', 1, plan_type, { user_id, lot }),
    ],
  });
  await note(tx, actor, customer_id, 'key_reserved', { plan_type, lot });
}

/**
 * A code for a phone rests on a key: one set aside now, which then stays as long as a code that is made now is good, or spent before for the same
 * enrolment. Whoever calls holds the customer's row, so that two codes asked for at once set one key aside.
 * @param key.isNew the phone was never enrolled, or was given up: what was spent before does not count
 * @throws KistError INSUFFICIENT_KEYS
 */
export async function ensureKey(tx: Tx, actor: Actor, { isNew, ...key }: KeyFor & { isNew: boolean }): Promise<void> {
  const { customer_id } = key;
  const { is_open, is_overdue, is_spent } = await store.keyFacts.one(tx, { customer_id });
  if (is_open && !is_overdue) {
    await store.keepReserved.run(tx, { customer_id, seconds: LIMITS.enrolmentTokenTtlS });
    return;
  }
  if (!is_open && is_spent && !isNew) return;
  if (is_overdue) await giveBack(tx, actor, { customer_id, why: 'expired' });
  await reserve(tx, actor, key);
}

/**
 * The phone enrols: the key that was set aside for it is spent, once. One that was erased and enrols again costs nothing more.
 * @param enrolled.isNew the phone was never enrolled, or was given up: it costs a key, whatever was spent before
 * @throws KistError ENROLMENT_TOKEN_EXPIRED when there is none: the key went back to the shop, and the code died with it
 */
export async function spendForEnrolment(
  tx: Tx,
  actor: Actor,
  { customer_id, isNew }: { customer_id: string; isNew: boolean },
): Promise<void> {
  if (await spend(tx, actor, { customer_id })) return;
  if (isNew || !(await store.keyFacts.one(tx, { customer_id })).is_spent)
    throw new KistError('ENROLMENT_TOKEN_EXPIRED', { internal: 'no key is set aside for this phone' });
}

/** The reserved key is spent. @returns false when none is set aside */
export async function spend(tx: Tx, actor: Actor, { customer_id }: { customer_id: string }): Promise<boolean> {
  const settled = await store.settle.first(tx, { customer_id, state: 'posted' });
  if (!settled) return false;
  const { plan_type, user_id, lot, reserved_at } = settled;
  await ledger.post(tx, {
    effectKey: `key:spend:${customer_id}:${reserved_at.getTime()}`,
    kind: 'key_spent',
    refKind: 'customer',
    refId: customer_id,
    businessOn: await today(tx),
    lines: [line('keys_used', 'debit', 1, plan_type), line('keys_reserved', 'credit', 1, plan_type, { user_id, lot })],
  });
  await note(tx, actor, customer_id, 'key_spent', { plan_type });
  return true;
}

/** A key that comes back: from those set aside to those to spend. */
type Returned = NonNullable<Awaited<ReturnType<typeof store.settle.first>>> & { customer_id: string };

const returning = ({ customer_id, plan_type, user_id, lot, reserved_at }: Returned, businessOn: IsoDate): Posting => ({
  effectKey: `key:void:${customer_id}:${reserved_at.getTime()}`,
  kind: 'key_returned',
  refKind: 'customer',
  refId: customer_id,
  businessOn,
  lines: [
    line('keys_available', 'debit', 1, plan_type, { user_id, lot }),
    line('keys_reserved', 'credit', 1, plan_type, { user_id, lot }),
  ],
});

/** Gives a reserved key back (draft deleted, phone unclaimed, or nobody enrolled in time). @returns how many came back: 1 or 0. */
export async function giveBack(
  tx: Tx,
  actor: Actor,
  { customer_id, why }: { customer_id: string; why: 'draft_deleted' | 'expired' | 'unclaimed' },
): Promise<number> {
  const settled = await store.settle.first(tx, { customer_id, state: 'voided' });
  if (!settled) return 0;
  await ledger.post(tx, returning({ ...settled, customer_id }, await today(tx)));
  await note(tx, actor, customer_id, 'key_returned', { plan_type: settled.plan_type, why });
  return 1;
}

/** Where the key of a customer is: set aside and not spent, spent by a phone, or there is none. */
export async function keyOf(tx: Tx, of: { customer_id: string }): Promise<'RESERVED' | 'SPENT' | 'NONE'> {
  const { is_open, is_spent } = await store.keyFacts.one(tx, of);
  return is_open ? 'RESERVED' : is_spent ? 'SPENT' : 'NONE';
}

/** Returns keys whose seven days are over, a batch in a few statements; called by the daily run until it answers less than the batch. */
export async function expire(tx: Tx, actor: Actor, { batch = 500 }: { batch?: number } = {}): Promise<number> {
  const voided = await store.voidExpired.all(tx, { limit: batch });
  if (voided.length === 0) return 0;
  const businessOn = await today(tx);
  await ledger.postMany(
    tx,
    voided.map((row) => returning(row, businessOn)),
  );
  const ids = voided.map(({ customer_id }) => customer_id);
  const datas = voided.map(({ plan_type }) => ({ plan_type, why: 'expired' }));
  await audit.appendMany(tx, 'customer', ids, actor, 'key_returned', datas);
  return voided.length;
}

/** Keys of a user by plan type: paid and granted ones to spend, and those set aside. */
export const keysOf = (tx: Tx, userId: string) => store.balances.all(tx, { user_id: userId });

/** The keys of who asks. @throws KistError FEATURE_NOT_ALLOWED */
export async function ownKeys(tx: Tx, actor: Actor) {
  identity.requires(actor, NEEDS.catalogue);
  return keysOf(tx, actor.userId);
}

export { takeBackKeys, transferKeys } from './passing.ts';

function note(tx: Tx, actor: Actor, customerId: string, action: string, data: AuditData): Promise<void> {
  return audit.append(tx, { kind: 'customer', id: customerId, actor, action, data });
}
