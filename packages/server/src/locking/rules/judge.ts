import { LOCK_REASONS, type LockLevel, type LockReason, type RuleCode } from '@kist/contract/lock-policy';
import type { Refusal, RuleCheck } from './check.ts';
import { atInstant, atLevel, withDebtLevel, type GateFacts } from './facts.ts';

/** A rule of the table that refuses now. */
export interface Obstacle extends Refusal {
  rule: RuleCode;
}

/** What follows from a table of rules: the questions the gate and the lease ask of it. */
export interface Judge {
  /** Every rule that refuses the asked level now, in the table's order; level 0 is never refused. */
  failing: (facts: GateFacts) => Obstacle[];
  /** The first instant from `nowMs` on at which the asked level is allowed, other facts as they are; null when time alone never helps. */
  firstPassMs: (facts: GateFacts) => number | null;
  /** The highest level that the facts let stand, raises left aside: after a payment the phone may be left on no more than this. */
  standingLevel: (facts: GateFacts) => LockLevel;
}

const LEVELS = [1, 2, 3, 4] as const;
export const lowerLevel = (a: LockLevel, b: LockLevel): LockLevel => (a < b ? a : b);
export const levelAbove = (level: LockLevel): LockLevel => LEVELS.find((one) => one > level) ?? 4;

export const isDebtReason = ({ request }: GateFacts): boolean => LOCK_REASONS[request.reason].basis === 'debt';
/** Protection locks have no ladder: each is judged whole. */
export const isRaise = (facts: GateFacts): boolean =>
  !isDebtReason(facts) || facts.request.level > (facts.device.overrideLevel ?? facts.device.currentDebtLevel);

/** Each round of the search leaves a run of holidays, a closed window or a waiting time behind; a year has fewer than this. */
const MAX_ROUNDS = 1000;

type ByReason = Record<LockReason, readonly RuleCheck[]>;
const byReason = (checks: readonly RuleCheck[]): ByReason => {
  const of = (reason: LockReason) => checks.filter(({ reasons }) => reasons.includes(reason));
  return {
    EMI_OVERDUE: of('EMI_OVERDUE'),
    ORG_OVERRIDE: of('ORG_OVERRIDE'),
    THEFT_REPORTED: of('THEFT_REPORTED'),
    CUSTOMER_REQUEST: of('CUSTOMER_REQUEST'),
    ENROLMENT_TEST: of('ENROLMENT_TEST'),
  };
};

/** @param checks the rules to judge by, in the order in which a refusal names them. */
export function createJudge(checks: readonly RuleCheck[]): Judge {
  const standing = byReason(checks.filter(({ when }) => when === 'standing'));
  const all = byReason(checks);

  function obstacles(facts: GateFacts, isRaising: boolean): Obstacle[] {
    const found: Obstacle[] = [];
    for (const { rule, check } of (isRaising ? all : standing)[facts.request.reason]) {
      const refusal = check(facts);
      if (refusal) found.push({ rule, atMs: refusal.atMs, explain: refusal.explain });
    }
    return found;
  }

  const failing = (facts: GateFacts): Obstacle[] => (facts.request.level === 0 ? [] : obstacles(facts, isRaise(facts)));

  /** From now to the latest moment among those that refuse, that one refuses throughout: the search jumps over nothing. */
  function firstPassMs(facts: GateFacts): number | null {
    let { nowMs } = facts;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found = failing(atInstant(facts, nowMs));
      if (found.length === 0) return nowMs;
      for (const { atMs } of found) {
        if (atMs === null) return null;
        nowMs = Math.max(nowMs, atMs);
      }
    }
    return null;
  }

  function standingLevel(facts: GateFacts): LockLevel {
    let standing: LockLevel = 0;
    for (const level of LEVELS) {
      if (obstacles(atLevel(facts, level), false).length > 0) break;
      standing = level;
    }
    return standing;
  }

  return { failing, firstPassMs, standingLevel };
}

/** @returns the level the phone is on that still stands; what is above it goes down at once. */
export const keptLevel = (judge: Judge, facts: GateFacts): LockLevel =>
  lowerLevel(facts.device.currentDebtLevel, judge.standingLevel(facts));

/** @returns the kept level, or the one above it where that raise is allowed now. */
export function levelNow(judge: Judge, facts: GateFacts): LockLevel {
  const kept = keptLevel(judge, facts);
  const above = levelAbove(kept);
  return above > kept && judge.failing(atLevel(facts, above)).length === 0 ? above : kept;
}

/** One raise of the ladder. */
export interface LadderStep {
  level: LockLevel;
  atMs: number;
}

/**
 * The raises from the kept level to `toLevel`, each at the first moment the rules allow after the one below it.
 * @param moved puts a step's moment later (a lease spreads phones over the window); it must stay a moment at which the step is allowed.
 * @returns as many steps as time alone can bring about.
 */
export function ladder(
  judge: Judge,
  facts: GateFacts,
  toLevel: LockLevel,
  moved: (atMs: number) => number = (atMs) => atMs,
): LadderStep[] {
  const start = keptLevel(judge, facts);
  let climbing = withDebtLevel(facts, start, facts.device.levelSinceMs);
  const steps: LadderStep[] = [];
  for (const level of LEVELS.filter((one) => one > start && one <= toLevel)) {
    const firstMs = judge.firstPassMs(atLevel(climbing, level));
    if (firstMs === null) break;
    const atMs = moved(firstMs);
    steps.push({ level, atMs });
    climbing = withDebtLevel(atInstant(climbing, atMs), level, atMs);
  }
  return steps;
}
