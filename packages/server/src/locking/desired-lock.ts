import type { DesiredPolicy, LockCause } from '@kist/contract/agent';
import type { LockLevel, LockReason } from '@kist/contract/lock-policy';
import type { FactRow } from './facts-store.ts';
import { lockScreen } from './screen.ts';

/** One cause's claim on a phone. */
export interface CauseClaim {
  cause: LockCause;
  level: LockLevel;
  reason: LockReason;
  /** Null: nobody knows yet. */
  endsAt: string | null;
}

/** Which cause speaks on the screen when several hold a phone equally: what its owner asked for before what is owed. */
const ORDER: readonly LockCause[] = ['theft', 'customer_request', 'override', 'debt', 'enrolment_test'];

/**
 * The lock part of the desired state: the highest level of all causes, with the screen of the cause that wants it; and when the last of them ends, where all
 * of them do so by themselves. A phone out of reach frees itself then.
 */
export function desiredLock(row: FactRow, claims: readonly CauseClaim[]): DesiredPolicy['lock'] {
  const holding = claims.filter((claim) => claim.level > 0);
  const [first] = holding.toSorted((a, b) => b.level - a.level || ORDER.indexOf(a.cause) - ORDER.indexOf(b.cause));
  if (!first) return { level: 0, cause: null, screen: null };
  const ends = holding.map(({ endsAt }) => endsAt);
  const until = ends.every((end) => end !== null) ? ends.toSorted().at(-1) : undefined;
  return { level: first.level, cause: first.cause, screen: lockScreen(row, first.reason), ...(until && { until }) };
}

/** The claims on a phone after some have changed. */
export function claimsAfter(row: FactRow, changed: readonly CauseClaim[]): CauseClaim[] {
  const kept = (row.locks ?? []).filter(({ cause }) => changed.every((claim) => claim.cause !== cause));
  return [...kept.map(({ cause, level, reason, ends_at }) => ({ cause, level, reason, endsAt: ends_at })), ...changed];
}
