import type { TestDatabase } from './database.ts';

/** Makes organisations known, and no more than that: for tests of what lies below the slices. */
export async function addToDirectory(db: TestDatabase, ...orgIds: readonly number[]): Promise<void> {
  await db.asOwner(
    `insert into org_directory (org_id, slug, name) select id, 'org-' || id, 'org-' || id from unnest($1::int[]) as t(id)`,
    [orgIds],
  );
}
