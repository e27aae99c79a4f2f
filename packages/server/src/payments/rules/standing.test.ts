import { isoDate } from '@kist/contract/dates';
import { bps, paise, rupees, type Paise } from '@kist/contract/money';
import { describe, expect, test } from 'vitest';
import type { Account, ChargeState } from '#server/agreements/agreements.ts';
import { unpaidRow } from '#test/unpaid-row.ts';
import type { PenalTerms } from './penal.ts';
import { replay, type ReplayPayment } from './replay.ts';
import { takenBack } from './standing.ts';

const RULE: PenalTerms = { charge_paise: rupees(100), grace_days: 3, every_days: 30, cap_bps: bps(10_000) };

const instalment = (no: number, due_on: string) =>
  unpaidRow({ no, due_on: isoDate(due_on), principal_paise: rupees(1000) });
const charge = (charge_id: string, instalment_no: number, charged_on: string): ChargeState => ({
  charge_id,
  instalment_no,
  charged_on: isoDate(charged_on),
  amount_paise: rupees(100),
  paid_paise: paise(0),
  waived_paise: paise(0),
});
const payment = (payment_id: string, paid_on: string, amount_paise: Paise): ReplayPayment => ({
  payment_id,
  paid_on: isoDate(paid_on),
  amount_paise,
  isReversed: false,
});
const gone = (account: Account, payments: readonly ReplayPayment[], after: string) =>
  takenBack(
    account,
    (left) =>
      replay(left, payments).payments.map(({ payment_id, allocations }) => ({
        paid_on: payments.find((one) => one.payment_id === payment_id)!.paid_on,
        allocations,
      })),
    isoDate(after),
    RULE,
  ).map(({ charge_id }) => charge_id);

describe('penal charges that money of an earlier day takes back', () => {
  // ₹1,000 on 15 January and on 15 February; each was late by four days once, and charged.
  const account: Account = {
    instalments: [instalment(1, '2026-01-15'), instalment(2, '2026-02-15')],
    charges: [charge('first', 1, '2026-01-19'), charge('second', 2, '2026-02-19')],
  };
  test('take others with them: what they had been paid pays what those were made for', () => {
    const late = [
      payment('a', '2026-01-25', rupees(100)),
      payment('b', '2026-02-10', rupees(900)),
      payment('c', '2026-01-15', rupees(1000)),
    ];
    // With the first charge standing, ₹100 of this money is in it, and the second instalment lacks as much.
    const withFirst = replay(account, late).account.instalments[1]!;
    expect(withFirst.paid_principal_paise).toBe(rupees(900));
    expect(gone(account, late, '2026-01-15').toSorted()).toEqual(['first', 'second']);
  });

  test('stay when they were made on the value day or before', () => {
    const late = [payment('c', '2026-01-19', rupees(1000))];
    expect(gone({ ...account, charges: [account.charges[0]!] }, late, '2026-01-19')).toEqual([]);
  });
});
