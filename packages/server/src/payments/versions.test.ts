import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, isoDate } from '@kist/contract/dates';
import { bps, paise } from '@kist/contract/money';
import { account, instalmentTotal, revise } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';
import { chargePenalties, createPayments, waivePenalty } from './payments.ts';

const ORG = 20;
const db = await createTestDatabase();
const notices = { send: async () => 0 };
const payments = createPayments({
  duesChanged: async () => null,
  claimed: async () => {},
  sendReceipt: async () => async () => '',
});
let shop: Actor;
let sale: Awaited<ReturnType<typeof makeSale>>;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  await makePenalRule(db, ORG, { cap_bps: 500, waiver_limit_paise: 1_000_00 });
});
/** ₹15,500 at 12 % over six months from the end of January: ₹2,674 on 28 February, then on the last day of each month. */
beforeEach(async () => {
  await setClock(db, '2026-04-10T11:00:00');
  sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
});

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const opened = () => db.read(ORG, (tx) => account(tx, sale.agreement));
const pay = async (amount: number, paidOn?: string) => {
  const { instalments, instalmentIds } = await opened();
  const instalment_id = instalmentIds.get(instalments.at(-1)!.no)!;
  const paid_at = paidOn && `${paidOn}T12:00:00+05:30`;
  return inOrg((tx) => payments.record(tx, shop, { instalment_id, amount, method: 'CASH', reference: '', paid_at }));
};
/** The customer of the sale, who says what was paid. */
const person = (): Actor => ({
  ...shop,
  userId: newId(),
  userType: 'customer',
  visibleOwnerIds: [],
  customerIds: [sale.customerId],
});
const claim = (amount: number, more: object = {}) =>
  inOrg((tx) =>
    payments.claim(tx, person(), { payment_id: newId(), amount, method: 'UPI', reference: '', again: true, ...more }),
  );
const takeBack = (paymentId: string) => inOrg((tx) => payments.reverse(tx, shop, paymentId, 'typed wrong'));
const change = (given: { rate_bps?: number; tenure?: number; cause?: 'edit' | 'reschedule' } = {}) =>
  inOrg((tx) =>
    revise(tx, shop, {
      agreement_id: sale.agreement.agreement_id,
      cause: given.cause ?? 'reschedule',
      reason: 'lost his job',
      terms: {
        method: 'REDUCING',
        rate_bps: bps(given.rate_bps ?? 1200),
        tenure: given.tenure ?? 8,
        rounding: 'RUPEE',
      },
    }),
  );
const faults = async () => (await db.read(ORG, (tx) => checkBooks(tx))).differences;
const rowsNow = async () =>
  (await opened()).instalments.map((row) => [
    row.no,
    row.due_on,
    instalmentTotal(row),
    row.paid_principal_paise + row.paid_interest_paise,
  ]);
/** Every bucket of every instalment, and whether it is settled; of a row that was put aside the day is its version's. */
const bucketsNow = async () =>
  (await opened()).instalments.map(({ paid_on, ...row }) => ({ ...row, isPaid: paid_on !== null }));
const journals = async () =>
  Object.fromEntries(
    (
      await db.asOwner<{ kind: string; n: number }>(
        `select kind, count(distinct journal_id)::int as n from journals join journal_lines l using (org_id, journal_id)
         where l.agreement_id = $1 group by kind`,
        [sale.agreement.agreement_id],
      )
    ).map(({ kind, n }) => [kind, n]),
  );

describe('a new version of a schedule', () => {
  test('keeps what is due and paid, and lays out the principal of the rest anew on the days that follow', async () => {
    await pay(2_674_00, '2026-02-28');
    const before = await opened();
    const left = before.instalments.slice(2).reduce((sum, row) => sum + row.principal_paise, 0);
    const { instalments, agreement } = await change();
    expect(instalments.map(({ no }) => no)).toEqual([1, 2, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(instalments.slice(0, 2)).toEqual(before.instalments.slice(0, 2));
    expect(instalments.slice(2).map(({ due_on }) => due_on)).toEqual([
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      '2026-10-31',
      '2026-11-30',
    ]);
    expect(instalments.slice(2).reduce((sum, row) => sum + row.principal_paise, 0)).toBe(left);
    expect(agreement).toMatchObject({
      schedule_version: 2,
      schedule_from: '2026-04-10',
      tenure: 10,
      paid_count: 1,
      last_due_on: '2026-11-30',
      oldest_due_on: '2026-03-31',
      state: 'active',
      financed_paise: 15_500_00,
      emi_paise: instalmentTotal(instalments[2]!),
    });
    expect(await journals()).toMatchObject({ schedule_taken_back: 1, schedule_opened: 1 });
    expect(await faults()).toEqual([]);
    const [kept] = await db.asOwner(
      `select version, cause, reason, made_by, effective_on::text as on, before ->> 'tenure' as before, after ->> 'tenure' as after
       from schedule_versions where agreement_id = $1`,
      [sale.agreement.agreement_id],
    );
    expect(kept).toEqual({
      version: 2,
      cause: 'reschedule',
      reason: 'lost his job',
      made_by: shop.userId,
      on: '2026-04-10',
      before: '6',
      after: '10',
    });
  });

  test('with the terms that there were before anything is due is the schedule that there was', async () => {
    await setClock(db, '2026-02-10T11:00:00');
    const before = await opened();
    const { instalments, agreement } = await change({ tenure: 6 });
    const plain = (rows: typeof instalments) => rows.map(({ no: _no, ...row }) => row);
    const ids = { instalment_id: expect.any(String) };
    expect(plain(instalments)).toMatchObject(plain(before.instalments).map((row) => ({ ...row, ...ids })));
    expect(agreement.total_payable_paise).toBe(before.agreement.total_payable_paise);
    expect(await faults()).toEqual([]);
  });

  test('is a barrier: what was paid before stays, money of an earlier day goes to the version in force', async () => {
    const first = await pay(3_000_00, '2026-03-20');
    const second = await pay(2_674_00 * 2 - 3_000_00 + 500_00, '2026-04-05');
    await change({ tenure: 4 });
    expect((await rowsNow()).slice(0, 4)).toEqual([
      [1, '2026-02-28', 2_674_00, 2_674_00],
      [2, '2026-03-31', 2_674_00, 2_674_00],
      [3, '2026-04-30', 500_00, 500_00],
      [7, '2026-04-30', expect.any(Number), 0],
    ]);
    // Valued before both: it does not move them, and is not due money of March either.
    await pay(100_00, '2026-03-01');
    expect((await rowsNow()).slice(0, 4).map(([, , , paid]) => paid)).toEqual([2_674_00, 2_674_00, 500_00, 100_00]);
    await takeBack(first.payment_id);
    // What it had paid is owed again, where it was; the later one of the version before has not moved, that of the version in force has.
    expect((await rowsNow()).slice(0, 4).map(([, , , paid]) => paid)).toEqual([100_00, 2_348_00, 500_00, 0]);
    expect(await faults()).toEqual([]);
    await takeBack(second.payment_id);
    expect((await rowsNow()).map(([, , , paid]) => paid)).toEqual([100_00, 0, 0, 0, 0, 0, 0]);
    expect(await faults()).toEqual([]);
  });

  test('keeps an instalment that was paid where an earlier one is open again', async () => {
    await setClock(db, '2026-02-10T11:00:00');
    await pay(2_674_00);
    const second = await pay(2_674_00);
    await pay(2_674_00);
    await change({ tenure: 3 });
    await takeBack(second.payment_id);
    expect(await faults()).toEqual([]);
    const { instalments } = await change({ tenure: 2 });
    expect(instalments.map(({ no, due_on }) => [no, due_on])).toEqual([
      [1, '2026-02-28'],
      [3, '2026-04-30'],
      [10, '2026-03-31'],
      [11, '2026-04-30'],
    ]);
    expect(await faults()).toEqual([]);
    // Its payment may still be taken back: then it is open, and the next version lays it out with the rest.
    const { agreement } = await opened();
    const [third] = await db.asOwner<{ payment_id: string }>(
      `select payment_id from payments where agreement_id = $1 and state = 'posted' order by payment_id desc limit 1`,
      [agreement.agreement_id],
    );
    await takeBack(third!.payment_id);
    expect(await faults()).toEqual([]);
    await change({ tenure: 4 });
    expect(await faults()).toEqual([]);
  });

  test('takes what was claimed before it and proved after it, and no other way', async () => {
    const { payment_id } = await claim(2_674_00, { reference: '4123 4567 8901' });
    await change();
    for (const tried of ['schedule_version = 2', `schedule_version = 2, state = 'refused'`]) {
      const sql = `update payments set ${tried} where payment_id = '${payment_id}'`;
      for (const ask of [() => db.asOwner(sql), () => inOrg((tx) => tx.query(sql))])
        await expect(ask()).rejects.toMatchObject({ code: '23001', message: expect.stringContaining('facts stay') });
    }
    await inOrg((tx) => payments.answerClaim(tx, shop, { payment_id, is_received: true, reason: '' }));
    const stored = await db.asOwner('select state, schedule_version from payments where payment_id = $1', [payment_id]);
    expect(stored).toEqual([{ state: 'posted', schedule_version: 2 }]);
    await pay(100_00, '2026-03-01');
    expect(await faults()).toEqual([]);
    await takeBack(payment_id);
    expect(await faults()).toEqual([]);
  });

  test('is refused where nothing is left that is not due, and for an agreement that is over', async () => {
    await setClock(db, '2026-08-20T11:00:00');
    await expect(change()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const { agreement } = await opened();
    await pay(agreement.outstanding_paise);
    await expect(change()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  test.each([
    ['a row of the version in force', 'update instalments set principal_paise = principal_paise + 1'],
    [
      'a row put aside without a version',
      'update instalments set superseded_by = 2, dropped_principal_paise = principal_paise',
    ],
    ['a row that is put aside twice', 'update instalments set superseded_by = 3 where superseded_by = 2'],
    [
      'a row of a version that is made already',
      `insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, balance_paise, version)
       select org_id, agreement_id, 99, gen_random_uuid(), '2027-01-01', 1, 0, 0, 2 from agreements where schedule_version = 2`,
    ],
    ['other terms', 'update agreements set emi_paise = emi_paise - 1'],
    ['another version of the terms', 'update agreements set schedule_version = schedule_version + 1'],
    ['another version of a payment', 'update payments set schedule_version = schedule_version + 1'],
    ['another history', `update schedule_versions set reason = 'x'`],
    ['no history', 'delete from schedule_versions'],
  ])('cannot be had in the database by %s', async (_what, sql) => {
    await pay(1_00);
    await change();
    for (const tried of [() => db.asOwner(sql), () => inOrg((tx) => tx.query(sql))])
      await expect(tried()).rejects.toMatchObject({ code: expect.stringMatching(/^(23001|23514|42501)$/) });
  });
});

describe('any history', () => {
  const day = fc.integer({ min: 0, max: 160 });
  const of = <K extends string, T extends object>(
    weight: number,
    kind: K,
    more: { [P in keyof T]: fc.Arbitrary<T[P]> },
  ) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...more }) as fc.Arbitrary<{ kind: K } & T>,
  });
  const step = fc.oneof(
    of<'pay', { amount: number; back: number }>(5, 'pay', {
      amount: fc.integer({ min: 1_00, max: 4_000_00 }),
      back: day,
    }),
    of<'reverse', { which: number }>(2, 'reverse', { which: fc.nat() }),
    of<'charge', object>(2, 'charge', {}),
    of<'waive', { amount: number }>(1, 'waive', { amount: fc.integer({ min: 1, max: 50_00 }) }),
    of<'revise', { tenure: number; rate_bps: number; cause: 'edit' | 'reschedule' }>(3, 'revise', {
      tenure: fc.integer({ min: 1, max: 12 }),
      rate_bps: fc.integer({ min: 0, max: 3000 }),
      cause: fc.constantFrom('edit', 'reschedule'),
    }),
    // What a customer says was paid is taken though it is more than is owed: the rest goes back.
    of<'claim', { amount: number; back: number }>(2, 'claim', {
      amount: fc.integer({ min: 1_00, max: 20_000_00 }),
      back: day,
    }),
    of<'answer', { which: number; isReceived: boolean }>(3, 'answer', { which: fc.nat(), isReceived: fc.boolean() }),
  );
  type Step = { later: number; step: typeof step extends fc.Arbitrary<infer S> ? S : never };
  /** The last is the database's: an edit that costs more, without the customer's code. */
  const known = new Set([
    'MORE_THAN_OWED',
    'ALREADY_PAID',
    'STATE_CONFLICT',
    'INVALID_INPUT',
    'AMOUNT_TOO_LARGE',
    '23001',
  ]);
  /** One of everything, so that no run is without: a charge taken back by money of an earlier day, a claim of more than is owed, both answers. */
  const everything: Step[] = [
    { later: 25, step: { kind: 'pay', amount: 100_00, back: 0 } },
    { later: 15, step: { kind: 'charge' } },
    { later: 0, step: { kind: 'waive', amount: 10_00 } },
    { later: 1, step: { kind: 'pay', amount: 3_000_00, back: 25 } },
    { later: 25, step: { kind: 'charge' } },
    { later: 0, step: { kind: 'waive', amount: 5_00 } },
    { later: 1, step: { kind: 'claim', amount: 700_00, back: 3 } },
    { later: 1, step: { kind: 'answer', which: 0, isReceived: false } },
    { later: 1, step: { kind: 'claim', amount: 20_000_00, back: 2 } },
    { later: 1, step: { kind: 'answer', which: 0, isReceived: true } },
    { later: 0, step: { kind: 'reverse', which: 1 } },
    { later: 5, step: { kind: 'reverse', which: 1 } },
    { later: 1, step: { kind: 'revise', tenure: 5, rate_bps: 1800, cause: 'reschedule' } },
    { later: 1, step: { kind: 'revise', tenure: 5, rate_bps: 600, cause: 'edit' } },
    { later: 1, step: { kind: 'reverse', which: 0 } },
    { later: 1, step: { kind: 'revise', tenure: 3, rate_bps: 0, cause: 'edit' } },
    { later: 1, step: { kind: 'pay', amount: 900_00, back: 60 } },
  ];

  /** Lives a history. @returns the agreement it was of */
  async function live(history: readonly Step[]): Promise<string> {
    let on = isoDate('2026-02-01');
    await setClock(db, `${on}T11:00:00`);
    sale = await inOrg((tx) => makeSale(tx, shop, { terms: terms({ tenure: 8, fee: 300_00 }) }));
    const made: string[] = [];
    const claimed: string[] = [];
    const backTo = (back: number) => {
      const paidOn = addDays(on, -back);
      return paidOn < '2026-01-31' ? '2026-01-31' : paidOn;
    };
    const steps: { [K in Step['step']['kind']]: (one: Extract<Step['step'], { kind: K }>) => Promise<unknown> } = {
      pay: async ({ amount, back }) => made.push((await pay(amount, backTo(back))).payment_id),
      reverse: async ({ which }) => made.length > 0 && takeBack(made.splice(which % made.length, 1)[0]!),
      charge: () => chargePenalties(db, notices, ORG, on),
      waive: async ({ amount }) => {
        const charge = (await opened()).charges[0];
        if (charge)
          await inOrg((tx) =>
            waivePenalty(tx, notices, shop, { charge_id: charge.charge_id, amount, reason: 'was ill' }),
          );
      },
      revise: (one) => change(one),
      claim: async ({ amount, back }) =>
        claimed.push((await claim(amount, { paid_at: `${backTo(back)}T10:00:00+05:30` })).payment_id),
      answer: async ({ which, isReceived }) => {
        const payment_id = claimed.splice(which % Math.max(1, claimed.length), 1)[0];
        if (payment_id === undefined) return;
        await inOrg((tx) =>
          payments.answerClaim(tx, shop, { payment_id, is_received: isReceived, reason: 'nothing came in' }),
        );
        if (isReceived) made.push(payment_id);
      },
    };
    for (const { later, step: one } of history) {
      on = addDays(on, later);
      await setClock(db, `${on}T11:00:00`);
      await (steps[one.kind] as (of: typeof one) => Promise<unknown>)(one).catch((error: unknown) => {
        if (!known.has((error as { code?: string }).code ?? '')) throw error;
      });
    }
    return sale.agreement.agreement_id;
  }

  test('of payments, claims, reversals, penal charges, waivers and versions leaves what is stored as the lines say, bucket by bucket, and as a replay does', async () => {
    const agreementIds: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ later: fc.integer({ min: 0, max: 25 }), step }), { minLength: 8, maxLength: 16 }),
        async (history) => {
          agreementIds.push(await live(history));
          expect(await faults()).toEqual([]);
          // Whatever came last, laying out all again finds what is stored.
          const before = await bucketsNow();
          const { payment_id } = await pay(1, '2026-01-31').catch(() => ({ payment_id: null }));
          if (payment_id !== null) await takeBack(payment_id);
          expect(await bucketsNow()).toEqual(before);
          expect(await faults()).toEqual([]);
        },
      ),
      { numRuns: 12, endOnFailure: true, examples: [[everything]] },
    );
    const [seen] = await db.asOwner(
      `select exists (select from journal_lines where agreement_id = any($1) and bucket = 'fee' and payment_id is not null) as fee_paid,
         exists (select from payments where agreement_id = any($1) and goes_to = 'suspense' and state = 'posted') as goes_back,
         exists (select from payment_moves m join payments using (org_id, payment_id) where agreement_id = any($1) and from_state = 'claimed' and to_state = 'posted') as yes,
         exists (select from payments where agreement_id = any($1) and state = 'refused') as no,
         exists (select from payments where agreement_id = any($1) and state = 'reversed') as reversed,
         exists (select from charges where agreement_id = any($1) and taken_back_at is not null) as charge_taken_back,
         exists (select from charges where agreement_id = any($1) and waived_paise > 0) as waived,
         exists (select from schedule_versions where agreement_id = any($1) and cause = 'edit') as version`,
      [agreementIds],
    );
    expect(Object.entries(seen!).filter(([, isSeen]) => isSeen !== true)).toEqual([]);
  }, 240_000);

  test('a reversal under many later payments, before and after a version, takes two journals', async () => {
    await setClock(db, '2026-03-05T11:00:00');
    const first = await pay(10_00, '2026-02-01');
    for (let n = 0; n < 20; n += 1) await pay(50_00, '2026-03-01');
    await change();
    for (let n = 0; n < 20; n += 1) await pay(50_00);
    const count = async () => Object.values(await journals()).reduce((sum, n) => sum + n, 0);
    const before = await count();
    await takeBack(first.payment_id);
    expect((await count()) - before).toBeLessThanOrEqual(2);
    expect(
      paise(
        (await opened()).instalments.reduce((sum, row) => sum + row.paid_principal_paise + row.paid_interest_paise, 0),
      ),
    ).toBe(2_000_00);
    expect(await faults()).toEqual([]);
  });
});
