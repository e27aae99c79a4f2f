import { MONEY_CAUSES } from '@kist/contract/agent';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { LOCK_LEVELS, type LockLevel, type LockReason, type Verdict } from '@kist/contract/lock-policy';
import type { Change } from './apply.ts';
import { type Ask, type Phone, causeOf, isHeldBy, levelOf, takenBy } from './facts.ts';
import { dayStartMs, HOUR_MS } from './rules/calendar.ts';
import { type GateFacts, atLevel } from './rules/facts.ts';
import { gate } from './rules/gate.ts';
import { spreadMs } from './rules/lease-ladder.ts';
import { stillStands } from './rules/taking.ts';

export interface Judged {
  verdict: Verdict;
  facts: GateFacts;
}

export function judge(phone: Phone, ask: Ask): Judged {
  const facts = phone.facts(ask);
  return { facts, verdict: gate(facts) };
}

/**
 * The level that a person's `lock` asks for. For money: from reminding to locking, one step below the kiosk, which only the ladder reaches. For the
 * owner's sake, and to try the lock out: the whole screen.
 */
export function manualLevel(phone: Phone, reason: LockReason): LockLevel {
  const cause = causeOf(reason);
  if (cause !== 'debt' && cause !== 'override') return LOCK_LEVELS.kiosk;
  const held = levelOf(phone.row, cause);
  return held > LOCKED_FROM_LEVEL ? held : LOCKED_FROM_LEVEL;
}

const lower = (a: LockLevel, b: LockLevel): LockLevel => (a < b ? a : b);

/**
 * What the facts of now take away from the locks for money and from a test: each falls to the level that still stands, none rises; what was taken
 * besides goes back with a change at the level that stays.
 * @returns nothing when all of them stand
 */
export function noLongerStanding(phone: Phone): Change[] {
  const changes: Change[] = [];
  for (const reason of ['EMI_OVERDUE', 'ORG_OVERRIDE', 'ENROLMENT_TEST'] as const) {
    const cause = causeOf(reason);
    if (!isHeldBy(phone.row, cause)) continue;
    const held = levelOf(phone.row, cause);
    const { facts, verdict } = judge(phone, { reason, level: held, trigger: 'automatic' });
    const level = lower(held, verdict.level);
    const isAllStanding = takenBy(phone.row, cause).every(({ taken }) => stillStands(facts, taken));
    if (level < held || !isAllStanding) changes.push(changeTo(facts, level));
  }
  return changes;
}

/** A change down to (or staying at) a level, with the gate's word for that very level. */
export function changeTo(facts: GateFacts, level: LockLevel): Change {
  const at = atLevel(facts, level);
  const { reason } = at.request;
  return { cause: causeOf(reason), reason, level, facts: at, verdict: gate(at) };
}

/** Everything off for this reason's cause. */
export const freed = (phone: Phone, reason: LockReason, trigger: Ask['trigger']): Change =>
  changeTo(phone.facts({ reason, level: 0, trigger }), 0);

/**
 * Phones are locked by themselves spread over two hours from the opening of the automatic hours, each always at its own moment, so that they neither
 * all call the server nor all ring the shop at once; the lease gives the same moments.
 */
function isTurn({ row, policy, nowMs }: Phone): boolean {
  const { fromHour, toHour } = policy.automaticHours;
  const openMs = dayStartMs(nowMs) + fromHour * HOUR_MS;
  return nowMs >= openMs + (spreadMs(row.deviceId) % ((toHour - fromHour) * HOUR_MS));
}

/** The ladder's word about a phone now: what falls at once, or the next level when its moment has come. */
export function ladderStep(phone: Phone): Change[] {
  const down = noLongerStanding(phone);
  if (down.some(({ cause }) => cause === 'debt')) return down;
  const held = levelOf(phone.row, 'debt');
  if (held === LOCK_LEVELS.kiosk) return down;
  const next = (held + 1) as LockLevel;
  const { facts, verdict } = judge(phone, { reason: 'EMI_OVERDUE', level: next, trigger: 'automatic' });
  if (!verdict.allowed || !isTurn(phone)) return down;
  return [...down, { cause: 'debt', reason: 'EMI_OVERDUE', level: next, facts, verdict }];
}

/** Nothing is overdue today; a penalty alone is no debt that locks. */
export const isPaidUp = ({ row }: Phone): boolean => row.overduePaise === 0;

/** Whether the phone may be restricted for money now, by our word or by a step of its lease that we have not heard of yet. */
export function mayBeHeld({ row, nowMs }: Phone): boolean {
  const leaseStepMs = row.leaseStepAt === null ? null : Date.parse(row.leaseStepAt);
  return (
    MONEY_CAUSES.some((cause) => isHeldBy(row, cause)) ||
    row.reportedLevel > 0 ||
    (leaseStepMs !== null && leaseStepMs <= nowMs)
  );
}
