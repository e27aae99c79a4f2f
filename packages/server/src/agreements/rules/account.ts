import type { IsoDate } from '@kist/contract/dates';
import { add, type Paise, sub, sum, ZERO_PAISE } from '@kist/contract/money';

/** One instalment as agreed, and how much of each bucket is paid. */
export interface InstalmentState {
  /** 1…n */
  no: number;
  dueOn: IsoDate;
  interestPaise: Paise;
  principalPaise: Paise;
  feePaise: Paise;
  paidInterestPaise: Paise;
  paidPrincipalPaise: Paise;
  paidFeePaise: Paise;
  /** Day of the payment that completed it; null while something is left. */
  paidOn: IsoDate | null;
}

/** One penal charge: a bucket of its own, never part of an instalment. */
export interface ChargeState {
  chargeId: string;
  /** The overdue instalment it was made for. */
  instalmentNo: number;
  chargedOn: IsoDate;
  amountPaise: Paise;
  paidPaise: Paise;
}

/** All that an agreement is owed, in any order. */
export interface Account {
  instalments: readonly InstalmentState[];
  charges: readonly ChargeState[];
}

/** Buckets of an instalment in the order in which a payment fills them. */
export const BUCKETS = ['interest', 'principal', 'fee'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** What is left in one bucket of an instalment, paise. */
export function leftInBucket(row: InstalmentState, bucket: Bucket): Paise {
  if (bucket === 'interest') return sub(row.interestPaise, row.paidInterestPaise);
  if (bucket === 'principal') return sub(row.principalPaise, row.paidPrincipalPaise);
  return sub(row.feePaise, row.paidFeePaise);
}

/** What is left of an instalment, penal charges aside, paise. */
export const instalmentLeft = (row: InstalmentState): Paise => sum(BUCKETS.map((bucket) => leftInBucket(row, bucket)));
/** What an instalment asks for in all, paise. */
export const instalmentTotal = (row: InstalmentState): Paise =>
  sum([row.interestPaise, row.principalPaise, row.feePaise]);
/** What is left of a penal charge, paise. */
export const chargeLeft = (charge: ChargeState): Paise => sub(charge.amountPaise, charge.paidPaise);

/** Oldest first; a schedule has one row a day, the number decides should a changed schedule have two. */
export const byDueDate = (left: InstalmentState, right: InstalmentState): number =>
  left.dueOn < right.dueOn ? -1 : left.dueOn > right.dueOn ? 1 : left.no - right.no;

/** Oldest first; the identifier decides within a day, so every replay takes the same order. */
export const byChargeDate = (left: ChargeState, right: ChargeState): number =>
  left.chargedOn < right.chargedOn
    ? -1
    : left.chargedOn > right.chargedOn
      ? 1
      : left.chargeId < right.chargeId
        ? -1
        : 1;

/** A bucket of an instalment with more paid into it. */
export function payInto(row: InstalmentState, bucket: Bucket, amountPaise: Paise): InstalmentState {
  if (bucket === 'interest') return { ...row, paidInterestPaise: add(row.paidInterestPaise, amountPaise) };
  if (bucket === 'principal') return { ...row, paidPrincipalPaise: add(row.paidPrincipalPaise, amountPaise) };
  return { ...row, paidFeePaise: add(row.paidFeePaise, amountPaise) };
}

/** The account before its first payment: what is agreed and charged, nothing paid. */
export const unpaid = ({ instalments, charges }: Account): Account => ({
  instalments: instalments.map((row) => ({
    ...row,
    paidInterestPaise: ZERO_PAISE,
    paidPrincipalPaise: ZERO_PAISE,
    paidFeePaise: ZERO_PAISE,
    paidOn: null,
  })),
  charges: charges.map((charge) => ({ ...charge, paidPaise: ZERO_PAISE })),
});
