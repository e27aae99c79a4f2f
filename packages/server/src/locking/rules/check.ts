import type { LockReason, RuleCode, RuleParams } from '@kist/contract/lock-policy';
import type { GateFacts } from './facts.ts';

/**
 * A rule that refuses. `atMs` is the first later instant at which it passes with all other facts as they are (it refuses at every instant
 * before), null when no passing of time helps. `explain` gives the values of its sentence; most refusals are never read out.
 */
export interface Refusal {
  atMs: number | null;
  explain: () => RuleParams;
}

export const refused = (atMs: number | null, explain: () => RuleParams = () => ({})): Refusal => ({ atMs, explain });

/** One rule: null when it passes. */
export type Check = (facts: GateFacts) => Refusal | null;

export interface RuleCheck {
  rule: RuleCode;
  reasons: readonly LockReason[];
  /** 'standing': must hold for as long as the phone is held. 'raise': asked only when the level goes up. */
  when: 'standing' | 'raise';
  check: Check;
}
