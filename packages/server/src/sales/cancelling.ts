import { NEEDS } from '@kist/contract/access';
import type { CancellationPreview, Cancelled } from '@kist/contract/cancelling';
import { KistError } from '@kist/contract/errors';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Locking } from '#server/locking/locking.ts';
import * as locking from '#server/locking/locking.ts';
import * as payments from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';

interface OfCustomer {
  customer_id: string;
}

const KEY = { RESERVED: 'RETURNED', SPENT: 'SPENT', NONE: 'NONE' } as const;

function mayCancel(actor: Actor): void {
  identity.requires(actor, NEEDS.terms);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
}

/** What cancelling would do with money and key, said before it is done. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, STATE_CONFLICT (nothing runs) */
export async function previewCancellation(
  tx: Tx,
  actor: Actor,
  { customer_id }: OfCustomer,
): Promise<CancellationPreview> {
  mayCancel(actor);
  await customers.authorize(tx, actor, { customer_id });
  const agreement = await agreements.ofCustomer(tx, { customer_id });
  if (agreement?.state !== 'active') throw new KistError('STATE_CONFLICT');
  const opened = await agreements.account(tx, agreement);
  const { payment_ids, amount_paise: refund_paise } = await payments.wouldOweBack(tx, agreement);
  const { agreement_id, agreement_no, device_id } = agreement;
  const { isHeldForOwner } = await locking.previewLetGo(tx, { device_id });
  return {
    agreement_id,
    agreement_no,
    given_up_paise: agreements.givenUp(opened),
    refund_paise,
    refunds: payment_ids.length,
    key: KEY[await wallet.keyOf(tx, { customer_id })],
    refused: isHeldForOwner ? 'HELD_FOR_OWNER' : null,
  };
}

/**
 * Cancels a running agreement, of a phone that was never set up or is given back: what is owed is taken back, what was paid is owed back, open complaints are
 * answered with the reason, holds end, the phone is let go with everything off it first, a key that was only set aside returns. All in one transaction; nothing brings the agreement back.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED; STATE_CONFLICT of an agreement that does not run, whose down payment has no receipt, or whose phone is
 * held for its owner
 */
export async function cancelAgreement(
  tx: Tx,
  actor: Actor,
  { customer_id, reason }: OfCustomer & { reason: string },
  letGoOfCancelled: Locking['letGoOfCancelled'],
): Promise<Cancelled> {
  mayCancel(actor);
  await customers.authorizeToChange(tx, actor, { customer_id });
  const running = await agreements.ofCustomerToChange(tx, { customer_id });
  if (!running) throw new KistError('STATE_CONFLICT');
  const opened = await agreements.accountToChange(tx, running);
  const key = KEY[await wallet.keyOf(tx, { customer_id })];
  const { payment_ids, amount_paise: refund_paise } = await payments.wouldOweBack(tx, opened.agreement);
  const owed = { refund_paise, refunds: payment_ids };
  const { agreement_id, agreement_no } = await agreements.cancel(tx, actor, opened, { reason, owed });
  await payments.oweBack(tx, opened.agreement);
  const { channel, lock, disputes_answered, holds_lifted } = await letGoOfCancelled(tx, actor, {
    agreement_id,
    customer_id,
    note: reason,
  });
  return {
    agreement_id,
    agreement_no,
    given_up_paise: agreements.givenUp(opened),
    refund_paise,
    refunds: payment_ids.length,
    key,
    channel,
    lock,
    disputes_answered,
    holds_lifted,
  };
}
