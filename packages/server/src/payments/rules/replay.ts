import type { IsoDate } from '@kist/contract/dates';
import { add, type Paise, sub, sum, ZERO_PAISE } from '@kist/contract/money';
import type { Account } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import { allocate, type Allocation, type AllocationLine, applied } from './allocation.ts';

export interface ReplayPayment {
  payment_id: string;
  paid_on: IsoDate;
  amount_paise: Paise;
  isReversed: boolean;
  /** The penal charge that it is for. */
  for_charge_id?: string | null;
}

export interface PaymentAllocation extends Allocation {
  payment_id: string;
}

export interface Replay {
  /** What is agreed and charged, with what the payments filled. */
  account: Account;
  /** Of every payment that stands, those of versions before first; what of them was laid out anew stands by itself. */
  payments: PaymentAllocation[];
  /** The customer's money beyond everything owed. */
  advancePaise: Paise;
}

/** Date order; the identifier decides within a day, so the result does not hang on the order of arrival. */
export const inDateOrder = (
  left: Pick<ReplayPayment, 'paid_on' | 'payment_id'>,
  right: Pick<ReplayPayment, 'paid_on' | 'payment_id'>,
): number => {
  if (left.paid_on !== right.paid_on) return left.paid_on < right.paid_on ? -1 : 1;
  return left.payment_id < right.payment_id ? -1 : 1;
};

/** A payment of a version before, whose parts stay with the rows they went to. */
export interface KeptPayment {
  payment_id: string;
  paid_on: IsoDate;
  /** The day as of which its version took it. */
  on: IsoDate;
  amount_paise: Paise;
  /** Where it went. */
  allocations: readonly AllocationLine[];
}

/** The version of the schedule that payments are laid out in. */
export interface InVersion {
  /** In the order in which they were laid out. */
  kept: readonly KeptPayment[];
  /** From when it counts: a payment of an earlier day is laid out as of this one. Null: as signed. */
  from: IsoDate | null;
}
const AS_SIGNED: InVersion = { kept: [], from: null };

/** The day as of which a payment is laid out in the version in force. */
export const laidOutOn = (paid_on: IsoDate, from: IsoDate | null): IsoDate =>
  from !== null && from > paid_on ? from : paid_on;

/** What of a payment of a version before stays, and what must be laid out anew: what it had paid of a charge that is no more. */
function split(account: Account, { allocations, ...payment }: KeptPayment) {
  const charges = new Set(account.charges.map(({ charge_id }) => charge_id));
  const stays = allocations.filter(({ charge_id }) => charge_id === null || charges.has(charge_id));
  const left = sub(payment.amount_paise, sum(stays.map(({ paise }) => paise)));
  return { stays: { ...payment, allocations: stays }, again: { ...payment, amount_paise: left, isReversed: false } };
}

/**
 * The state of an agreement from nothing but what is agreed, what is charged and which payments stand: for a payment, a back-dated payment, a
 * reversal, a new charge and the nightly check alike. A reversed payment leaves no trace, as if it had never been made.
 *
 * @param account what is paid in it is not looked at.
 * @param payments of the version in force
 */
export function replay(
  account: Account,
  payments: readonly ReplayPayment[],
  { kept, from }: InVersion = AS_SIGNED,
): Replay {
  let state = agreements.unpaid(account);
  let advancePaise = ZERO_PAISE;
  const before = kept.map((payment) => split(account, payment));
  for (const { stays } of before) state = applied(state, stays.allocations, stays.on);
  const again = before.flatMap((one) => (one.again.amount_paise > 0 ? [one.again] : []));
  const standing: ReplayPayment[] = [...again, ...payments.filter((payment) => !payment.isReversed)].toSorted(
    inDateOrder,
  );
  const allocated = standing.map(({ payment_id, amount_paise, paid_on, for_charge_id = null }) => {
    const on = laidOutOn(paid_on, from);
    const allocation = allocate(state, amount_paise, on, for_charge_id);
    state = applied(state, allocation.allocations, on);
    advancePaise = add(advancePaise, allocation.advancePaise);
    return { payment_id, ...allocation };
  });
  const stay = before.map(({ stays: { payment_id, allocations } }) => ({
    payment_id,
    allocations: [...allocations],
    advancePaise: ZERO_PAISE,
  }));
  return { account: state, payments: [...stay, ...allocated], advancePaise };
}
