import type { ClientBase } from 'pg';

/**
 * Puts the guards of tables aside, which stop the owner too, for the rest of the owner's transaction or until the returned function is called. Nobody but
 * the owner of the tables can, and each table is held exclusively meanwhile.
 * @param tables those without guards are left alone
 */
export async function putGuardsAside(owner: ClientBase, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await owner.query<{ guard: string; tab: string }>(
    `select format('%I', tgname) as guard, tgrelid::regclass::text as tab from pg_trigger
     where not tgisinternal and tgenabled = 'A' and tgrelid::regclass::text = any($1)`,
    [[...tables]],
  );
  for (const { guard, tab } of rows) await owner.query(`alter table ${tab} disable trigger ${guard}`);
  return async () => {
    for (const { guard, tab } of rows) await owner.query(`alter table ${tab} enable always trigger ${guard}`);
  };
}
