import { createHash } from 'node:crypto';
import type { IsoDate } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import type { EmiTerms } from '@kist/contract/emi-terms';
import type { LockPolicy } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import { post } from '#server/ledger/ledger.ts';
import { businessOn, now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type Account, instalmentLeft } from './rules/account.ts';
import { dues } from './rules/dues.ts';
import { termsOf } from './rules/preview.ts';
import { schedule } from './rules/schedule.ts';
import {
  type AgreementRecord,
  agreementOfDevice,
  agreementOfInstalment,
  chargesOf,
  findAgreement,
  insertAgreement,
  insertConsent,
  insertInstalments,
  instalmentsOf,
  nextNumber,
  readNumber,
  writeAccount,
  writeNumber,
} from './store.ts';

export type Agreement = AgreementRecord;

export interface OpenAgreement {
  customerId: string;
  deviceId: string;
  ownerUserId: string;
  planType: number;
  terms: EmiTerms;
  policy: LockPolicy;
}

/** Number as people say it: `20-00471`. */
const agreementNo = (orgId: number, n: number) => `${orgId}-${String(n).padStart(5, '0')}`;

/**
 * Signs an agreement: schedule, number, opening journal (what the customer owes; the down payment into the till), audit. The policy is stamped on
 * it: a later change of the shop's policy does not touch it.
 */
export async function open(tx: Tx, actor: Actor, given: OpenAgreement): Promise<Agreement> {
  const result = schedule(termsOf(given.terms));
  const { terms } = given;
  const agreementId = newId();
  const first = result.instalments[0]!;
  await insertAgreement(tx, {
    agreement_id: agreementId,
    agreement_no: agreementNo(actor.orgId, await nextNumber(tx, 'agreement')),
    customer_id: given.customerId,
    device_id: given.deviceId,
    owner_user_id: given.ownerUserId,
    plan_type: given.planType,
    method: terms.method,
    frequency: terms.frequency,
    rounding: terms.rounding,
    cash_price_paise: terms.cash_price,
    down_payment_paise: terms.down_payment,
    fee_paise: 0 as Agreement['fee_paise'],
    rate_bps: terms.rate_bps,
    tenure: terms.tenure,
    delivered_on: terms.delivered_on,
    anchor_day: terms.anchor_day ?? null,
    financed_paise: result.financedPaise,
    emi_paise: result.emiPaise,
    total_interest_paise: result.totalInterestPaise,
    total_payable_paise: result.totalPayablePaise,
    apr_bps: result.aprBps,
    is_regulated: given.policy.preset === 'rbi-2026',
    policy_version: given.policy.version,
    policy: given.policy,
    oldest_due_on: first.dueOn,
    oldest_due_paise: first.totalPaise,
    last_due_on: result.instalments.at(-1)!.dueOn,
  });
  await insertInstalments(
    tx,
    agreementId,
    result.instalments.map((row) => ({
      no: row.no,
      instalment_id: newId(),
      due_on: row.dueOn,
      principal_paise: row.principalPaise,
      interest_paise: row.interestPaise,
      fee_paise: row.feePaise,
      balance_paise: row.balancePaise,
    })),
  );
  const of = { agreement_id: agreementId };
  await post(tx, {
    effectKey: `agreement:${agreementId}`,
    kind: 'agreement_opened',
    refKind: 'agreement',
    refId: agreementId,
    businessOn: terms.delivered_on,
    lines: [
      { ...of, code: 'receivable_principal', side: 'debit', amount: result.financedPaise },
      { ...of, code: 'receivable_interest', side: 'debit', amount: result.totalInterestPaise },
      { ...of, code: 'clearing_cash', ownerId: given.ownerUserId, side: 'debit', amount: terms.down_payment },
      { ...of, code: 'sales', side: 'credit', amount: terms.cash_price },
      { ...of, code: 'unearned_interest', side: 'credit', amount: result.totalInterestPaise },
    ],
  });
  await audit.append(tx, {
    kind: 'agreement',
    id: agreementId,
    actor,
    action: 'agreement_opened',
    data: {
      device_id: given.deviceId,
      financed_paise: result.financedPaise,
      emi_paise: result.emiPaise,
      tenure: terms.tenure,
      apr_bps: result.aprBps,
      policy: given.policy.preset,
      policy_version: given.policy.version,
    },
  });
  return (await findAgreement(tx, { agreementId }))!;
}

/** What an agreement is owed, with the ids that the outside knows its instalments by. */
export interface OpenAccount extends Account {
  agreement: Agreement;
  instalmentIds: ReadonlyMap<number, string>;
  balances: ReadonlyMap<number, number>;
}

/**
 * @param lock takes the agreement first, so that two payments of one customer never see the same dues.
 * @throws KistError NOT_FOUND; who may see it is checked by the caller through the customer.
 */
export async function account(
  tx: Tx,
  by: { agreementId: string } | { customerId: string },
  lock = false,
): Promise<OpenAccount> {
  const agreement = await findAgreement(tx, by, lock);
  if (!agreement) throw new KistError('NOT_FOUND');
  const rows = await instalmentsOf(tx, agreement.agreement_id);
  const charges = await chargesOf(tx, agreement.agreement_id);
  return {
    agreement,
    instalmentIds: new Map(rows.map((row) => [row.no, row.instalment_id])),
    balances: new Map(rows.map((row) => [row.no, row.balance_paise])),
    instalments: rows.map((row) => ({
      no: row.no,
      dueOn: row.due_on,
      interestPaise: row.interest_paise,
      principalPaise: row.principal_paise,
      feePaise: row.fee_paise,
      paidInterestPaise: row.paid_interest_paise,
      paidPrincipalPaise: row.paid_principal_paise,
      paidFeePaise: row.paid_fee_paise,
      paidOn: row.paid_on,
    })),
    charges: charges.map((row) => ({
      chargeId: row.charge_id,
      instalmentNo: row.instalment_no,
      chargedOn: row.charged_on,
      amountPaise: row.amount_paise,
      paidPaise: row.paid_paise,
    })),
  };
}

/**
 * Writes an account after a payment or a replay, with the snapshot that lists read. An agreement whose instalments are all paid is completed; one
 * that a reversal reopened is active again.
 */
export async function saveAccount(
  tx: Tx,
  agreement: Agreement,
  next: Account,
  advancePaise: number,
): Promise<Agreement> {
  const today = businessOn(await now(tx)) as IsoDate;
  const state = dues(next, today);
  await writeAccount(
    tx,
    agreement.agreement_id,
    next.instalments.map((row) => ({
      no: row.no,
      principal: row.paidPrincipalPaise,
      interest: row.paidInterestPaise,
      fee: row.paidFeePaise,
      paidOn: instalmentLeft(row) === 0 ? row.paidOn : null,
    })),
    next.charges.map((charge) => ({ chargeId: charge.chargeId, paid: charge.paidPaise })),
    {
      oldestDueOn: state.oldestUnpaid?.dueOn ?? null,
      oldestDuePaise: state.oldestUnpaid?.leftPaise ?? 0,
      outstandingPaise: state.outstandingPaise,
      paidCount: state.paidCount,
      advancePaise,
      state: state.isCompleted ? 'completed' : 'active',
    },
  );
  return (await findAgreement(tx, { agreementId: agreement.agreement_id }))!;
}

/** Records that the customer accepted a clause: which text (hash of the server's own copy), how, when. */
export async function recordConsent(
  tx: Tx,
  actor: Actor,
  given: {
    agreementId: string;
    textVersion: string;
    text: string;
    language: string;
    method: 'signature' | 'typed';
    documentId: string | null;
  },
): Promise<void> {
  const textHash = createHash('sha256').update(given.text).digest();
  await insertConsent(tx, {
    consentId: newId(),
    agreementId: given.agreementId,
    textVersion: given.textVersion,
    textHash,
    language: given.language,
    method: given.method,
    documentId: given.documentId,
  });
  await audit.append(tx, {
    kind: 'agreement',
    id: given.agreementId,
    actor,
    action: 'consent_recorded',
    data: {
      text_version: given.textVersion,
      text_sha256: textHash.toString('hex'),
      language: given.language,
      method: given.method,
      document_id: given.documentId,
    },
  });
}

/** The live (or last) agreement of a phone; null when it has none. */
export const ofDevice = (tx: Tx, deviceId: string): Promise<Agreement | null> => agreementOfDevice(tx, deviceId);
/** The live (or last) agreement of a customer; null when it has none. */
export const ofCustomer = (tx: Tx, customerId: string, lock = false): Promise<Agreement | null> =>
  findAgreement(tx, { customerId }, lock);
/** Where an instalment belongs; null when there is none of this id. */
export const ofInstalment = (tx: Tx, instalmentId: string) => agreementOfInstalment(tx, instalmentId);
/** Next number of a gap-free series of this organisation (`agreement`, `receipt:<user>:<year>`). */
export const next = (tx: Tx, series: string): Promise<number> => nextNumber(tx, series);

/** The short number that a shop's receipts carry, given at its first receipt and never changed. */
export async function shopNo(tx: Tx, userId: string): Promise<number> {
  const known = await readNumber(tx, `shop:${userId}`);
  if (known !== null) return known;
  return writeNumber(tx, `shop:${userId}`, await nextNumber(tx, 'shops'));
}

export {
  type Account,
  BUCKETS,
  type Bucket,
  type ChargeState,
  type InstalmentState,
  byChargeDate,
  byDueDate,
  chargeLeft,
  instalmentLeft,
  instalmentTotal,
  leftInBucket,
  payInto,
  unpaid,
} from './rules/account.ts';
export { dues } from './rules/dues.ts';
export { previewEmi, termsOf } from './rules/preview.ts';
export { schedule } from './rules/schedule.ts';
export { insertCharge } from './charge-store.ts';
