import type { Line } from '#server/ledger/chart.ts';
/** A part of a payment, as it is stored. */
export interface AllocatedPart {
  bucket: 'interest' | 'principal' | 'fee' | 'penal' | 'advance';
  paise: number;
}

const TILL = {
  CASH: 'clearing_cash',
  UPI: 'clearing_upi',
  GATEWAY: 'clearing_other',
  OTHER: 'clearing_other',
} as const;

/** @returns the sum of the buckets named. */
const total = (rows: readonly AllocatedPart[], bucket: AllocatedPart['bucket']) =>
  rows.reduce((sum, row) => (row.bucket === bucket ? sum + row.paise : sum), 0);

/**
 * The journal of one payment: the money into the shop's till, each bucket off what the customer owes, interest and fees from unearned to income.
 * Debits and credits are equal because the allocation adds up to the amount.
 */
export function paymentLines(
  payment: { agreementId: string; tillUserId: string; method: keyof typeof TILL; amountPaise: number },
  rows: readonly AllocatedPart[],
): Line[] {
  const owed = (
    code: 'receivable_interest' | 'receivable_principal' | 'receivable_fee' | 'receivable_penal' | 'advance',
    bucket: AllocatedPart['bucket'],
  ): Line => ({ code, ownerId: payment.agreementId, side: 'credit', amount: total(rows, bucket) });
  return [
    { code: TILL[payment.method], ownerId: payment.tillUserId, side: 'debit', amount: payment.amountPaise },
    owed('receivable_interest', 'interest'),
    owed('receivable_principal', 'principal'),
    owed('receivable_fee', 'fee'),
    owed('receivable_penal', 'penal'),
    owed('advance', 'advance'),
    { code: 'unearned_interest', side: 'debit', amount: total(rows, 'interest') },
    { code: 'income_interest', side: 'credit', amount: total(rows, 'interest') },
    { code: 'unearned_fee', side: 'debit', amount: total(rows, 'fee') },
    { code: 'income_fee', side: 'credit', amount: total(rows, 'fee') },
  ];
}
