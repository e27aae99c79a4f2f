import { DAY_MS, businessDate, type IsoDate } from '@kist/contract/dates';
import type { LockPolicy, PolicyNotice } from '@kist/contract/lock-policy';
import { dateStartMs, dayStartMs } from './calendar.ts';
import { type Delay, delayOf } from './delay.ts';
import type { DeliveredNotice, GateFacts } from './facts.ts';

/** What is known of one notice about one instalment. */
export interface NoticeTime {
  notice: PolicyNotice;
  /** Before this a delivery does not count; null while the notice it must follow has not been delivered. */
  earliestMs: number | null;
  /**
   * The first delivery that counts, and when the notice's days are over. The day of delivery does not count and the last day is wholly the
   * customer's: delivered on the 1st with 7 days to pay, `overAtMs` is the first instant of the 9th.
   */
  delivery: { atMs: number; overAtMs: number } | null;
}

/** @returns the last day to pay of a notice whose days are over at an instant. */
export const payByOn = (overAtMs: number): IsoDate => businessDate(overAtMs - 1);

/**
 * A policy's notice about one instalment. A delivery counts when it has proof, speaks of this instalment, and came neither before the notice's
 * day past due nor before the days of the notice it follows were over: a notice of an old, settled delay justifies nothing, and neither does one from
 * before a payment was taken back.
 * @returns undefined when the policy has no such notice.
 */
export function noticeTime(
  policy: LockPolicy,
  delay: Delay,
  delivered: readonly DeliveredNotice[],
  no: number,
): NoticeTime | undefined {
  const notice = policy.notices.find((one) => one.no === no);
  if (!notice) return undefined;
  const earliestMs = earliest(policy, notice, delay, delivered);
  let atMs = Infinity;
  for (const one of delivered) {
    const counts = one.no === no && one.dueOn === delay.dueOn && one.proof !== '';
    if (counts && earliestMs !== null && one.deliveredAtMs >= earliestMs) atMs = Math.min(atMs, one.deliveredAtMs);
  }
  if (atMs === Infinity) return { notice, earliestMs, delivery: null };
  const overAtMs = dayStartMs(atMs) + (notice.minDaysToPay + 1) * DAY_MS;
  return { notice, earliestMs, delivery: { atMs, overAtMs } };
}

function earliest(
  policy: LockPolicy,
  notice: PolicyNotice,
  delay: Delay,
  delivered: readonly DeliveredNotice[],
): number | null {
  const fromDpdMs = Math.max(dateStartMs(delay.countsFrom) + notice.fromDpd * DAY_MS, delay.noticesFromMs);
  if (notice.afterNotice === undefined) return fromDpdMs;
  const before = noticeTime(policy, delay, delivered, notice.afterNotice)?.delivery?.overAtMs ?? null;
  return before === null ? null : Math.max(fromDpdMs, before);
}

/** @returns every notice of the policy about one instalment, in order of number. */
export function noticeTimes(policy: LockPolicy, delay: Delay, delivered: readonly DeliveredNotice[]): NoticeTime[] {
  const times = policy.notices.map(({ no }) => noticeTime(policy, delay, delivered, no));
  return times.filter((time) => time !== undefined).toSorted((a, b) => a.notice.no - b.notice.no);
}

/** @returns numbers of the notices that a level needs, with those they must follow, in order. */
export function neededNotices(policy: LockPolicy, level: number): number[] {
  const needed = new Set<number>();
  const add = (no: number) => {
    needed.add(no);
    const after = policy.notices.find((notice) => notice.no === no)?.afterNotice;
    if (after !== undefined) add(after);
  };
  policy.steps.find((step) => step.level === level)?.needsNotices.forEach(add);
  return [...needed].sort((a, b) => a - b);
}

/**
 * The same facts as if every notice the level still needs were delivered as early as the policy lets it be, never before now.
 * @returns the facts, and the numbers of the notices that were assumed.
 */
export function assumingNotices(facts: GateFacts, level: number): { facts: GateFacts; assumed: number[] } {
  const delay = delayOf(facts);
  if (delay === null || facts.request.reason !== 'EMI_OVERDUE') return { facts, assumed: [] };
  const { dueOn } = delay;
  const assumed: number[] = [];
  let notices = facts.notices;
  for (const no of neededNotices(facts.policy, level)) {
    const time = noticeTime(facts.policy, delay, notices, no);
    if (!time || time.delivery || time.earliestMs === null) continue;
    const deliveredAtMs = Math.max(facts.nowMs, time.earliestMs);
    notices = [...notices, { no, dueOn, deliveredAtMs, proof: 'assumed' }];
    assumed.push(no);
  }
  return assumed.length === 0 ? { facts, assumed } : { facts: { ...facts, notices }, assumed };
}
