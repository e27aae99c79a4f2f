import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IsoDate } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { ZERO_PAISE } from '@kist/contract/money';
import type { Actor } from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';
import * as agreements from './agreements.ts';

const [ORG, OTHER] = [20, 21];
const db = await createTestDatabase();
let shop: Actor;
let sale: Awaited<ReturnType<typeof makeSale>>;

beforeAll(async () => {
  for (const orgId of [ORG, OTHER]) await makeOrganisation(db, orgId);
  shop = await makeRetailer(db, ORG);
  await setClock(db, '2026-03-10T11:00:00');
  // Accounts are saved here without their payments, which have tests of their own.
  await db.asOwner('alter table journals disable trigger payment_is_what_its_lines_say');
});
beforeEach(async () => {
  sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
});

const read = <T>(work: (tx: Tx) => Promise<T>) => db.read(ORG, work);
const accountOf = () => read((tx) => agreements.account(tx, sale.agreement));
/** Pays the first so many instalments whole. */
const pay = (count: number) =>
  db.transaction(ORG, async (tx) => {
    const { agreement_id } = sale.agreement;
    const { agreement, instalments, charges } = await agreements.accountToChange(tx, { agreement_id });
    const paid = instalments.map((row) =>
      row.no <= count
        ? agreements.BUCKETS.reduce<agreements.InstalmentState>(
            (one, bucket) => agreements.payInto(one, bucket, agreements.leftInBucket(one, bucket)),
            { ...row, paid_on: row.due_on },
          )
        : row,
    );
    return save(tx, agreement, { instalments, charges }, paid);
  });

/** With the lines that say the same, as payments post them: the database takes nothing else. */
async function save(
  tx: Tx,
  agreement: agreements.Agreement,
  before: agreements.Account,
  paid: readonly agreements.InstalmentState[],
) {
  const of = { agreement_id: agreement.agreement_id, payment_id: newId() };
  const lines = paid.flatMap((row, index) =>
    agreements.BUCKETS.flatMap((bucket): ledger.Line[] => {
      const moved = agreements.leftInBucket(before.instalments[index]!, bucket) - agreements.leftInBucket(row, bucket);
      const [off, on] = moved > 0 ? (['credit', 'debit'] as const) : (['debit', 'credit'] as const);
      const amount = Math.abs(moved);
      return [
        { ...of, code: `receivable_${bucket}`, instalment_no: row.no, side: off, amount },
        { ...of, code: 'clearing_cash', ownerId: shop.userId, side: on, amount },
      ];
    }),
  );
  const refId = of.payment_id;
  await ledger.post(tx, {
    effectKey: `payment:${refId}`,
    kind: 'payment',
    refKind: 'payment',
    refId,
    businessOn: '2026-03-10' as IsoDate,
    lines,
  });
  return agreements.saveAccount(tx, shop, {
    agreement,
    account: { instalments: paid, charges: before.charges },
    advance_paise: ZERO_PAISE,
    reason: 'paid or taken back',
  });
}

describe('an agreement that is signed', () => {
  it('stands with its terms, its policy and its schedule, and the books know it', async () => {
    const { agreement, customerId, deviceId } = sale;
    expect(agreement).toMatchObject({
      customer_id: customerId,
      device_id: deviceId,
      owner_user_id: shop.userId,
      state: 'active',
      method: 'REDUCING',
      cash_price_paise: 17_500_00,
      down_payment_paise: 2_000_00,
      financed_paise: 15_500_00,
      delivered_on: '2026-01-31',
      oldest_due_on: '2026-02-28',
      last_due_on: '2026-07-31',
      outstanding_paise: agreement.total_payable_paise,
      paid_count: 0,
      is_regulated: false,
      policy: POLICY_PRESETS.dealer,
    });
    const { instalments, balances } = await accountOf();
    expect(instalments.map(agreements.instalmentTotal).reduce((a, b) => a + b, 0)).toBe(agreement.total_payable_paise);
    expect([instalments.length, balances.get(6)]).toEqual([6, 0]);
    expect((await read((tx) => ledger.checkBooks(tx))).differences).toEqual([]);
  });

  it('has a number of its own series without a gap, in each organisation, even after one that came to nothing', async () => {
    const numberOf = (no: string) => Number(no.split('-')[1]);
    const undone = db.transaction(ORG, async (tx) => {
      await makeSale(tx, shop);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    const next = await db.transaction(ORG, (tx) => makeSale(tx, shop));
    expect(numberOf(next.agreement.agreement_no)).toBe(numberOf(sale.agreement.agreement_no) + 1);
    const neighbour = await makeRetailer(db, OTHER);
    const { agreement } = await db.transaction(OTHER, (tx) => makeSale(tx, neighbour));
    expect(agreement.agreement_no).toMatch(/^21-\d{5}$/);
  });

  it('under the regulator’s preset is regulated', async () => {
    const { agreement } = await db.transaction(ORG, (tx) => makeSale(tx, shop, { policy: POLICY_PRESETS['rbi-2026'] }));
    expect(agreement.is_regulated).toBe(true);
  });

  it('is found by its customer, its phone and its instalments, and not from another organisation', async () => {
    const { agreement, customerId: customer_id, deviceId: device_id } = sale;
    const { agreement_id } = agreement;
    const [instalment_id] = [...(await accountOf()).instalmentIds.values()];
    const find = (tx: Tx) =>
      Promise.all([
        agreements.ofCustomer(tx, { customer_id }),
        agreements.ofDevice(tx, { device_id }),
        agreements.ofInstalment(tx, { instalment_id: instalment_id! }),
      ]);
    expect(await read(find)).toMatchObject([{ agreement_id }, { agreement_id }, { agreement_id, customer_id, no: 1 }]);
    expect(await db.read(OTHER, find)).toEqual([undefined, undefined, undefined]);
    await expect(db.read(OTHER, (tx) => agreements.account(tx, { agreement_id }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(read((tx) => agreements.account(tx, { customer_id: newId() }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('an account that is saved', () => {
  it('keeps what is paid and shows lists where it stands; completed at the last instalment, active again when that is taken back', async () => {
    const { instalments } = await accountOf();
    const left = (count: number) =>
      instalments
        .slice(count)
        .map(agreements.instalmentTotal)
        .reduce((a, b) => a + b, 0);
    expect(await pay(2)).toMatchObject({
      state: 'active',
      paid_count: 2,
      oldest_due_on: '2026-04-30',
      oldest_due_paise: agreements.instalmentTotal(instalments[2]!),
      outstanding_paise: left(2),
      completed_at: null,
    });
    const completed = await pay(6);
    expect(completed).toMatchObject({ state: 'completed', paid_count: 6, oldest_due_on: null, outstanding_paise: 0 });
    expect(completed.completed_at).toBeInstanceOf(Date);
    expect((await pay(6)).completed_at).toEqual(completed.completed_at);
    const { instalments: whole, charges } = await accountOf();
    const reopened = await db.transaction(ORG, (tx) =>
      save(tx, completed, { instalments: whole, charges }, instalments),
    );
    expect(reopened).toMatchObject({ state: 'active', paid_count: 0, outstanding_paise: left(0), completed_at: null });
    expect(await accountOf()).toMatchObject({ instalments });
  });

  it('changes nothing of another customer’s', async () => {
    const other = await db.transaction(ORG, (tx) => makeSale(tx, shop));
    await pay(6);
    const { instalments, agreement } = await read((tx) => agreements.account(tx, other.agreement));
    expect(instalments.every((row) => agreements.instalmentLeft(row) === agreements.instalmentTotal(row))).toBe(true);
    expect(agreement).toMatchObject({ state: 'active', paid_count: 0 });
  });
});

it('a consent is kept with the hash of the text, and the audit says who gave it how', async () => {
  const { agreement_id } = sale.agreement;
  const given = {
    agreement_id,
    text_version: '1',
    language: 'hn',
    method: 'typed',
    document_id: null,
    confirmation_id: null,
  } as const;
  await db.transaction(ORG, (tx) => agreements.recordConsent(tx, shop, { ...given, text: 'I agree.' }));
  const hash = createHash('sha256').update('I agree.').digest();
  expect(
    await db.asOwner(
      'select agreement_id, text_version, language, method, document_id, confirmation_id, text_hash from consents where agreement_id = $1',
      [agreement_id],
    ),
  ).toEqual([{ ...given, text_hash: hash }]);
  const { agreement_id: _id, ...told } = given;
  expect(
    await db.asOwner(`select data from audit_lines where subject_id = $1 and action = 'consent_recorded'`, [
      agreement_id,
    ]),
  ).toEqual([{ data: { ...told, text_sha256: hash.toString('hex') } }]);
});

it('a shop’s number is its own and stays', async () => {
  const numbers = async (...users: string[]) => {
    const found = [];
    for (const user_id of users) found.push(await db.transaction(ORG, (tx) => agreements.shopNo(tx, { user_id })));
    return found;
  };
  const [{ userId: first }, { userId: second }] = [await makeRetailer(db, ORG), await makeRetailer(db, ORG)];
  const [one, two] = await numbers(first, second);
  expect(two).toBe(one! + 1);
  expect(await numbers(second, first)).toEqual([two, one]);
});

it('a shop whose first two receipts are written at once has one number, and none is given to nobody', async () => {
  const { userId: user_id } = await makeRetailer(db, ORG);
  const waits = async (): Promise<void> => {
    const [{ n } = { n: 0 }] = await db.asOwner<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return n > 0 ? undefined : waits();
  };
  const number = (meanwhile = async () => undefined as void) =>
    db.transaction(ORG, async (tx) => {
      const no = await agreements.shopNo(tx, { user_id });
      await meanwhile();
      return no;
    });
  let second: Promise<number> | undefined;
  const first = await number(() => {
    second = number();
    return waits();
  });
  expect(await second).toBe(first);
  const [{ last } = { last: 0 }] = await db.asOwner<{ last: number }>(
    `select last from counters where org_id = ${ORG} and name = 'shops'`,
  );
  expect(last).toBe(first);
});

it('terms of another kind are signed as they are', async () => {
  const { agreement } = await db.transaction(ORG, (tx) =>
    makeSale(tx, shop, { terms: terms({ frequency: 'WEEKLY', method: 'FLAT', anchor_day: 7, tenure: 10 }) }),
  );
  expect(agreement).toMatchObject({
    frequency: 'WEEKLY',
    method: 'FLAT',
    anchor_day: 7,
    tenure: 10,
    rounding: 'RUPEE',
  });
});

it('what a shop agreed last beside the price is told for its next sale: the fee and the day of the month too', async () => {
  const agreed = { frequency: 'MONTHLY', method: 'FLAT', tenure: 9, rate_bps: 1850 } as const;
  await db.transaction(ORG, (tx) => makeSale(tx, shop, { terms: terms({ ...agreed, anchor_day: 7, fee: 250_00 }) }));
  const lastTerms = () => read((tx) => agreements.lastTerms(tx, { owner_user_id: shop.userId }));
  expect(await lastTerms()).toEqual([expect.objectContaining({ ...agreed, anchor_day: 7, fee_paise: 250_00 })]);
  await db.transaction(ORG, (tx) => makeSale(tx, shop, { terms: terms(agreed) }));
  expect(await lastTerms()).toEqual([expect.objectContaining({ ...agreed, anchor_day: null, fee_paise: 0 })]);
});
