import type { Switch } from '@kist/contract/commands';
import {
  LOCK_LEVELS,
  type LockLevel,
  type LockPolicy,
  type LockReason,
  type Verdict,
} from '@kist/contract/lock-policy';
import { CHECKS } from './checks.ts';
import { refused } from './check.ts';
import { type GateFacts, atLevel, withDebtLevel } from './facts.ts';
import { createGate, gate } from './gate.ts';

/**
 * The least level at which a cause may take something from the phone's holder; null: never. For a debt it is the level of the ladder that takes the
 * same or more, so that nothing is taken which the debt could not lock for. What its owner asks for is not limited, a test and an override take nothing.
 */
export function leastLevel(
  policy: Pick<LockPolicy, 'preset' | 'cameraLockAllowed'>,
  taken: Switch,
  reason: LockReason,
): LockLevel | null {
  if (reason === 'THEFT_REPORTED' || reason === 'CUSTOMER_REQUEST') return LOCK_LEVELS.kiosk;
  if (reason !== 'EMI_OVERDUE') return null;
  switch (taken) {
    case 'wallpaper':
      return policy.preset === 'rbi-2026' ? LOCK_LEVELS.wallpaper : LOCK_LEVELS.reminder;
    case 'app_lock':
      return LOCK_LEVELS.apps;
    case 'camera_lock':
      return policy.preset === 'dealer' && policy.cameraLockAllowed === true ? LOCK_LEVELS.kiosk : null;
  }
}

/** A request to take something, as it is judged and kept: the level is the least one that may take it. */
export interface TakingFacts extends GateFacts {
  request: GateFacts['request'] & { taking: Switch };
}

const takingGate = createGate([
  {
    rule: 'RESTRICTION_NOT_IN_POLICY',
    reasons: ['EMI_OVERDUE', 'ORG_OVERRIDE', 'ENROLMENT_TEST'],
    when: 'standing',
    check: (facts) => {
      const { taking, reason } = (facts as TakingFacts).request;
      const isNever = leastLevel(facts.policy, taking, reason) === null;
      return isNever ? refused(null, () => ({ restriction: taking, reason })) : null;
    },
  },
  ...CHECKS,
]);

/** Taking something more is a raise, also on a phone that is on that level or above: a dispute or a hold stops it. Its level has lasted long enough. */
const asRaise = (facts: TakingFacts): GateFacts =>
  facts.device.currentDebtLevel >= facts.request.level ? withDebtLevel(facts, lowerBy(facts.request.level), 0) : facts;
const lowerBy = (level: LockLevel): LockLevel => ([0, 0, 1, 2, 3] as const)[level];

/** May this be taken from the holder now? `facts` of a request at any level; @returns the gate's word and the facts it stands on. */
export function judgeTaking(facts: GateFacts, taking: Switch): { facts: TakingFacts; verdict: Verdict } {
  const level = leastLevel(facts.policy, taking, facts.request.reason) ?? LOCK_LEVELS.kiosk;
  const asked: TakingFacts = { ...facts, request: { ...facts.request, level, taking } };
  const verdict = takingGate(asRaise(asked));
  // What comes next of the ladder is told with the level, not with this.
  return { facts: asked, verdict: verdict.allowed ? { ...verdict, next: null } : verdict };
}

/** Whether what was taken may stay taken: the debt still carries the least level for it. */
export function stillStands(facts: GateFacts, taking: Switch): boolean {
  const level = leastLevel(facts.policy, taking, facts.request.reason);
  return level !== null && gate(withDebtLevel(atLevel(facts, level), level, null)).allowed;
}
