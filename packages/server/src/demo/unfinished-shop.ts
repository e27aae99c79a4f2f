import type { Client } from 'pg';
import { ifAlone } from '#server/platform/advisory-lock.ts';
import { eraseOrganisation, ownerTransaction } from '#server/platform/erase-organisation.ts';
import { DEMO_ORG } from './organisation.ts';
import { isUnfinished } from './store.ts';

/** The step that says the demo shop is complete. */
export const FINISHED_STEP = 'demo_shop';
/** Held by who makes the demo shop, for as long as it takes. Any constant of our own. */
export const DEMO_LOCK = 7_305_820_413;

/**
 * Empties a demo shop that a start could not finish: the server never listened on it. Row by row of that one organisation, in a database stamped demo, and
 * not while another start is still making it.
 * @param owner of the tables
 */
export const clearUnfinishedShop = (owner: Client): Promise<void> =>
  ifAlone(owner, DEMO_LOCK, () =>
    ownerTransaction(owner, DEMO_ORG, async () => {
      if (await isUnfinished(owner, DEMO_ORG, FINISHED_STEP)) await eraseOrganisation(owner, DEMO_ORG);
    }),
  );
