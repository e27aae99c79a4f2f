import type { Receipt } from '@kist/contract/emi';
import type { OpenAccount, WhichAgreement } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import type { AuthorizedCustomer } from '#server/customers/customers.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { madeAt } from '#server/platform/ids.ts';
import type { Tender } from './pay.ts';

/**
 * An agreement of a customer whom the caller was found to see, taken for this transaction. What holds the agreement may be a transfer, so who answers for it is
 * looked at again: all that is written of its money is asked by the database whether it is of who answers then.
 * @throws KistError NOT_FOUND
 */
export async function accountOfTheirs(tx: Tx, actor: Actor, which: WhichAgreement): Promise<OpenAccount> {
  const opened = await agreements.accountToChange(tx, which);
  customers.mustStillSee(actor, opened.agreement);
  return opened;
}

/** Money that came in, of whom it is and what it can pay. */
export interface Taking<T extends Tender> {
  customer: AuthorizedCustomer;
  opened: OpenAccount;
  tender: T;
  /** It was taken before the customer passed on from the shop that brings it. */
  hasPassedOn: boolean;
}

/**
 * Opens what money pays, for who may bring it: who sees the customer when the agreement is taken, or saw it when the money changed hands. Money of a shop of
 * before is in its hand: it is taken at its moment, and nobody is asked whether it is meant.
 * @returns undefined where it is none of the caller's
 */
export async function openToTake<T extends Tender>(
  tx: Tx,
  actor: Actor,
  { customer_id, agreement_id }: { customer_id: string; agreement_id?: string },
  tender: T,
): Promise<Taking<T> | undefined> {
  const taken = takenAt(tender);
  const before = await customers.ofTaker(tx, actor, { customer_id, taken });
  if (!before) return undefined;
  const opened = await agreements.accountToChange(tx, agreement_id === undefined ? { customer_id } : { agreement_id });
  const { customer } = before;
  if (customers.canSee(actor, opened.agreement)) return { customer, opened, tender, hasPassedOn: false };
  const now = await customers.ofTaker(tx, actor, { customer_id, taken });
  if (!now?.takenBefore) return undefined;
  // Of no charge: which there are by now is not theirs to hear.
  const told = { ...tender, paid_at: now.takenBefore.toISOString(), charge_id: undefined, accept_overpayment: true };
  return { customer: now.customer, opened, tender: told, hasPassedOn: true };
}

/**
 * When the money changed hands: as it is told, by the installation's clock; or when the app made the payment's id, before it was sent, by the phone's, which is
 * the world's.
 */
function takenAt({ paid_at, payment_id }: Tender): customers.TakenAt | undefined {
  if (paid_at !== undefined) return { at: new Date(paid_at), isRealTime: false };
  const at = payment_id === undefined ? undefined : madeAt(payment_id);
  return at && { at, isRealTime: true };
}

/** A receipt for the shop of before: what it took. Of the customer it hears nothing that came after: not what is left, nor what of it was too much. */
export const slipOf = ({ payment_id, receipt_no, amount_paise, overpaid, paid_at, warnings }: Receipt): Receipt => ({
  payment_id,
  receipt_no,
  amount_paise: amount_paise + (overpaid?.amount_paise ?? 0),
  paid_at,
  outstanding_paise: null,
  overdue_paise: null,
  allocations: [],
  advance_paise: 0,
  unlock: null,
  agreement_state: null,
  warnings,
  share_text: '',
});
