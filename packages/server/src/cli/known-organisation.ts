import * as organisations from '#server/organisations/organisations.ts';
import type { Database } from '#server/platform/database.ts';
import { RefusedError } from './command.ts';

/** What is asked about one that is not there has no answer: an empty list would be taken for one. @throws RefusedError NOT_FOUND */
export async function assertOrganisation(database: Pick<Database, 'unscoped'>, orgId: number): Promise<void> {
  if ((await organisations.everyId(database)).includes(orgId)) return;
  throw new RefusedError(
    `Refused: there is no organisation ${orgId} (kist org list). Nothing was changed.`,
    'NOT_FOUND',
  );
}
