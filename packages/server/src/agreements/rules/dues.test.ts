import { isoDate } from '@kist/contract/dates';
import { paise } from '@kist/contract/money';
import { describe, expect, test } from 'vitest';
import type { Account, ChargeState, InstalmentState } from './account.ts';
import { dues } from './dues.ts';

const row = (no: number, due_on: string, paidPrincipal = 0): InstalmentState => ({
  no,
  due_on: isoDate(due_on),
  interest_paise: paise(100_00),
  principal_paise: paise(900_00),
  fee_paise: paise(0),
  paid_interest_paise: paise(paidPrincipal > 0 ? 100_00 : 0),
  paid_principal_paise: paise(paidPrincipal),
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
const FULL = 900_00;
const at = (account: Account, on: string) => dues(account, isoDate(on));

describe('dues', () => {
  const owed: Account = {
    instalments: [row(1, '2026-02-15', FULL), row(2, '2026-03-15', 400_00), row(3, '2026-04-15')],
    charges: [charge(1, 50_00)],
  };

  test('the due day itself is not past due, the day after is one day', () => {
    expect(at(owed, '2026-03-15')).toMatchObject({ days_past_due: 0, overdue_paise: 0, dueTodayPaise: 500_00 });
    expect(at(owed, '2026-03-16')).toMatchObject({ days_past_due: 1, overdue_paise: 500_00, dueTodayPaise: 0 });
    expect(at(owed, '2026-05-15')).toMatchObject({ days_past_due: 61, overdue_paise: 1_500_00 });
  });
  test('the oldest unpaid instalment and the next one are told apart', () => {
    expect(at(owed, '2026-03-20')).toMatchObject({
      oldestUnpaid: { no: 2, due_on: '2026-03-15', left_paise: 500_00 },
      nextDue: { no: 3, due_on: '2026-04-15', left_paise: 1_000_00 },
      outstanding_paise: 1_500_00,
      paid_count: 1,
      last_due_on: '2026-04-15',
    });
    expect(at(owed, '2026-04-16').nextDue).toBeNull();
  });
  test('a penal charge alone makes nobody overdue and keeps no agreement open', () => {
    const paid: Account = { instalments: [row(1, '2026-02-15', FULL)], charges: [charge(1, 50_00)] };
    expect(at(paid, '2026-09-01')).toMatchObject({
      days_past_due: 0,
      overdue_paise: 0,
      outstanding_paise: 0,
      penal_left_paise: 50_00,
      isCompleted: true,
      isMaturing: false,
      oldestUnpaid: null,
    });
  });
  test('maturing is the last instalment due within 30 days, from today on', () => {
    expect(at(owed, '2026-03-15').isMaturing).toBe(false);
    expect(at(owed, '2026-03-16').isMaturing).toBe(true);
    expect(at(owed, '2026-04-15').isMaturing).toBe(true);
    expect(at(owed, '2026-04-16').isMaturing).toBe(false);
  });
  test('the order of the rows does not matter', () => {
    expect(at({ ...owed, instalments: owed.instalments.toReversed() }, '2026-04-16')).toEqual(at(owed, '2026-04-16'));
  });
  test('an agreement without instalments is a programming error', () => {
    expect(() => at({ instalments: [], charges: [] }, '2026-04-16')).toThrow(RangeError);
  });
});
