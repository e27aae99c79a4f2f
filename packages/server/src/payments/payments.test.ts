import { beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { IsoDate } from '@kist/contract/dates';
import { type Paise, paise } from '@kist/contract/money';
import { account } from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks, trialBalanceOf } from '#server/ledger/ledger.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { createPayments } from './payments.ts';
import { replay } from './rules/replay.ts';

const db = await createTestDatabase();
const told: string[] = [];
const payments = createPayments({
  duesChanged: async (_tx, _actor, agreement) => (told.push(agreement.agreement_id), null),
  claimed: async () => undefined,
  sendReceipt: async () => async (receiptNo) => `Receipt ${receiptNo}`,
});
let shop: Actor;
let rival: Actor;

beforeAll(async () => {
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
  shop = await makeRetailer(db, 20);
  rival = await makeRetailer(db, 21);
  await setClock(db, '2026-04-10T11:00:00');
});

const sell = () => db.transaction(20, (tx) => makeSale(tx, shop));
const idOf = async (agreementId: string, no: number) =>
  db.read(20, async (tx) => (await account(tx, { agreement_id: agreementId })).instalmentIds.get(no)!);
const pay = (instalment_id: string, amount: number, more: object = {}) =>
  db.transaction(20, (tx) =>
    payments.record(tx, shop, { instalment_id, amount, method: 'CASH', reference: '', ...more }),
  );
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );
/** Debit minus credit of the accounts that fees go through. */
async function feesOf(): Promise<Record<string, number>> {
  const rows = await db.read(20, trialBalanceOf);
  const of = (code: string) =>
    rows.filter((row) => row.code === code).reduce((sum, row) => sum + row.debit - row.credit, 0);
  return Object.fromEntries(['receivable_fee', 'unearned_fee', 'income_fee'].map((code) => [code, of(code)]));
}
const moved = (before: Record<string, number>, by: Record<string, number>) =>
  Object.fromEntries(Object.entries(before).map(([code, sum]) => [code, sum + (by[code] ?? 0)]));
const books = () => db.read(20, (tx) => checkBooks(tx));

describe('a fee', () => {
  it('is owed with the first instalment after its interest and principal, and is income as it is paid', async () => {
    const before = await feesOf();
    const withFee = { terms: terms({ fee: 300_00 }) };
    const { agreement } = await db.transaction(20, (tx) => makeSale(tx, shop, withFee));
    expect(agreement).toMatchObject({
      fee_paise: 300_00,
      emi_paise: 2_674_00,
      oldest_due_paise: 2_974_00,
      total_payable_paise: agreement.financed_paise + agreement.total_interest_paise + 300_00,
    });
    expect(await feesOf()).toEqual(moved(before, { receivable_fee: 300_00, unearned_fee: -300_00 }));
    const { agreement_id } = agreement;
    const receipt = await pay(await idOf(agreement_id, 1), 2_674_00 + 100_00);
    expect(receipt.allocations).toEqual([
      { instalment_no: 1, instalment_place: 1, bucket: 'interest', paise: 155_00 },
      { instalment_no: 1, instalment_place: 1, bucket: 'principal', paise: 2_519_00 },
      { instalment_no: 1, instalment_place: 1, bucket: 'fee', paise: 100_00 },
    ]);
    const partPaid = { receivable_fee: 200_00, unearned_fee: -200_00, income_fee: -100_00 };
    expect(await feesOf()).toEqual(moved(before, partPaid));
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
    await pay(await idOf(agreement_id, 1), 200_00);
    expect(await feesOf()).toEqual(moved(before, { receivable_fee: 0, unearned_fee: 0, income_fee: -300_00 }));
    const after = await db.read(20, (tx) => account(tx, { agreement_id }));
    expect(after.agreement).toMatchObject({ paid_count: 1, oldest_due_on: '2026-03-31' });
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
  });
});

describe('a payment', () => {
  it('is one journal, one receipt, the dues and the books in one transaction', async () => {
    const { agreement } = await sell();
    const receipt = await pay(await idOf(agreement.agreement_id, 1), 2_674_00);
    expect(receipt).toMatchObject({
      amount_paise: 2_674_00,
      advance_paise: 0,
      agreement_state: 'active',
      warnings: [],
    });
    expect(receipt.allocations).toEqual([
      { instalment_no: 1, instalment_place: 1, bucket: 'interest', paise: 155_00 },
      { instalment_no: 1, instalment_place: 1, bucket: 'principal', paise: 2_519_00 },
    ]);
    const after = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
    expect(after.agreement).toMatchObject({
      paid_count: 1,
      oldest_due_on: '2026-03-31',
      outstanding_paise: receipt.outstanding_paise,
    });
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
    expect(told).toContain(agreement.agreement_id);
    expect(await db.read(20, (tx) => audit.verify(tx, 'agreement', agreement.agreement_id))).toEqual({ ok: true });
  });

  it('under the app’s own id answers with the same receipt for ever, and is one payment', async () => {
    const { agreement } = await sell();
    const first = await idOf(agreement.agreement_id, 1);
    const payment_id = newId();
    const receipt = await pay(first, 500_00, { payment_id });
    expect(receipt.payment_id).toBe(payment_id);
    await pay(first, 100_00);
    expect(await pay(first, 500_00, { payment_id })).toEqual(receipt);
    const again = await Promise.all(Array.from({ length: 5 }, () => pay(first, 500_00, { payment_id })));
    expect(again).toEqual(again.map(() => receipt));
    const after = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
    expect(agreement.total_payable_paise - after.agreement.outstanding_paise).toBe(600_00);
    expect(await code(pay(first, 400_00, { payment_id }))).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('under one id, sent fifty times at once, is one payment', async () => {
    const { agreement } = await sell();
    const first = await idOf(agreement.agreement_id, 1);
    const payment_id = newId();
    const receipts = await Promise.all(Array.from({ length: 50 }, () => pay(first, 10_00, { payment_id })));
    expect(new Set(receipts.map((receipt) => receipt.receipt_no)).size).toBe(1);
    const after = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
    expect(agreement.total_payable_paise - after.agreement.outstanding_paise).toBe(10_00);
  });

  it('under the id of another shop’s payment looks like one that does not exist', async () => {
    const { agreement } = await sell();
    const receipt = await pay(await idOf(agreement.agreement_id, 1), 100_00);
    const neighbour = await makeRetailer(db, 20);
    const own = await db.transaction(20, (tx) => makeSale(tx, neighbour));
    const instalment_id = await idOf(own.agreement.agreement_id, 1);
    const { payment_id } = receipt;
    const given = { instalment_id, amount: 100_00, method: 'CASH', reference: '', payment_id } as const;
    expect(await code(db.transaction(20, (tx) => payments.record(tx, neighbour, given)))).toBe('NOT_FOUND');
  });

  it('by UPI holds its reference, however it is written, until it is taken back', async () => {
    const { agreement } = await sell();
    const first = await idOf(agreement.agreement_id, 1);
    const upi = (reference: string) => pay(first, 100_00, { method: 'UPI', reference });
    const receipt = await upi('4123 4567 8901');
    expect(await code(upi('412345678901'))).toBe('REFERENCE_USED');
    expect(await code(pay(first, 100_00, { reference: '412345678901' }))).toBe('accepted');
    await db.transaction(20, (tx) => payments.reverse(tx, shop, receipt.payment_id, 'typed twice'));
    expect(await code(upi('412345678901'))).toBe('accepted');
  });

  it('by UPI of two customers at the same moment with one reference is one payment, and the other is told why', async () => {
    const [left, right] = [await sell(), await sell()];
    const ids = [await idOf(left.agreement.agreement_id, 1), await idOf(right.agreement.agreement_id, 1)];
    const outcomes = await Promise.all(
      ids.map((id) => code(pay(id, 100_00, { method: 'UPI', reference: '998877665544' }))),
    );
    expect(new Set(outcomes)).toEqual(new Set(['accepted', 'REFERENCE_USED']));
    expect(await books()).toMatchObject({ isBalanced: true });
  });

  it('taken back under four hundred later ones posts two journals, and every bucket is what the payments that stand make it', async () => {
    const { agreement } = await sell();
    const last = await idOf(agreement.agreement_id, 6);
    const gone = await pay(last, 1_000_00, { paid_at: '2026-02-01T10:00:00+05:30' });
    for (let n = 0; n < 400; n += 1) await pay(last, 10_00, { paid_at: '2026-03-01T10:00:00+05:30' });
    const count = async () =>
      (await db.asOwner<{ n: number }>('select count(*)::int as n from journals where org_id = 20'))[0]!.n;
    const before = await count();
    await db.transaction(20, (tx) => payments.reverse(tx, shop, gone.payment_id, 'bounced'));
    expect((await count()) - before).toBe(2);
    expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
    const after = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
    expect(agreement.total_payable_paise - after.agreement.outstanding_paise).toBe(4_000_00);
  }, 60_000);

  it('goes into the till of who took it, not of who sold', async () => {
    const cashier = await makeRetailer(db, 20);
    const seller = await makeRetailer(db, 20, cashier);
    const { agreement } = await db.transaction(20, (tx) => makeSale(tx, seller));
    const instalment_id = await idOf(agreement.agreement_id, 1);
    await db.transaction(20, (tx) =>
      payments.record(tx, cashier, { instalment_id, amount: 700_00, method: 'CASH', reference: '' }),
    );
    const [row] = await db.asOwner<{ paise: number }>(
      `select sum(debit - credit)::int as paise from journal_lines l join accounts a using (org_id, account_id)
       where a.code = 'clearing_cash' and a.owner_id = $1`,
      [cashier.userId],
    );
    expect(row!.paise).toBe(700_00);
  });

  it('in part leaves the rest due and the oldest instalment open', async () => {
    const { agreement } = await sell();
    const receipt = await pay(await idOf(agreement.agreement_id, 2), 1_000_00);
    expect(receipt.allocations.map((row) => row.instalment_no)).toEqual([1, 1]);
    const after = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
    expect(after.agreement).toMatchObject({ paid_count: 0, oldest_due_on: '2026-02-28', oldest_due_paise: 1_674_00 });
  });

  it('two minutes ahead of our clock is a phone that is fast, more is a moment that has not come', async () => {
    const { agreement } = await sell();
    const ahead = async (seconds: number) => {
      const [row] = await db.asOwner<{ at: Date }>('select kist_now() + make_interval(secs => $1) as at', [seconds]);
      return { paid_at: row!.at.toISOString() };
    };
    const instalment = await idOf(agreement.agreement_id, 1);
    expect(await code(pay(instalment, 100, await ahead(180)))).toBe('INVALID_INPUT');
    expect(await code(pay(instalment, 100, await ahead(100)))).toBe('accepted');
  });

  it('above everything owed, of a paid instalment, before the sale or in the future is refused and changes nothing', async () => {
    const { agreement } = await sell();
    const first = await idOf(agreement.agreement_id, 1);
    expect(await code(pay(first, 99_999_00))).toBe('MORE_THAN_OWED');
    await pay(first, 2_674_00);
    const before = await books();
    expect(await code(pay(first, 100))).toBe('ALREADY_PAID');
    const second = await idOf(agreement.agreement_id, 2);
    expect(await code(pay(second, 100, { paid_at: '2026-01-01T10:00:00+05:30' }))).toBe('INVALID_INPUT');
    expect(await code(pay(second, 100, { paid_at: '2026-04-11T10:00:00+05:30' }))).toBe('INVALID_INPUT');
    expect(await books()).toEqual(before);
  });

  it('of another organisation or shop looks like one that does not exist', async () => {
    const { agreement } = await sell();
    const first = await idOf(agreement.agreement_id, 1);
    const neighbour = await makeRetailer(db, 20);
    expect(
      await code(
        db.transaction(21, (tx) =>
          payments.record(tx, rival, { instalment_id: first, amount: 1, method: 'CASH', reference: '' }),
        ),
      ),
    ).toBe('NOT_FOUND');
    expect(
      await code(
        db.transaction(20, (tx) =>
          payments.record(tx, neighbour, { instalment_id: first, amount: 1, method: 'CASH', reference: '' }),
        ),
      ),
    ).toBe('NOT_FOUND');
  });

  it('of the last instalment completes the agreement, and its reversal reopens it', async () => {
    const { agreement, customerId } = await sell();
    const opened = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
    const receipt = await db.transaction(20, (tx) =>
      payments.recordMany(tx, shop, {
        customer_id: customerId,
        instalment_ids: [...opened.instalmentIds.values()],
        method: 'UPI',
        reference: 'T1',
      }),
    );
    expect(receipt).toMatchObject({ agreement_state: 'completed', outstanding_paise: 0 });
    await db.transaction(20, (tx) => payments.reverse(tx, shop, receipt.payment_id, 'cheque bounced'));
    const after = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
    expect(after.agreement).toMatchObject({
      state: 'active',
      outstanding_paise: agreement.total_payable_paise,
      completed_at: null,
    });
    expect(await code(db.transaction(20, (tx) => payments.reverse(tx, shop, receipt.payment_id, 'again')))).toBe(
      'ALREADY_REVERSED',
    );
    expect(await books()).toMatchObject({ isBalanced: true });
  });
});

describe('receipts', () => {
  it('say the financial year, the shop with two digits and the place in its series with four', async () => {
    const { agreement } = await sell();
    const { receipt_no } = await pay(await idOf(agreement.agreement_id, 1), 10_00);
    expect(receipt_no).toMatch(/^\d\d-\d\d\/\d\d\/\d{4}$/);
  });

  it('are numbered without gaps for each shop, rolled back ones included', async () => {
    const other = await makeRetailer(db, 20);
    const { agreement } = await db.transaction(20, (tx) => makeSale(tx, other));
    const instalment_id = await idOf(agreement.agreement_id, 1);
    const give = (amount: number) =>
      db.transaction(20, (tx) => payments.record(tx, other, { instalment_id, amount, method: 'CASH', reference: '' }));
    const numbers = [await give(100), await code(give(9_99_999_00)), await give(100), await give(100)].flatMap((r) =>
      !r || typeof r === 'string' ? [] : [Number(r.receipt_no.split('/').at(-1))],
    );
    expect(numbers).toEqual([1, 2, 3]);
  });

  it('stay distinct and complete when twenty tills pay one customer at once', async () => {
    const { agreement } = await sell();
    const first = await idOf(agreement.agreement_id, 1);
    const receipts = await Promise.all(Array.from({ length: 20 }, () => pay(first, 10_00)));
    expect(new Set(receipts.map((r) => r.receipt_no)).size).toBe(20);
    const after = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
    expect(agreement.total_payable_paise - after.agreement.outstanding_paise).toBe(200_00);
  });
});

describe('any history of payments, back-dated payments and reversals', () => {
  it('leaves books that balance and dues equal to the agreement less what stands', async () => {
    const action = fc.oneof(
      fc.record({
        kind: fc.constant('pay' as const),
        amount: fc.integer({ min: 1, max: 4_000_00 }),
        day: fc.integer({ min: 1, max: 60 }),
      }),
      fc.record({ kind: fc.constant('reverse' as const), pick: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
        const { agreement } = await db.transaction(20, (tx) =>
          makeSale(tx, shop, { terms: terms({ method: 'FLAT', tenure: 4 }) }),
        );
        const standing: { id: string; amount: number }[] = [];
        for (const act of actions) {
          if (act.kind === 'reverse') {
            const [gone] = standing.splice(act.pick % Math.max(1, standing.length), 1);
            if (gone) await db.transaction(20, (tx) => payments.reverse(tx, shop, gone.id, 'typed wrong'));
            continue;
          }
          const open = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
          const due = open.instalments.find((row) => row.paid_on === null);
          const amount = Math.min(act.amount, open.agreement.outstanding_paise);
          if (!due || amount === 0) continue;
          const paid_at = new Date(Date.UTC(2026, 1, act.day, 6)).toISOString();
          const receipt = await pay(open.instalmentIds.get(due.no)!, amount, { paid_at });
          standing.push({ id: receipt.payment_id, amount });
        }
        const after = await db.read(20, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
        expect(after.agreement.outstanding_paise).toBe(
          (agreement.total_payable_paise as number) - standing.reduce((sum, row) => sum + row.amount, 0),
        );
        expect(await books()).toMatchObject({ isBalanced: true, differences: [] });
        // However it came about, it is what laying out every payment from the first makes of it.
        const rows = await db.asOwner<{ payment_id: string; paid_on: IsoDate; amount_paise: Paise; state: string }>(
          `select payment_id, paid_on::text, amount_paise, state from payments where agreement_id = $1 and goes_to = 'dues'`,
          [agreement.agreement_id],
        );
        const laidOut = replay(
          after,
          rows.map((row) => ({
            payment_id: row.payment_id,
            paid_on: row.paid_on,
            amount_paise: paise(Number(row.amount_paise)),
            isReversed: row.state === 'reversed',
          })),
        );
        expect(laidOut.account.instalments).toEqual(after.instalments);
        expect(laidOut.advancePaise).toBe(after.agreement.advance_paise);
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});

describe('the database', () => {
  it('itself refuses a journal that does not balance, and any change of one', async () => {
    const unbalanced = db.transaction(20, async (tx) => {
      const { rows } = await tx.query<{ account_id: string; agreement_id: string }>(
        `select a.account_id, g.agreement_id from accounts a, agreements g where a.code = 'sales' limit 1`,
      );
      await tx.query(
        `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
           values (20, gen_random_uuid(), 'agreement:x', 'agreement_opened', 'x', gen_random_uuid(), kist_today(), kist_now()) returning journal_id)
         insert into journal_lines (org_id, journal_id, line_no, account_id, unit, credit, agreement_id) select 20, journal_id, 1, $1, 'INR', 5, $2 from j`,
        [rows[0]!.account_id, rows[0]!.agreement_id],
      );
    });
    await expect(unbalanced).rejects.toThrow(/does not balance/);
    await expect(db.transaction(20, (tx) => tx.query('update journal_lines set debit = debit + 1'))).rejects.toThrow(
      /permission denied/,
    );
    await expect(db.transaction(20, (tx) => tx.query('delete from journals'))).rejects.toThrow(/permission denied/);
  });
  it('shows a payment of one organisation to no other', async () => {
    const amounts = await db.read(
      21,
      async (tx) => (await tx.query<{ amount_paise: Paise }>('select amount_paise from payments')).rows,
    );
    expect(amounts).toEqual([]);
  });
});
