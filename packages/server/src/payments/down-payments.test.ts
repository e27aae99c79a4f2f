import { beforeAll, expect, test } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';

const db = await createTestDatabase();
const payments = quietPayments();
let shop: Actor;

beforeAll(async () => {
  await makeOrganisation(db, 20);
  shop = await makeRetailer(db, 20);
  await setClock(db, '2026-04-10T11:00:00');
});

const sell = (actor: Actor, down_payment = 2_000_00) =>
  db.transaction(20, (tx) => makeSale(tx, actor, { terms: terms({ down_payment }) }));
const rowsOf = (actor: Actor) =>
  db.asOwner<{ receipt_no: string; note_no: string | null; goes_to: string; state: string; amount: number }>(
    `select receipt_no, note_no, goes_to, state, amount_paise::int as amount from payments
     where recorded_by = $1 or reversed_by = $1 order by recorded_at, payment_id`,
    [actor.userId],
  );
const books = () => db.read(20, (tx) => checkBooks(tx));
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );
const payFirst = async ({ agreement }: Awaited<ReturnType<typeof sell>>, actor: Actor) => {
  const opened = await db.read(20, (tx) => account(tx, agreement));
  const instalment_id = opened.instalmentIds.get(1)!;
  return db.transaction(20, (tx) =>
    payments.record(tx, actor, { instalment_id, amount: 500_00, method: 'CASH', reference: '' }),
  );
};

test('what is paid down is a payment with a receipt of its own series, in the till of who took it', async () => {
  const seller = { ...(await makeRetailer(db, 20, shop)), visibleOwnerIds: shop.visibleOwnerIds };
  const sale = await sell(seller);
  const { receipt_no } = await payFirst(sale, seller);
  expect(await rowsOf(seller)).toEqual([
    {
      receipt_no: expect.stringMatching(/^26-27\/\d\d\/D0001$/),
      note_no: null,
      goes_to: 'down_payment',
      state: 'posted',
      amount: 2_000_00,
    },
    { receipt_no, note_no: null, goes_to: 'dues', state: 'posted', amount: 500_00 },
  ]);
  expect(receipt_no).toMatch(/\/0001$/);
  const [till] = await db.asOwner(
    `select sum(l.debit - l.credit)::int as paise from journal_lines l join accounts a using (org_id, account_id)
     where a.code = 'clearing_cash' and a.owner_id = $1`,
    [seller.userId],
  );
  expect(till).toEqual({ paise: 2_500_00 });
  const opened = await db.read(20, (tx) => account(tx, sale.agreement));
  expect(opened.agreement.outstanding_paise).toBe((sale.agreement.total_payable_paise as number) - 500_00);
  expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
});

test('nothing paid down is no payment', async () => {
  const seller = await makeRetailer(db, 20);
  await sell(seller, 0);
  expect(await rowsOf(seller)).toEqual([]);
});

test('a down payment goes back with its sale and not by itself, and moves no instalment when others are taken back', async () => {
  const seller = await makeRetailer(db, 20);
  const sale = await sell(seller);
  const [down] = await db.asOwner<{ id: string }>('select payment_id as id from payments where agreement_id = $1', [
    sale.agreement.agreement_id,
  ]);
  expect(await code(db.transaction(20, (tx) => payments.reverse(tx, seller, down!.id, 'wrong')))).toBe(
    'STATE_CONFLICT',
  );
  const { payment_id } = await payFirst(sale, seller);
  await db.transaction(20, (tx) => payments.reverse(tx, seller, payment_id, 'bounced'));
  const opened = await db.read(20, (tx) => account(tx, sale.agreement));
  expect(opened.agreement.outstanding_paise).toBe(sale.agreement.total_payable_paise);
  expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
});

test('each series has no gap: sales at once, one that fails, and notes of payments taken back', async () => {
  const seller = await makeRetailer(db, 20);
  const failing = db.transaction(20, async (tx) => {
    await makeSale(tx, seller, { terms: terms({ down_payment: 1_000_00 }) });
    throw new Error('the printer is on fire');
  });
  const [done] = await Promise.allSettled([failing, ...Array.from({ length: 6 }, () => sell(seller))]);
  expect(done!.status).toBe('rejected');
  const sale = await sell(seller);
  const paid = [await payFirst(sale, seller), await payFirst(sale, seller), await payFirst(sale, seller)];
  const notes: string[] = [];
  for (const { payment_id } of paid.slice(1)) {
    const { note_no } = await db.transaction(20, (tx) => payments.reverse(tx, seller, payment_id, 'typed twice'));
    notes.push(note_no);
  }
  const numbers = (pattern: RegExp, list: readonly (string | null)[]) =>
    list.flatMap((no) => pattern.exec(no ?? '')?.[1] ?? []).toSorted();
  const rows = await rowsOf(seller);
  const receipts = rows.map((row) => row.receipt_no);
  expect(numbers(/\/D(\d{4})$/, receipts)).toEqual(['0001', '0002', '0003', '0004', '0005', '0006', '0007']);
  expect(numbers(/\/(\d{4})$/, receipts)).toEqual(['0001', '0002', '0003']);
  expect(numbers(/\/R(\d{4})$/, notes)).toEqual(['0001', '0002']);
  expect(rows.flatMap((row) => row.note_no ?? []).toSorted()).toEqual(notes.toSorted());
  expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
});
