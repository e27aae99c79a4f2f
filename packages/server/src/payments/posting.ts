import type { IsoDate } from '@kist/contract/dates';
import { type OpenAccount, account, saveAccount } from '#server/agreements/agreements.ts';
import { post, reverse } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import type { PaymentAllocation } from './rules/replay.ts';
import { replay } from './rules/replay.ts';
import { paymentLines } from './rules/journal.ts';
import {
  type AllocationRow,
  type PaymentRow,
  allocationsOf,
  paymentsOf,
  postings,
  replaceAllocations,
} from './store.ts';

const effectKey = (paymentId: string, n: number) => (n === 1 ? `payment:${paymentId}` : `payment:${paymentId}:${n}`);

/** The rows that an allocation is kept as; what exceeds everything owed is a line of its own. */
function rowsOf(allocation: PaymentAllocation): AllocationRow[] {
  const lines: Omit<AllocationRow, 'line_no' | 'payment_id'>[] = allocation.allocations.map((line) => ({
    bucket: line.bucket,
    instalment_no: line.instalmentNo,
    charge_id: line.chargeId,
    paise: line.paise,
  }));
  if (allocation.advancePaise > 0)
    lines.push({ bucket: 'advance', instalment_no: null, charge_id: null, paise: allocation.advancePaise });
  return lines.map((line, index) => ({ ...line, payment_id: allocation.paymentId, line_no: index + 1 }));
}

const sameRows = (left: readonly AllocationRow[], right: readonly AllocationRow[]): boolean =>
  left.length === right.length &&
  left.every(
    (row, i) =>
      row.bucket === right[i]!.bucket &&
      row.instalment_no === right[i]!.instalment_no &&
      row.charge_id === right[i]!.charge_id &&
      row.paise === right[i]!.paise,
  );

/**
 * Brings an agreement's books in line with the payments that stand: every payment is laid out again from the first, in date order, and wherever a
 * payment now goes elsewhere its journal is reversed and posted anew. A plain payment posts one journal; a reversal or a back-dated payment as many
 * as it shifts. Nothing is ever edited.
 * @param opened the account, locked by this transaction.
 */
export async function settle(
  tx: Tx,
  opened: OpenAccount,
  businessOn: IsoDate,
): Promise<{ account: OpenAccount; rowsOfPayment: Map<string, AllocationRow[]>; payments: PaymentRow[] }> {
  const { agreement } = opened;
  const payments = await paymentsOf(tx, agreement.agreement_id);
  const allocated = await allocationsOf(tx, agreement.agreement_id);
  const result = replay(
    opened,
    payments.map((payment) => ({
      paymentId: payment.payment_id,
      paidOn: payment.paid_on,
      amountPaise: payment.amount_paise,
      isReversed: payment.state === 'reversed',
    })),
  );
  const wanted = new Map(result.payments.map((allocation) => [allocation.paymentId, rowsOf(allocation)]));
  for (const payment of payments) {
    const rows = wanted.get(payment.payment_id) ?? [];
    if (
      sameRows(
        allocated.filter((row) => row.payment_id === payment.payment_id),
        rows,
      )
    )
      continue;
    await repost(tx, agreement.agreement_id, agreement.owner_user_id, payment, rows, businessOn);
  }
  await saveAccount(tx, agreement, result.account, result.advancePaise);
  return { account: await account(tx, { agreementId: agreement.agreement_id }), rowsOfPayment: wanted, payments };
}

/** Reverses the journal in force of a payment, if any, and posts the one that now holds. */
async function repost(
  tx: Tx,
  agreementId: string,
  tillUserId: string,
  payment: PaymentRow,
  rows: AllocationRow[],
  businessOn: IsoDate,
): Promise<void> {
  const { payment_id: paymentId } = payment;
  const n = await postings(tx, paymentId);
  if (n > 0) {
    const last = effectKey(paymentId, n);
    await reverse(tx, last, {
      effectKey: `reversal:${last}`,
      kind: 'payment_reversed',
      refKind: 'payment',
      refId: paymentId,
      businessOn,
    });
  }
  await replaceAllocations(tx, agreementId, paymentId, rows);
  if (rows.length === 0) return;
  await post(tx, {
    effectKey: effectKey(paymentId, n + 1),
    kind: 'payment',
    refKind: 'payment',
    refId: paymentId,
    businessOn,
    lines: paymentLines(
      { agreementId, tillUserId, method: payment.method as 'CASH', amountPaise: payment.amount_paise },
      rows,
    ),
  });
}
