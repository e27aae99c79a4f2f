import type { IsoDate } from '@kist/contract/dates';
import { add, type Paise, ZERO_PAISE } from '@kist/contract/money';
import { type Account, unpaid } from '#server/agreements/agreements.ts';
import { allocate, type Allocation, applied } from './allocation.ts';

export interface ReplayPayment {
  payment_id: string;
  paid_on: IsoDate;
  amount_paise: Paise;
  isReversed: boolean;
}

export interface PaymentAllocation extends Allocation {
  payment_id: string;
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
  if (left.paid_on !== right.paid_on) return left.paid_on < right.paid_on ? -1 : 1;
  return left.payment_id < right.payment_id ? -1 : 1;
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
  const allocated = standing.map(({ payment_id, amount_paise, paid_on }) => {
    const allocation = allocate(state, amount_paise, paid_on);
    state = applied(state, allocation.allocations, paid_on);
    advancePaise = add(advancePaise, allocation.advancePaise);
    return { payment_id, ...allocation };
  });
  return { account: state, payments: allocated, advancePaise };
}
