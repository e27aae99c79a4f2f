import type { Client } from 'pg';
import { putGuardsAside } from './guards.ts';
import { OperatorError } from './operator-error.ts';

/** Demo data is asked to be emptied where real people's may lie. */
class NotADemoError extends OperatorError {
  override readonly name = 'NotADemoError';
  constructor() {
    super('This database is not stamped as a demo: nothing is emptied.');
  }
}

/** One transaction of the owner of the tables in one organisation: row-level security is forced on an owner, too, unless a superuser. */
export async function ownerTransaction(owner: Client, orgId: number, work: () => Promise<void>): Promise<void> {
  try {
    await owner.query('begin');
    await owner.query(`select set_config('kist.org_id', $1, true)`, [String(orgId)]);
    await work();
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
}

/**
 * Every row of one organisation of a demo, table by table: what others still point at waits for its turn.
 * @param owner of the tables in a transaction, for nobody else may delete what is append-only
 * @throws NotADemoError in a database that is not stamped demo
 */
export async function eraseOrganisation(owner: Client, orgId: number): Promise<void> {
  const { rows: stamps } = await owner.query<{ mode: string }>('select mode from installation');
  if (stamps[0]?.mode !== 'demo') throw new NotADemoError();
  const { rows } = await owner.query<{ name: string }>(
    `select format('%I', c.relname) as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  );
  const putBack = await putGuardsAside(
    owner,
    rows.map(({ name }) => name),
  );
  // Over all of them again: a trigger may write into a table that was empty already.
  for (let pass = 0; pass <= rows.length; pass += 1) {
    let deleted = 0;
    for (const { name } of rows) deleted += await deleteFrom(owner, name, orgId);
    if (deleted === 0) break;
  }
  await putBack();
  const { rowCount } = await owner.query('select from org_directory where org_id = $1', [orgId]);
  if (rowCount !== 0) throw new Error(`the tables of organisation ${orgId} hold one another`);
}

/** Somebody serves the demo that is to be emptied. */
export class StillServedError extends OperatorError {
  override readonly name = 'StillServedError';
  constructor() {
    super('The demo is being served. Stop it first (Ctrl-C where npm start runs). Nothing was changed.');
  }
}

/**
 * Empties every organisation of a demo that nobody serves; the next start makes its shop anew.
 * @param owner of the tables
 * @returns how many organisations there were
 * @throws NotADemoError, StillServedError
 */
export async function eraseDemo(owner: Client): Promise<number> {
  const { rows: served } = await owner.query(
    `select from pg_stat_activity where datname = current_database() and application_name in ('kist_app', 'kist_device') limit 1`,
  );
  if (served.length > 0) throw new StillServedError();
  const { rows } = await owner.query<{ org_id: number }>('select org_id from org_directory order by 1');
  for (const { org_id } of rows) await ownerTransaction(owner, org_id, () => eraseOrganisation(owner, org_id));
  return rows.length;
}

/** @returns how many rows went: none when rows of another table still point at these. */
async function deleteFrom(owner: Client, table: string, orgId: number): Promise<number> {
  await owner.query('savepoint one');
  try {
    const { rowCount } = await owner.query(`delete from ${table} where org_id = $1`, [orgId]);
    return rowCount ?? 0;
  } catch (error) {
    if ((error as { code?: unknown }).code !== '23503') throw error;
    await owner.query('rollback to one');
    return 0;
  }
}
