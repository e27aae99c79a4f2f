import type pg from 'pg';
import { putGuardsAside } from '@kist/server/measured';

/**
 * Runs `work` in one transaction in which these tables have no guards, no foreign keys to be checked and no indexes but those of their constraints: rows
 * that come in the order of their keys are appended to those, and the others are built in one pass afterwards, on all cores.
 */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  const putBack = await putGuardsAside(client, tables);
  const { rows } = await client.query<{ name: string; made: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made from pg_index i
     where i.indrelid::regclass::text = any($1) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [[...tables]],
  );
  if (rows.length > 0) await client.query(`drop index ${rows.map(({ name }) => name).join(', ')}`);
  await work();
  for (const { made } of rows) await client.query(made);
  await putBack();
  await client.query('commit');
}
