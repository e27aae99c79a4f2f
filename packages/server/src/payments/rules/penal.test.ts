import { addDays, isoDate } from '@kist/contract/dates';
import { bps, paise, rupees } from '@kist/contract/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChargeState, InstalmentState } from '#server/agreements/agreements.ts';
import { penalCharge, type PenalTerms } from './penal.ts';

/** Of 1,000 rupees, due on 15 February. */
const instalment = (paidInterest: number, paidPrincipal: number): InstalmentState => ({
  no: 1,
  due_on: isoDate('2026-02-15'),
  interest_paise: rupees(100),
  principal_paise: rupees(900),
  fee_paise: paise(0),
  paid_interest_paise: rupees(paidInterest),
  paid_principal_paise: rupees(paidPrincipal),
  paid_fee_paise: paise(0),
  paid_on: null,
});
const charge = (instalment_no: number, amount: number): ChargeState => ({
  charge_id: `c${instalment_no}`,
  instalment_no,
  charged_on: isoDate('2026-02-20'),
  amount_paise: paise(amount),
  paid_paise: paise(0),
  waived_paise: paise(0),
});

describe('penal charge', () => {
  const rule: PenalTerms = { charge_paise: rupees(50), grace_days: 3, every_days: 30, cap_bps: bps(1000) };
  const overdue = instalment(0, 0);
  const on = (day: string, charges: readonly ChargeState[] = [], of = overdue) =>
    penalCharge(of, charges, isoDate(day), rule);

  test('comes after the days of grace, once for each stretch', () => {
    expect(on('2026-02-15')).toEqual({ amount_paise: 0, reason: 'NOT_OVERDUE' });
    expect(on('2026-02-18')).toEqual({ amount_paise: 0, reason: 'WITHIN_GRACE' });
    expect(on('2026-02-19')).toEqual({ amount_paise: 50_00, reason: null });
    expect(on('2026-02-20', [charge(1, 50_00)])).toEqual({ amount_paise: 0, reason: 'CHARGED_ALREADY' });
    expect(on('2026-03-21', [charge(1, 50_00)])).toEqual({ amount_paise: 50_00, reason: null });
  });
  test('stops at the cap, which is a share of what is overdue without any charge', () => {
    expect(on('2026-05-15', [charge(1, 50_00)])).toEqual({ amount_paise: 50_00, reason: null });
    expect(on('2026-05-15', [charge(1, 100_00)])).toEqual({ amount_paise: 0, reason: 'CAP_REACHED' });
    expect(on('2026-05-15', [charge(2, 400_00)])).toEqual({ amount_paise: 100_00, reason: null });
  });
  test('is none for an instalment that is paid, whatever charges stand open', () => {
    expect(on('2026-05-15', [charge(1, 50_00)], instalment(100, 900))).toEqual({
      amount_paise: 0,
      reason: 'NOT_OVERDUE',
    });
  });
  test('comes to the same whether every day was run, some were missed or one was run twice, and never above the cap', () => {
    const days = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 40 });
    const chargedAfter = (runs: readonly number[]) => {
      const charges: ChargeState[] = [];
      for (const run of runs) {
        const { amount_paise } = on(addDays(overdue.due_on, run), charges);
        if (amount_paise > 0) charges.push({ ...charge(1, amount_paise), charge_id: `c${run}` });
      }
      return charges.reduce((sum, { amount_paise }) => sum + amount_paise, 0);
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
