import { beforeAll, beforeEach, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { chargePenalties } from './payments.ts';

const ORG = 20;
const db = await createTestDatabase();
const payments = quietPayments();
let shop: Actor;
let sale: Awaited<ReturnType<typeof makeSale>>;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
});
/** ₹15,500 over six months: ₹2,674 on 28 February and 31 March, with ₹133.70 and ₹100 charged on them by 10 April. */
beforeEach(async () => {
  await setClock(db, '2026-04-10T11:00:00');
  await makePenalRule(db, ORG, { cap_bps: 500, waiver_limit_paise: 60_00 });
  sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  await chargePenalties(db, { send: async () => 0 }, ORG, isoDate('2026-04-10'));
});

const opened = () => db.read(ORG, (tx) => account(tx, sale.agreement));
const chargeOf = async (no: number) => (await opened()).charges.find((one) => one.instalment_no === no)!;
const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const pay = async (amount: number, charge_id?: string, paidOn = '2026-04-10') => {
  const instalment_id = (await opened()).instalmentIds.get(1)!;
  const given = { instalment_id, amount, method: 'CASH' as const, reference: '', charge_id };
  return inOrg((tx) => payments.record(tx, shop, { ...given, paid_at: `${paidOn}T10:00:00+05:30` }));
};
const paidNow = async () => {
  const { instalments, charges } = await opened();
  return {
    instalments: instalments.slice(0, 2).map((row) => row.paid_principal_paise + row.paid_interest_paise),
    charges: charges.toSorted((a, b) => a.instalment_no - b.instalment_no).map(({ paid_paise }) => paid_paise),
  };
};
const booksAreRight = async () => expect((await db.read(ORG, (tx) => checkBooks(tx))).differences).toEqual([]);

test('a payment that names a penalty fills that one first, and then what is due', async () => {
  await pay(150_00, (await chargeOf(2)).charge_id);
  expect(await paidNow()).toEqual({ instalments: [50_00, 0], charges: [0, 100_00] });
  await booksAreRight();
});

test('what was named stays so when everything is laid out again, and goes with the payment that is taken back', async () => {
  const other = await pay(500_00);
  const named = await pay(100_00, (await chargeOf(2)).charge_id);
  expect(await paidNow()).toEqual({ instalments: [500_00, 0], charges: [0, 100_00] });
  await inOrg((tx) => payments.reverse(tx, shop, other.payment_id, 'wrong customer'));
  expect(await paidNow()).toEqual({ instalments: [0, 0], charges: [0, 100_00] });
  await inOrg((tx) => payments.reverse(tx, shop, named.payment_id, 'wrong customer'));
  expect(await paidNow()).toEqual({ instalments: [0, 0], charges: [0, 0] });
  await booksAreRight();
});

test('a penalty that money of an earlier day makes unfounded gives what it was paid to what is owed', async () => {
  await pay(100_00, (await chargeOf(2)).charge_id);
  await pay(2 * 2_674_00, undefined, '2026-02-27');
  expect((await opened()).charges).toEqual([]);
  const { instalments } = await opened();
  expect(instalments[2]!.paid_interest_paise + instalments[2]!.paid_principal_paise).toBe(100_00);
  await booksAreRight();
});

test('a penalty of somebody else, or one that is paid, can not be named', async () => {
  const other = await inOrg((tx) => makeSale(tx, shop));
  await chargePenalties(db, { send: async () => 0 }, ORG, isoDate('2026-04-10'));
  const theirs = (await db.read(ORG, (tx) => account(tx, other.agreement))).charges[0]!.charge_id;
  await expect(pay(100_00, theirs)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { charge_id } = await chargeOf(2);
  await pay(100_00, charge_id);
  await expect(pay(100_00, charge_id)).rejects.toMatchObject({ code: 'ALREADY_PAID' });
});

test('the database takes no payment of another version of the schedule, and no charge of another agreement', async () => {
  const other = await inOrg((tx) => makeSale(tx, shop));
  await chargePenalties(db, { send: async () => 0 }, ORG, isoDate('2026-04-10'));
  const theirs = (await db.read(ORG, (tx) => account(tx, other.agreement))).charges[0]!.charge_id;
  const row = (version: number, chargeId: string | null) =>
    inOrg((tx) =>
      tx.query(
        `insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, paid_at, paid_on, recorded_by, receipt_no, goes_to, recorded_at,
           schedule_version, for_charge_id)
         values ($1, gen_random_uuid(), $2, $3, 100, 'CASH', kist_now(), kist_today(), $4, 'X1', 'dues', kist_now(), $5, $6)`,
        [ORG, sale.agreement.agreement_id, sale.agreement.customer_id, shop.userId, version, chargeId],
      ),
    );
  await expect(row(2, null)).rejects.toThrow('in the version in force');
  await expect(row(1, theirs)).rejects.toThrow('not of this agreement');
});
