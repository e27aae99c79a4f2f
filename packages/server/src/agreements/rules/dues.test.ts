import { isoDate } from '@kist/contract/dates';
import { paise } from '@kist/contract/money';
import { describe, expect, test } from 'vitest';
import type { Account, ChargeState, InstalmentState } from './account.ts';
import { dues } from './dues.ts';

const row = (no: number, dueOn: string, paidPrincipal = 0): InstalmentState => ({
  no,
  dueOn: isoDate(dueOn),
  interestPaise: paise(100_00),
  principalPaise: paise(900_00),
  feePaise: paise(0),
  paidInterestPaise: paise(paidPrincipal > 0 ? 100_00 : 0),
  paidPrincipalPaise: paise(paidPrincipal),
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
const FULL = 900_00;
const at = (account: Account, on: string) => dues(account, isoDate(on));

describe('dues', () => {
  const owed: Account = {
    instalments: [row(1, '2026-02-15', FULL), row(2, '2026-03-15', 400_00), row(3, '2026-04-15')],
    charges: [charge(1, 50_00)],
  };

  test('the due day itself is not past due, the day after is one day', () => {
    expect(at(owed, '2026-03-15')).toMatchObject({ daysPastDue: 0, overduePaise: 0, dueTodayPaise: 500_00 });
    expect(at(owed, '2026-03-16')).toMatchObject({ daysPastDue: 1, overduePaise: 500_00, dueTodayPaise: 0 });
    expect(at(owed, '2026-05-15')).toMatchObject({ daysPastDue: 61, overduePaise: 1_500_00 });
  });
  test('the oldest unpaid instalment and the next one are told apart', () => {
    expect(at(owed, '2026-03-20')).toMatchObject({
      oldestUnpaid: { no: 2, dueOn: '2026-03-15', leftPaise: 500_00 },
      nextDue: { no: 3, dueOn: '2026-04-15', leftPaise: 1_000_00 },
      outstandingPaise: 1_500_00,
      paidCount: 1,
      lastDueOn: '2026-04-15',
    });
    expect(at(owed, '2026-04-16').nextDue).toBeNull();
  });
  test('a penal charge alone makes nobody overdue and keeps no agreement open', () => {
    const paid: Account = { instalments: [row(1, '2026-02-15', FULL)], charges: [charge(1, 50_00)] };
    expect(at(paid, '2026-09-01')).toMatchObject({
      daysPastDue: 0,
      overduePaise: 0,
      outstandingPaise: 0,
      penalLeftPaise: 50_00,
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
