import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { assertPowerless } from './accounts.ts';

const db = await createTestDatabase();

/** Asked as the server's account while a role has a power that is taken back with the transaction: roles belong to every database of the tests' server. */
async function verdictWith(...powers: string[]): Promise<string> {
  const client = new pg.Client(db.owner);
  await client.connect();
  try {
    await client.query('begin');
    for (const power of powers) await client.query(power);
    await client.query(`set local session authorization ${db.serving.user}`);
    return await assertPowerless(client as unknown as Pick<pg.Pool, 'query'>).then(
      () => 'serves',
      (error: Error) => error.message,
    );
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

test('the server’s account serves as it is, and not while it or a role it serves as passes row-level security', async () => {
  expect(await verdictWith()).toBe('serves');
  for (const role of [db.serving.user, 'kist_app', 'kist_device'])
    expect(await verdictWith(`alter role ${role} bypassrls`), role).toMatch(/bypasses row-level security/);
});

test('the server’s account makes no table of its own, which a guard would find before the one it means', async () => {
  await expect(
    db.transaction(1, (tx) => tx.query('create temporary table clock_offset (shift interval)')),
  ).rejects.toThrow(/permission denied/);
  for (const role of ['public', db.serving.user, 'kist_app', 'kist_device'])
    expect(await verdictWith(`grant temporary on database ${db.owner.database} to ${role}`), role).toMatch(
      /makes temporary tables/,
    );
  expect(await verdictWith('grant create on schema public to kist_app')).toMatch(/makes tables/);
});

test('the guards look for their tables among the product’s, whoever asks', async () => {
  const open = await db.asOwner(
    `select proname from pg_proc where pronamespace = 'public'::regnamespace and prolang = (select oid from pg_language where lanname = 'plpgsql')
       and not coalesce(proconfig, '{}') @> array['search_path=pg_catalog, public, pg_temp']
       and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')`,
  );
  expect(open).toEqual([]);
});
