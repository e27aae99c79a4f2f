import { compare, daysInMonth, isoDate, partsOf, daysBetween } from '@kist/contract/dates';
import { EMI_LIMITS, type EmiFrequency } from '@kist/contract/emi-limits';
import { bps, MAX_PAISE, paise, rupees } from '@kist/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apr, MAX_APR_BPS } from './apr.ts';
import { exactEmi, trackedRows } from './reducing.ts';
import { schedule, type ScheduleTerms } from './schedule.ts';

const dates = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => isoDate(date.toISOString().slice(0, 10)));
const frequencies = fc.constantFrom<EmiFrequency>('MONTHLY', 'FORTNIGHTLY', 'WEEKLY');

/** Everything that the contract lets in, small sums, long tenures and high rates included. */
const anyTerms: fc.Arbitrary<ScheduleTerms> = frequencies.chain((frequency) =>
  fc.integer({ min: 1, max: EMI_LIMITS.tenureMax[frequency] }).chain((tenure) =>
    fc
      .record({
        method: fc.constantFrom('FLAT', 'REDUCING', 'ZERO'),
        financed: fc.oneof(
          fc.integer({ min: 2 * tenure, max: EMI_LIMITS.cashPriceMaxPaise }),
          fc.integer({ min: 2 * tenure, max: 200 * tenure }),
        ),
        down: fc.integer({ min: 0, max: 1_00_000_00 }),
        rate_bps: fc
          .oneof(fc.integer({ min: 0, max: EMI_LIMITS.rateMaxBps }), fc.integer({ min: 0, max: 3000 }))
          .map(bps),
        delivered_on: dates,
        anchor_day: fc.option(fc.integer({ min: 1, max: 31 }), { nil: undefined }),
        rounding: fc.constantFrom('RUPEE', 'PAISE'),
        fee: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000_00 })).map(paise),
      })
      .map(({ financed, down, ...rest }) => ({
        ...rest,
        frequency,
        tenure,
        cash_price: paise(financed + down),
        down_payment: paise(down),
      })),
  ),
);
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

describe('every schedule of valid terms', () => {
  test('has n rows above zero, whose principal is what is financed and whose balance only falls, to nought', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { instalments, ...result } = schedule(terms);
        expect(instalments).toHaveLength(terms.tenure);
        let balance: number = result.financed_paise;
        const broken = instalments.filter((row, index) => {
          balance -= row.principal_paise;
          const amounts = [row.principal_paise, row.interest_paise, row.fee_paise, row.total_paise, row.balance_paise];
          const areAmounts = amounts.every((amount) => Number.isInteger(amount) && amount >= 0 && amount <= MAX_PAISE);
          const isSum = row.total_paise === row.principal_paise + row.interest_paise + row.fee_paise;
          return !areAmounts || !isSum || row.total_paise <= 0 || row.no !== index + 1 || row.balance_paise !== balance;
        });
        expect(broken).toEqual([]);
        expect(balance).toBe(0);
        expect(total(instalments.map((row) => row.principal_paise))).toBe(terms.cash_price - terms.down_payment);
        expect(total(instalments.map((row) => row.total_paise))).toBe(result.total_payable_paise);
        expect(total(instalments.map((row) => row.interest_paise))).toBe(result.total_interest_paise);
        expect(total(instalments.map((row) => row.fee_paise))).toBe(terms.fee);
      }),
      { numRuns: 1500 },
    );
  });
  test('asks the same in every row but the last', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { instalments, emi_paise } = schedule(terms);
        expect(instalments.slice(0, -1).every((row) => row.total_paise - row.fee_paise === emi_paise)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
  test('falls due on strictly later days, after delivery, monthly on the anchor or the month’s last day', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { instalments } = schedule(terms);
        const days = [terms.delivered_on, ...instalments.map((row) => row.due_on)];
        expect(days.slice(1).every((day, index) => compare(days[index] ?? day, day) < 0)).toBe(true);
        if (terms.frequency !== 'MONTHLY') return;
        const anchor_day = terms.anchor_day ?? partsOf(terms.delivered_on).day;
        const isAnchored = instalments.every(({ due_on }) => {
          const { year, month, day } = partsOf(due_on);
          return day === Math.min(anchor_day, daysInMonth(year, month));
        });
        expect(isAnchored).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  test('leaves fifteen days before the first instalment, seven of a fortnight, four of a week', () => {
    const least = { MONTHLY: 15, FORTNIGHTLY: 7, WEEKLY: 4 };
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const [first] = schedule(terms).instalments;
        const gap = daysBetween(terms.delivered_on, first!.due_on);
        expect(gap).toBeGreaterThanOrEqual(least[terms.frequency]);
        // And nobody waits longer than two months and the days of one for it.
        expect(gap).toBeLessThanOrEqual(62 + 14);
      }),
      { numRuns: 500 },
    );
  });
  test('has an APR from nought to the cap, nought without interest and fee', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { apr_bps, total_interest_paise } = schedule(terms);
        expect(Number.isInteger(apr_bps) && apr_bps >= 0 && apr_bps <= MAX_APR_BPS).toBe(true);
        expect(apr_bps === 0 || total_interest_paise + (terms.fee ?? 0) > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  test('is ZERO when a reducing or flat rate is 0 %', () => {
    fc.assert(
      fc.property(anyTerms, fc.constantFrom('REDUCING', 'FLAT'), (terms, method) => {
        const free = { ...terms, rate_bps: bps(0) };
        expect(schedule({ ...free, method })).toEqual(schedule({ ...free, method: 'ZERO' }));
      }),
      { numRuns: 200 },
    );
  });
});

describe('reducing balance', () => {
  const sensible = fc.record({
    cash_price: fc.integer({ min: 1_000_00, max: EMI_LIMITS.cashPriceMaxPaise }).map(paise),
    rate_bps: fc.integer({ min: 1, max: 4800 }).map(bps),
    tenure: fc.integer({ min: 1, max: 36 }),
    frequency: frequencies,
    delivered_on: dates,
    anchor_day: fc.option(fc.integer({ min: 1, max: 31 }), { nil: undefined }),
  });
  test('without fee and rounding the APR is the rate, to one basis point from ₹10,000 up', () => {
    fc.assert(
      fc.property(sensible, (terms) => {
        fc.pre(terms.cash_price >= 10_000_00);
        const { apr_bps } = schedule({ ...terms, method: 'REDUCING', down_payment: paise(0), rounding: 'PAISE' });
        expect(Math.abs(apr_bps - terms.rate_bps)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });
  test('each row’s interest is the rate on the balance before it, half up', () => {
    fc.assert(
      fc.property(sensible, (terms) => {
        const { instalments, financed_paise } = schedule({
          ...terms,
          anchor_day: undefined,
          method: 'REDUCING',
          down_payment: paise(0),
        });
        const divisor = 20_000n * { MONTHLY: 12n, FORTNIGHTLY: 26n, WEEKLY: 52n }[terms.frequency];
        let balance = BigInt(financed_paise);
        const isExact = instalments.every((row) => {
          const interest = (2n * balance * BigInt(terms.rate_bps) + divisor / 2n) / divisor;
          balance = BigInt(row.balance_paise);
          return BigInt(row.interest_paise) === interest;
        });
        expect(isExact).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  test('the exact instalment brings the balance to nought exactly', () => {
    const first = fc.record({ days: fc.integer({ min: 1, max: 61 }), wholeDays: fc.constantFrom(28, 29, 30, 31) });
    fc.assert(
      fc.property(sensible, first, ({ cash_price, rate_bps, tenure }, share) => {
        const [a, b] = [BigInt(rate_bps), 120_000n];
        const loan = { financed_paise: cash_price, rateNumerator: a, rateDenominator: b, tenure, first: share };
        const { numerator, denominator } = exactEmi(loan);
        // The balance times `scale`: each period multiplies it by (b + a) ÷ b, the first by its share.
        let scale = denominator * b * BigInt(share.wholeDays);
        let balance = BigInt(cash_price) * denominator * (b * BigInt(share.wholeDays) + a * BigInt(share.days));
        balance -= numerator * (scale / denominator);
        for (let no = 2; no <= tenure; no++) {
          scale *= b;
          balance = balance * (b + a) - numerator * (scale / denominator);
        }
        expect(balance).toBe(0n);
      }),
      { numRuns: 300 },
    );
  });
  test('rows that follow the exact balance are sound for whatever the contract lets in', () => {
    const loans = fc.integer({ min: 1, max: 120 }).chain((tenure) =>
      fc.record({
        financed_paise: fc.integer({ min: 2 * tenure, max: 10_000 * tenure }).map(paise),
        rateNumerator: fc.bigInt({ min: 1n, max: 10_000n }),
        rateDenominator: fc.constant(120_000n),
        tenure: fc.constant(tenure),
        first: fc.record({ days: fc.integer({ min: 1, max: 61 }), wholeDays: fc.constantFrom(28, 29, 30, 31) }),
      }),
    );
    fc.assert(
      fc.property(loans, (loan) => {
        const { numerator, denominator } = exactEmi(loan);
        const emi_paise = paise(Number((2n * numerator + denominator) / (2n * denominator)));
        const rows = trackedRows(loan, emi_paise);
        expect(rows.every((row) => row.principal_paise >= 0 && row.interest_paise >= 0)).toBe(true);
        expect(rows.every((row) => row.principal_paise + row.interest_paise > 0)).toBe(true);
        expect(total(rows.map((row) => row.principal_paise))).toBe(loan.financed_paise);
        const last = rows.at(-1);
        // At worst, at next to no interest, the half paisa of every row is left to the last one; it never compounds.
        const difference = (last?.principal_paise ?? 0) + (last?.interest_paise ?? 0) - emi_paise;
        expect(Math.abs(difference)).toBeLessThanOrEqual(3 + loan.tenure / 2);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('APR', () => {
  const month = { periodsPerYear: 12, first: { days: 1, wholeDays: 1 } };
  test('is nought when no more comes back than was lent', () => {
    expect(apr({ ...month, financed_paise: rupees(100), totalsPaise: [rupees(50), rupees(40)] })).toBe(0);
    expect(apr({ ...month, financed_paise: rupees(100), totalsPaise: [rupees(50), rupees(50)] })).toBe(0);
  });
  test('of one payment is its interest', () => {
    expect(apr({ ...month, financed_paise: rupees(10_000), totalsPaise: [rupees(10_100)] })).toBe(1200);
    expect(
      apr({
        ...month,
        financed_paise: rupees(31_000),
        totalsPaise: [rupees(31_160)],
        first: { days: 16, wholeDays: 31 },
      }),
    ).toBe(1200);
  });
  test('stops at the cap where a fee dwarfs the sum', () => {
    expect(apr({ ...month, financed_paise: rupees(1), totalsPaise: [rupees(50_000)] })).toBe(MAX_APR_BPS);
  });
});
