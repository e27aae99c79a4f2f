import { businessDate } from '@kist/contract/dates';
import type { Receipt } from '@kist/contract/emi';
import type { Agreement } from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import * as clock from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { isLargeCash } from './cash-limit.ts';
import { downPaymentLines } from './rules/journal.ts';
import { nextNo } from './series.ts';
import * as store from './store.ts';

/**
 * The cash that is paid when an agreement is signed: a payment with a receipt in a series of its own, into the till of who takes it. It pays no instalment.
 * @param agreement just signed by this transaction
 * @returns its receipt's number; null when nothing is paid down
 */
export async function takeDownPayment(tx: Tx, actor: Actor, agreement: Agreement): Promise<string | null> {
  const { agreement_id, customer_id, down_payment_paise: amount_paise } = agreement;
  if (amount_paise === 0) return null;
  const paid_at = await clock.now(tx);
  const today = businessDate(paid_at.getTime());
  const payment_id = newId();
  await ledger.post(tx, {
    effectKey: `payment:${payment_id}`,
    kind: 'payment',
    refKind: 'payment',
    refId: payment_id,
    businessOn: today,
    lines: downPaymentLines({ agreement_id, payment_id, amount_paise, till_user_id: actor.userId }),
  });
  const isLarge = await isLargeCash(tx, { method: 'CASH', customer_id, paid_on: today, amount_paise });
  const data = { payment_id, amount_paise, method: 'CASH' as const };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'down_payment_taken', data });
  const receipt_no = await nextNo(tx, actor, 'down_payment', today);
  const receipt: Receipt = {
    payment_id,
    receipt_no,
    amount_paise,
    paid_at: paid_at.toISOString(),
    outstanding_paise: agreement.outstanding_paise,
    overdue_paise: 0,
    allocations: [],
    advance_paise: 0,
    unlock: null,
    agreement_state: agreement.state,
    warnings: isLarge ? ['CASH_LIMIT'] : [],
    share_text: '',
  };
  await store.insertPayment.run(tx, {
    ...data,
    receipt_no,
    agreement_id,
    customer_id,
    reference: '',
    paid_at,
    paid_on: today,
    recorded_by: actor.userId,
    goes_to: 'down_payment',
    schedule_version: agreement.schedule_version,
    for_charge_id: null,
    receipt,
    held_reference: null,
  });
  return receipt_no;
}
