import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import type { PartHead, Part } from './parts.ts';

type TableHead = Extract<PartHead, { kind: 'table' }>;

interface Table {
  name: string;
  columns: string[];
  hasOrg: boolean;
  needs: string[];
}

/** As the owner, with texts of values that mean the same wherever they are read. */
export async function asOwnerAlone<T>(connection: ConnectionConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const options =
    '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c extra_float_digits=1 -c bytea_output=hex';
  const client = new pg.Client({ ...connection, options: `${options} -c statement_timeout=0` });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Every table that is kept, and what it refers to before it; when a migration was applied is asked by rules that hold from then on. An unlogged one counts what happened a moment ago: it begins empty, as after a power cut.
 */
async function tablesInOrder(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped) as "hasOrg",
       array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
         where k.contype = 'f' and k.conrelid = c.oid and k.confrelid <> c.oid) as needs
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' order by 1`,
  );
  const ordered: Table[] = [];
  let left = rows;
  while (left.length > 0) {
    const next = left.filter(({ needs }) => needs.every((name) => ordered.some((one) => one.name === name)));
    if (next.length === 0)
      throw new Error(`tables refer to each other in a circle: ${left.map(({ name }) => name).join()}`);
    ordered.push(...next);
    left = left.filter((one) => !next.includes(one));
  }
  return ordered;
}

/** What every function is, as SQL that makes it: some were made of what a migration found in the rows of its day. */
export async function functionsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_functiondef(p.oid) as text from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by p.oid`,
  );
  return rows.map(({ text }) => text);
}

const columnsOf = (columns: readonly string[]): string => columns.map((name) => pg.escapeIdentifier(name)).join();

/**
 * Rows of every table as they were at one moment, organisation by organisation: row-level security binds an owner that is no superuser, too, and this way asks
 * for nothing else. Nobody waits for it, and it waits for nobody but a migration.
 * @param client of the owner, in a transaction that sees one moment
 */
export async function* tableParts(client: Client, organisations: readonly number[]): AsyncGenerator<Part> {
  const tables = await tablesInOrder(client);
  await client.query(`lock table ${tables.map(({ name }) => pg.escapeIdentifier(name)).join()} in access share mode`);
  for (const { name, columns, hasOrg } of tables)
    for (const org_id of hasOrg ? organisations : [null]) yield await partOf(client, { name, columns, org_id });
}

async function partOf(
  client: Client,
  { name, columns, org_id }: Pick<Table, 'name' | 'columns'> & { org_id: number | null },
): Promise<Part> {
  await client.query(`select set_config('kist.org_id', $1, true)`, [org_id === null ? '' : String(org_id)]);
  const where = org_id === null ? '' : ` where org_id = ${Number(org_id)}`;
  const asked = `select ${columnsOf(columns)} from ${pg.escapeIdentifier(name)}${where}`;
  const stream = client.query(copyTo(`copy (${asked}) to stdout`));
  return { head: { kind: 'table', table: name, org_id, columns }, data: stream, rows: () => stream.rowCount };
}

/** Puts rows into the tables of a database that was migrated and keeps nothing yet. @returns how many */
export async function fillTable(client: Client, head: TableHead, data: AsyncIterable<Buffer>): Promise<number> {
  const into = client.query(
    copyFrom(`copy ${pg.escapeIdentifier(head.table)} (${columnsOf(head.columns)}) from stdin`),
  );
  await pipeline(data, into);
  return into.rowCount;
}

/**
 * One transaction of the owner in which tables take rows as they stand: their guards and walls are put aside and stand again, each as it stood, before it
 * commits. What migrations put into them goes first. Keys that refer to other rows are looked at all the same.
 */
export async function whileTakingRows<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const names = (await tablesInOrder(client)).map(({ name }) => pg.escapeIdentifier(name));
    const putBack = await wallsAside(client);
    await client.query(`truncate ${names.join()}`);
    const result = await work();
    await client.query('set constraints all immediate');
    await putBack();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** What an `alter table` puts aside, and what puts it back as it stood. */
interface Aside {
  tab: string;
  aside: string;
  back: string;
}

/**
 * Guards, forced row-level security, and constraints that were never held against the rows of before they existed (`not valid`): what was written before a
 * rule stands in a backup as well.
 */
async function wallsAside(client: Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<Aside>(
    `select t.tgrelid::regclass::text as tab, format('disable trigger %I', tgname) as aside,
       format('enable %strigger %I', case tgenabled when 'A' then 'always ' else '' end, tgname) as back
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and tgenabled in ('O', 'A') and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
     union all
     select oid::regclass::text, 'no force row level security', 'force row level security'
     from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity
     union all
     select conrelid::regclass::text, format('drop constraint %I', conname), format('add constraint %I %s', conname, pg_get_constraintdef(oid))
     from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and not convalidated`,
  );
  for (const { tab, aside } of rows) await client.query(`alter table ${tab} ${aside}`);
  return async () => {
    for (const { tab, back } of rows) await client.query(`alter table ${tab} ${back}`);
  };
}
