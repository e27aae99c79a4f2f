import { KistError, type ErrorCode } from '@kist/contract/errors';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import type { FailureLimits } from './request-limits.ts';

/** Some 100 bytes each. */
const GOOD_KEYS_KEPT = 200_000;
/** With which somebody who is not who it says is sent away. */
const UNPROVEN: ReadonlySet<ErrorCode> = new Set(['AGENT_SIGNATURE_INVALID', 'AGENT_UNKNOWN']);

/**
 * Counts failed proofs by address and by the key that was named. Who failed too often is refused before the database is asked anything; a key that proved
 * itself here never is: neither a neighbour behind the carrier's address nor somebody who names its key can silence a phone that is right.
 * @returns a function that lets one attempt run. @throws KistError (from that function) RATE_LIMITED, and whatever the attempt throws
 */
export function createAttempts(failures: FailureLimits) {
  const good = new BoundedMap<string, true>(GOOD_KEYS_KEPT);
  return async <T>(ip: string, keyid: string, prove: () => Promise<T>): Promise<T> => {
    if (!good.get(keyid)) failures.mayTry(ip, keyid);
    try {
      const proven = await prove();
      if (keyid !== '') good.set(keyid, true);
      return proven;
    } catch (error) {
      if (error instanceof KistError && UNPROVEN.has(error.code)) failures.failed(ip, keyid);
      throw error;
    }
  };
}
