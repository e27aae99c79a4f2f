import { expect, test } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { cashOnDay } from './store.ts';

const db = await createTestDatabase();
const payments = quietPayments();
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

test('who gives another mobile number is one person by the documents: two that agree, or one and the day of birth', async () => {
  let mobiles = 0;
  /** Owed by someone new, who showed these papers. */
  const sellTo = async (papers: object) => {
    const agreement = await sell(0, `+9198000010${String(++mobiles).padStart(2, '0')}`);
    await db.transaction(20, async (tx) => {
      const customer = await customers.authorizeToChange(tx, shop, { customer_id: agreement.customer_id });
      await customers.change(tx, shop, { customer, fields: papers });
    });
    return agreement;
  };
  const [aadhaar_last4, pan_masked, birth_on] = ['4321', 'AB••••••4F', '1990-02-28'];
  await pay(await sellTo({ aadhaar_last4, pan_masked, birth_on }), 1_99_999_00);
  for (const papers of [
    { aadhaar_last4, pan_masked },
    { aadhaar_last4, birth_on },
    { pan_masked, birth_on },
  ])
    expect([papers, await pay(await sellTo(papers), 1_00)]).toEqual([papers, ['CASH_LIMIT']]);
  for (const papers of [{ aadhaar_last4 }, { pan_masked }, { birth_on }, { aadhaar_last4, birth_on: '1990-02-27' }])
    expect([papers, await pay(await sellTo(papers), 1_00)]).toEqual([papers, []]);
});

test('the day’s cash of one person is found without reading the customer list', async () => {
  const { customer_id } = await sell(0, '+919800002001');
  const plan = await db.transaction(20, async (tx) => {
    await tx.query('set local enable_seqscan = off');
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`explain ${cashOnDay.sql}`, [
      20,
      customer_id,
      '2026-04-10',
    ]);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).not.toMatch(/Seq Scan/);
  for (const index of ['customers_mobile', 'customers_aadhaar', 'customers_pan', 'payments_cash'])
    expect(plan).toContain(index);
});
