import type { IsoDate } from '@kist/contract/dates';
import { add, type Paise, sub, sum, ZERO_PAISE } from '@kist/contract/money';

/** One instalment as agreed, and how much of each bucket is paid. */
export interface InstalmentState {
  /** 1…n */
  no: number;
  due_on: IsoDate;
  interest_paise: Paise;
  principal_paise: Paise;
  fee_paise: Paise;
  paid_interest_paise: Paise;
  paid_principal_paise: Paise;
  paid_fee_paise: Paise;
  /** Day of the payment that completed it; null while something is left. */
  paid_on: IsoDate | null;
}

/** One penal charge: a bucket of its own, never part of an instalment. */
export interface ChargeState {
  charge_id: string;
  /** The overdue instalment it was made for. */
  instalment_no: number;
  charged_on: IsoDate;
  amount_paise: Paise;
  paid_paise: Paise;
  /** Given up, and owed by nobody. */
  waived_paise: Paise;
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
  if (bucket === 'interest') return sub(row.interest_paise, row.paid_interest_paise);
  if (bucket === 'principal') return sub(row.principal_paise, row.paid_principal_paise);
  return sub(row.fee_paise, row.paid_fee_paise);
}

/** What is left of an instalment, penal charges aside, paise. */
export const instalmentLeft = (row: InstalmentState): Paise => sum(BUCKETS.map((bucket) => leftInBucket(row, bucket)));
/** What an instalment asks for in all, paise. */
export const instalmentTotal = (row: InstalmentState): Paise =>
  sum([row.interest_paise, row.principal_paise, row.fee_paise]);
/** What is left of a penal charge, paise. */
export const chargeLeft = (charge: ChargeState): Paise =>
  sub(sub(charge.amount_paise, charge.waived_paise), charge.paid_paise);

/** Oldest first; a schedule has one row a day, the number decides should a changed schedule have two. */
export const byDueDate = (left: InstalmentState, right: InstalmentState): number =>
  left.due_on < right.due_on ? -1 : left.due_on > right.due_on ? 1 : left.no - right.no;

/**
 * The place of each instalment that stands, by its number: 1 to as many as there are. A schedule that was changed leaves numbers out, which stay with the
 * rows of before; people count what stands. Of one agreement in a list of many: `kist_instalment_place`.
 */
export const placesOf = (rows: readonly Pick<InstalmentState, 'no'>[]): ReadonlyMap<number, number> =>
  new Map(
    rows
      .map(({ no }) => no)
      .toSorted((left, right) => left - right)
      .map((no, index) => [no, index + 1]),
  );

/** Oldest first; the identifier decides within a day, so every replay takes the same order. */
export const byChargeDate = (left: ChargeState, right: ChargeState): number =>
  left.charged_on < right.charged_on
    ? -1
    : left.charged_on > right.charged_on
      ? 1
      : left.charge_id < right.charge_id
        ? -1
        : 1;

/** A bucket of an instalment with more paid into it. */
export function payInto(row: InstalmentState, bucket: Bucket, amount_paise: Paise): InstalmentState {
  if (bucket === 'interest') return { ...row, paid_interest_paise: add(row.paid_interest_paise, amount_paise) };
  if (bucket === 'principal') return { ...row, paid_principal_paise: add(row.paid_principal_paise, amount_paise) };
  return { ...row, paid_fee_paise: add(row.paid_fee_paise, amount_paise) };
}

/** The account before its first payment: what is agreed and charged, nothing paid. */
export const unpaid = ({ instalments, charges }: Account): Account => ({
  instalments: instalments.map((row) => ({
    ...row,
    paid_interest_paise: ZERO_PAISE,
    paid_principal_paise: ZERO_PAISE,
    paid_fee_paise: ZERO_PAISE,
    paid_on: null,
  })),
  charges: charges.map((charge) => ({ ...charge, paid_paise: ZERO_PAISE })),
});
