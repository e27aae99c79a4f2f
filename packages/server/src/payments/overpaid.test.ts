import { beforeAll, beforeEach, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import type { Receipt } from '@kist/contract/emi';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeBuyer, makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { chargePenalties, createPayments, refundDone, refundTasks } from './payments.ts';

/** Money beyond everything that is owed, of a running agreement: ₹2,674 in six instalments, ₹16,044.00 in all. */
const ORG = 20;
const db = await createTestDatabase();
const told: object[] = [];
const payments = createPayments({
  duesChanged: async () => null,
  claimed: async () => undefined,
  sendReceipt: async (_tx, _agreement, _customer, receipt) => {
    told.push(receipt);
    return async (receiptNo) => `${receipt.goesBack ? 'Too much' : 'Receipt'} ${receiptNo}`;
  },
});
let shop: Actor;
let sale: Awaited<ReturnType<typeof makeSale>>;
let owed: number;
beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
});
beforeEach(async () => {
  sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  owed = (await opened()).agreement.outstanding_paise;
  told.length = 0;
});

const opened = () => db.read(ORG, (tx) => account(tx, sale.agreement));
const pay = async (amount: number, more: object = {}): Promise<Receipt> => {
  const instalment_id = (await opened()).instalmentIds.get(1)!;
  return db.transaction(ORG, (tx) =>
    payments.record(tx, shop, { instalment_id, amount, method: 'CASH', reference: '', ...more }),
  );
};
const tasks = async () =>
  (await db.read(ORG, (tx) => refundTasks(tx, shop))).filter(
    ({ state, customer_id }) => state === 'open' && customer_id === sale.customerId,
  );
const booksAreRight = async () => expect((await db.read(ORG, (tx) => checkBooks(tx))).differences).toEqual([]);
const rows = () =>
  db.asOwner(
    `select amount_paise::int as amount, goes_to, reference, held_reference as held from payments
     where agreement_id = $1 and goes_to <> 'down_payment' order by goes_to`,
    [sale.agreement.agreement_id],
  );

test('is asked for, with what is owed and what is not, and nothing of it is taken', async () => {
  await expect(pay(owed + 500_00)).rejects.toMatchObject({
    code: 'MORE_THAN_OWED',
    options: { params: { rest: '₹500' }, details: { owed_paise: owed, rest_paise: 500_00 } },
  });
  expect([await rows(), told]).toEqual([[], []]);
});

test('is taken whole when it is meant: the agreement is completed, and the rest waits to be paid back', async () => {
  const sent = { payment_id: newId(), accept_overpayment: true, method: 'UPI', reference: '412345678901' };
  const receipt = await pay(owed + 500_00, sent);
  const over = receipt.overpaid!;
  expect(receipt).toMatchObject({
    amount_paise: owed,
    outstanding_paise: 0,
    agreement_state: 'completed',
    advance_paise: 0,
  });
  expect(receipt.share_text).toBe(`Receipt ${receipt.receipt_no}\nToo much ${over.receipt_no}`);
  expect(await rows()).toEqual([
    { amount: owed, goes_to: 'dues', reference: '412345678901', held: '412345678901' },
    { amount: 500_00, goes_to: 'suspense', reference: '', held: null },
  ]);
  expect(told).toMatchObject([
    { amountPaise: 500_00, outstandingPaise: 0, goesBack: true },
    { amountPaise: owed, outstandingPaise: 0, goesBack: false },
  ]);
  const [task] = await tasks();
  expect(task).toMatchObject({ payment_id: over.payment_id, receipt_no: over.receipt_no, amount_paise: 500_00 });
  await booksAreRight();
  // Sent again it is the same money.
  expect(await pay(owed + 500_00, sent)).toEqual(receipt);
  await expect(pay(owed, sent)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  await db.transaction(ORG, (tx) =>
    refundDone(tx, shop, { payment_id: over.payment_id, method: 'CASH', reference: '' }),
  );
  await booksAreRight();
});

test('is ten crore rupees at most: more is a slip, and could not be added up', async () => {
  for (const amount of [10_00_00_000_01, 2 ** 51])
    await expect(pay(amount, { accept_overpayment: true })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      options: { fields: [{ path: 'amount', key: 'field.amount' }] },
    });
  const row = 'org_id, agreement_id, customer_id, method, paid_at, paid_on, recorded_at, recorded_by';
  const sql = `insert into payments (payment_id, amount_paise, ${row}) select gen_random_uuid(), 10000000001, ${row} from payments limit 1`;
  await expect(db.asOwner(sql)).rejects.toThrow(/ten crore/);
  await pay(10_00_00_000_00, { accept_overpayment: true });
  await booksAreRight();
});

test('is no question where an amount is owed, whatever was said', async () => {
  const receipt = await pay(owed, { accept_overpayment: true });
  expect(receipt).toMatchObject({ agreement_state: 'completed', amount_paise: owed });
  expect([receipt.overpaid, await tasks()]).toEqual([undefined, []]);
});

test('of an instalment that somebody else took meanwhile goes to what is owed, when it is meant', async () => {
  await pay(2_674_00);
  await expect(pay(2_674_00)).rejects.toMatchObject({ code: 'ALREADY_PAID' });
  await pay(2_674_00, { accept_overpayment: true });
  expect((await opened()).agreement.paid_count).toBe(2);
  const { instalmentIds, agreement } = await opened();
  const many = (more: object) =>
    db.transaction(ORG, (tx) =>
      payments.recordMany(tx, shop, {
        customer_id: agreement.customer_id,
        instalment_ids: [2, 3].map((no) => instalmentIds.get(no)!),
        method: 'CASH',
        reference: '',
        ...more,
      }),
    );
  await expect(many({})).rejects.toMatchObject({ code: 'ALREADY_PAID' });
  expect(await many({ accept_overpayment: true })).toMatchObject({ amount_paise: 2 * 2_674_00 });
  expect((await opened()).agreement.paid_count).toBe(4);
  await booksAreRight();
});

test('of several that were paid in part meanwhile is, sent again as the sum that came, that sum, and counts once', async () => {
  await pay(2_674_00 + 1_000_00);
  const sent = { payment_id: newId(), accept_overpayment: true };
  const { instalmentIds, agreement } = await opened();
  const instalment_ids = [1, 2].map((no) => instalmentIds.get(no)!);
  const many = { customer_id: agreement.customer_id, instalment_ids, method: 'CASH' as const, reference: '' };
  const { payment_id } = sent;
  await expect(
    db.transaction(ORG, (tx) => payments.recordMany(tx, shop, { ...many, payment_id })),
  ).rejects.toMatchObject({ code: 'ALREADY_PAID' });
  const receipt = await pay(2 * 2_674_00, sent);
  expect(receipt).toMatchObject({ payment_id, amount_paise: 2 * 2_674_00 });
  expect(await pay(2 * 2_674_00, sent)).toEqual(receipt);
  expect((await opened()).agreement.outstanding_paise).toBe(owed - 3 * 2_674_00 - 1_000_00);
  await booksAreRight();
});

test('of several that come to something else than was taken is not booked as that, and as what came once it is meant', async () => {
  const { instalmentIds, agreement } = await opened();
  const instalment_ids = [1, 2].map((no) => instalmentIds.get(no)!);
  const payment_id = newId();
  const taken = 2 * 2_674_00;
  const { customer_id } = agreement;
  const many = (amount: number, more: object = {}) =>
    db.transaction(ORG, (tx) =>
      payments.recordMany(tx, shop, {
        customer_id,
        instalment_ids,
        amount,
        payment_id,
        method: 'CASH',
        reference: '',
        ...more,
      }),
    );
  const { payment_id: part } = await pay(1_000_00);
  await expect(many(taken)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect((await opened()).agreement.outstanding_paise).toBe(owed - 1_000_00);
  // They come to more than was taken.
  await db.transaction(ORG, (tx) => payments.reverse(tx, shop, part, 'typed wrong'));
  await expect(many(taken - 1_000_00)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  const receipt = await many(taken - 1_000_00, { accept_overpayment: true });
  expect(receipt).toMatchObject({ payment_id, amount_paise: taken - 1_000_00 });
  expect((await opened()).agreement.outstanding_paise).toBe(owed - (taken - 1_000_00));
  // Sent again it is the payment of before, and no other.
  expect(await many(taken - 1_000_00)).toEqual(receipt);
  await expect(many(taken)).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  await booksAreRight();
});

test('of several that come to what was taken is booked as ever', async () => {
  const { instalmentIds, agreement } = await opened();
  const instalment_ids = [1, 2].map((no) => instalmentIds.get(no)!);
  const receipt = await db.transaction(ORG, (tx) =>
    payments.recordMany(tx, shop, {
      customer_id: agreement.customer_id,
      instalment_ids,
      amount: 2 * 2_674_00,
      method: 'CASH',
      reference: '',
    }),
  );
  expect(receipt).toMatchObject({ amount_paise: 2 * 2_674_00 });
  expect((await opened()).agreement.paid_count).toBe(2);
});

test('that is taken back opens the agreement again, and the rest stays to be paid back', async () => {
  const { payment_id } = await pay(owed + 10_00, { accept_overpayment: true });
  const before = (await tasks()).length;
  const taken = await db.transaction(ORG, (tx) => payments.reverse(tx, shop, payment_id, 'typed wrong'));
  expect(taken.rest_waits_paise).toBe(10_00);
  expect((await opened()).agreement).toMatchObject({ state: 'active', outstanding_paise: owed, advance_paise: 0 });
  expect(await tasks()).toHaveLength(before);
  await booksAreRight();
});

test('is reckoned without the penalties that an earlier day takes back', async () => {
  await makePenalRule(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
  sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  await setClock(db, '2026-07-20T11:00:00');
  await chargePenalties(db, { send: async () => undefined as never }, ORG, isoDate('2026-07-20'));
  const { agreement, charges } = await opened();
  const penal = charges.reduce((all, { amount_paise }) => all + amount_paise, 0);
  expect(penal).toBeGreaterThan(0);
  const all = agreement.outstanding_paise;
  const late = { paid_at: '2026-04-20T05:00:00Z' };
  const asked = await pay(all + penal, late).catch((error: unknown) => error);
  expect(asked).toMatchObject({ code: 'MORE_THAN_OWED', options: { details: { owed_paise: all, rest_paise: penal } } });
  const receipt = await pay(all + penal, { ...late, accept_overpayment: true });
  expect(receipt).toMatchObject({ amount_paise: all, advance_paise: 0, agreement_state: 'completed' });
  expect(await tasks()).toMatchObject([{ payment_id: receipt.overpaid!.payment_id, amount_paise: penal }]);
  await booksAreRight();
});

test('serves one claim: not two that are posted in one transaction', async () => {
  const person = await makeBuyer(db, shop, sale.customerId);
  const ids = [newId(), newId()] as const;
  for (const payment_id of ids)
    await db.transaction(ORG, (tx) =>
      payments.claim(tx, person, { payment_id, amount: owed + 500_00, method: 'UPI', reference: '', again: true }),
    );
  const both = db.transaction(ORG, async (tx) => {
    const { receipt } = await payments.answerClaim(tx, shop, { payment_id: ids[0], is_received: true });
    expect(receipt!.overpaid!.amount_paise).toBe(500_00);
    await tx.query(
      `update payments set state = 'posted', amount_paise = amount_paise - 50000, receipt_no = 'x', receipt = $2, posted_by = $3 where payment_id = $1`,
      [ids[1], { ...receipt, receipt_no: 'x' }, shop.userId],
    );
  });
  await expect(both).rejects.toMatchObject({ constraint: 'payments_rest_serves_once' });
  await booksAreRight();
});
