import type { Database } from '#server/platform/database.ts';

/** Every organisation of this installation. */
export async function organisationIds(db: Pick<Database, 'unscoped'>): Promise<number[]> {
  return db.unscoped(async (tx) => {
    const { rows } = await tx.query<{ orgId: number }>('select org_id as "orgId" from org_directory order by org_id');
    return rows.map((row) => row.orgId);
  });
}
