import { KistError, type ErrorCode } from '@kist/contract/errors';
import { createFairTurns } from '#server/platform/fair-turns.ts';
import { networkOf } from '#server/platform/network.ts';
import type { FailureLimits } from './request-limits.ts';

/** With which somebody who proved nothing is sent away. */
const UNPROVEN: ReadonlySet<ErrorCode> = new Set([
  'AGENT_SIGNATURE_INVALID',
  'AGENT_UNKNOWN',
  'INVALID_JSON',
  'INVALID_INPUT',
  'ENROLMENT_TOKEN_USED',
  'ENROLMENT_TOKEN_EXPIRED',
]);
/** Enrolments are transactions: so many at once of suspects, an address after the other, and so many that wait. */
const SUSPECTS_AT_ONCE = 2;
const SUSPECTS_WAITING = 500;
const RETRY_AFTER_S = 5;

/** Somebody from where, or in whose name, too much could not be proved lately. */
export interface Suspect {
  /** For what is dear: one after the other. @throws KistError RATE_LIMITED when too many wait, and whatever the work throws */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Counts failed proofs by address and by the key that was named. Nobody is refused for them before proving: neither a neighbour behind the carrier's
 * address nor somebody who names its key can silence a phone that is right, also when this process never saw it. What a suspect gains is less: it is
 * looked up in a lane of its own, and when it proves nothing it is told to come later, in an answer that costs no signature. A look at a signature takes
 * some 0.1 ms; how many of them one address can ask for is for the limit of addresses.
 * @returns a function that lets one attempt run; `prove` is given the suspect that asks, or nothing. @throws KistError (from that function)
 * RATE_LIMITED when a suspect proved nothing, and whatever the attempt throws
 */
export function createAttempts(failures: FailureLimits) {
  const inTurnOf = createFairTurns(SUSPECTS_AT_ONCE);
  let waiting = 0;
  const inTurn = async <T>(ip: string, work: () => Promise<T>): Promise<T> => {
    if (waiting >= SUSPECTS_WAITING) throw new KistError('RATE_LIMITED', { retryAfterS: RETRY_AFTER_S });
    waiting += 1;
    try {
      return await inTurnOf(networkOf(ip), work);
    } finally {
      waiting -= 1;
    }
  };
  return async <T>(ip: string, keyid: string, prove: (suspect?: Suspect) => Promise<T>): Promise<T> => {
    const retryAfterS = failures.suspectForS(ip, keyid);
    try {
      return await prove(retryAfterS > 0 ? { inTurn: (work) => inTurn(ip, work) } : undefined);
    } catch (error) {
      if (!(error instanceof KistError) || !UNPROVEN.has(error.code)) throw error;
      // A suspect makes up keys as it likes: each would be a row of the counts that is never asked for again.
      failures.failed(ip, retryAfterS > 0 ? '' : keyid);
      if (retryAfterS === 0) throw error;
      throw new KistError('RATE_LIMITED', { retryAfterS, cause: error });
    }
  };
}
