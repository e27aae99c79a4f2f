import { type IsoDate, businessDate } from '@kist/contract/dates';
import type { Receipt } from '@kist/contract/emi';
import { EMI_LIMITS } from '@kist/contract/emi-limits';
import { KistError } from '@kist/contract/errors';
import { type Paise, paise, sub, sum, ZERO_PAISE } from '@kist/contract/money';
import { formatInr } from '@kist/contract/money-text';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import type { Agreement, OpenAccount } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import type { AuthorizedCustomer } from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as clock from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { isLargeCash } from './cash-limit.ts';
import { settle, type Surplus, surplusOfLate } from './posting.ts';
import { takeIntoSuspense } from './refunds.ts';
import type { AllocatedPart } from './rules/journal.ts';
import { nextNo } from './series.ts';
import * as claimStore from './claim-store.ts';
import * as store from './store.ts';

export interface PaymentDeps {
  /**
   * Decides what the changed dues mean for the phone, in this transaction: an unlock when they are cleared (invariant I5); and whether the money shows that a
   * lock was wrong, also money that changes no dues since all of it goes back.
   */
  duesChanged(
    tx: Tx,
    actor: Actor,
    agreement: Agreement,
    cause: { paymentId: string; isReversal?: true; goesBack?: boolean; paid?: { at: Date; paise: number } },
  ): Promise<{ command_id: string | null; state: string; revision: number } | null>;
  /** A customer says that it is paid: the shop hears of it, and the ladder rests once for each instalment. */
  claimed(tx: Tx, actor: Actor, agreement: Agreement, claim: { paymentId: string; amountPaise: Paise }): Promise<void>;
  /**
   * Tells the customer, through the outbox: all that needs no number. The function that it returns writes the message once the receipt has its number, by
   * one statement, and returns the receipt as text in their language, to share.
   */
  sendReceipt(
    tx: Tx,
    agreement: Agreement,
    customer: AuthorizedCustomer,
    receipt: { amountPaise: Paise; outstandingPaise: Paise; paidAt: Date; goesBack: boolean },
  ): Promise<(receiptNo: string) => Promise<string>>;
}

export interface Tender {
  /** Made by who sends it: the same id always answers with the same receipt. */
  payment_id?: string | undefined;
  method: PaymentMethod;
  reference: string;
  /** When the money changed hands; now when left out, but see `openToTake`. */
  paid_at?: string | undefined;
  /** The penal charge that it is for. */
  charge_id?: string | undefined;
  /** Whoever takes it was asked, and takes what is more than everything owed, to be paid back. */
  accept_overpayment?: boolean | undefined;
}

interface PaidDay {
  paidAt: Date;
  paidOn: IsoDate;
  today: IsoDate;
}

/** A payment may be told late, never before the sale and never ahead of time. */
export async function paidAtOf(tx: Tx, agreement: Agreement, given: string | undefined): Promise<PaidDay> {
  const present = await clock.now(tx);
  const paidAt = given === undefined ? present : new Date(given);
  const paidOn = businessDate(paidAt.getTime());
  // Two minutes of grace: the phone's clock may run ahead of ours.
  const isAhead = paidAt.getTime() > present.getTime() + 120_000;
  if (isAhead || paidOn < agreement.delivered_on)
    throw new KistError('INVALID_INPUT', {
      fields: [{ path: 'paid_at', key: isAhead ? 'field.paid_at' : 'field.paid_before' }],
    });
  return { paidAt, paidOn, today: businessDate(present.getTime()) };
}

const owed = (opened: OpenAccount): Paise =>
  sum([...opened.instalments.map(agreements.instalmentLeft), ...opened.charges.map(agreements.chargeLeft)]);

/** Nothing can be paid of it any more: whatever comes in goes back. A penalty may be left of one whose instalments are all paid. */
export const isOver = (opened: OpenAccount): boolean =>
  opened.agreement.state === 'completed' ? owed(opened) === 0 : opened.agreement.state !== 'active';

function partsOf(rows: readonly AllocatedPart[], { instalments }: OpenAccount) {
  const places = agreements.placesOf(instalments);
  return rows
    .filter((row) => row.bucket !== 'advance')
    .map(({ instalment_no, bucket, paise: amount }) => ({
      instalment_no,
      instalment_place: places.get(instalment_no ?? 0) ?? null,
      bucket,
      paise: amount,
    }));
}

/** Money of a customer for an agreement that is open and locked. */
export interface Paying {
  customer: AuthorizedCustomer;
  opened: OpenAccount;
  amount: Paise;
  tender: Tender;
  /** The customer is another shop's by now: what follows for agreement and phone is done by the server. */
  hasPassedOn?: boolean | undefined;
  /** What the customer claimed and the shop says yes to; else it is told for the first time. */
  claim?: claimStore.ClaimRow | undefined;
}

/**
 * What of an amount is more than all that a running agreement owes, without the penal charges that it takes back where it is told late.
 * @throws KistError MORE_THAN_OWED where it may be a slip of the finger: nobody said yet that it is meant. A claim is none: the customer said what was paid.
 */
async function moreThanOwed(tx: Tx, actor: Actor, paying: Paying): Promise<Surplus> {
  const { opened, amount, tender, claim } = paying;
  if (isOver(opened)) return { restPaise: ZERO_PAISE, gone: [] };
  const plain = amount <= owed(opened) ? ZERO_PAISE : sub(amount, owed(opened));
  const late = await surplusWhenLate(tx, actor, paying);
  const surplus = late.restPaise > plain ? late : { ...late, restPaise: plain };
  const { restPaise: rest_paise } = surplus;
  if (rest_paise === 0 || claim || tender.accept_overpayment) return surplus;
  const owed_paise = sub(amount, rest_paise);
  throw new KistError('MORE_THAN_OWED', {
    fields: [{ path: 'amount', key: 'field.amount_too_large' }],
    params: { owed: formatInr(owed_paise), rest: formatInr(rest_paise) },
    details: { owed_paise, rest_paise },
  });
}

async function surplusWhenLate(tx: Tx, actor: Actor, paying: Paying): Promise<Surplus> {
  if (paying.opened.charges.length === 0) return { restPaise: ZERO_PAISE, gone: [] };
  const facts = factsOf(actor, { ...paying, goesBack: false }, await dayOf(tx, paying));
  return surplusOfLate(tx, paying.opened, { ...facts, state: 'posted' });
}

/** Of a claim from before there was a limit, too. @throws KistError INVALID_INPUT */
function mustBePossible(amount: Paise): void {
  if (amount > EMI_LIMITS.paymentMaxPaise)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'amount', key: 'field.amount' }] });
}

const referenceUsed = () =>
  new KistError('REFERENCE_USED', { fields: [{ path: 'reference', key: 'field.reference_used' }] });

/** @throws KistError REFERENCE_USED while another payment holds it */
async function mustBeFree(tx: Tx, reference: string): Promise<void> {
  if (reference !== '' && (await store.holderOf.first(tx, { reference }))) throw referenceUsed();
}

/**
 * Writes the payment's row, or makes the claim a payment, with its last statement.
 * @throws KistError REFERENCE_USED, IDEMPOTENCY_CONFLICT when another payment took the reference or the id at the same moment
 */
async function write(tx: Tx, row: Parameters<typeof store.insertPayment.run>[1], isClaim: boolean): Promise<void> {
  try {
    if (isClaim) await claimStore.postClaim.run(tx, { ...row, posted_by: row.recorded_by });
    else await store.insertPayment.run(tx, row);
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === 'payments_reference') throw referenceUsed();
    if (constraint === 'payments_pkey') throw new KistError('IDEMPOTENCY_CONFLICT');
    throw error;
  }
}

/** What a payment holds: a UPI transaction's number, however it was copied. The words by a cash payment are a note. */
export const heldReference = ({ method, reference }: Pick<Tender, 'method' | 'reference'>): string =>
  method === 'UPI' ? reference.replaceAll(/\s+/g, '').toUpperCase() : '';

/** A payment as it came in. */
const factsOf = (actor: Actor, { customer, opened, amount, tender, claim, goesBack }: Taking, day: PaidDay) => ({
  payment_id: claim?.payment_id ?? tender.payment_id ?? newId(),
  agreement_id: opened.agreement.agreement_id,
  customer_id: customer.customer_id,
  amount_paise: amount,
  method: tender.method,
  reference: tender.reference,
  paid_at: day.paidAt,
  paid_on: day.paidOn,
  recorded_by: actor.userId,
  goes_to: goesBack ? ('suspense' as const) : ('dues' as const),
  schedule_version: opened.agreement.schedule_version,
  // A claim names none, and stays as it was made.
  for_charge_id: claim ? null : (tender.charge_id ?? null),
});

/**
 * Takes money. For an agreement that is over it goes to suspense, to be paid back; so does what is more than a running one owes, as a payment of its own
 * with its own receipt, which the other names.
 * @throws KistError MORE_THAN_OWED, REFERENCE_USED, INVALID_INPUT
 */
export async function pay(deps: PaymentDeps, tx: Tx, actor: Actor, paying: Paying): Promise<Receipt> {
  mustBePossible(paying.amount);
  const { restPaise: rest, gone } = await moreThanOwed(tx, actor, paying);
  if (rest === 0) return take(deps, tx, actor, { ...paying, goesBack: isOver(paying.opened) });
  // Of a running agreement too, where nothing is owed but charges that this money takes back.
  if (rest === paying.amount) return take(deps, tx, actor, { ...paying, goesBack: true, gone });
  const { tender, claim } = paying;
  const paid_at = claim?.paid_at.toISOString() ?? tender.paid_at;
  // Before the other, whose receipt names it. The reference stays with what was owed: it is one transfer. So does the claim, which becomes what was owed.
  const part = { tender: { method: tender.method, paid_at, reference: '' }, claim: undefined };
  const over = { ...paying, ...part, amount: rest, goesBack: true, isRest: true };
  const overpaid = await take(deps, tx, actor, over);
  return take(deps, tx, actor, { ...paying, amount: sub(paying.amount, rest), goesBack: false, overpaid, gone });
}

/** A payment, whole: what it can pay, or what goes back. */
interface Taking extends Paying {
  goesBack: boolean;
  /** The other part of the same money pays all that is owed. */
  isRest?: boolean;
  /** What was taken besides and goes back. */
  overpaid?: Receipt;
  /** The penal charges that all of the money takes back; reckoned by this part where left out. */
  gone?: Surplus['gone'];
}
const isAnyGone = ({ gone = [] }: Taking): boolean => gone.length > 0;

/** Into what is owed or into suspense; what goes back as a whole may take penal charges back all the same. */
async function book(
  tx: Tx,
  actor: Actor,
  taking: Taking,
  payment: ReturnType<typeof factsOf> & { state: 'posted' },
  today: IsoDate,
) {
  const { opened, goesBack, gone = [] } = taking;
  if (!goesBack) return settle(tx, actor, opened, today, { recorded: payment, gone: taking.gone });
  const suspended = await takeIntoSuspense(tx, opened, payment, today);
  return isAnyGone(taking) ? settle(tx, actor, opened, today, { suspended: payment, gone }) : suspended;
}

const ALL_PAID = { outstanding_paise: 0, overdue_paise: 0, agreement_state: 'completed' };

/** Receipt, journal, dues, phone, audit. */
async function take(deps: PaymentDeps, tx: Tx, actor: Actor, taking: Taking): Promise<Receipt> {
  const { customer, amount, tender, claim, goesBack } = taking;
  const held = heldReference(tender);
  await mustBeFree(tx, held);
  const day = await dayOf(tx, taking);
  const facts = factsOf(actor, taking, day);
  const follows = taking.hasPassedOn ? identity.SYSTEM(actor.orgId) : actor;
  const settled = await book(tx, follows, taking, { ...facts, state: 'posted' }, day.today);
  const { agreement } = settled.account;
  const isSettled = !goesBack || isAnyGone(taking);
  const cause = { paymentId: facts.payment_id, goesBack: !isSettled, paid: { at: day.paidAt, paise: amount } };
  // The rest is written before the part that pays, and is heard of with that.
  const unlock = taking.isRest ? null : await deps.duesChanged(tx, follows, agreement, cause);
  const isLarge = await isLargeCash(tx, facts);
  const done = { ...receiptOf(facts, settled, day.today), ...(taking.isRest && ALL_PAID) };
  const outstandingPaise = paise(done.outstanding_paise);
  const send = await deps.sendReceipt(tx, agreement, customer, {
    amountPaise: amount,
    outstandingPaise,
    paidAt: day.paidAt,
    goesBack,
  });
  const { payment_id, method, goes_to } = facts;
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement.agreement_id,
    actor,
    action: 'payment_recorded',
    data: {
      payment_id,
      amount_paise: amount,
      method,
      goes_to,
      paid_at: day.paidAt.toISOString(),
      outstanding_paise: outstandingPaise,
    },
  });
  // From here on the counter is held: only what bears the number is left to write.
  const receipt_no = await nextNo(tx, actor, 'receipt', day.today);
  const receipt: Receipt = {
    ...done,
    receipt_no,
    unlock,
    warnings: isLarge ? ['CASH_LIMIT'] : [],
    ...withRest(await send(receipt_no), taking.overpaid),
  };
  await write(tx, { ...facts, receipt_no, receipt, held_reference: held === '' ? null : held }, claim !== undefined);
  return receipt;
}

/** What is shared of a receipt, with that of the rest. */
const withRest = (share_text: string, overpaid: Receipt | undefined): Pick<Receipt, 'share_text' | 'overpaid'> => {
  if (!overpaid) return { share_text };
  const { payment_id, receipt_no, amount_paise } = overpaid;
  return { share_text: `${share_text}\n${overpaid.share_text}`, overpaid: { payment_id, receipt_no, amount_paise } };
};

/** A claim keeps the day it was made for. */
async function dayOf(tx: Tx, { opened, tender, claim }: Paying): Promise<PaidDay> {
  if (!claim) return paidAtOf(tx, opened.agreement, tender.paid_at);
  return { paidAt: claim.paid_at, paidOn: claim.paid_on, today: await clock.today(tx) };
}

/** What a payment did to the dues. */
function receiptOf(
  payment: { payment_id: string; amount_paise: Paise; paid_at: Date },
  settled: { account: OpenAccount; parts: readonly AllocatedPart[] },
  today: IsoDate,
) {
  return {
    payment_id: payment.payment_id,
    amount_paise: payment.amount_paise,
    paid_at: payment.paid_at.toISOString(),
    ...agreements.owedAsRead(settled.account, today),
    allocations: partsOf(settled.parts, settled.account),
    advance_paise: settled.parts.find(({ bucket }) => bucket === 'advance')?.paise ?? 0,
    agreement_state: settled.account.agreement.state,
  };
}
