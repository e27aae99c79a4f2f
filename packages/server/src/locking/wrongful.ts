import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import type { IsoDate } from '@kist/contract/dates';
import type { LockPolicy } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import * as commands from '#server/commands/commands.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { applyDecisions } from './apply.ts';
import type { LockingDeps } from './deps.ts';
import { type Phone, isHeldBy, levelOf, lookAtPhones, seizePhones } from './facts.ts';
import { lockNotices } from './tell.ts';
import { unlock } from './unlocking.ts';
import { type RestrictionSpan, compensation } from './rules/compensation.ts';
import * as store from './wrongful-store.ts';

const MONEY = ['debt', 'override'] as const;
export const isLockedForMoney = ({ row }: Phone): boolean =>
  MONEY.some((cause) => levelOf(row, cause) >= LOCKED_FROM_LEVEL);

/**
 * Since when a phone was locked although the money was there: paid before the lock, as much as the instalment was that it was for, and written down only now.
 * @param paid the payment that has just freed it
 * @returns null where the lock was right
 */
export async function lockedAfterPaying(
  tx: Tx,
  agreement_id: string,
  paid: { at: Date; paise: number },
): Promise<Date | null> {
  const held = await store.lastHeldForMoney.first(tx, { agreement_id });
  return held && paid.at <= held.since && paid.paise >= held.due_paise ? held.since : null;
}

/** On record: what is owed for a lock grows from its first moment. */
export const noteWrongful = (
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

interface Held {
  device_id: string;
  since: Date;
  freed_at: Date | null;
  replaced_at: Date | null;
}

interface Upheld {
  dispute_id: string;
  agreement_id: string;
  device_id: string;
  /** Of the instalment; null of a complaint from before they named one. */
  due_on: IsoDate | null;
}

/**
 * The customer was right about an instalment: where the phone is or was last locked for that one it should never have been, and every hour of it counts; what
 * money holds still comes off. A lock for another instalment stays, and was right.
 */
export async function upheld(tx: Tx, deps: LockingDeps, actor: Actor, dispute: Upheld): Promise<void> {
  const { dispute_id, agreement_id, device_id, due_on } = dispute;
  const held = await store.lastHeldForMoney.first(tx, { agreement_id });
  const isAbout = due_on === null || !held || held.due_on === due_on;
  const [phone] = await lookAtPhones(tx, await seizePhones(tx, [device_id]));
  const isTheirs = phone?.row.agreementId === agreement_id && phone.row.releasedAt === null;
  const isLocked = isTheirs && isLockedForMoney(phone) && held?.device_id === device_id;
  const isNow = isTheirs && (due_on === null || phone.row.oldestDueOn === due_on);
  if (isNow && MONEY.some((cause) => isHeldBy(phone.row, cause))) await free(tx, deps, actor, device_id);
  if (!held || !isAbout) return;
  const cure_id = await clockOf(tx, { agreement_id, held, isLocked });
  if (cure_id !== null) await noteWrongful(tx, actor, agreement_id, { cure_id, held_since: held.since, dispute_id });
}

async function free(tx: Tx, deps: LockingDeps, actor: Actor, deviceId: string): Promise<void> {
  const [decision] = await unlock(tx, [deviceId], 'EMI_OVERDUE', { userId: actor.userId });
  if (!decision) return;
  const [applied] = await applyDecisions(tx, deps.waker, [decision], { actor, command: 'unlock' });
  await deps.notices.send(tx, lockNotices([{ phone: decision.phone, applied: applied! }]));
}

/**
 * The clock of a lock that was wrong: the one that money began, or a new one from the moment at which a person took it off. It is of the phone that was locked:
 * where another came in its place, nobody carries the lock from then on, whether the old one ever said that it is free or not. Null where it runs already.
 */
async function clockOf(tx: Tx, lock: { agreement_id: string; held: Held; isLocked: boolean }): Promise<string | null> {
  const { agreement_id, isLocked } = lock;
  const { device_id, since, freed_at, replaced_at } = lock.held;
  const marked = await store.markWrongful.first(tx, { agreement_id, device_id, since, replaced_at });
  if (marked) return marked.cure_id;
  const isElsewhere = !isLocked && freed_at === null;
  if (isElsewhere || (await store.hasClock.first(tx, { agreement_id, device_id, since }))) return null;
  const cured_at = isLocked ? null : freed_at;
  const confirmed_at = cured_at && ((await commands.unlockedAt(tx, device_id, cured_at)) ?? replaced_at);
  const cure_id = newId();
  await store.insertWrongful.run(tx, { cure_id, agreement_id, device_id, held_since: since, cured_at, confirmed_at });
  return cure_id;
}

/** What a shop owes for one lock, for whoever is to see it. */
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
  owed_paise: number;
  /** As of when. */
  reckoned_at: string;
}

/** All that is owed for locks of an agreement, by the policy that it was signed under; nothing where they were right and came off in time. */
export async function owedForLocks(
  tx: Tx,
  { agreement_id, policy }: { agreement_id: string; policy: LockPolicy },
): Promise<OwedForLock[]> {
  const clocks = await store.clocksOfAgreement.all(tx, { agreement_id });
  return clocks
    .map(({ held_since, cured_at, confirmed_at, now }): OwedForLock => {
      const rule = held_since ? 'wrongful' : 'late_reversal';
      const from = held_since ?? cured_at;
      const span = { kind: rule, fromMs: from.getTime(), confirmedAtMs: confirmed_at?.getTime() ?? null } as const;
      const { hours, owedPaise } = compensation(span, policy, now.getTime());
      return {
        rule,
        since: from.toISOString(),
        until: confirmed_at?.toISOString() ?? null,
        hours,
        paise_per_hour: policy.compensationPaisePerHour,
        owed_paise: owedPaise,
        reckoned_at: now.toISOString(),
      };
    })
    .filter(({ owed_paise }) => owed_paise > 0);
}
