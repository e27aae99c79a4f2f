import { DAY_MS } from '@kist/contract/dates';
import { DISPUTES, DISPUTES_HEARD, type DisputeState, WAITING_DISPUTES } from '@kist/contract/dispute-states';
import { LIMITS } from '@kist/contract/limits';

/** Where a dispute stands, and since which moment of the server's. */
export interface Standing {
  state: DisputeState;
  sinceMs: number;
}

/** @returns until when it stops whatever would take something away: null: as long as it stands there; undefined: it stops nothing. */
export function stopsUntilMs({ state, sinceMs }: Standing): number | null | undefined {
  const { stops } = DISPUTES[state];
  if (stops === 'never') return undefined;
  return stops === 'always' ? null : sinceMs + LIMITS.disputeAnswerDays * DAY_MS;
}

/** Whether an answered one can be taken further at this moment. */
export const mayEscalate = ({ state, sinceMs }: Standing, nowMs: number): boolean =>
  DISPUTES[state].to.escalated !== undefined && nowMs < sinceMs + LIMITS.disputeAnswerDays * DAY_MS;

/**
 * In whose part it was said, from the most trusted: by the customer's own phone or login; by the link of their notices, which a shop can have too; by the
 * shop in their name.
 */
export type SaidBy = 'customer' | 'link' | 'shop';

/** An earlier dispute about the same instalment. */
export interface Earlier extends Standing {
  disputeId: string;
  saidBy: SaidBy;
}

/** What an objection comes to. */
export type Heard =
  | { to: 'open' | 'undecided' }
  /** There is one already: waiting, or to be taken further. */
  | { to: 'already'; earlier: Earlier }
  /** The organisation has said that no more about this instalment hold. */
  | { to: 'decided' };

/**
 * A customer's own objection to an instalment is heard twice; from the third on the organisation decides whether it holds, and its no is its last word.
 * What the shop records in the customer's name is the shop's own kindness: it is not counted, and nothing is held against it. What was said by the link is
 * held against the link alone: whoever else has it uses up nothing of the customer's own word.
 */
export function heardAs(earlier: readonly Earlier[], by: SaidBy, nowMs: number): Heard {
  const already = earlier.find((one) => WAITING_DISPUTES.includes(one.state) || mayEscalate(one, nowMs));
  if (already) return { to: 'already', earlier: already };
  if (by === 'shop') return { to: 'open' };
  const counted = earlier.filter(({ saidBy }) => saidBy === 'customer' || (by === 'link' && saidBy === 'link'));
  if (counted.some(({ state }) => state === 'rejected')) return { to: 'decided' };
  return { to: counted.length < DISPUTES_HEARD ? 'open' : 'undecided' };
}
