import { NEEDS } from '@kist/contract/access';
import type { IsoDate } from '@kist/contract/dates';
import type { ClaimState, Receipt } from '@kist/contract/emi';
import { KistError } from '@kist/contract/errors';
import { type Paise, paise, sum } from '@kist/contract/money';
import type { OpenAccount } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as clock from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { answerClaim, claim, type ClaimAnswer, claimedBefore, type Claiming } from './claims.ts';
import { isOver, pay, type PaymentDeps, type Tender } from './pay.ts';
import { settle } from './posting.ts';
import { takeOutOfSuspense, waitsToGoBack } from './refunds.ts';
import { nextNo } from './series.ts';
import * as store from './store.ts';
import { accountOfTheirs, openToTake, slipOf, type Taking } from './taking.ts';

export interface Payments {
  /** One instalment, full or part. @throws KistError NOT_FOUND, ALREADY_PAID, MORE_THAN_OWED, STATE_CONFLICT, INVALID_INPUT. */
  record(tx: Tx, actor: Actor, given: Tender & { instalment_id: string; amount: number }): Promise<Receipt>;
  /**
   * Several instalments of one customer in full, one receipt; with `accept_overpayment` those that were paid meanwhile count with all that they were. `amount`:
   * what was taken for them; where they come to something else by now it is refused, and with `accept_overpayment` booked. Errors as `record`.
   */
  recordMany(
    tx: Tx,
    actor: Actor,
    given: Tender & { customer_id: string; instalment_ids: readonly string[]; amount?: number | undefined },
  ): Promise<Receipt>;
  /** A customer's own word; no lines until the shop says yes. @throws KistError NOT_FOUND, IDEMPOTENCY_CONFLICT, STATE_CONFLICT, INVALID_INPUT */
  claim(tx: Tx, actor: Actor, given: Claiming): Promise<ClaimState>;
  /** The shop's yes or no to a claim. @throws KistError NOT_FOUND, STATE_CONFLICT (answered otherwise), REFERENCE_USED */
  answerClaim(tx: Tx, actor: Actor, given: ClaimAnswer): Promise<ClaimState>;
  /** @throws KistError NOT_FOUND, ALREADY_REVERSED, STATE_CONFLICT of a down payment, a claim, what was given back, and what is owed back of a cancelled agreement */
  reverse(tx: Tx, actor: Actor, paymentId: string, reason: string): Promise<Reversal>;
}

/** A payment taken back, with the number of the note that says so. */
export interface Reversal {
  payment_id: string;
  note_no: string;
  outstanding_paise: number;
  overdue_paise: number;
  /** The rest of the same money, where it was more than was owed and is still to be paid back. */
  rest_waits_paise: number;
}

/**
 * The receipt of a payment that came in before under the same id.
 * @throws KistError NOT_FOUND when it is another shop's; IDEMPOTENCY_CONFLICT when another amount or customer came under this id
 */
async function receivedBefore(
  tx: Tx,
  actor: Actor,
  { payment_id, customer_id, amount }: { payment_id: string | undefined; customer_id: string; amount: number | null },
): Promise<Receipt | undefined> {
  const found = payment_id === undefined ? undefined : await store.broughtUnder.first(tx, { payment_id });
  if (!found) return undefined;
  // What somebody brought in themselves is theirs to hear of again, whoever has the customer by now.
  if (found.brought_by !== actor.userId) await customers.authorize(tx, actor, { customer_id: found.customer_id });
  const taken = found.amount_paise + (found.receipt?.overpaid?.amount_paise ?? 0);
  const isSame = found.customer_id === customer_id && (amount === null || taken === amount);
  if (!isSame || !found.receipt) throw new KistError('IDEMPOTENCY_CONFLICT');
  return found.receipt;
}

/**
 * For who may bring no money of the customer (any more): its own receipt of before, if there is one. Of another customer's id nothing is said, not even that it is
 * one. @throws KistError NOT_FOUND, IDEMPOTENCY_CONFLICT
 */
async function onlyReceivedBefore(tx: Tx, actor: Actor, told: Parameters<typeof receivedBefore>[2]): Promise<Receipt> {
  const { payment_id, customer_id } = told;
  const found = payment_id === undefined ? undefined : await store.broughtUnder.first(tx, { payment_id });
  const isOwn = found?.brought_by === actor.userId && found.customer_id === customer_id;
  const before = isOwn ? await receivedBefore(tx, actor, told) : undefined;
  if (!before) throw new KistError('NOT_FOUND');
  return slipOf(before);
}

/** @returns the receipt as far as it is theirs to read */
const readBy = ({ hasPassedOn }: Pick<Taking<Tender>, 'hasPassedOn'>, receipt: Receipt): Receipt =>
  hasPassedOn ? slipOf(receipt) : receipt;

/** @throws KistError NOT_FOUND for a charge that is none of the agreement's, ALREADY_PAID for one of which nothing is left */
function mustBeOpen({ charges }: OpenAccount, chargeId: string | undefined): void {
  if (chargeId === undefined) return;
  const charge = charges.find((one) => one.charge_id === chargeId);
  if (!charge) throw new KistError('NOT_FOUND');
  if (agreements.chargeLeft(charge) === 0) throw new KistError('ALREADY_PAID');
}

/**
 * What several instalments ask for; of one that a change of the schedule put aside while the money for it was taken, what was left of it then.
 * @throws KistError NOT_FOUND of one that is none of the agreement's; STATE_CONFLICT, ALREADY_PAID where nobody says that the money was taken
 */
async function askedFor(
  tx: Tx,
  { agreement: { agreement_id }, instalments, instalmentIds }: OpenAccount,
  ids: readonly string[],
  { accept_overpayment }: Tender,
): Promise<Paise> {
  const wanted = new Set(ids);
  const rows = instalments.filter((row) => wanted.delete(instalmentIds.get(row.no)!));
  const settled = rows.filter((row) => agreements.instalmentLeft(row) === 0);
  const astray = [...wanted, ...settled.map((row) => instalmentIds.get(row.no)!)];
  const found = astray.length === 0 ? [] : await agreements.putAside(tx, { agreement_id, instalment_ids: astray });
  const gone = new Map(found.map(({ instalment_id, left_paise }) => [instalment_id, left_paise]));
  if ([...wanted].some((id) => !gone.has(id))) throw new KistError('NOT_FOUND');
  if (!accept_overpayment && wanted.size > 0) throw new KistError('STATE_CONFLICT');
  if (!accept_overpayment && settled.length > 0) throw new KistError('ALREADY_PAID');
  // Of one that was paid meanwhile, all of it.
  const paid = settled.filter((row) => !gone.has(instalmentIds.get(row.no)!));
  return sum([...rows.map(agreements.instalmentLeft), ...paid.map(agreements.instalmentTotal), ...gone.values()]);
}

/**
 * What is booked of several: what they come to, or what was taken for them, where that is another sum and somebody says that it came.
 * @throws KistError STATE_CONFLICT where nobody says so: one was paid in part, or a payment taken back, since they were added up
 */
function takenFor(asked: Paise, taken: number | undefined, { accept_overpayment }: Tender): Paise {
  if (taken === undefined || taken === asked) return asked;
  if (!accept_overpayment) throw new KistError('STATE_CONFLICT');
  return paise(taken);
}

async function reversePayment(
  deps: PaymentDeps,
  tx: Tx,
  actor: Actor,
  { payment_id, reason }: { payment_id: string; reason: string },
): Promise<Reversal> {
  identity.requires(actor, NEEDS.collect);
  const found = await store.findPayment.first(tx, { payment_id });
  if (!found) throw new KistError('NOT_FOUND');
  await customers.authorize(tx, actor, { customer_id: found.customer_id });
  const opened = await accountOfTheirs(tx, actor, { agreement_id: found.agreement_id });
  // Read again under the agreement's lock: two reversals at once must not both pass.
  const standing = await store.findPayment.one(tx, { payment_id });
  if (standing.state === 'reversed') throw new KistError('ALREADY_REVERSED');
  // What was paid down made the sale: it goes back with the sale and not by itself.
  if (standing.state !== 'posted' || standing.goes_to === 'down_payment') throw new KistError('STATE_CONFLICT');
  // Of a cancelled agreement all is owed back already.
  if (opened.agreement.state === 'cancelled' && standing.goes_to === 'dues') throw new KistError('STATE_CONFLICT');
  const today = await clock.today(tx);
  await store.markReversed.run(tx, { payment_id, reversed_by: actor.userId, reverse_reason: reason });
  const account = await takeBack(deps, tx, actor, { opened, standing, today });
  await audit.append(tx, {
    kind: 'agreement',
    id: found.agreement_id,
    actor,
    action: 'payment_reversed',
    data: { payment_id, amount_paise: found.amount_paise },
  });
  // As a receipt's number, the note's comes last.
  const note_no = await nextNo(tx, actor, 'note', today);
  await store.writeNote.run(tx, { payment_id, note_no });
  const rest_waits_paise = await waitsToGoBack(tx, standing.receipt?.overpaid?.payment_id);
  return { payment_id, note_no, ...agreements.owedAsRead(account, today), rest_waits_paise };
}

/** Out of the books again, with what follows for the phone. */
async function takeBack(
  deps: PaymentDeps,
  tx: Tx,
  actor: Actor,
  { opened, standing, today }: { opened: OpenAccount; standing: store.PaymentRow; today: IsoDate },
): Promise<OpenAccount> {
  const cause = { paymentId: standing.payment_id, isReversal: true } as const;
  if (standing.goes_to === 'suspense') {
    await takeOutOfSuspense(tx, actor, standing, today);
    await deps.duesChanged(tx, actor, opened.agreement, { ...cause, goesBack: true });
    return opened;
  }
  const { account } = await settle(tx, actor, opened, today, { reversed: standing });
  await deps.duesChanged(tx, actor, account.agreement, cause);
  return account;
}

export const createPayments = (deps: PaymentDeps): Payments => ({
  async record(tx, actor, { instalment_id, amount, ...given }) {
    identity.requires(actor, NEEDS.collect);
    const place = await agreements.ofInstalment(tx, { instalment_id });
    if (!place) throw new KistError('NOT_FOUND');
    const told = { payment_id: given.payment_id, customer_id: place.customer_id, amount };
    const taking = await openToTake(tx, actor, place, given);
    if (!taking) return onlyReceivedBefore(tx, actor, told);
    const before = await receivedBefore(tx, actor, told);
    if (before) return readBy(taking, before);
    const { opened, tender } = taking;
    // None where the schedule was changed meanwhile: the money was taken all the same, and goes to what is owed now.
    const row = opened.instalments.find((instalment) => instalment.no === place.no);
    const penalLeft = sum(
      opened.charges.filter((charge) => charge.instalment_no === place.no).map(agreements.chargeLeft),
    );
    mustBeOpen(opened, tender.charge_id);
    const paying = { ...taking, amount: paise(amount) };
    const { claim, receipt } = await claimedBefore(tx, actor, paying);
    if (receipt) return readBy(taking, receipt);
    const isPaid = row !== undefined && agreements.instalmentLeft(row) === 0 && penalLeft === 0;
    if (!claim && !isOver(opened) && isPaid && !tender.accept_overpayment) throw new KistError('ALREADY_PAID');
    return readBy(taking, await pay(deps, tx, actor, { ...paying, claim }));
  },
  async recordMany(tx, actor, { customer_id, instalment_ids, amount: taken, ...given }) {
    identity.requires(actor, NEEDS.collect);
    const told = { payment_id: given.payment_id, customer_id, amount: taken ?? null };
    const taking = await openToTake(tx, actor, { customer_id }, given);
    if (!taking) return onlyReceivedBefore(tx, actor, told);
    const before = await receivedBefore(tx, actor, told);
    if (before) return readBy(taking, before);
    const asked = await askedFor(tx, taking.opened, instalment_ids, taking.tender);
    const paying = { ...taking, amount: takenFor(asked, taken, taking.tender) };
    const { claim, receipt } = await claimedBefore(tx, actor, paying);
    return readBy(taking, receipt ?? (await pay(deps, tx, actor, { ...paying, claim })));
  },
  claim: (tx, actor, given) => claim(deps, tx, actor, given),
  answerClaim: (tx, actor, given) => answerClaim(deps, tx, actor, given),
  reverse: (tx, actor, paymentId, reason) => reversePayment(deps, tx, actor, { payment_id: paymentId, reason }),
});

export { oweBack, wouldOweBack } from './owing-back.ts';
export { isClaimOpen } from './claims.ts';
export { refundsKept } from './kept-store.ts';
export { isOwedBack, refundDone, refundTasks } from './refunds.ts';
export type { PaymentDeps } from './pay.ts';
export { chargeableToday } from './by-hand.ts';
export { takeDownPayment } from './down-payments.ts';
export { type BookedPayment, type LaidOut, layOut, recordHistoric } from './historic.ts';
export { chargeByHand, chargePenalties } from './penal.ts';
export { decideWaiver, forgetWordsAbout, waivePenalty } from './waivers.ts';
