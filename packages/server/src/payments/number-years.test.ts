import { expect, test } from 'vitest';
import { makeSale, setClock } from '#test/factories.ts';
import { account } from '#server/agreements/agreements.ts';
import { useForging } from '#test/forging.ts';

/** A number goes out in its own financial year, which ends on 31 March: what somebody could write otherwise who has the server's own account. */
const ORG = 20;
const world = await useForging(ORG);
const { db, shop, payments, forge, statements, planted } = world;

test('a number of another year is refused by the database, and seen by the check of the books', async () => {
  const ofYear = (year: string) => ({ receiptNo: `'${year}/01/0001'` });
  const begun = (year: string) =>
    `insert into counters (org_id, name, last) values (${ORG}, 'receipt:${shop.userId}:20${year}', 1)`;
  for (const year of ['27-28', '25-26'])
    for (const isClaimed of [false, true])
      await expect(forge({ ...ofYear(year), isClaimed }, [begun(year)])).rejects.toThrow('which is of another year');
  expect(await planted([begun('27-28'), ...statements(ofYear('27-28'))])).toEqual([
    expect.stringContaining('a number of another year (27-28/01/0001)'),
  ]);
});

test('a note of another year is refused by the database', async () => {
  // The counter and the paper alike.
  await db.asOwner(
    `create function forge() returns trigger language plpgsql as $$ begin
       if tg_table_name = 'counters' then new.name := replace(new.name, '2026-27', '2027-28'); else new.note_no := '27-28' || substr(new.note_no, 6); end if;
       return new;
     end $$;
     create trigger a_forger before update on payments for each row execute function forge();
     create trigger a_forger before insert on counters for each row when (new.name like 'note:%') execute function forge();
     alter table payments enable always trigger a_forger; alter table counters enable always trigger a_forger`,
  );
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, world.sale.agreement));
  const given = { instalment_id: instalmentIds.get(1)!, amount: 10_00, method: 'CASH', reference: '' } as const;
  const { payment_id } = await db.transaction(ORG, (tx) => payments.record(tx, shop, given));
  const taken = () => db.transaction(ORG, (tx) => payments.reverse(tx, shop, payment_id, 'typed wrong'));
  await expect(taken()).rejects.toThrow('which is of another year');
  await db.asOwner('drop function forge() cascade');
  await taken();
});

test.each([
  ['2026-03-31T23:59:59', '25-26'],
  ['2026-04-01T00:00:01', '26-27'],
  ['2099-04-01T00:00:01', '99-00'],
])('of %s it is a number of %s', async (at, year) => {
  await setClock(db, at);
  const { agreement } = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  const [{ no } = { no: '' }] = await db.asOwner<{ no: string }>(
    `select receipt_no as no from payments where agreement_id = $1`,
    [agreement.agreement_id],
  );
  expect(no).toMatch(new RegExp(`^${year}/`));
});
