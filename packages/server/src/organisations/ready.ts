import { KistError } from '@kist/contract/errors';
import type { Log } from '#server/platform/log.ts';

/**
 * Nobody can sign in before the installation's own organisation is there; the log says what to do, once each time it is missed.
 * @param assertKnown of that organisation, throwing as `assertKnown` does
 */
export function organisationReady(assertKnown: () => Promise<void>, orgId: number, log: Log): () => Promise<void> {
  let isMissing = false;
  return async () => {
    try {
      await assertKnown();
      isMissing = false;
    } catch (error) {
      if (!(error instanceof KistError)) throw error;
      if (!isMissing)
        log.error(
          { orgId, err: error },
          'not ready: this organisation does not exist; make it with "kist setup", or name another in KIST_DEFAULT_ORG',
        );
      isMissing = true;
      throw error;
    }
  };
}
