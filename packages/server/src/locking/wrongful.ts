import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import type { IsoDate } from '@kist/contract/dates';
import type { LockPolicy } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import * as commands from '#server/commands/commands.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as clock from '#server/platform/clock.ts';
import { newId } from '#server/platform/ids.ts';
import { applyDecisions } from './apply.ts';
import type { LockingDeps } from './deps.ts';
import { type Phone, isHeldBy, levelOf, lookAtPhones, seizePhones } from './facts.ts';
import { lockNotices } from './tell.ts';
import { unlock } from './unlocking.ts';
import { type RestrictionSpan, compensation } from './rules/compensation.ts';
import * as payouts from './payout-store.ts';
import * as store from './wrongful-store.ts';

const MONEY = ['debt', 'override'] as const;
export const isLockedForMoney = ({ row }: Phone): boolean =>
  MONEY.some((cause) => levelOf(row, cause) >= LOCKED_FROM_LEVEL);

/** The phone of an agreement, before what was found frees it. */
interface Lock {
  agreement_id: string;
  device_id: string;
  wasLocked: boolean;
}

interface Held {
  device_id: string;
  since: Date;
  freed_at: Date | null;
  next_at: Date | null;
  replaced_at: Date | null;
  is_known: boolean;
}

/**
 * Money was written down: each lock that had come although as much as its instalment was there, in one payment or several, was wrong, also one that is long
 * over; what was paid after a lock says nothing of it.
 * @param paid it, which stands in no row yet
 */
export async function lockedAfterPaying(
  tx: Tx,
  actor: Actor,
  lock: Lock,
  paid: { payment_id: string; at: Date; paise: number },
): Promise<void> {
  const { agreement_id } = lock;
  const { payment_id, at, paise } = paid;
  if (!(await store.heldSince.first(tx, { agreement_id, at }))) return;
  const held = await store.heldForMoney.all(tx, { agreement_id });
  const wrong = held.filter(({ since, told_later_paise, due_paise }) => {
    const wasThere = told_later_paise + (at <= since ? paise : 0);
    return due_paise > 0 && wasThere >= due_paise;
  });
  await beginClocks(tx, actor, { ...lock, wrong }, { payment_id });
}

/** The due dates of the EMIs that the phone of an agreement was ever locked for: whether that was right is asked after the money too. */
export const lockedFor = async (tx: Tx, agreementId: string): Promise<ReadonlySet<IsoDate>> =>
  new Set((await store.heldForMoney.all(tx, { agreement_id: agreementId })).flatMap(({ due_on }) => due_on ?? []));

/** Money was taken back: a lock that nothing else shows to have been wrong was right, and nothing is owed for its hours. */
export async function takenBack(
  tx: Tx,
  actor: Actor,
  { agreement_id, payment_id }: { agreement_id: string; payment_id: string },
): Promise<void> {
  const known = (await store.heldForMoney.all(tx, { agreement_id })).filter((one) => one.is_known && !one.is_upheld);
  for (const { since, next_at } of known.filter((one) => one.told_later_paise < one.due_paise)) {
    const { cure_id } = await store.withdrawWrongful.one(tx, { agreement_id, since, next_at });
    const data = { cure_id, held_since: since.toISOString(), payment_id };
    await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'lock_found_right', data });
  }
}

/** On record: what is owed for a lock grows from its first moment. */
const noteWrongful = (
  tx: Tx,
  actor: Actor,
  agreement_id: string,
  data: { cure_id: string; held_since: Date; payment_id?: string; dispute_id?: string },
): Promise<void> =>
  audit.append(tx, {
    kind: 'agreement',
    id: agreement_id,
    actor,
    action: 'lock_found_wrong',
    data: { ...data, held_since: data.held_since.toISOString() },
  });

interface Upheld {
  dispute_id: string;
  agreement_id: string;
  device_id: string;
  /** Of the instalment; null of a complaint from before they named one. */
  due_on: IsoDate | null;
}

/**
 * The customer was right about an instalment: where the phone is or was locked for that one it should never have been, and every hour of it counts, each time;
 * what money holds still comes off. A lock for another instalment stays, and was right.
 */
export async function upheld(tx: Tx, deps: LockingDeps, actor: Actor, dispute: Upheld): Promise<void> {
  const { dispute_id, agreement_id, device_id, due_on } = dispute;
  const [phone] = await lookAtPhones(tx, await seizePhones(tx, [device_id]));
  const isTheirs = phone?.row.agreementId === agreement_id && phone.row.releasedAt === null;
  const wasLocked = isTheirs && isLockedForMoney(phone);
  const isNow = isTheirs && (due_on === null || phone.row.oldestDueOn === due_on);
  if (isNow && MONEY.some((cause) => isHeldBy(phone.row, cause))) await free(tx, deps, actor, device_id);
  const held = await store.heldForMoney.all(tx, { agreement_id });
  const wrong = due_on === null ? held.slice(-1) : held.filter((one) => one.due_on === due_on);
  await beginClocks(tx, actor, { agreement_id, device_id, wasLocked, wrong }, { dispute_id });
}

async function free(tx: Tx, deps: LockingDeps, actor: Actor, deviceId: string): Promise<void> {
  const [decision] = await unlock(tx, [deviceId], 'EMI_OVERDUE', { userId: actor.userId });
  if (!decision) return;
  const [applied] = await applyDecisions(tx, deps.waker, [decision], { actor, command: 'unlock' });
  await deps.notices.send(tx, lockNotices([{ phone: decision.phone, applied: applied! }]));
}

async function beginClocks(
  tx: Tx,
  actor: Actor,
  { wrong, ...lock }: Lock & { wrong: readonly Held[] },
  why: { payment_id: string } | { dispute_id: string },
): Promise<void> {
  for (const held of wrong) {
    const cure_id = await clockOf(tx, lock, held, 'payment_id' in why ? why.payment_id : null);
    if (cure_id === null) continue;
    await noteWrongful(tx, actor, lock.agreement_id, { cure_id, held_since: held.since, ...why });
  }
}

/** The clock of a lock that was wrong: the one that began with its end, or a new one. Null where it runs already. */
async function clockOf(tx: Tx, lock: Lock, held: Held, payment_id: string | null): Promise<string | null> {
  const { agreement_id } = lock;
  const { device_id, since, replaced_at } = held;
  if (held.is_known) return null;
  const again = await store.restoreWrongful.first(tx, { agreement_id, since, next_at: held.next_at });
  if (again) return again.cure_id;
  const end = await endOf(tx, lock, held);
  if (!end) return null;
  const until = end.confirmed_at ?? held.next_at;
  const marked = await store.markWrongful.first(tx, { agreement_id, device_id, since, until, replaced_at });
  if (marked) return marked.cure_id;
  const cure_id = newId();
  await store.insertWrongful.run(tx, { cure_id, agreement_id, device_id, payment_id, held_since: since, ...end });
  return cure_id;
}

/**
 * When a lock came off, and since when its phone is free of it by its own word. It is of the phone that was locked: where another came in its place, nobody
 * carries the lock from then on, whether the old one ever said so or not. A phone that was locked anew without having said so counts for the next lock from then
 * on.
 */
async function endOf(
  tx: Tx,
  lock: Lock,
  { device_id, freed_at, next_at, replaced_at }: Held,
): Promise<{ cured_at: Date; confirmed_at: Date | null } | null> {
  if (lock.wasLocked && next_at === null && device_id === lock.device_id)
    return { cured_at: await clock.now(tx), confirmed_at: null };
  if (freed_at === null) return null;
  const said = (await commands.unlockedAt(tx, device_id, freed_at)) ?? replaced_at ?? next_at;
  return { cured_at: freed_at, confirmed_at: said && next_at && next_at < said ? next_at : said };
}

/** What an organisation owes for one lock, for whoever is to see it. */
export interface OwedForLock {
  /** Why: it should never have been, or was not taken off in time. */
  rule: RestrictionSpan['kind'];
  /** From when it counts. */
  since: string;
  /** The phone's own word that it is free; null: it has not said so, and what is owed grows. */
  until: string | null;
  /** Started ones that count, whole. */
  hours: number;
  paise_per_hour: number;
  /** Of all that the hours come to, what was paid out, and what is still owed. */
  paid_paise: number;
  owed_paise: number;
  /** As of when. */
  reckoned_at: string;
}

/** All that is still owed for locks of an agreement, by the policy that it was signed under; nothing where they were right and came off in time. */
export const owedForLocks = async (
  tx: Tx,
  agreement: { agreement_id: string; policy: LockPolicy },
): Promise<OwedForLock[]> => (await reckonLocks(tx, agreement)).filter(({ owed_paise }) => owed_paise > 0);

/** As owedForLocks, with those for which nothing is left. */
export async function reckonLocks(
  tx: Tx,
  { agreement_id, policy }: { agreement_id: string; policy: LockPolicy },
): Promise<OwedForLock[]> {
  const clocks = await store.clocksOfAgreement.all(tx, { agreement_id });
  const { paid_paise } = await payouts.paidOut.one(tx, { agreement_id });
  let paid: number = paid_paise;
  return clocks.map(({ held_since, cured_at, confirmed_at, now }): OwedForLock => {
    const rule = held_since ? 'wrongful' : 'late_reversal';
    const from = held_since ?? cured_at;
    const span = { kind: rule, fromMs: from.getTime(), confirmedAtMs: confirmed_at?.getTime() ?? null } as const;
    const { hours, owedPaise } = compensation(span, policy, now.getTime());
    // What was paid out was for the oldest.
    const settled = Math.min(paid, owedPaise);
    paid -= settled;
    return {
      rule,
      since: from.toISOString(),
      until: confirmed_at?.toISOString() ?? null,
      hours,
      paise_per_hour: policy.compensationPaisePerHour,
      paid_paise: settled,
      owed_paise: owedPaise - settled,
      reckoned_at: now.toISOString(),
    };
  });
}
