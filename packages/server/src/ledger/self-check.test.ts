import pg from 'pg';
import { bps } from '@kist/contract/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account, revise } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { chargeByHand, chargePenalties, refundDone } from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import { putGuardsAside } from '#server/platform/guards.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { CORRUPTIONS, NAMED, one } from '#test/book-corruptions.ts';
import { GUARDED } from '#test/books.ts';
import { createTestDatabase } from '#test/database.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { WRITTEN } from '#test/written-corruptions.ts';
import { agreedTerms } from '#test/whole-consent.ts';
import { giveKeys, makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';
import { checkMoved, checkNight, checkWhole, faultsOf } from './self-check.ts';

const ORG = 20;
const db = await createTestDatabase();
const payments = quietPayments();
let shop: Actor;
const owner = new pg.Client(db.owner);

/** Books with something of everything: part and whole payments, by cash and UPI, one taken back, one dated back, one ahead, a penalty paid, one charged by hand, a down payment, money that has to go back and money that did, keys. */
beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
  const sell = (given = {}) => db.transaction(ORG, (tx) => makeSale(tx, shop, { terms: terms(given) }));
  const idOf = async (agreementId: string, no: number) =>
    db.read(ORG, async (tx) => (await account(tx, { agreement_id: agreementId })).instalmentIds.get(no)!);
  const pay = async (agreementId: string, no: number, amount: number, more: object = {}) => {
    const instalment_id = await idOf(agreementId, no);
    const given = { instalment_id, amount, method: 'CASH', reference: '', ...more } as const;
    return db.transaction(ORG, (tx) => payments.record(tx, shop, given));
  };
  await makePenalRule(db, ORG);
  const first = await sell();
  const second = await sell({ down_payment: 2_000_00, cash_price: 20_000_00 });
  const paid = await sell({ method: 'FLAT', tenure: 2 });
  await chargePenalties(db, { send: async () => undefined as never }, ORG, '2026-04-10' as never);
  const gone = await pay(first.agreement.agreement_id, 1, 2_674_00);
  await pay(first.agreement.agreement_id, 1, 1_500_00, { method: 'UPI', reference: '412345678901' });
  await pay(first.agreement.agreement_id, 2, 900_00, { paid_at: '2026-03-01T10:00:00+05:30' });
  await db.transaction(ORG, (tx) => payments.reverse(tx, shop, gone.payment_id, 'typed wrong'));
  await pay(second.agreement.agreement_id, 1, 9_000_00);
  const opened = await db.read(ORG, (tx) => account(tx, { agreement_id: paid.agreement.agreement_id }));
  const owed: number = opened.agreement.outstanding_paise;
  const left = opened.charges.reduce((sum, charge) => sum + charge.amount_paise, owed);
  await pay(paid.agreement.agreement_id, 1, left);
  await pay(paid.agreement.agreement_id, 1, 70_00);
  const { payment_id } = await pay(paid.agreement.agreement_id, 1, 60_00);
  await db.transaction(ORG, (tx) => refundDone(tx, shop, { payment_id, method: 'CASH', reference: '' }));
  await giveKeys(db, shop, { count: 5 });
  await giveKeys(db, shop, { count: 5, lot: 'granted' });
  await db.transaction(ORG, (tx) =>
    wallet.reserve(tx, shop, { user_id: shop.userId, plan_type: 0, customer_id: first.customerId }),
  );
  const changed = await sell();
  await pay(changed.agreement.agreement_id, 1, 6_000_00);
  await db.transaction(ORG, async (tx) =>
    revise(tx, shop, {
      consent: await agreedTerms(tx, db, changed.customerId),
      agreement_id: changed.agreement.agreement_id,
      cause: 'reschedule',
      reason: 'lost his job',
      terms: { method: 'REDUCING', rate_bps: bps(1200), tenure: 8, rounding: 'RUPEE' },
    }),
  );
  await pay(changed.agreement.agreement_id, 7, 2_000_00);
  const late = await sell();
  const notices = { send: async () => undefined as never };
  await db.transaction(ORG, (tx) => chargeByHand(tx, notices, shop, { customer_id: late.customerId }));
  await owner.connect();
}, 60_000);
afterAll(() => owner.end());

/** The books with one thing wrong, which is undone. */
async function faultsWith(sql: string): Promise<string[]> {
  const seeing = {
    orgId: ORG,
    query: (text: string, values: readonly unknown[]) => owner.query(text, [...values]),
  } as unknown as Tx;
  await owner.query('begin');
  try {
    await putGuardsAside(owner, GUARDED);
    const results = [await owner.query(sql)].flat();
    expect(results.at(-1)?.rowCount, 'something was planted').toBeGreaterThan(0);
    return await faultsOf(seeing, null);
  } finally {
    await owner.query('rollback');
  }
}

test('books that nobody touched have no fault', async () => {
  expect(await db.read(ORG, (tx) => faultsOf(tx, null))).toEqual([]);
  expect(await db.read(ORG, (tx) => faultsOf(tx, [shop.userId]))).toEqual([]);
});

describe('the check of the books sees', () => {
  test('at least forty kinds of corruption', () => expect(Object.keys(CORRUPTIONS).length).toBeGreaterThanOrEqual(40));
  test.each(Object.entries(CORRUPTIONS))('%s', async (_what, sql) => {
    expect((await faultsWith(sql)).length).toBeGreaterThan(0);
  });
});

test.each([...NAMED, ...WRITTEN])('the check of the books says: %s', async (fault, sql) => {
  const told = await faultsWith(sql);
  expect(told.filter((one) => one.includes(fault) && !one.includes(`of a cancelled agreement: ${fault}`))).not.toEqual(
    [],
  );
});

describe('the check by itself', () => {
  test('finds the same in slices of two as in one look', async () => {
    await db.plant(['agreements'], `update agreements set paid_count = paid_count + 1 where org_id = ${ORG}`);
    const inSlices = (await checkWhole(db, ORG, 2)).faults.toSorted();
    expect(inSlices).toEqual((await db.read(ORG, (tx) => faultsOf(tx, null))).toSorted());
    expect(inSlices.length).toBe(5);
    await db.plant(['agreements'], `update agreements set paid_count = paid_count - 1 where org_id = ${ORG}`);
  });

  test('looks again in smaller slices where one takes longer than a statement may, and tells nothing twice', async () => {
    await db.plant(['agreements'], `update agreements set paid_count = paid_count + 1 where org_id = ${ORG}`);
    let reads = 0;
    const slow: Pick<typeof db, 'read' | 'transaction'> = {
      transaction: db.transaction,
      read: (orgId, work) =>
        db.read(orgId, async (tx) => {
          reads += 1;
          // The horizon and which agreements there are come through; the first slice runs out of time.
          if (reads === 3) await tx.query(`set local statement_timeout = '1ms'`);
          return work(tx);
        }),
    };
    const found = (await checkWhole(slow, ORG, 1000)).faults.toSorted();
    // Horizon; which agreements, they, they again; which journals, they; keepers, what is the organisation's alone.
    expect(reads).toBe(8);
    expect(found).toEqual((await db.read(ORG, (tx) => faultsOf(tx, null))).toSorted());
    await db.plant(['agreements'], `update agreements set paid_count = paid_count - 1 where org_id = ${ORG}`);
  });

  test('looks at receipts and keys keeper by keeper where all at once take longer than a statement may', async () => {
    await db.plant(
      ['counters', 'wallets'],
      `update counters set last = last + 1 where org_id = ${ORG} and name like 'note:%'`,
    );
    await db.plant(['counters', 'wallets'], `update wallets set available = available + 1 where org_id = ${ORG}`);
    let reads = 0;
    const slow: Pick<typeof db, 'read' | 'transaction'> = {
      transaction: db.transaction,
      read: (orgId, work) =>
        db.read(orgId, async (tx) => {
          reads += 1;
          // The horizon, agreements and journals come through; the house runs out of time.
          if (reads === 6) await tx.query(`set local statement_timeout = '1ms'; select pg_sleep(1)`);
          return work(tx);
        }),
    };
    const found = (await checkWhole(slow, ORG, 1000)).faults.toSorted();
    // Which keepers, they, and what is the organisation's alone.
    expect(reads).toBe(9);
    expect(found.length).toBeGreaterThan(1);
    expect(found).toEqual((await db.read(ORG, (tx) => faultsOf(tx, null))).toSorted());
    await db.plant(
      ['counters', 'wallets'],
      `update counters set last = last - 1 where org_id = ${ORG} and name like 'note:%'`,
    );
    await db.plant(['counters', 'wallets'], `update wallets set available = available - 1 where org_id = ${ORG}`);
  });

  test('looks at what moved since the last proof, and at everything when there is none', async () => {
    expect(await checkMoved(db, ORG)).toMatchObject({ isWhole: true, faults: [] });
    expect(await checkMoved(db, ORG)).toMatchObject({ isWhole: false, faults: [] });
    const { agreement } = await db.transaction(ORG, (tx) => makeSale(tx, shop, { terms: terms() }));
    await db.plant(['agreements'], 'update agreements set paid_count = 3 where agreement_id = $1', [
      agreement.agreement_id,
    ]);
    const found = await checkMoved(db, ORG);
    expect(found).toMatchObject({ isWhole: false, faults: [expect.stringContaining(agreement.agreement_no)] });
    // A check that found something proves nothing: what moved stays to be looked at.
    expect((await checkMoved(db, ORG)).faults).toHaveLength(1);
    await db.plant(['agreements'], 'update agreements set paid_count = 0 where agreement_id = $1', [
      agreement.agreement_id,
    ]);
    expect((await checkMoved(db, ORG)).faults).toEqual([]);
  });

  test('looks at the whole each night, and of larger books at what moved and the next seventh: within seven nights at all of it, and stays red until it is mended', async () => {
    expect(await checkNight(db, ORG)).toMatchObject({ isWhole: true, faults: [] });
    const night = () => checkNight(db, ORG, { wholeUpTo: 1 });
    const parts: (number | null)[] = [];
    const also = async (part: number | null) => {
      parts.push(part);
      return [];
    };
    for (let no = 0; no < 8; no += 1) await checkNight(db, ORG, { wholeUpTo: 1, also });
    expect(parts).toEqual([0, 1, 2, 3, 4, 5, 6, 0]);
    await db.plant(
      ['payments'],
      `update payments set paid_on = paid_on - 1 where ${one('payments', `state = 'posted'`, 'payment_id')}`,
    );
    const nights: number[] = [];
    for (let no = 0; no < 7; no += 1) nights.push((await night()).faults.length);
    expect(nights.filter((found) => found > 0).length).toBeGreaterThan(0);
    expect(await night()).toMatchObject({ isWhole: true, faults: [expect.any(String)] });
    await db.plant(
      ['payments'],
      `update payments set paid_on = paid_on + 1 where ${one('payments', `state = 'posted'`, 'payment_id')}`,
    );
    expect(await night()).toMatchObject({ isWhole: true, faults: [] });
    expect(await night()).toMatchObject({ isWhole: false, faults: [] });
  });

  test('counts what another slice finds: the next night is of the whole', async () => {
    const also = async () => ['rows that their terms do not make (1)'];
    expect(await checkNight(db, ORG, { wholeUpTo: 1, also })).toMatchObject({ isWhole: false, faults: await also() });
    expect(await checkNight(db, ORG, { wholeUpTo: 1, also })).toMatchObject({ isWhole: true, faults: await also() });
    expect(await checkNight(db, ORG, { wholeUpTo: 1 })).toMatchObject({ isWhole: true, faults: [] });
    expect(await checkNight(db, ORG, { wholeUpTo: 1 })).toMatchObject({ isWhole: false, faults: [] });
  });

  test('goes on from the night before, though the clock was put back since', async () => {
    const move = (by: string) => db.asOwner(`update clock_offset set shift = shift + $1::interval`, [by]);
    const night = (faults: string[]) => checkNight(db, ORG, { wholeUpTo: 1, also: async () => faults });
    await move('1 day');
    await night([]);
    await move('-1 day');
    const parts = async () =>
      (
        await db.asOwner<{ part: number }>(
          'select part from book_checks where part is not null order by noted_in desc limit 1',
        )
      )[0]!.part;
    await night([]);
    const first = await parts();
    await night(['one thing']);
    expect(await parts()).toBe((first + 1) % 7);
    expect(await night([])).toMatchObject({ isWhole: true, faults: [] });
    await db.plant(['book_checks'], 'delete from book_checks where checked_at > kist_now()');
  });

  test('is told from the one before by their order, though a transaction elsewhere stays open and the clock was put back', async () => {
    const move = (by: string) => db.asOwner(`update clock_offset set shift = shift + $1::interval`, [by]);
    const night = (faults: string[]) => checkNight(db, ORG, { wholeUpTo: 1, also: async () => faults });
    const elsewhere = new pg.Client(db.owner);
    await elsewhere.connect();
    await elsewhere.query('begin; select pg_current_xact_id()');
    try {
      await night([]);
      await night([]);
      await move('-1 day');
      await night(['one thing']);
      expect(await night([])).toMatchObject({ isWhole: true, faults: [] });
      const parts: (number | null)[] = [];
      const also = async (part: number | null) => {
        parts.push(part);
        return [];
      };
      for (let no = 0; no < 3; no += 1) await checkNight(db, ORG, { wholeUpTo: 1, also });
      expect(parts[1]).toBe((parts[0]! + 1) % 7);
      expect(parts[2]).toBe((parts[1]! + 1) % 7);
    } finally {
      await move('1 day');
      await elsewhere.query('rollback');
      await elsewhere.end();
    }
  });

  test('believes no proof of another cluster or database, nor one that says of none, whatever it had seen', async () => {
    await checkWhole(db, ORG);
    for (const cluster of [`'7423167452211111111:5'`, `split_part(kist_cluster(), ':', 1) || ':1'`, 'null']) {
      expect(await checkMoved(db, ORG)).toMatchObject({ isWhole: false, faults: [] });
      await db.plant(
        ['book_checks'],
        `insert into book_checks (org_id, check_id, checked_at, is_whole, proved_up_to, faults, cluster)
         select ${ORG}, gen_random_uuid(), max(checked_at) + interval '1 microsecond', true, max(proved_up_to::text::bigint)::text::xid8, 0, ${cluster} from book_checks where org_id = ${ORG}`,
      );
      expect(await checkMoved(db, ORG), cluster).toMatchObject({ isWhole: true, faults: [] });
    }
  });

  test('believes no proof that lies ahead, as a database that was moved to another cluster brings it', async () => {
    await db.plant(
      ['book_checks'],
      `insert into book_checks (org_id, check_id, checked_at, is_whole, proved_up_to, faults) values (${ORG}, gen_random_uuid(), kist_now(), true, '9999999999', 0)`,
    );
    expect(await checkMoved(db, ORG)).toMatchObject({ isWhole: true, faults: [] });
    expect(await checkMoved(db, ORG)).toMatchObject({ isWhole: false, faults: [] });
  });
});
