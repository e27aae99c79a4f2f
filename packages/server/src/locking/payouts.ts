import type { CompensationOwed } from '@kist/contract/compensations';
import { KistError } from '@kist/contract/errors';
import { paise } from '@kist/contract/money';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as store from './payout-store.ts';
import { assertMayAnswerForOrganisation } from './policy.ts';
import { reckonLocks } from './wrongful.ts';

/** A payout of compensation, as whoever made it says. */
export interface Payout {
  agreement_id: string;
  amount: number;
  method: PaymentMethod;
  reference: string;
}

/** Where it stands now. */
export interface PaidOut {
  payout_id: string;
  /** false: it was written down before, under the same reference, and nothing was written now. */
  is_new: boolean;
  owed_paise: number;
  paid_paise: number;
  left_paise: number;
}

/**
 * Compensation for locks that were wrong, or came off too late, was paid out: the organisation's own money, in none of its shops' tills. Never more than is left
 * of what is owed now; of a lock that still counts more may be owed, and paid out, later. What has a reference is written down once for an agreement, however
 * often it is said.
 * @throws KistError FORBIDDEN, NOT_FOUND, REFERENCE_USED (by another sum, or in another way), ALREADY_PAID (nothing is left), AMOUNT_TOO_LARGE
 */
export async function payCompensation(
  tx: Tx,
  actor: Actor,
  { agreement_id, amount, method, reference }: Payout,
): Promise<PaidOut> {
  assertMayAnswerForOrganisation(actor);
  // Two payouts at once do not both see the same rest.
  const { agreement } = await agreements.accountToChange(tx, { agreement_id });
  const locks = await reckonLocks(tx, agreement);
  const left = locks.reduce((sum, { owed_paise }) => sum + owed_paise, 0);
  // Less than was paid out, where money was taken back since.
  const owed_paise = locks.reduce((sum, { paid_paise }) => sum + paid_paise, left);
  const before = (await store.paidOut.one(tx, { agreement_id })).paid_paise;
  const same = await store.payoutUnder.first(tx, { agreement_id, reference });
  if (same) {
    if (same.amount_paise !== amount || same.method !== method) throw referenceUsed();
    const { payout_id } = same;
    return { payout_id, is_new: false, owed_paise, paid_paise: before, left_paise: left };
  }
  if (left === 0) throw new KistError('ALREADY_PAID');
  if (amount > left)
    throw new KistError('AMOUNT_TOO_LARGE', {
      fields: [{ path: 'amount', key: 'field.amount_too_large' }],
      params: { max_paise: left },
    });
  const payout_id = newId();
  const paid = { payout_id, agreement_id, amount_paise: paise(amount), method, reference };
  await store.insertPayout.run(tx, { ...paid, paid_by: actor.userId });
  const data = { payout_id, amount_paise: amount, method };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'compensation_paid', data });
  return {
    payout_id,
    is_new: true,
    owed_paise,
    paid_paise: before + amount,
    left_paise: left - amount,
  };
}

const referenceUsed = () =>
  new KistError('REFERENCE_USED', { fields: [{ path: 'reference', key: 'field.reference_used' }] });

/** What is owed for locks of all shops, and what was paid out of it. @throws KistError FORBIDDEN */
export async function compensations(tx: Tx, actor: Actor): Promise<CompensationOwed[]> {
  assertMayAnswerForOrganisation(actor);
  const rows = await store.owedByAgreement.all(tx, {});
  return rows.map((row) => ({
    ...row,
    shop: row.shop ?? '',
    left_paise: Math.max(0, row.owed_paise - row.paid_paise),
  }));
}
