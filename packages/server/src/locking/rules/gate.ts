import { businessDate } from '@kist/contract/dates';
import type { LockLevel, LockReason, RuleCode, RuleParams, Verdict } from '@kist/contract/lock-policy';
import { endOfDayMs } from './calendar.ts';
import type { RuleCheck } from './check.ts';
import { CHECKS } from './checks.ts';
import { daysPastDue } from './debt-checks.ts';
import { atLevel, withDebtLevel, type GateFacts } from './facts.ts';
import {
  createJudge,
  isDebtReason,
  isRaise,
  keptLevel,
  ladder,
  levelAbove,
  levelNow,
  lowerLevel,
  type Judge,
} from './judge.ts';
import { assumingNotices } from './notice-times.ts';
import { testEndsAtMs } from './protection-checks.ts';

/** May this phone be put on this level for this reason now? Pure: the answer follows from the facts, `facts.nowMs` among them. */
export type Gate = (facts: GateFacts) => Verdict;

/** @param checks the rules to judge by, in the order in which a refusal names them. */
export function createGate(checks: readonly RuleCheck[]): Gate {
  const judge = createJudge(checks);
  return (facts) => {
    const { request, policy, nowMs } = facts;
    const failing = judge.failing(facts);
    const allowed = failing.length === 0;
    const { rule, explain } = failing[0] ?? allowance(facts);
    const isTest = allowed && request.reason === 'ENROLMENT_TEST' && request.level > 0;
    return {
      allowed,
      reason: request.reason,
      trigger: request.trigger,
      requested_level: request.level,
      level: isDebtReason(facts) ? levelNow(judge, facts) : allowed ? request.level : 0,
      rule,
      explain: explain(),
      failing: failing.map((one) => ({ rule: one.rule, at: iso(one.atMs), params: one.explain() })),
      holds: holdsOf(facts),
      next: allowed ? nextAfterAllowed(judge, facts) : nextAfterRefusal(judge, facts),
      reached_at: iso(allowed ? nowMs : reachedMs(judge, facts)),
      expires_at: isTest ? iso(testEndsAtMs(facts)) : null,
      days_past_due: daysPastDue(facts),
      policy: { preset: policy.preset, version: policy.version },
      decided_at: new Date(nowMs).toISOString(),
    };
  };
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** The missing step of a refusal, with the notices it still needs assumed. */
function nextAfterRefusal(judge: Judge, facts: GateFacts): Verdict['next'] {
  const { level: asked } = facts.request;
  const level = isDebtReason(facts) ? lowerLevel(asked, levelAbove(keptLevel(judge, facts))) : asked;
  return nextAt(judge, facts, level);
}

/** The step after an allowed one; null at the top, after an unlock and for protection locks. */
function nextAfterAllowed(judge: Judge, facts: GateFacts): Verdict['next'] {
  const { level } = facts.request;
  const hasHigher = facts.policy.steps.some((step) => step.level === level + 1);
  if (!isDebtReason(facts) || level === 0 || !hasHigher) return null;
  const sinceMs = isRaise(facts) ? facts.nowMs : facts.device.levelSinceMs;
  return nextAt(judge, withDebtLevel(facts, level, sinceMs), levelAbove(level));
}

function nextAt(judge: Judge, facts: GateFacts, level: LockLevel): Verdict['next'] {
  const assuming = assumingNotices(facts, level);
  const atMs = judge.firstPassMs(atLevel(assuming.facts, level));
  return { level, at: iso(atMs), assumes_notices: assuming.assumed };
}

/** When the refused level itself could be in force, each level below it taken at its first moment. */
function reachedMs(judge: Judge, facts: GateFacts): number | null {
  if (!isDebtReason(facts)) return judge.firstPassMs(facts);
  const { level } = facts.request;
  const last = ladder(judge, assumingNotices(facts, level).facts, level).at(-1);
  return last?.level === level ? last.atMs : null;
}

const ALLOWED_BY: Record<LockReason, RuleCode> = {
  EMI_OVERDUE: 'OVERDUE_STEP',
  ORG_OVERRIDE: 'OVERRIDE_TEXT',
  THEFT_REPORTED: 'THEFT_REPORT',
  CUSTOMER_REQUEST: 'OWNER_REQUEST',
  ENROLMENT_TEST: 'TEST_WINDOW',
};

/** What an allowed request stands on. */
function allowance(facts: GateFacts): { rule: RuleCode; explain: () => RuleParams } {
  const { level, reason } = facts.request;
  if (level === 0) return { rule: 'UNLOCK_ALWAYS', explain: () => ({}) };
  const rule = isRaise(facts) ? ALLOWED_BY[reason] : 'LEVEL_KEPT';
  return {
    rule,
    explain: (): RuleParams => {
      if (rule === 'TEST_WINDOW') return { level, ends_at: new Date(testEndsAtMs(facts)).toISOString() };
      return isDebtReason(facts) ? { level, dpd: daysPastDue(facts) } : { level };
    },
  };
}

/** Everything that holds the ladder now, whether or not it is what refuses. */
function holdsOf({ disputes, holds, nowMs }: GateFacts): Verdict['holds'] {
  const waiting = disputes.filter(({ untilMs }) => untilMs === null || untilMs > nowMs);
  const active = holds.filter((hold) => endOfDayMs(hold.untilOn) > nowMs);
  return [
    ...waiting.map(({ untilMs }) => ({
      kind: 'dispute' as const,
      until_on: untilMs === null ? null : businessDate(untilMs - 1),
    })),
    ...active.map(({ kind, untilOn }) => ({ kind, until_on: untilOn })),
  ];
}

/** The gate that every lock goes through. */
export const gate: Gate = createGate(CHECKS);
