import { addDays, isoDate } from '@kist/contract/dates';
import { paise } from '@kist/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Account, chargeLeft, dues, instalmentLeft, instalmentTotal } from '#server/agreements/agreements.ts';
import { unpaidRow } from '#test/unpaid-row.ts';
import { allocate, applied } from './allocation.ts';
import { replay, type ReplayPayment } from './replay.ts';

const START = isoDate('2026-01-15');
/** After every due day and charge of the accounts below. */
const OVER = addDays(START, 500);

/** Rows a month apart of [interest, principal, fee], nothing paid; charges of [instalment, amount]. */
const account = (
  rows: readonly (readonly [number, number, number])[],
  charges: readonly (readonly [number, number])[] = [],
): Account => ({
  instalments: rows.map(([interest, principal, fee], index) =>
    unpaidRow({
      no: index + 1,
      due_on: addDays(START, 30 * (index + 1)),
      interest_paise: paise(interest),
      principal_paise: paise(principal),
      fee_paise: paise(fee),
    }),
  ),
  charges: charges.map(([instalment_no, amount], index) => ({
    charge_id: `charge-${index}`,
    instalment_no,
    charged_on: addDays(START, 30 * instalment_no + 5),
    amount_paise: paise(amount),
    paid_paise: paise(0),
    waived_paise: paise(0),
  })),
});
const amount = (max: number) => fc.integer({ min: 0, max });
const accounts = fc
  .array(fc.tuple(amount(500), fc.integer({ min: 1, max: 3000 }), amount(200)), { minLength: 1, maxLength: 12 })
  .chain((rows) =>
    fc
      .array(fc.tuple(fc.integer({ min: 1, max: rows.length }), fc.integer({ min: 1, max: 400 })), { maxLength: 4 })
      .map((charges) => account(rows, charges)),
  );
const payments: fc.Arbitrary<ReplayPayment[]> = fc.uniqueArray(
  fc.record({
    payment_id: fc.uuid(),
    paid_on: amount(20).map((days) => addDays(START, days)),
    amount_paise: fc.integer({ min: 1, max: 8000 }).map(paise),
    isReversed: fc.boolean(),
  }),
  { maxLength: 12, selector: (payment) => payment.payment_id },
);
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe('a payment', () => {
  const owed = account(
    [
      [100, 1000, 50],
      [80, 1020, 0],
    ],
    [[1, 200]],
  );
  const linesOf = (paid: number) =>
    allocate(owed, paise(paid), OVER).allocations.map((line) => [line.bucket, line.instalment_no, line.paise]);

  test('fills the oldest instalment: interest, then principal, then fee', () => {
    expect(linesOf(60)).toEqual([['interest', 1, 60]]);
    expect(linesOf(700)).toEqual([
      ['interest', 1, 100],
      ['principal', 1, 600],
    ]);
    expect(linesOf(1150)).toEqual([
      ['interest', 1, 100],
      ['principal', 1, 1000],
      ['fee', 1, 50],
    ]);
  });
  test('carries its surplus to the next instalment before any penal charge', () => {
    expect(linesOf(1250).slice(3)).toEqual([
      ['interest', 2, 80],
      ['principal', 2, 20],
    ]);
  });
  test('pays a penal charge after what is due and before what is not', () => {
    const beforeTheSecond = addDays(START, 40);
    const lines = allocate(owed, paise(1400), beforeTheSecond).allocations.map((line) => [line.bucket, line.paise]);
    expect(lines.slice(3)).toEqual([
      ['penal', 200],
      ['interest', 50],
    ]);
  });
  test('pays no penal charge that is made later before an instalment that is due later', () => {
    const lines = allocate(owed, paise(1400), addDays(START, 30)).allocations.map((line) => [line.bucket, line.paise]);
    expect(lines.slice(3)).toEqual([
      ['interest', 80],
      ['principal', 170],
    ]);
  });
  test('of everything leaves nothing owed, and what exceeds everything is an advance', () => {
    expect(linesOf(2350).at(-1)).toEqual(['penal', 1, 100]);
    expect(allocate(owed, paise(3000), OVER)).toMatchObject({ advancePaise: 550 });
    expect(allocate(owed, paise(3000), OVER).allocations.at(-1)).toEqual({
      bucket: 'penal',
      instalment_no: 1,
      charge_id: 'charge-0',
      paise: 200,
    });
  });
  test('of nothing goes nowhere', () =>
    expect(allocate(owed, paise(0), OVER)).toEqual({ allocations: [], advancePaise: 0 }));
  test('stamps the day on the instalment that it completes, and on no other', () => {
    const after = applied(owed, allocate(owed, paise(1200), OVER).allocations, START);
    expect(after.instalments.map((row) => row.paid_on)).toEqual([START, null]);
    const later = applied(after, allocate(after, paise(1100), OVER).allocations, addDays(START, 9));
    expect(later.instalments.map((row) => row.paid_on)).toEqual([START, addDays(START, 9)]);
  });
});

describe('any payment of any account', () => {
  test('is spread without losing or making a paisa, and leaves nothing below nought', () => {
    fc.assert(
      fc.property(accounts, amount(60_000), (owed, paid) => {
        const { allocations, advancePaise } = allocate(owed, paise(paid), OVER);
        expect(total(allocations.map((line) => line.paise)) + advancePaise).toBe(paid);
        expect(allocations.every((line) => line.paise > 0)).toBe(true);
        const after = applied(owed, allocations, START);
        const left = [...after.instalments.map(instalmentLeft), ...after.charges.map(chargeLeft)];
        expect(left.every((value) => value >= 0)).toBe(true);
        expect(advancePaise === 0 || total(left) === 0).toBe(true);
      }),
    );
  });
  test('pays principal only when the row’s interest is paid, a row only when the older are paid, a charge only when all rows are', () => {
    fc.assert(
      fc.property(accounts, amount(60_000), (owed, paid) => {
        const after = applied(owed, allocate(owed, paise(paid), OVER).allocations, START);
        const inOrder = after.instalments.every((row, index) => {
          const interestFirst = row.paid_principal_paise === 0 || row.paid_interest_paise === row.interest_paise;
          const feeLast = row.paid_fee_paise === 0 || row.paid_principal_paise === row.principal_paise;
          const next = after.instalments[index + 1];
          const olderFirst = !next || instalmentLeft(row) === 0 || instalmentLeft(next) === instalmentTotal(next);
          return interestFirst && feeLast && olderFirst;
        });
        expect(inOrder).toBe(true);
        const isAnyChargePaid = after.charges.some((charge) => charge.paid_paise > 0);
        expect(!isAnyChargePaid || after.instalments.every((row) => instalmentLeft(row) === 0)).toBe(true);
      }),
    );
  });
  test('makes the same of the account in one sum as in two', () => {
    fc.assert(
      fc.property(accounts, amount(20_000), amount(20_000), (owed, first, second) => {
        const half = applied(owed, allocate(owed, paise(first), OVER).allocations, START);
        const inTwo = applied(half, allocate(half, paise(second), OVER).allocations, START);
        expect(inTwo).toEqual(applied(owed, allocate(owed, paise(first + second), OVER).allocations, START));
      }),
    );
  });
});

describe('replay', () => {
  test('does not hang on the order in which payments come in, nor on what was marked paid before', () => {
    const twoOrders = payments.chain((made) =>
      fc.tuple(fc.constant(made), fc.shuffledSubarray(made, { minLength: made.length })),
    );
    fc.assert(
      fc.property(accounts, twoOrders, amount(9000), (owed, [made, shuffled], stale) => {
        const marked = applied(owed, allocate(owed, paise(stale), OVER).allocations, START);
        expect(replay(marked, shuffled)).toEqual(replay(owed, made));
      }),
    );
  });
  test('of a reversal is as if the payment had never been made', () => {
    fc.assert(
      fc.property(accounts, payments, (owed, made) => {
        expect(replay(owed, made)).toEqual(
          replay(
            owed,
            made.filter((payment) => !payment.isReversed),
          ),
        );
      }),
    );
  });
  test('equals taking the payments one by one in date order, and accounts for every paisa', () => {
    fc.assert(
      fc.property(accounts, payments, (owed, made) => {
        const standing = made
          .filter((payment) => !payment.isReversed)
          .toSorted((left, right) => (left.paid_on + left.payment_id < right.paid_on + right.payment_id ? -1 : 1));
        let state = owed;
        for (const payment of standing) {
          state = applied(state, allocate(state, payment.amount_paise, payment.paid_on).allocations, payment.paid_on);
        }
        const result = replay(owed, made);
        expect(result.account).toEqual(state);
        const lines = result.payments.flatMap((payment) => payment.allocations);
        expect(total(lines.map((line) => line.paise)) + result.advancePaise).toBe(
          total(standing.map((payment) => payment.amount_paise)),
        );
      }),
    );
  });
  test('gives the advance to a charge that came later', () => {
    const payment = { payment_id: 'a', paid_on: START, amount_paise: paise(1100), isReversed: false };
    expect(replay(account([[0, 1000, 0]]), [payment]).advancePaise).toBe(100);
    expect(replay(account([[0, 1000, 0]], [[1, 60]]), [payment])).toMatchObject({
      advancePaise: 40,
      account: { charges: [{ paid_paise: 60 }] },
    });
  });
  test('reversing the first of two payments moves the second to the oldest instalment', () => {
    const owed = account([
      [100, 900, 0],
      [90, 910, 0],
    ]);
    const first = { payment_id: 'a', paid_on: START, amount_paise: paise(1000), isReversed: false };
    const second = { payment_id: 'b', paid_on: addDays(START, 30), amount_paise: paise(1000), isReversed: false };
    expect(replay(owed, [first, second]).account.instalments.map((row) => row.paid_on)).toEqual([
      START,
      addDays(START, 30),
    ]);
    const after = replay(owed, [{ ...first, isReversed: true }, second]);
    expect(after.account.instalments.map((row) => row.paid_on)).toEqual([addDays(START, 30), null]);
  });
});

test('whoever pays the instalments on their days, whole or in parts, is never past due, whatever penal charges stand; nor who pays ahead while none does', () => {
  const behaviours = fc.array(fc.record({ daysEarly: amount(40), parts: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 12,
    maxLength: 12,
  });
  fc.assert(
    fc.property(accounts, behaviours, (owed, habits) => {
      const made = owed.instalments.flatMap((row): ReplayPayment[] => {
        const { daysEarly, parts } = habits[row.no - 1] ?? { daysEarly: 0, parts: 1 };
        const part = Math.floor(instalmentTotal(row) / parts);
        return Array.from({ length: parts }, (_, index) => ({
          payment_id: `${row.no}-${index}`,
          // Ahead of its day, what is paid goes to an open penal charge first.
          paid_on: addDays(row.due_on, index === parts - 1 || owed.charges.length > 0 ? 0 : -daysEarly),
          amount_paise: paise(index === parts - 1 ? instalmentTotal(row) - part * (parts - 1) : part),
          isReversed: false,
        }));
      });
      const isEverPastDue = owed.instalments.some((row) => {
        const day = addDays(row.due_on, 1);
        const soFar = made.filter((payment) => payment.paid_on < day && payment.amount_paise > 0);
        return dues(replay(owed, soFar).account, day).days_past_due > 0;
      });
      expect(isEverPastDue).toBe(false);
    }),
  );
});
