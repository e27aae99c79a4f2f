import type { DesiredPolicy, LockCause } from '@kist/contract/agent';
import type { LockLevel, LockReason } from '@kist/contract/lock-policy';
import type { FactRow } from './facts-store.ts';
import { lockScreen } from './screen.ts';

/** One cause's claim on a phone. */
export interface CauseClaim {
  cause: LockCause;
  level: LockLevel;
  reason: LockReason;
}

/** Which cause speaks on the screen when several hold a phone equally: what its owner asked for before what is owed. */
const ORDER: readonly LockCause[] = ['theft', 'customer_request', 'override', 'debt', 'enrolment_test'];

/** The lock part of the desired state: the highest level of all causes, with the screen of the cause that wants it. */
export function desiredLock(row: FactRow, claims: readonly CauseClaim[]): DesiredPolicy['lock'] {
  const [first] = claims
    .filter((claim) => claim.level > 0)
    .toSorted((a, b) => b.level - a.level || ORDER.indexOf(a.cause) - ORDER.indexOf(b.cause));
  if (!first) return { level: 0, cause: null, screen: null };
  return { level: first.level, cause: first.cause, screen: lockScreen(row, first.reason) };
}

/** The claims on a phone after some have changed. */
export function claimsAfter(row: FactRow, changed: readonly CauseClaim[]): CauseClaim[] {
  const kept = (row.locks ?? []).filter(({ cause }) => changed.every((claim) => claim.cause !== cause));
  return [...kept.map(({ cause, level, reason }) => ({ cause, level, reason })), ...changed];
}
