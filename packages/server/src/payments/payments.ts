import { NEEDS } from '@kist/contract/access';
import { type IsoDate, businessDate, financialYear } from '@kist/contract/dates';
import type { PAYMENT_METHODS, Receipt } from '@kist/contract/emi';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { type Paise, paise, sum } from '@kist/contract/money';
import {
  account,
  type Agreement,
  chargeLeft,
  dues,
  instalmentLeft,
  next,
  ofInstalment,
  type OpenAccount,
  shopNo,
} from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import { type AuthorizedCustomer, authorize } from '#server/customers/customers.ts';
import { type Actor, requires } from '#server/identity/identity.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { settle } from './posting.ts';
import { type AllocationRow, cashOnDay, findPayment, insertPayment, markReversed } from './store.ts';

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
  /** @throws KistError NOT_FOUND, ALREADY_REVERSED. */
  reverse(
    tx: Tx,
    actor: Actor,
    paymentId: string,
    reason: string,
  ): Promise<{ payment_id: string; outstanding_paise: number; overdue_paise: number }>;
}

/** A payment may be told late, never before the sale and never ahead of time. */
async function paidAtOf(
  tx: Tx,
  agreement: Agreement,
  given: string | undefined,
): Promise<{ paidAt: Date; paidOn: IsoDate; today: IsoDate }> {
  const present = await now(tx);
  const paidAt = given === undefined ? present : new Date(given);
  const paidOn = businessDate(paidAt.getTime());
  // Two minutes of grace: the phone's clock may run ahead of ours.
  if (paidAt.getTime() > present.getTime() + 120_000 || paidOn < agreement.delivered_on)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'paid_at', key: 'field.paid_at' }] });
  return { paidAt, paidOn, today: businessDate(present.getTime()) };
}

/** Receipts run without gaps for each shop and financial year: `26-27/03/0012`. */
const receiptNumber = (year: string, shop: number, n: number) =>
  `${year.slice(2)}/${String(shop).padStart(2, '0')}/${String(n).padStart(4, '0')}`;

const owed = (opened: OpenAccount): Paise =>
  sum([...opened.instalments.map(instalmentLeft), ...opened.charges.map(chargeLeft)]);

const parts = (rows: readonly AllocationRow[]) =>
  rows
    .filter((row) => row.bucket !== 'advance')
    .map((row) => ({ instalment_no: row.instalment_no, bucket: row.bucket, paise: row.paise }));

export function createPayments(deps: PaymentDeps): Payments {
  async function pay(
    tx: Tx,
    actor: Actor,
    customer: AuthorizedCustomer,
    opened: OpenAccount,
    amount: Paise,
    tender: Tender,
  ): Promise<Receipt> {
    const { agreement } = opened;
    if (agreement.state === 'cancelled') throw new KistError('STATE_CONFLICT');
    if (amount > owed(opened))
      throw new KistError('AMOUNT_TOO_LARGE', {
        fields: [{ path: 'amount', key: 'field.amount_too_large' }],
        params: { max_paise: owed(opened) },
      });
    const { paidAt, paidOn, today } = await paidAtOf(tx, agreement, tender.paid_at);
    const paymentId = newId();
    const year = financialYear(today);
    const receiptNo = receiptNumber(
      year,
      await shopNo(tx, actor.userId),
      await next(tx, `receipt:${actor.userId}:${year}`),
    );
    await insertPayment(tx, {
      payment_id: paymentId,
      agreement_id: agreement.agreement_id,
      customer_id: customer.customer_id,
      amount_paise: amount,
      method: tender.method,
      reference: tender.reference,
      paid_at: paidAt,
      paid_on: paidOn,
      recorded_by: actor.userId,
      receipt_no: receiptNo,
    });
    const settled = await settle(tx, opened, today);
    const state = dues(settled.account, today);
    const after = settled.account.agreement;
    const unlock = await deps.duesChanged(tx, actor, after, { paymentId });
    await audit.append(tx, {
      kind: 'agreement',
      id: agreement.agreement_id,
      actor,
      action: 'payment_recorded',
      data: {
        payment_id: paymentId,
        receipt_no: receiptNo,
        amount_paise: amount,
        method: tender.method,
        outstanding_paise: state.outstandingPaise,
      },
    });
    const shareText = await deps.sendReceipt(tx, after, customer, {
      paymentId,
      receiptNo,
      amountPaise: amount,
      outstandingPaise: state.outstandingPaise,
      paidAt,
    });
    const rows = settled.rowsOfPayment.get(paymentId) ?? [];
    const isLargeCash =
      tender.method === 'CASH' && (await cashOnDay(tx, customer.customer_id, paidOn)) > LIMITS.cashWarningPaise;
    return {
      payment_id: paymentId,
      receipt_no: receiptNo,
      amount_paise: amount,
      paid_at: paidAt.toISOString(),
      outstanding_paise: state.outstandingPaise,
      overdue_paise: state.overduePaise,
      allocations: parts(rows),
      advance_paise: rows.find((row) => row.bucket === 'advance')?.paise ?? 0,
      unlock,
      agreement_state: after.state,
      warnings: isLargeCash ? ['CASH_LIMIT'] : [],
      share_text: shareText,
    };
  }

  return {
    async record(tx, actor, { instalment_id, amount, ...tender }) {
      requires(actor, NEEDS.read);
      const place = await ofInstalment(tx, instalment_id);
      if (!place) throw new KistError('NOT_FOUND');
      const customer = await authorize(tx, actor, place.customer_id);
      const opened = await account(tx, { agreementId: place.agreement_id }, true);
      const row = opened.instalments.find((instalment) => instalment.no === place.no)!;
      const penalLeft = sum(opened.charges.filter((charge) => charge.instalmentNo === row.no).map(chargeLeft));
      if (instalmentLeft(row) === 0 && penalLeft === 0) throw new KistError('ALREADY_PAID');
      return pay(tx, actor, customer, opened, paise(amount), tender);
    },
    async recordMany(tx, actor, { customer_id, instalment_ids, ...tender }) {
      requires(actor, NEEDS.read);
      const customer = await authorize(tx, actor, customer_id);
      const opened = await account(tx, { customerId: customer_id }, true);
      const wanted = new Set(instalment_ids);
      const rows = opened.instalments.filter((row) => wanted.delete(opened.instalmentIds.get(row.no)!));
      if (wanted.size > 0) throw new KistError('NOT_FOUND');
      if (rows.some((row) => instalmentLeft(row) === 0)) throw new KistError('ALREADY_PAID');
      return pay(tx, actor, customer, opened, sum(rows.map(instalmentLeft)), tender);
    },
    async reverse(tx, actor, paymentId, reason) {
      requires(actor, NEEDS.read);
      const found = await findPayment(tx, paymentId);
      if (!found) throw new KistError('NOT_FOUND');
      await authorize(tx, actor, found.customer_id);
      const opened = await account(tx, { agreementId: found.agreement_id }, true);
      // Read again under the agreement's lock: two reversals at once must not both pass.
      if ((await findPayment(tx, paymentId))!.state === 'reversed') throw new KistError('ALREADY_REVERSED');
      await markReversed(tx, paymentId, actor.userId, reason);
      const today = businessDate((await now(tx)).getTime());
      const settled = await settle(tx, opened, today);
      await deps.duesChanged(tx, actor, settled.account.agreement, { paymentId });
      await audit.append(tx, {
        kind: 'agreement',
        id: found.agreement_id,
        actor,
        action: 'payment_reversed',
        data: { payment_id: paymentId, amount_paise: found.amount_paise },
      });
      const state = dues(settled.account, today);
      return { payment_id: paymentId, outstanding_paise: state.outstandingPaise, overdue_paise: state.overduePaise };
    },
  };
}
