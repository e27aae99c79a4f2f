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
        rateBps: fc
          .oneof(fc.integer({ min: 0, max: EMI_LIMITS.rateMaxBps }), fc.integer({ min: 0, max: 3000 }))
          .map(bps),
        deliveredOn: dates,
        anchorDay: fc.option(fc.integer({ min: 1, max: 31 }), { nil: undefined }),
        rounding: fc.constantFrom('RUPEE', 'PAISE'),
        feePaise: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000_00 })).map(paise),
      })
      .map(({ financed, down, ...rest }) => ({
        ...rest,
        frequency,
        tenure,
        cashPricePaise: paise(financed + down),
        downPaymentPaise: paise(down),
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
        let balance: number = result.financedPaise;
        const broken = instalments.filter((row, index) => {
          balance -= row.principalPaise;
          const amounts = [row.principalPaise, row.interestPaise, row.feePaise, row.totalPaise, row.balancePaise];
          const areAmounts = amounts.every((amount) => Number.isInteger(amount) && amount >= 0 && amount <= MAX_PAISE);
          const isSum = row.totalPaise === row.principalPaise + row.interestPaise + row.feePaise;
          return !areAmounts || !isSum || row.totalPaise <= 0 || row.no !== index + 1 || row.balancePaise !== balance;
        });
        expect(broken).toEqual([]);
        expect(balance).toBe(0);
        expect(total(instalments.map((row) => row.principalPaise))).toBe(terms.cashPricePaise - terms.downPaymentPaise);
        expect(total(instalments.map((row) => row.totalPaise))).toBe(result.totalPayablePaise);
        expect(total(instalments.map((row) => row.interestPaise))).toBe(result.totalInterestPaise);
        expect(total(instalments.map((row) => row.feePaise))).toBe(terms.feePaise);
      }),
      { numRuns: 1500 },
    );
  });
  test('asks the same in every row but the last', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { instalments, emiPaise } = schedule(terms);
        expect(instalments.slice(0, -1).every((row) => row.totalPaise - row.feePaise === emiPaise)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
  test('falls due on strictly later days, after delivery, monthly on the anchor or the month’s last day', () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { instalments } = schedule(terms);
        const days = [terms.deliveredOn, ...instalments.map((row) => row.dueOn)];
        expect(days.slice(1).every((day, index) => compare(days[index] ?? day, day) < 0)).toBe(true);
        if (terms.frequency !== 'MONTHLY') return;
        const anchorDay = terms.anchorDay ?? partsOf(terms.deliveredOn).day;
        const isAnchored = instalments.every(({ dueOn }) => {
          const { year, month, day } = partsOf(dueOn);
          return day === Math.min(anchorDay, daysInMonth(year, month));
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
        const gap = daysBetween(terms.deliveredOn, first!.dueOn);
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
        const { aprBps, totalInterestPaise } = schedule(terms);
        expect(Number.isInteger(aprBps) && aprBps >= 0 && aprBps <= MAX_APR_BPS).toBe(true);
        expect(aprBps === 0 || totalInterestPaise + (terms.feePaise ?? 0) > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  test('is ZERO when a reducing or flat rate is 0 %', () => {
    fc.assert(
      fc.property(anyTerms, fc.constantFrom('REDUCING', 'FLAT'), (terms, method) => {
        const free = { ...terms, rateBps: bps(0) };
        expect(schedule({ ...free, method })).toEqual(schedule({ ...free, method: 'ZERO' }));
      }),
      { numRuns: 200 },
    );
  });
});

describe('reducing balance', () => {
  const sensible = fc.record({
    cashPricePaise: fc.integer({ min: 1_000_00, max: EMI_LIMITS.cashPriceMaxPaise }).map(paise),
    rateBps: fc.integer({ min: 1, max: 4800 }).map(bps),
    tenure: fc.integer({ min: 1, max: 36 }),
    frequency: frequencies,
    deliveredOn: dates,
    anchorDay: fc.option(fc.integer({ min: 1, max: 31 }), { nil: undefined }),
  });
  test('without fee and rounding the APR is the rate, to one basis point from ₹10,000 up', () => {
    fc.assert(
      fc.property(sensible, (terms) => {
        fc.pre(terms.cashPricePaise >= 10_000_00);
        const { aprBps } = schedule({ ...terms, method: 'REDUCING', downPaymentPaise: paise(0), rounding: 'PAISE' });
        expect(Math.abs(aprBps - terms.rateBps)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });
  test('each row’s interest is the rate on the balance before it, half up', () => {
    fc.assert(
      fc.property(sensible, (terms) => {
        const { instalments, financedPaise } = schedule({
          ...terms,
          anchorDay: undefined,
          method: 'REDUCING',
          downPaymentPaise: paise(0),
        });
        const divisor = 20_000n * { MONTHLY: 12n, FORTNIGHTLY: 26n, WEEKLY: 52n }[terms.frequency];
        let balance = BigInt(financedPaise);
        const isExact = instalments.every((row) => {
          const interest = (2n * balance * BigInt(terms.rateBps) + divisor / 2n) / divisor;
          balance = BigInt(row.balancePaise);
          return BigInt(row.interestPaise) === interest;
        });
        expect(isExact).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  test('the exact instalment brings the balance to nought exactly', () => {
    const first = fc.record({ days: fc.integer({ min: 1, max: 61 }), wholeDays: fc.constantFrom(28, 29, 30, 31) });
    fc.assert(
      fc.property(sensible, first, ({ cashPricePaise, rateBps, tenure }, share) => {
        const [a, b] = [BigInt(rateBps), 120_000n];
        const loan = { financedPaise: cashPricePaise, rateNumerator: a, rateDenominator: b, tenure, first: share };
        const { numerator, denominator } = exactEmi(loan);
        // The balance times `scale`: each period multiplies it by (b + a) ÷ b, the first by its share.
        let scale = denominator * b * BigInt(share.wholeDays);
        let balance = BigInt(cashPricePaise) * denominator * (b * BigInt(share.wholeDays) + a * BigInt(share.days));
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
        financedPaise: fc.integer({ min: 2 * tenure, max: 10_000 * tenure }).map(paise),
        rateNumerator: fc.bigInt({ min: 1n, max: 10_000n }),
        rateDenominator: fc.constant(120_000n),
        tenure: fc.constant(tenure),
        first: fc.record({ days: fc.integer({ min: 1, max: 61 }), wholeDays: fc.constantFrom(28, 29, 30, 31) }),
      }),
    );
    fc.assert(
      fc.property(loans, (loan) => {
        const { numerator, denominator } = exactEmi(loan);
        const emiPaise = paise(Number((2n * numerator + denominator) / (2n * denominator)));
        const rows = trackedRows(loan, emiPaise);
        expect(rows.every((row) => row.principalPaise >= 0 && row.interestPaise >= 0)).toBe(true);
        expect(rows.every((row) => row.principalPaise + row.interestPaise > 0)).toBe(true);
        expect(total(rows.map((row) => row.principalPaise))).toBe(loan.financedPaise);
        const last = rows.at(-1);
        // At worst, at next to no interest, the half paisa of every row is left to the last one; it never compounds.
        const difference = (last?.principalPaise ?? 0) + (last?.interestPaise ?? 0) - emiPaise;
        expect(Math.abs(difference)).toBeLessThanOrEqual(3 + loan.tenure / 2);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('APR', () => {
  const month = { periodsPerYear: 12, first: { days: 1, wholeDays: 1 } };
  test('is nought when no more comes back than was lent', () => {
    expect(apr({ ...month, financedPaise: rupees(100), totalsPaise: [rupees(50), rupees(40)] })).toBe(0);
    expect(apr({ ...month, financedPaise: rupees(100), totalsPaise: [rupees(50), rupees(50)] })).toBe(0);
  });
  test('of one payment is its interest', () => {
    expect(apr({ ...month, financedPaise: rupees(10_000), totalsPaise: [rupees(10_100)] })).toBe(1200);
    expect(
      apr({
        ...month,
        financedPaise: rupees(31_000),
        totalsPaise: [rupees(31_160)],
        first: { days: 16, wholeDays: 31 },
      }),
    ).toBe(1200);
  });
  test('stops at the cap where a fee dwarfs the sum', () => {
    expect(apr({ ...month, financedPaise: rupees(1), totalsPaise: [rupees(50_000)] })).toBe(MAX_APR_BPS);
  });
});
