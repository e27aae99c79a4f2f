import { beforeAll, expect, test } from 'vitest';
import { account, accountToChange, cancel } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { oweBack } from './payments.ts';

const db = await createTestDatabase();
const payments = quietPayments();
let shop: Actor;
let clerk: Actor;

beforeAll(async () => {
  await makeOrganisation(db, 20);
  clerk = await makeRetailer(db, 20);
  shop = await makeRetailer(db, 20, clerk);
  await setClock(db, '2026-04-10T11:00:00');
});

const sell = () => db.transaction(20, (tx) => makeSale(tx, shop));
const stateOf = async (agreement_id: string) =>
  (await db.read(20, (tx) => account(tx, { agreement_id }))).agreement.state;
const movesOf = (table: 'agreement' | 'payment', id: string) =>
  db.asOwner(
    `select from_state as "from", to_state as "to", moved_by as "by", reason from ${table}_moves where ${table}_id = $1 order by no`,
    [id],
  );

async function payAll({ agreement, customerId }: Awaited<ReturnType<typeof sell>>, actor: Actor) {
  const opened = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
  const instalment_ids = [...opened.instalmentIds.values()];
  return db.transaction(20, (tx) =>
    payments.recordMany(tx, actor, { customer_id: customerId, instalment_ids, method: 'CASH', reference: '' }),
  );
}

test('what payments make of an agreement, and reversals of payments, is told with who did it and why', async () => {
  const sale = await sell();
  const { agreement_id } = sale.agreement;
  const { payment_id } = await payAll(sale, clerk);
  await db.transaction(20, (tx) => payments.reverse(tx, shop, payment_id, 'the cheque bounced'));
  expect(await stateOf(agreement_id)).toBe('active');
  expect(await movesOf('agreement', agreement_id)).toEqual([
    { from: '', to: 'active', by: shop.userId, reason: 'signed' },
    { from: 'active', to: 'completed', by: clerk.userId, reason: `payment ${payment_id}` },
    { from: 'completed', to: 'active', by: shop.userId, reason: `payment ${payment_id} taken back` },
  ]);
  expect(await movesOf('payment', payment_id)).toEqual([
    { from: '', to: 'posted', by: clerk.userId, reason: 'recorded' },
    { from: 'posted', to: 'reversed', by: shop.userId, reason: 'the cheque bounced' },
  ]);
});

test('a payment of a cancelled agreement is not taken back: its money is owed back already', async () => {
  const sale = await sell();
  const { agreement_id } = sale.agreement;
  const opened = await db.read(20, (tx) => account(tx, { agreement_id }));
  const [instalment_id] = opened.instalmentIds.values();
  const { payment_id } = await db.transaction(20, (tx) =>
    payments.record(tx, shop, { instalment_id: instalment_id!, amount: 500_00, method: 'CASH', reference: '' }),
  );
  await db.transaction(20, async (tx) => {
    await cancel(tx, shop, await accountToChange(tx, { agreement_id }), { reason: 'sold by mistake' });
    await oweBack(tx, sale.agreement);
  });
  await expect(
    db.transaction(20, (tx) => payments.reverse(tx, shop, payment_id, 'never came in')),
  ).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await stateOf(agreement_id)).toBe('cancelled');
  expect(await movesOf('payment', payment_id)).toHaveLength(1);
  expect(await db.read(20, (tx) => checkBooks(tx))).toMatchObject({ isBalanced: true, differences: [] });
});
