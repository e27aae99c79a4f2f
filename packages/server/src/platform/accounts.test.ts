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
