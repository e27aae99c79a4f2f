import { KistError } from '@kist/contract/errors';
import type { Log } from '#server/platform/log.ts';
import type { Organisations } from './organisations.ts';

/** Nobody can sign in before the installation's own organisation is there; the log says what to do, once each time it is missed. */
export function organisationReady(
  organisations: Pick<Organisations, 'assertKnown'>,
  orgId: number,
  log: Log,
): () => Promise<void> {
  let isMissing = false;
  return async () => {
    try {
      await organisations.assertKnown(orgId);
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
