import { isoDate } from '@kist/contract/dates';
import { EMI_LIMITS, type EmiFrequency } from '@kist/contract/emi-limits';
import { bps, paise } from '@kist/contract/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactSchedule, exactSurplus, type RoundedTo } from '#test/exact-schedule.ts';
import { MAX_APR_BPS } from './apr.ts';
import { schedule, type ScheduleTerms } from './schedule.ts';

const days = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((day) => isoDate(day.toISOString().slice(0, 10)));

/** Shops' terms, and everything else that the contract lets in: sums of a few paise a row, 100 % over ten years, every anchor. */
const anyTerms: fc.Arbitrary<ScheduleTerms> = fc
  .constantFrom<EmiFrequency>('MONTHLY', 'FORTNIGHTLY', 'WEEKLY')
  .chain((frequency) =>
    fc
      .oneof(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: EMI_LIMITS.tenureMax[frequency] }))
      .chain((tenure) =>
        fc
          .record({
            method: fc.constantFrom('FLAT', 'REDUCING', 'ZERO'),
            financed: fc.oneof(
              fc.integer({ min: 2 * tenure, max: EMI_LIMITS.cashPriceMaxPaise }),
              fc.integer({ min: 2 * tenure, max: 300 * tenure }),
              fc.integer({ min: 5_000, max: 60_000 }).map((rupees) => rupees * 100),
            ),
            rate_bps: fc.oneof(fc.integer({ min: 0, max: 3_600 }), fc.integer({ min: 0, max: EMI_LIMITS.rateMaxBps })),
            delivered_on: days,
            anchor_day: fc.option(fc.integer({ min: 1, max: 31 }), { nil: undefined }),
            rounding: fc.constantFrom('RUPEE', 'PAISE'),
            fee: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000_00 })),
          })
          .map(({ financed, rate_bps, fee, ...rest }) => ({
            ...rest,
            frequency,
            tenure,
            cash_price: paise(financed),
            down_payment: paise(0),
            rate_bps: bps(rest.method === 'ZERO' ? 0 : rate_bps),
            fee: paise(fee),
          })),
      ),
  );

const exactTerms = (terms: ScheduleTerms) => ({
  method: terms.method,
  frequency: terms.frequency,
  rounding: terms.rounding ?? 'RUPEE',
  financed: terms.cash_price,
  rateBps: terms.rate_bps,
  tenure: terms.tenure,
  deliveredOn: terms.delivered_on,
  anchorDay: terms.anchor_day,
});

test('the engine is the schedule in exact fractions, to the paisa and the day', { timeout: 120_000 }, () => {
  const seen: Record<RoundedTo, number> = { rupee: 0, paisa: 0, 'last resort': 0 };
  fc.assert(
    fc.property(anyTerms, (terms) => {
      const { roundedTo, rows } = exactSchedule(exactTerms(terms));
      seen[roundedTo] += 1;
      const fee = (no: number) => (no === 1 ? Number(terms.fee) : 0);
      expect(schedule(terms).instalments).toEqual(
        rows.map(({ no, dueOn, principal, interest, total, balance }) => ({
          no,
          due_on: dueOn,
          principal_paise: Number(principal),
          interest_paise: Number(interest),
          fee_paise: fee(no),
          total_paise: Number(total) + fee(no),
          balance_paise: Number(balance),
        })),
      );
    }),
    { numRuns: 4_000 },
  );
  // The two ways out, where the rupee or the paisa would leave a row empty, are part of what was held against the engine.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});

test(
  'the APR is the rate, to the basis point, at which the exact flows are worth what was lent',
  { timeout: 60_000 },
  () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const { apr_bps, instalments } = schedule(terms);
        const totals = instalments.map((row) => BigInt(row.total_paise));
        const worthAt = (halfBps: number) => exactSurplus(exactTerms(terms), totals, halfBps);
        if (apr_bps === 0) expect(worthAt(1)).toBeLessThanOrEqual(0n);
        else expect(worthAt(2 * apr_bps - 1)).toBeGreaterThanOrEqual(0n);
        if (apr_bps < MAX_APR_BPS) expect(worthAt(2 * apr_bps + 1)).toBeLessThanOrEqual(0n);
      }),
      { numRuns: 500 },
    );
  },
);
