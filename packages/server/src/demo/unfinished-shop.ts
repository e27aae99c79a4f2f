import type { Client } from 'pg';
import { putGuardsAside } from '#server/platform/guards.ts';
import { OperatorError } from '#server/platform/operator-error.ts';
import { DEMO_ORG } from './organisation.ts';

/** The step that says the demo shop is complete. */
export const FINISHED_STEP = 'demo_shop';
/** Held by who makes the demo shop, for as long as it takes. Any constant of our own. */
export const DEMO_LOCK = 7_305_820_413;

/** Demo data is asked to be emptied where real people's may lie. */
class NotADemoError extends OperatorError {
  override readonly name = 'NotADemoError';
  constructor() {
    super('This database is not stamped as a demo: nothing is emptied.');
  }
}

/**
 * Empties a demo shop that a start could not finish: the server never listened on it. Row by row of that one organisation, in a database stamped demo, and
 * not while another start is still making it.
 * @param owner of the tables, for nobody else may delete what is append-only
 */
export async function clearUnfinishedShop(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [DEMO_LOCK]);
  if (!rows[0]?.mine) return;
  try {
    await owner.query('begin');
    // Row-level security is forced on an owner, too, unless a superuser.
    await owner.query(`select set_config('kist.org_id', $1, true)`, [String(DEMO_ORG)]);
    if (await isUnfinished(owner)) await deleteOrganisation(owner, DEMO_ORG);
    await owner.query('commit');
  } catch (error) {
    await owner.query('rollback');
    throw error;
  } finally {
    await owner.query('select pg_advisory_unlock($1)', [DEMO_LOCK]);
  }
}

async function isUnfinished(owner: Client): Promise<boolean> {
  const { rows } = await owner.query<{ begun: boolean }>(
    `select exists (select from org_directory where org_id = $1)
       and not exists (select from daily_steps where org_id = $1 and step = $2) as begun`,
    [DEMO_ORG, FINISHED_STEP],
  );
  return rows[0]?.begun === true;
}

/** Every row of one organisation, table by table: what others still point at waits for its turn. */
async function deleteOrganisation(owner: Client, orgId: number): Promise<void> {
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
  if (rowCount !== 0) throw new Error('the tables of the unfinished demo shop hold one another');
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
