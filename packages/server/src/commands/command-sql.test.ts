import { afterAll, expect, test } from 'vitest';
import pg from 'pg';
import { createTestDatabase } from '#test/database.ts';
import { EXPIRING_COMMANDS, OPEN_COMMANDS, UNDELIVERED_COMMANDS } from './command-sql.ts';

const client = new pg.Client((await createTestDatabase()).owner);
await client.connect();
afterAll(() => client.end());

/** The states that an index of the schema is kept for. */
async function statesOf(index: string): Promise<string> {
  const { rows } = await client.query<{ kept: string }>(
    'select pg_get_expr(indpred, indrelid) as kept from pg_index where indexrelid = $1::regclass',
    [index],
  );
  return [...rows[0]!.kept.matchAll(/'[A-Z]+'/g)].join(', ');
}

test('the states of open orders are those of the contract’s table, and those that their indexes are kept for', async () => {
  expect(OPEN_COMMANDS).toBe("'QUEUED', 'SENT', 'DELIVERED', 'APPLIED'");
  expect(UNDELIVERED_COMMANDS).toBe("'QUEUED', 'SENT'");
  expect(await statesOf('commands_open')).toBe(OPEN_COMMANDS);
  expect(await statesOf('commands_expiring')).toBe(EXPIRING_COMMANDS);
});
