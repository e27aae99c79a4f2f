import { type IsoDate, instantOf } from '@kist/contract/dates';
import type { Paise } from '@kist/contract/money';
import type { Account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type AllocatedPart, downPaymentLines, paymentLines } from './rules/journal.ts';
import { replay } from './rules/replay.ts';
import * as store from './store.ts';

/** How many go into one statement: joining the lines of more journals grows with the square of them. */
const SLICE = 100;

/** Money that a shop's book says came in. */
export interface BookedPayment {
  paid_on: IsoDate;
  amount_paise: Paise;
}

/** One of them with where it went. */
export interface LaidOut extends BookedPayment {
  payment_id: string;
  parts: readonly AllocatedPart[];
}

/** Lays a book's payments out over an account as if they had come in day by day. @returns what they filled, where each went, and what nothing was owed for */
export function layOut(
  account: Account,
  booked: readonly BookedPayment[],
): { account: Account; payments: LaidOut[]; advance_paise: Paise } {
  const given = booked
    .toSorted((left, right) => (left.paid_on < right.paid_on ? -1 : left.paid_on > right.paid_on ? 1 : 0))
    .map((payment) => ({ ...payment, payment_id: newId(), isReversed: false }));
  const result = replay(account, given);
  const parts = new Map(result.payments.map((one) => [one.payment_id, one.allocations]));
  const payments = given.map(({ isReversed: _isReversed, ...payment }) => ({
    ...payment,
    parts: parts.get(payment.payment_id) ?? [],
  }));
  return { account: result.account, payments, advance_paise: result.advancePaise };
}

/** The payments of an agreement that ran before Kist. */
export interface HistoricPayments {
  agreement_id: string;
  agreement_no: string;
  customer_id: string;
  /** What was paid at the counter, and when. */
  down_payment: BookedPayment;
  /** The shop that took the money. */
  taken_by: string;
  payments: readonly LaidOut[];
}

/**
 * Writes payments that came in before Kist: journals of their own days, the money beside the till (`clearing_other`: nobody counts it again), numbers that
 * belong to no series of receipts, and no word to the customer.
 */
export async function recordHistoric(
  tx: Tx,
  actor: Pick<Actor, 'userId'>,
  given: readonly HistoricPayments[],
): Promise<void> {
  const all = given.flatMap(({ payments, down_payment, ...of }) => [
    ...(down_payment.amount_paise === 0 ? [] : [downPaymentOf(of, down_payment)]),
    ...payments.map((payment, index) => ({
      ...of,
      ...payment,
      goes_to: 'dues' as const,
      receipt_no: `${of.agreement_no}/${index + 1}`,
    })),
  ]);
  for (let from = 0; from < all.length; from += SLICE) {
    const some = all.slice(from, from + SLICE);
    await ledger.postMany(tx, some.map(posting));
    await store.insertHistoric.run(tx, {
      moved_by: actor.userId,
      rows: some.map(
        ({ payment_id, agreement_id, customer_id, amount_paise, paid_on, taken_by, receipt_no, goes_to }) => ({
          goes_to,
          payment_id,
          agreement_id,
          customer_id,
          amount_paise,
          paid_on,
          paid_at: new Date(instantOf(paid_on, NOON)).toISOString(),
          recorded_by: taken_by,
          receipt_no,
        }),
      ),
    });
  }
}

/** Minutes: a book knows the day, not the hour. */
const NOON = 12 * 60;

const downPaymentOf = <Of extends { agreement_no: string }>(of: Of, paid: BookedPayment) => ({
  ...of,
  ...paid,
  payment_id: newId(),
  parts: [],
  goes_to: 'down_payment' as const,
  receipt_no: `${of.agreement_no}/D`,
});

type Written = LaidOut & { agreement_id: string; taken_by: string; goes_to: 'dues' | 'down_payment' };

function posting({
  payment_id,
  agreement_id,
  amount_paise,
  paid_on,
  taken_by,
  parts,
  goes_to,
}: Written): ledger.Posting {
  const paid = { payment_id, agreement_id, amount_paise, till_user_id: taken_by, method: 'OTHER' } as const;
  return {
    effectKey: `payment:${payment_id}`,
    kind: 'payment',
    refKind: 'payment',
    refId: payment_id,
    businessOn: paid_on,
    lines: goes_to === 'down_payment' ? downPaymentLines(paid) : paymentLines(paid, parts),
  };
}
