import { NEEDS } from '@kist/contract/access';
import { type IsoDate, businessDate } from '@kist/contract/dates';
import type { PAYMENT_METHODS, Receipt } from '@kist/contract/emi';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { type Paise, paise, sum } from '@kist/contract/money';
import {
  accountToChange,
  type Agreement,
  chargeLeft,
  dues,
  instalmentLeft,
  ofInstalment,
  type OpenAccount,
} from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import { type AuthorizedCustomer, authorize } from '#server/customers/customers.ts';
import { type Actor, requires } from '#server/identity/identity.ts';
import * as clock from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { settle } from './posting.ts';
import type { AllocatedPart } from './rules/journal.ts';
import { nextNo } from './series.ts';
import * as store from './store.ts';

export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export interface PaymentDeps {
  /** Decides what the changed dues mean for the phone, in this transaction: an unlock when they are cleared (invariant I5). */
  duesChanged(
    tx: Tx,
    actor: Actor,
    agreement: Agreement,
    cause: { paymentId: string },
  ): Promise<{ command_id: string | null; state: string; revision: number } | null>;
  /** Tells the customer, through the outbox; @returns the receipt as text in their language, to share. */
  sendReceipt(
    tx: Tx,
    agreement: Agreement,
    customer: AuthorizedCustomer,
    receipt: { paymentId: string; receiptNo: string; amountPaise: Paise; outstandingPaise: Paise; paidAt: Date },
  ): Promise<string>;
}

interface Tender {
  /** Made by who sends it: the same id always answers with the same receipt. */
  payment_id?: string | undefined;
  method: PaymentMethod;
  reference: string;
  /** When the money changed hands; now when left out. */
  paid_at?: string | undefined;
}

export interface Payments {
  /** One instalment, full or part. @throws KistError NOT_FOUND, ALREADY_PAID, AMOUNT_TOO_LARGE, STATE_CONFLICT, INVALID_INPUT. */
  record(tx: Tx, actor: Actor, given: Tender & { instalment_id: string; amount: number }): Promise<Receipt>;
  /** Several instalments of one customer in full, one receipt. Errors as `record`. */
  recordMany(
    tx: Tx,
    actor: Actor,
    given: Tender & { customer_id: string; instalment_ids: readonly string[] },
  ): Promise<Receipt>;
  /** @throws KistError NOT_FOUND, ALREADY_REVERSED, STATE_CONFLICT of a down payment. */
  reverse(tx: Tx, actor: Actor, paymentId: string, reason: string): Promise<Reversal>;
}

/** A payment taken back, with the number of the note that says so. */
export interface Reversal {
  payment_id: string;
  note_no: string;
  outstanding_paise: number;
  overdue_paise: number;
}

interface PaidDay {
  paidAt: Date;
  paidOn: IsoDate;
  today: IsoDate;
}

/** A payment may be told late, never before the sale and never ahead of time. */
async function paidAtOf(tx: Tx, agreement: Agreement, given: string | undefined): Promise<PaidDay> {
  const present = await clock.now(tx);
  const paidAt = given === undefined ? present : new Date(given);
  const paidOn = businessDate(paidAt.getTime());
  // Two minutes of grace: the phone's clock may run ahead of ours.
  if (paidAt.getTime() > present.getTime() + 120_000 || paidOn < agreement.delivered_on)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'paid_at', key: 'field.paid_at' }] });
  return { paidAt, paidOn, today: businessDate(present.getTime()) };
}

const owed = (opened: OpenAccount): Paise =>
  sum([...opened.instalments.map(instalmentLeft), ...opened.charges.map(chargeLeft)]);

const partsOf = (rows: readonly AllocatedPart[]) =>
  rows
    .filter((row) => row.bucket !== 'advance')
    .map(({ instalment_no, bucket, paise: amount }) => ({ instalment_no, bucket, paise: amount }));

/** Money of a customer for an agreement that is open and locked. */
interface Paying {
  customer: AuthorizedCustomer;
  opened: OpenAccount;
  amount: Paise;
  tender: Tender;
}

/** @throws KistError STATE_CONFLICT of a cancelled agreement, AMOUNT_TOO_LARGE beyond everything owed */
function mustBeTaken({ agreement, ...opened }: OpenAccount, amount: Paise): void {
  if (agreement.state === 'cancelled') throw new KistError('STATE_CONFLICT');
  const max = owed({ agreement, ...opened });
  if (amount > max)
    throw new KistError('AMOUNT_TOO_LARGE', {
      fields: [{ path: 'amount', key: 'field.amount_too_large' }],
      params: { max_paise: max },
    });
}

const referenceUsed = () =>
  new KistError('REFERENCE_USED', { fields: [{ path: 'reference', key: 'field.reference_used' }] });

/** @throws KistError REFERENCE_USED while another payment holds it */
async function mustBeFree(tx: Tx, reference: string): Promise<void> {
  if (reference !== '' && (await store.holderOf.first(tx, { reference }))) throw referenceUsed();
}

/**
 * Writes the payment's row, its last statement.
 * @throws KistError REFERENCE_USED, IDEMPOTENCY_CONFLICT when another payment took the reference or the id at the same moment
 */
async function write(tx: Tx, row: Parameters<typeof store.insertPayment.run>[1]): Promise<void> {
  try {
    await store.insertPayment.run(tx, row);
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === 'payments_reference') throw referenceUsed();
    if (constraint === 'payments_pkey') throw new KistError('IDEMPOTENCY_CONFLICT');
    throw error;
  }
}

/** What a payment holds: a UPI transaction's number, however it was copied. The words by a cash payment are a note. */
const heldReference = ({ method, reference }: Tender): string =>
  method === 'UPI' ? reference.replaceAll(/\s+/g, '').toUpperCase() : '';

/** A payment as it came in. */
const factsOf = (actor: Actor, { customer, opened, amount, tender }: Paying, day: PaidDay) => ({
  payment_id: tender.payment_id ?? newId(),
  agreement_id: opened.agreement.agreement_id,
  customer_id: customer.customer_id,
  amount_paise: amount,
  method: tender.method,
  reference: tender.reference,
  paid_at: day.paidAt,
  paid_on: day.paidOn,
  recorded_by: actor.userId,
  goes_to: 'dues' as const,
});

async function pay(deps: PaymentDeps, tx: Tx, actor: Actor, paying: Paying): Promise<Receipt> {
  const { customer, opened, amount, tender } = paying;
  mustBeTaken(opened, amount);
  const held = heldReference(tender);
  await mustBeFree(tx, held);
  const day = await paidAtOf(tx, opened.agreement, tender.paid_at);
  const facts = factsOf(actor, paying, day);
  const settled = await settle(tx, actor, opened, day.today, { recorded: { ...facts, state: 'posted' } });
  const { agreement } = settled.account;
  const unlock = await deps.duesChanged(tx, actor, agreement, { paymentId: facts.payment_id });
  const isLarge = await isLargeCash(tx, facts);
  // From here on the counter is held: what is left is told and written, and nothing is reckoned.
  const receipt_no = await nextNo(tx, actor, 'receipt', day.today);
  const done = receiptOf({ ...facts, receipt_no }, settled, day.today);
  const receipt: Receipt = {
    ...done,
    unlock,
    warnings: isLarge ? ['CASH_LIMIT'] : [],
    share_text: await deps.sendReceipt(tx, agreement, customer, {
      paymentId: facts.payment_id,
      receiptNo: receipt_no,
      amountPaise: amount,
      outstandingPaise: paise(done.outstanding_paise),
      paidAt: day.paidAt,
    }),
  };
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement.agreement_id,
    actor,
    action: 'payment_recorded',
    data: {
      payment_id: facts.payment_id,
      receipt_no,
      amount_paise: amount,
      method: tender.method,
      outstanding_paise: done.outstanding_paise,
    },
  });
  await write(tx, { ...facts, receipt_no, receipt, held_reference: held === '' ? null : held });
  return receipt;
}

/** What a payment did to the dues. */
function receiptOf(
  payment: { payment_id: string; receipt_no: string; amount_paise: Paise; paid_at: Date },
  settled: { account: OpenAccount; parts: readonly AllocatedPart[] },
  today: IsoDate,
) {
  const state = dues(settled.account, today);
  return {
    payment_id: payment.payment_id,
    receipt_no: payment.receipt_no,
    amount_paise: payment.amount_paise,
    paid_at: payment.paid_at.toISOString(),
    outstanding_paise: state.outstanding_paise,
    overdue_paise: state.overdue_paise,
    allocations: partsOf(settled.parts),
    advance_paise: settled.parts.find(({ bucket }) => bucket === 'advance')?.paise ?? 0,
    agreement_state: settled.account.agreement.state,
  };
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
  const found = payment_id === undefined ? undefined : await store.findPayment.first(tx, { payment_id });
  if (!found) return undefined;
  await authorize(tx, actor, { customer_id: found.customer_id });
  const isSame = found.customer_id === customer_id && (amount === null || found.amount_paise === amount);
  if (!isSame || !found.receipt) throw new KistError('IDEMPOTENCY_CONFLICT');
  return found.receipt;
}

/** The income-tax law bars so much cash from one person on one day, the limit itself included (section 269ST). */
async function isLargeCash(
  tx: Tx,
  { method, customer_id, paid_on, amount_paise }: ReturnType<typeof factsOf>,
): Promise<boolean> {
  if (method !== 'CASH') return false;
  // This payment's own row is written last: it is not among the day's yet.
  const before = (await store.cashOnDay.one(tx, { customer_id, paid_on })).paise;
  return before + amount_paise >= LIMITS.cashWarningPaise;
}

async function reversePayment(
  deps: PaymentDeps,
  tx: Tx,
  actor: Actor,
  { payment_id, reason }: { payment_id: string; reason: string },
): Promise<Reversal> {
  requires(actor, NEEDS.collect);
  const found = await store.findPayment.first(tx, { payment_id });
  if (!found) throw new KistError('NOT_FOUND');
  await authorize(tx, actor, { customer_id: found.customer_id });
  const opened = await accountToChange(tx, { agreement_id: found.agreement_id });
  // Read again under the agreement's lock: two reversals at once must not both pass.
  const standing = await store.findPayment.one(tx, { payment_id });
  if (standing.state === 'reversed') throw new KistError('ALREADY_REVERSED');
  // What was paid down made the sale: it goes back with the sale and not by itself.
  if (standing.goes_to !== 'dues') throw new KistError('STATE_CONFLICT');
  const today = await clock.today(tx);
  await store.markReversed.run(tx, { payment_id, reversed_by: actor.userId, reverse_reason: reason });
  const settled = await settle(tx, actor, opened, today, { reversed: standing });
  await deps.duesChanged(tx, actor, settled.account.agreement, { paymentId: payment_id });
  // As a receipt's number, the note's comes last.
  const note_no = await nextNo(tx, actor, 'note', today);
  await audit.append(tx, {
    kind: 'agreement',
    id: found.agreement_id,
    actor,
    action: 'payment_reversed',
    data: { payment_id, note_no, amount_paise: found.amount_paise },
  });
  await store.writeNote.run(tx, { payment_id, note_no });
  const state = dues(settled.account, today);
  return { payment_id, note_no, outstanding_paise: state.outstanding_paise, overdue_paise: state.overdue_paise };
}

export const createPayments = (deps: PaymentDeps): Payments => ({
  async record(tx, actor, { instalment_id, amount, ...tender }) {
    requires(actor, NEEDS.collect);
    const place = await ofInstalment(tx, { instalment_id });
    if (!place) throw new KistError('NOT_FOUND');
    const customer = await authorize(tx, actor, { customer_id: place.customer_id });
    const opened = await accountToChange(tx, { agreement_id: place.agreement_id });
    const { payment_id } = tender;
    const before = await receivedBefore(tx, actor, { payment_id, customer_id: place.customer_id, amount });
    if (before) return before;
    const row = opened.instalments.find((instalment) => instalment.no === place.no)!;
    const penalLeft = sum(opened.charges.filter((charge) => charge.instalment_no === row.no).map(chargeLeft));
    if (instalmentLeft(row) === 0 && penalLeft === 0) throw new KistError('ALREADY_PAID');
    return pay(deps, tx, actor, { customer, opened, amount: paise(amount), tender });
  },
  async recordMany(tx, actor, { customer_id, instalment_ids, ...tender }) {
    requires(actor, NEEDS.collect);
    const customer = await authorize(tx, actor, { customer_id });
    const opened = await accountToChange(tx, { customer_id });
    const { payment_id } = tender;
    const before = await receivedBefore(tx, actor, { payment_id, customer_id, amount: null });
    if (before) return before;
    const wanted = new Set(instalment_ids);
    const rows = opened.instalments.filter((row) => wanted.delete(opened.instalmentIds.get(row.no)!));
    if (wanted.size > 0) throw new KistError('NOT_FOUND');
    if (rows.some((row) => instalmentLeft(row) === 0)) throw new KistError('ALREADY_PAID');
    return pay(deps, tx, actor, { customer, opened, amount: sum(rows.map(instalmentLeft)), tender });
  },
  reverse: (tx, actor, paymentId, reason) => reversePayment(deps, tx, actor, { payment_id: paymentId, reason }),
});

export { takeDownPayment } from './down-payments.ts';
export { type BookedPayment, type LaidOut, layOut, recordHistoric } from './historic.ts';
export { chargePenalties } from './penal.ts';
