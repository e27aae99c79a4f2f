import type { LockLevel } from '@kist/contract/lock-policy';
import { opensAtMs, spreadInWindowMs } from './calendar.ts';
import type { RuleCheck } from './check.ts';
import { CHECKS } from './checks.ts';
import { type Delay, delayOf } from './delay.ts';
import type { DeliveredNotice, GateFacts } from './facts.ts';
import { createJudge, ladder, type Judge, type LadderStep } from './judge.ts';
import { neededNotices, noticeTimes } from './notice-times.ts';

const SPREAD_S = 120 * 60;

/** FNV-1a, 32 bits: the same phone always falls on the same second, phones together over two hours. @returns 0 to 120 minutes in ms. */
export function spreadMs(deviceId: string): number {
  let hash = 0x811c9dc5;
  // An id is ASCII: its letters are its bytes.
  for (let at = 0; at < deviceId.length; at += 1) hash = Math.imul(hash ^ deviceId.charCodeAt(at), 0x01000193) >>> 0;
  return (hash % SPREAD_S) * 1000;
}

/** A lease concerns the debt only, whatever the facts were gathered for. */
const asLease = (facts: GateFacts, level: LockLevel): GateFacts => ({
  ...facts,
  request: { reason: 'EMI_OVERDUE', level, trigger: 'lease' },
});

const climb = (judge: Judge, facts: GateFacts): LadderStep[] => {
  const spread = spreadMs(facts.device.deviceId);
  const moved = (atMs: number) => spreadInWindowMs(atMs, facts.policy.automaticHours, spread);
  return ladder(judge, asLease(facts, 4), 4, moved);
};

/** What a phone shows by itself, and may do only after showing it. */
export interface LeasePlan {
  /** Notices of the current delay: delivered, or (null) for the phone to show at `atMs` and report as shown. */
  notices: { no: number; atMs: number; deliveredAtMs: number | null }[];
  /** `noticeNo`: the step waits until the phone itself has shown that notice for `noticeDays` × 24 h; null: `atMs` is all there is to it. */
  steps: (LadderStep & { noticeNo: number | null; noticeDays: number })[];
}

export interface LeaseRules {
  /**
   * The first instant at which the phone may take `level` by itself, other facts as they are.
   * @returns ms; null when something must happen first (a notice delivered, a dispute closed, the level below taken).
   */
  firstAllowedAt: (facts: GateFacts, level: LockLevel) => number | null;
  /**
   * The raises a phone may make alone if nothing is paid, delivered or held from now on: only notices already delivered count. Each step is at a
   * moment at which the gate allows it, inside the automatic hours, spread by phone.
   */
  leaseLadder: (facts: GateFacts) => LadderStep[];
  /** The same ladder, going on past one notice that the phone itself is to show; for the signed lease. */
  leasePlan: (facts: GateFacts) => LeasePlan;
}

export function createLeaseRules(checks: readonly RuleCheck[]): LeaseRules {
  const judge = createJudge(checks);
  return {
    firstAllowedAt: (facts, level) => judge.firstPassMs(asLease(facts, level)),
    leaseLadder: (facts) => climb(judge, facts),
    leasePlan: (facts) => plan(judge, facts),
  };
}

/**
 * Like the ladder, with the first notice that is still missing shown by the phone itself. Steps that rest on a second missing notice are left
 * out: the phone alone cannot prove that the first one's days were over when it showed the second.
 */
function plan(judge: Judge, facts: GateFacts): LeasePlan {
  const delay = delayOf(facts);
  if (delay === null) return { notices: [], steps: [] };
  const own = firstMissing(facts, delay);
  const withOwn = own ? { ...facts, notices: [...facts.notices, own] } : facts;
  const notices: LeasePlan['notices'] = [];
  for (const { notice, delivery } of noticeTimes(facts.policy, delay, withOwn.notices)) {
    if (!delivery) continue;
    const deliveredAtMs = notice.no === own?.no ? null : delivery.atMs;
    notices.push({ no: notice.no, atMs: delivery.atMs, deliveredAtMs });
  }
  const minDaysToPay = facts.policy.notices.find((notice) => notice.no === own?.no)?.minDaysToPay ?? 0;
  const steps = climb(judge, withOwn).map((step) => {
    const restsOnOwn = own !== null && neededNotices(facts.policy, step.level).includes(own.no);
    // One day more than the days to pay: 24 h periods from any hour of the day of showing then cover the whole of the last day.
    return restsOnOwn
      ? { ...step, noticeNo: own.no, noticeDays: minDaysToPay + 1 }
      : { ...step, noticeNo: null, noticeDays: 0 };
  });
  return { notices, steps };
}

/** The first missing notice that may be given, as the phone would show it: at its first lawful moment within the automatic hours. */
function firstMissing(facts: GateFacts, delay: Delay): DeliveredNotice | null {
  for (const { notice, delivery, earliestMs } of noticeTimes(facts.policy, delay, facts.notices)) {
    if (delivery || earliestMs === null) continue;
    const shownAtMs = opensAtMs(Math.max(facts.nowMs, earliestMs), facts.policy.automaticHours);
    return { no: notice.no, dueOn: delay.dueOn, deliveredAtMs: shownAtMs, proof: 'shown on the phone' };
  }
  return null;
}

/** By the rules of the house. */
export const { leasePlan } = createLeaseRules(CHECKS);
