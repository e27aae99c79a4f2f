import type { IsoDate } from '@kist/contract/dates';
import { add, type Paise, ZERO_PAISE } from '@kist/contract/money';
import { type Account, unpaid } from '#server/agreements/agreements.ts';
import { allocate, type Allocation, applied } from './allocation.ts';

export interface ReplayPayment {
  paymentId: string;
  paidOn: IsoDate;
  amountPaise: Paise;
  isReversed: boolean;
}

export interface PaymentAllocation extends Allocation {
  paymentId: string;
}

export interface Replay {
  /** What is agreed and charged, with what the payments filled. */
  account: Account;
  /** Of every payment that stands, in date order. */
  payments: PaymentAllocation[];
  /** The customer's money beyond everything owed. */
  advancePaise: Paise;
}

/** Date order; the identifier decides within a day, so the result does not hang on the order of arrival. */
const inDateOrder = (left: ReplayPayment, right: ReplayPayment): number => {
  if (left.paidOn !== right.paidOn) return left.paidOn < right.paidOn ? -1 : 1;
  return left.paymentId < right.paymentId ? -1 : 1;
};

/**
 * The state of an agreement from nothing but what is agreed, what is charged and which payments stand: for a payment, a back-dated payment, a
 * reversal, a new charge and the nightly check alike. A reversed payment leaves no trace, as if it had never been made.
 *
 * @param account what is paid in it is not looked at.
 */
export function replay(account: Account, payments: readonly ReplayPayment[]): Replay {
  let state = unpaid(account);
  let advancePaise = ZERO_PAISE;
  const standing = payments.filter((payment) => !payment.isReversed).toSorted(inDateOrder);
  const allocated = standing.map(({ paymentId, amountPaise, paidOn }) => {
    const allocation = allocate(state, amountPaise, paidOn);
    state = applied(state, allocation.allocations, paidOn);
    advancePaise = add(advancePaise, allocation.advancePaise);
    return { paymentId, ...allocation };
  });
  return { account: state, payments: allocated, advancePaise };
}
