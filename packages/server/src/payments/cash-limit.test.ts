import { expect, test } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';
import { createPayments } from './payments.ts';

const db = await createTestDatabase();
const payments = createPayments({
  duesChanged: async () => null,
  claimed: async () => undefined,
  sendReceipt: async () => async () => '',
});
await makeOrganisation(db, 20);
const shop = await makeRetailer(db, 20);
await setClock(db, '2026-04-10T11:00:00');

const sell = async (down_payment: number, mobile: string) => {
  const dear = terms({ cash_price: 4_00_000_00, down_payment, tenure: 3 });
  return (await db.transaction(20, (tx) => makeSale(tx, shop, { terms: dear, mobile }))).agreement;
};
const pay = (agreement: { agreement_id: string }, amount: number, more: object = {}) =>
  db.transaction(20, async (tx) => {
    const instalment_id = (await account(tx, agreement)).instalmentIds.get(3)!;
    const given = { instalment_id, amount, method: 'CASH' as const, reference: '', ...more };
    return (await payments.record(tx, shop, given)).warnings;
  });
const warnedAtSigning = async ({ agreement_id }: { agreement_id: string }) => {
  const [row] = await db.asOwner<{ warnings: string[] }>(
    `select receipt -> 'warnings' as warnings from payments where agreement_id = $1 and goes_to = 'down_payment'`,
    [agreement_id],
  );
  return row!.warnings;
};

test('cash is warned of from two lakh rupees a day on, that sum included, and not below', async () => {
  const agreement = await sell(0, '+919800000006');
  expect(await pay(agreement, 1_99_999_99)).toEqual([]);
  expect(await pay(agreement, 1_00_000_00, { method: 'UPI', reference: '4123 9999 0001' })).toEqual([]);
  expect(await pay(agreement, 1)).toEqual(['CASH_LIMIT']);
});

test('one person’s cash counts together, whatever rows of the list it is booked under, what is paid down among it', async () => {
  const [one, two] = [await sell(1_00_000_00, '+919800000007'), await sell(99_999_99, '+919800000007')];
  expect([await warnedAtSigning(one), await warnedAtSigning(two)]).toEqual([[], []]);
  expect(await pay(two, 1)).toEqual(['CASH_LIMIT']);
  expect(await warnedAtSigning(await sell(1_00, '+919800000007'))).toEqual(['CASH_LIMIT']);
  expect(await warnedAtSigning(await sell(1_00, '+919800000008'))).toEqual([]);
});
