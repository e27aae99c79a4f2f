import { expect, it } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { account, instalmentLeft } from './agreements.ts';

const db = await createTestDatabase();

it('what is left of an instalment is the same in SQL and in the rules, whatever is paid of it', async () => {
  await makeOrganisation(db, 20);
  const shop = await makeRetailer(db, 20);
  const { agreement } = await db.transaction(20, (tx) => makeSale(tx, shop));
  await db.plant(
    ['instalments'],
    `update instalments set fee_paise = 100 * no, paid_principal_paise = principal_paise / no, paid_interest_paise = interest_paise / no, paid_fee_paise = no`,
  );
  await db.read(20, async (tx) => {
    const { rows } = await tx.query<{ left: number }>('select i.left_paise as left from instalments i order by i.no');
    const { instalments } = await account(tx, agreement);
    expect(rows.map(({ left }) => left)).toEqual(instalments.map(instalmentLeft));
    expect(new Set(rows.map(({ left }) => left)).size).toBe(instalments.length);
  });
});

it('costs a statement no call for each row: the sum stands in its place', async () => {
  await db.read(20, async (tx) => {
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(
      'explain (verbose, costs off) select sum(i.left_paise) from instalments i where i.left_paise > 0',
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('principal_paise + i.interest_paise');
    expect(plan).not.toContain('left_paise');
  });
});
