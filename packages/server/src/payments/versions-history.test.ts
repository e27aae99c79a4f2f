import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, isoDate } from '@kist/contract/dates';
import { paise } from '@kist/contract/money';
import { setClock, terms } from '#test/factories.ts';
import { saleWorld } from '#test/sale-world.ts';
import { chargePenalties, refundDone, refundTasks, waivePenalty } from './payments.ts';

const ORG = 20;
const world = await saleWorld(ORG);
const { db, shop, payments, inOrg, opened, pay, claim, takeBack, change, faults, journals } = world;
const notices = { send: async () => 0 };

/** Every bucket of every instalment, and whether it is settled; of a row that was put aside the day is its version's. */
const bucketsNow = async () =>
  (await opened()).instalments.map(({ paid_on, ...row }) => ({ ...row, isPaid: paid_on !== null }));

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
    of<'name', { which: number; amount: number; back: number }>(2, 'name', {
      which: fc.nat(),
      amount: fc.integer({ min: 1, max: 150_00 }),
      back: fc.integer({ min: 0, max: 3 }),
    }),
    of<'refund', object>(2, 'refund', {}),
    of<'swap', object>(1, 'swap', {}),
    of<'pass', object>(1, 'pass', {}),
    of<'cancel', object>(1, 'cancel', {}),
    of<'answer', { which: number; isReceived: boolean }>(3, 'answer', { which: fc.nat(), isReceived: fc.boolean() }),
  );
  type Step = { later: number; step: typeof step extends fc.Arbitrary<infer S> ? S : never };
  /** The services' own words: what the database refuses is no honest act, or a guard that is wrong. */
  const known = new Set(['MORE_THAN_OWED', 'ALREADY_PAID', 'STATE_CONFLICT', 'INVALID_INPUT', 'AMOUNT_TOO_LARGE']);
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
  /** The same of what came to agreements later: a penalty paid by its name, another phone, another shop, money given back, and one that is given up. */
  const whatElse: Step[] = [
    { later: 20, step: { kind: 'pay', amount: 100_00, back: 0 } },
    { later: 20, step: { kind: 'charge' } },
    { later: 1, step: { kind: 'name', which: 0, amount: 40_00, back: 0 } },
    { later: 1, step: { kind: 'swap' } },
    { later: 1, step: { kind: 'pay', amount: 700_00, back: 20 } },
    { later: 1, step: { kind: 'pass' } },
    { later: 1, step: { kind: 'pay', amount: 300_00, back: 0 } },
    { later: 1, step: { kind: 'revise', tenure: 6, rate_bps: 900, cause: 'reschedule' } },
    { later: 1, step: { kind: 'claim', amount: 500_00, back: 0 } },
    { later: 1, step: { kind: 'swap' } },
    { later: 1, step: { kind: 'pass' } },
    { later: 1, step: { kind: 'reverse', which: 0 } },
    { later: 1, step: { kind: 'cancel' } },
    { later: 1, step: { kind: 'answer', which: 0, isReceived: true } },
    { later: 1, step: { kind: 'refund' } },
    { later: 1, step: { kind: 'reverse', which: 0 } },
  ];

  /** A charge of 5 % of 17.10 that is overdue is one of 86 paise, of 17.09 one of 85: it hangs on a paisa. */
  const onOnePaisa: Step[] = [
    { later: 25, step: { kind: 'charge' } },
    { later: 25, step: { kind: 'revise', tenure: 10, rate_bps: 1415, cause: 'edit' } },
    { later: 50, step: { kind: 'pay', amount: 2_308_90, back: 104 } },
    { later: 0, step: { kind: 'charge' } },
    { later: 0, step: { kind: 'revise', tenure: 7, rate_bps: 11, cause: 'reschedule' } },
    { later: 0, step: { kind: 'swap' } },
    { later: 5, step: { kind: 'name', which: 786573513, amount: 104_29, back: 2 } },
  ];

  /** Lives a history. @returns the agreement it was of */
  async function live(history: readonly Step[]): Promise<string> {
    let on = isoDate('2026-02-01');
    await setClock(db, `${on}T11:00:00`);
    world.sale = await world.sold({ terms: terms({ tenure: 8, fee: 300_00 }) });
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
      name: async ({ which, amount, back }) => {
        const charges = (await opened()).charges.filter((charge) => charge.paid_paise + charge.waived_paise === 0);
        const charge = charges[which % Math.max(1, charges.length)];
        if (charge) made.push((await pay(amount, backTo(back), charge.charge_id)).payment_id);
      },
      refund: async () => {
        const tasks = await inOrg((tx) => refundTasks(tx, shop));
        const task = tasks.find((one) => one.state === 'open' && one.customer_id === world.sale.customerId);
        if (task)
          await inOrg((tx) => refundDone(tx, shop, { payment_id: task.payment_id, method: 'CASH', reference: '' }));
      },
      swap: world.swap,
      pass: world.passOn,
      cancel: world.cancel,
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
    return world.sale.agreement.agreement_id;
  }

  test('of payments, claims, reversals, penal charges, waivers, versions, exchanges, transfers, refunds and an end leaves what is stored as the lines say, bucket by bucket, and as a replay does', async () => {
    const agreementIds: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ later: fc.integer({ min: 0, max: 25 }), step }), { minLength: 8, maxLength: 16 }),
        async (history) => {
          agreementIds.push(await live(history));
          expect(await faults()).toEqual([]);
          // Whatever came last, laying out all again finds what is stored. Of today: of an earlier day one paisa can be what a charge stood on.
          const before = await bucketsNow();
          const { payment_id } = await pay(1).catch(() => ({ payment_id: null }));
          if (payment_id !== null) await takeBack(payment_id);
          expect(await bucketsNow()).toEqual(before);
          expect(await faults()).toEqual([]);
        },
      ),
      { numRuns: 16, endOnFailure: true, examples: [[everything], [whatElse], [onOnePaisa]] },
    );
    const [seen] = await db.asOwner(
      `select exists (select from journal_lines where agreement_id = any($1) and bucket = 'fee' and payment_id is not null) as fee_paid,
         exists (select from payments where agreement_id = any($1) and goes_to = 'suspense' and state = 'posted') as goes_back,
         exists (select from payment_moves m join payments using (org_id, payment_id) where agreement_id = any($1) and from_state = 'claimed' and to_state = 'posted') as yes,
         exists (select from payments where agreement_id = any($1) and state = 'refused') as no,
         exists (select from payments where agreement_id = any($1) and state = 'reversed') as reversed,
         exists (select from charges where agreement_id = any($1) and taken_back_at is not null) as charge_taken_back,
         exists (select from charges where agreement_id = any($1) and waived_paise > 0) as waived,
         exists (select from payments where agreement_id = any($1) and for_charge_id is not null and state = 'posted') as named,
         exists (select from refund_tasks where agreement_id = any($1) and state = 'done') as given_back,
         exists (select from agreements where agreement_id = any($1) and state = 'cancelled') as cancelled,
         exists (select from customer_transfers where customer_id in (select customer_id from agreements where agreement_id = any($1))) as passed_on,
         exists (select from schedule_versions where agreement_id = any($1) and cause = 'imei_swap') as swapped,
         exists (select from schedule_versions where agreement_id = any($1) and cause = 'edit') as version`,
      [agreementIds],
    );
    expect(Object.entries(seen!).filter(([, isSeen]) => isSeen !== true)).toEqual([]);
  }, 240_000);

  test('a reversal under many later payments, before and after a version, takes two journals', async () => {
    await setClock(db, '2026-04-10T11:00:00');
    world.sale = await world.sold();
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
