import * as organisations from '#server/organisations/organisations.ts';
import type { Database } from '#server/platform/database.ts';

/** Every organisation of this installation. */
export const organisationIds = async (db: Pick<Database, 'unscoped'>): Promise<number[]> =>
  (await db.unscoped(organisations.list)).map(({ org_id }) => org_id);
