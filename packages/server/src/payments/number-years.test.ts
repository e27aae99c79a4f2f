import { beforeEach, expect, test } from 'vitest';
import { faultsOf } from '#server/ledger/self-check.ts';
import type { Tx } from '#server/platform/database.ts';
import { GUARDED } from '#test/books.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { type Forged, forgedPayment } from '#test/forged-payment.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { account } from '#server/agreements/agreements.ts';

/** A number goes out in its own financial year, which ends on 31 March: what somebody could write otherwise who has the server's own account. */
const ORG = 20;
const db = await createTestDatabase();
await makeOrganisation(db, ORG);
const shop = await makeRetailer(db, ORG);
const payments = quietPayments();
let sale: Awaited<ReturnType<typeof makeSale>>;
beforeEach(async () => {
  await setClock(db, '2026-05-10T11:00:00');
  sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, sale.agreement));
  const instalment_id = instalmentIds.get(1)!;
  await db.transaction(ORG, (tx) =>
    payments.record(tx, shop, { instalment_id, amount: 500_00, method: 'CASH', reference: '' }),
  );
});

const statements = (forged: Forged) => forgedPayment(ORG, sale.agreement, shop.userId, forged);
const forge = (forged: Forged, more: readonly string[] = [], by: Pick<typeof db, 'transaction'> = db) =>
  by.transaction(ORG, async (tx) => {
    for (const sql of [...more, ...statements(forged)]) await tx.query(sql);
  });
const faults = () => db.read(ORG, (tx: Tx) => faultsOf(tx, null));

test('a number of another year is refused by the database, and seen by the check of the books', async () => {
  const ofYear = (year: string) => ({ receiptNo: `'${year}/01/0001'` });
  const begun = (year: string) =>
    `insert into counters (org_id, name, last) values (${ORG}, 'receipt:${shop.userId}:20${year}', 1)`;
  for (const year of ['27-28', '25-26'])
    for (const isClaimed of [false, true])
      await expect(forge({ ...ofYear(year), isClaimed }, [begun(year)])).rejects.toThrow('which is of another year');
  const before = await faults();
  await db.plant([...GUARDED, 'payment_moves'], [begun('27-28'), ...statements(ofYear('27-28'))].join(';'));
  expect((await faults()).filter((one) => !before.includes(one))).toEqual([
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
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, sale.agreement));
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
