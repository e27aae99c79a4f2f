import { NEEDS } from '@kist/contract/access';
import type { ClaimState, Receipt } from '@kist/contract/emi';
import { KistError } from '@kist/contract/errors';
import { paise } from '@kist/contract/money';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { heldReference, paidAtOf, pay, type PaymentDeps, type Paying } from './pay.ts';
import * as store from './claim-store.ts';
import { keepGivenId } from './store.ts';
import { accountOfTheirs } from './taking.ts';

/** What a customer says was paid; the app makes the id before it sends it. */
export interface Claiming {
  payment_id: string;
  amount: number;
  method: PaymentMethod;
  reference: string;
  paid_at?: string | undefined;
  /** Another payment, though an earlier claim still waits. */
  again?: boolean | undefined;
  /** Of whom what is paid for was bought; who bought one thing need not say. */
  customer_id?: string | undefined;
}

export interface ClaimAnswer {
  payment_id: string;
  is_received: boolean;
  /** Needed where it was not received. */
  reason?: string | undefined;
}

/** More unanswered ones than this say nothing new. */
const OPEN_AT_MOST = 20;

const stateOf = ({
  payment_id,
  state,
  receipt,
}: Pick<store.ClaimRow, 'payment_id' | 'state' | 'receipt'>): ClaimState => ({
  payment_id,
  state,
  receipt,
});

/** What the customer speaks of; who has one thing need not say which. @throws KistError INVALID_INPUT, NOT_FOUND */
function meantBy({ customerIds = [] }: Actor, said: string | undefined): string {
  if (said !== undefined) return said;
  if (customerIds.length > 1)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'customer_id', key: 'field.required' }] });
  const [only] = customerIds;
  if (only === undefined) throw new KistError('NOT_FOUND');
  return only;
}

/**
 * "I have paid": a payment that nobody has proved. The shop hears of it at once, and the next raise waits, once for each instalment; the books know nothing.
 * @throws KistError NOT_FOUND, IDEMPOTENCY_CONFLICT, CLAIM_WAITING when one waits and this is not said to be another, STATE_CONFLICT when too many are unanswered, INVALID_INPUT
 */
export async function claim(deps: PaymentDeps, tx: Tx, actor: Actor, given: Claiming): Promise<ClaimState> {
  if (actor.userType !== 'customer') throw new KistError('FORBIDDEN');
  const { customer_id } = await customers.authorize(tx, actor, { customer_id: meantBy(actor, given.customer_id) });
  const { agreement } = await agreements.accountToChange(tx, { customer_id });
  const { payment_id, method, reference } = given;
  const amount_paise = paise(given.amount);
  const before = await store.findClaim.first(tx, { payment_id });
  if (before) {
    await customers.authorize(tx, actor, { customer_id: before.customer_id });
    const claimed = before.amount_paise + (before.receipt?.overpaid?.amount_paise ?? 0);
    if (before.customer_id !== customer_id || claimed !== amount_paise) throw new KistError('IDEMPOTENCY_CONFLICT');
    return stateOf(before);
  }
  const { n: waiting } = await store.openClaims.one(tx, { customer_id });
  if (waiting >= OPEN_AT_MOST) throw new KistError('STATE_CONFLICT');
  if (waiting > 0 && !given.again) throw new KistError('CLAIM_WAITING');
  const { paidAt, paidOn } = await paidAtOf(tx, agreement, given.paid_at);
  const { agreement_id } = agreement;
  const data = { payment_id, amount_paise, method };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'payment_claimed', data });
  await store.insertClaim.run(tx, {
    ...data,
    agreement_id,
    customer_id,
    reference,
    paid_at: paidAt,
    paid_on: paidOn,
    recorded_by: actor.userId,
  });
  await deps.claimed(tx, actor, agreement, { paymentId: payment_id, amountPaise: amount_paise });
  return { payment_id, state: 'claimed', receipt: null };
}

/** Whether the shop has yet to say of some money whether it came. */
export const isClaimOpen = async (tx: Tx, { customer_id }: { customer_id: string }): Promise<boolean> =>
  (await store.openClaims.one(tx, { customer_id })).n > 0;

/**
 * The shop's answer to a claim: yes makes it a payment with a receipt, no refuses it with a reason. Told twice it is one answer.
 * @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND, STATE_CONFLICT (answered otherwise), REFERENCE_USED
 */
export async function answerClaim(deps: PaymentDeps, tx: Tx, actor: Actor, given: ClaimAnswer): Promise<ClaimState> {
  const { payment_id, is_received, reason } = given;
  if (!is_received && reason === undefined)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'reason', key: 'field.required' }] });
  identity.requires(actor, NEEDS.collect);
  // Whoever says that it is paid is not who says that it came.
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
  const found = await store.findClaim.first(tx, { payment_id });
  if (!found) throw new KistError('NOT_FOUND');
  const customer = await customers.authorize(tx, actor, { customer_id: found.customer_id });
  const opened = await accountOfTheirs(tx, actor, { agreement_id: found.agreement_id });
  // Read again under the agreement's lock: two answers at once must not both pass.
  const standing = await store.findClaim.one(tx, { payment_id });
  if (standing.state === (is_received ? 'posted' : 'refused')) return stateOf(standing);
  if (standing.state !== 'claimed') throw new KistError('STATE_CONFLICT');
  if (is_received || reason === undefined) {
    const { amount_paise: amount, method, reference } = standing;
    const tender = { method: method === 'GATEWAY' ? ('OTHER' as const) : method, reference };
    const receipt = await pay(deps, tx, actor, { customer, opened, amount, tender, claim: standing });
    return { payment_id, state: 'posted', receipt };
  }
  await store.refuseClaim.run(tx, { payment_id, refused_by: actor.userId, reason });
  const data = { payment_id, amount_paise: found.amount_paise };
  await audit.append(tx, { kind: 'agreement', id: found.agreement_id, actor, action: 'claim_refused', data });
  return { payment_id, state: 'refused', receipt: null };
}

/**
 * The customer's claim of what the shop marks by a UPI reference: open, it becomes the payment; proved before, it answers with its receipt. The id of the mark is
 * used from then on.
 */
export async function claimedBefore(
  tx: Tx,
  actor: Actor,
  { customer, amount, tender, hasPassedOn }: Paying,
): Promise<{ claim?: store.ClaimRow | undefined; receipt?: Receipt | undefined }> {
  const reference = heldReference(tender);
  // Of a customer who passed on the other shop hears what was claimed and what became of it, and the shop of before does not.
  if (reference === '' || hasPassedOn) return {};
  const { customer_id } = customer;
  const claim = await store.claimByReference.first(tx, { customer_id, amount_paise: amount, reference });
  const given_id = tender.payment_id;
  if (claim && given_id !== undefined && given_id !== claim.payment_id)
    await keepGivenId.run(tx, { given_id, payment_id: claim.payment_id, given_by: actor.userId });
  if (claim?.state === 'posted' && claim.receipt) return { receipt: claim.receipt };
  return { claim };
}
