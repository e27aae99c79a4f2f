import { addDays, isoDate } from '@kist/contract/dates';
import { bps, paise, rupees } from '@kist/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChargeState, InstalmentState } from '#server/agreements/agreements.ts';
import { penalCharge, type PenalPolicy } from './penal.ts';

/** Of 1,000 rupees, due on 15 February. */
const instalment = (paidInterest: number, paidPrincipal: number): InstalmentState => ({
  no: 1,
  dueOn: isoDate('2026-02-15'),
  interestPaise: rupees(100),
  principalPaise: rupees(900),
  feePaise: paise(0),
  paidInterestPaise: rupees(paidInterest),
  paidPrincipalPaise: rupees(paidPrincipal),
  paidFeePaise: paise(0),
  paidOn: null,
});
const charge = (instalmentNo: number, amount: number): ChargeState => ({
  chargeId: `c${instalmentNo}`,
  instalmentNo,
  chargedOn: isoDate('2026-02-20'),
  amountPaise: paise(amount),
  paidPaise: paise(0),
});

describe('penal charge', () => {
  const policy: PenalPolicy = { chargePaise: rupees(50), graceDays: 3, everyDays: 30, capBps: bps(1000) };
  const overdue = instalment(0, 0);
  const on = (day: string, charges: readonly ChargeState[] = [], of = overdue) =>
    penalCharge(of, charges, isoDate(day), policy);

  test('comes after the days of grace, once for each stretch', () => {
    expect(on('2026-02-15')).toEqual({ amountPaise: 0, reason: 'NOT_OVERDUE' });
    expect(on('2026-02-18')).toEqual({ amountPaise: 0, reason: 'WITHIN_GRACE' });
    expect(on('2026-02-19')).toEqual({ amountPaise: 50_00, reason: null });
    expect(on('2026-02-20', [charge(1, 50_00)])).toEqual({ amountPaise: 0, reason: 'CHARGED_ALREADY' });
    expect(on('2026-03-21', [charge(1, 50_00)])).toEqual({ amountPaise: 50_00, reason: null });
  });
  test('stops at the cap, which is a share of what is overdue without any charge', () => {
    expect(on('2026-05-15', [charge(1, 50_00)])).toEqual({ amountPaise: 50_00, reason: null });
    expect(on('2026-05-15', [charge(1, 100_00)])).toEqual({ amountPaise: 0, reason: 'CAP_REACHED' });
    expect(on('2026-05-15', [charge(2, 400_00)])).toEqual({ amountPaise: 100_00, reason: null });
  });
  test('is none for an instalment that is paid, whatever charges stand open', () => {
    expect(on('2026-05-15', [charge(1, 50_00)], instalment(100, 900))).toEqual({
      amountPaise: 0,
      reason: 'NOT_OVERDUE',
    });
  });
  test('comes to the same whether every day was run, some were missed or one was run twice, and never above the cap', () => {
    const days = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 40 });
    const chargedAfter = (runs: readonly number[]) => {
      const charges: ChargeState[] = [];
      for (const run of runs) {
        const { amountPaise } = on(addDays(overdue.dueOn, run), charges);
        if (amountPaise > 0) charges.push({ ...charge(1, amountPaise), chargeId: `c${run}` });
      }
      return charges.reduce((sum, { amountPaise }) => sum + amountPaise, 0);
    };
    fc.assert(
      fc.property(days, (some) => {
        const last = Math.max(...some);
        const daily = chargedAfter(Array.from({ length: last + 1 }, (_, day) => day));
        expect(chargedAfter(some.toSorted((a, b) => a - b))).toBe(daily);
        expect(daily).toBeLessThanOrEqual(100_00);
      }),
    );
  });
});
