import { createHash } from 'node:crypto';
import type { IsoDate } from '@kist/contract/dates';
import type { EmiTerms } from '@kist/contract/emi-terms';
import { KistError } from '@kist/contract/errors';
import { isRegulated, type LockPolicy } from '@kist/contract/lock-policy';
import { type Paise, ZERO_PAISE } from '@kist/contract/money';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type Account, instalmentLeft } from './rules/account.ts';
import { dues } from './rules/dues.ts';
import { type Schedule, schedule } from './rules/schedule.ts';
import * as chargeStore from './charge-store.ts';
import type { NewCharge } from './charge-store.ts';
import { openingOf } from './opening.ts';
import { penalToStamp } from './penal-rules.ts';
import { makeVersion, type Revising } from './revise.ts';
import * as counters from './counter-store.ts';
import * as store from './store.ts';

export type Agreement = store.AgreementRow;
/** By its own id, or as the live (or last) one of a customer. */
export type WhichAgreement = { agreement_id: string } | { customer_id: string };

/** What is signed. */
export interface Signing {
  customer_id: string;
  device_id: string;
  owner_user_id: string;
  plan_type: number;
  terms: EmiTerms;
  policy: LockPolicy;
}

/** Number as people say it: `20-00471`. */
const agreementNo = (orgId: number, n: number) => `${orgId}-${String(n).padStart(5, '0')}`;

/**
 * Signs an agreement: schedule, number, opening journal (what the customer owes; what is paid down comes as a payment), audit. The lock policy and the
 * penal rule are stamped on it: a later change of the organisation's does not touch them.
 */
export async function open(tx: Tx, actor: Actor, signing: Signing): Promise<Agreement> {
  const scheduled = schedule(signing.terms);
  const agreement = await insert(tx, actor, signing, scheduled);
  const { agreement_id, device_id, policy, penal } = agreement;
  await store.insertInstalments.run(tx, {
    agreement_id,
    version: 1,
    rows: scheduled.instalments.map((row) => ({ ...row, instalment_id: newId() })),
  });
  await ledger.post(tx, openingOf(agreement));
  const { agreement_no, financed_paise, emi_paise, tenure, apr_bps, policy_version } = agreement;
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement_id,
    actor,
    action: 'agreement_opened',
    data: {
      agreement_no,
      device_id,
      financed_paise,
      emi_paise,
      tenure,
      apr_bps,
      policy: policy.preset,
      policy_version,
      penal_version: penal?.version ?? null,
    },
  });
  return agreement;
}

async function insert(tx: Tx, actor: Actor, signing: Signing, scheduled: Schedule): Promise<Agreement> {
  const { terms, policy, ...sold } = signing;
  const { cash_price, down_payment, fee, anchor_day = null, ...agreed } = terms;
  const { instalments, ...sums } = scheduled;
  const [first] = instalments;
  return store.insertAgreement.one(tx, {
    ...sold,
    ...agreed,
    ...sums,
    agreement_id: newId(),
    moved_by: actor.userId,
    agreement_no: agreementNo(actor.orgId, await next(tx, 'agreement')),
    cash_price_paise: cash_price,
    down_payment_paise: down_payment,
    anchor_day,
    fee_paise: fee,
    is_regulated: isRegulated(policy),
    policy_version: policy.version,
    policy,
    penal: await penalToStamp(tx, policy),
    oldest_due_on: first!.due_on,
    oldest_due_paise: first!.total_paise,
    last_due_on: instalments.at(-1)!.due_on,
  });
}

/** What an agreement is owed, with the ids that the outside knows its instalments by. */
export interface OpenAccount extends Account {
  agreement: Agreement;
  instalmentIds: ReadonlyMap<number, string>;
  balances: ReadonlyMap<number, number>;
}

/** @throws KistError NOT_FOUND; who may see it is checked by the caller through the customer. */
export async function account(tx: Tx, which: WhichAgreement): Promise<OpenAccount> {
  const agreement =
    'agreement_id' in which ? await store.find.first(tx, which) : await store.ofCustomer.first(tx, which);
  return accountOf(tx, agreement);
}

/** The same, with the agreement taken first, so that two payments of one customer never see the same dues. @throws KistError NOT_FOUND */
export async function accountToChange(tx: Tx, which: WhichAgreement): Promise<OpenAccount> {
  const agreement =
    'agreement_id' in which
      ? await store.findToChange.first(tx, which)
      : await store.ofCustomerToChange.first(tx, which);
  return accountOf(tx, agreement);
}

async function accountOf(tx: Tx, agreement: Agreement | undefined): Promise<OpenAccount> {
  if (!agreement) throw new KistError('NOT_FOUND');
  const { agreement_id } = agreement;
  const [rows, charges] = await Promise.all([
    store.instalmentsOf.all(tx, { agreement_id }),
    store.chargesOf.all(tx, { agreement_id }),
  ]);
  return {
    agreement,
    instalmentIds: new Map(rows.map((row) => [row.no, row.instalment_id])),
    balances: new Map(rows.map((row) => [row.no, row.balance_paise])),
    instalments: rows,
    charges,
  };
}

/**
 * Changes the terms of what is not due yet: the next version of the schedule, effective today. Who may is the caller's to say.
 * @throws KistError NOT_FOUND; STATE_CONFLICT of an agreement that is not active, or with nothing left that is not due
 */
export async function revise(
  tx: Tx,
  actor: Actor,
  { agreement_id, ...revising }: Revising & { agreement_id: string },
): Promise<OpenAccount> {
  const opened = await accountToChange(tx, { agreement_id });
  await makeVersion(tx, actor, opened, revising);
  const { instalments, charges, agreement } = await account(tx, { agreement_id });
  const reason = `schedule revised: ${revising.cause}`;
  await saveAccount(tx, actor, {
    agreement,
    account: { instalments, charges },
    advance_paise: agreement.advance_paise,
    reason,
  });
  return account(tx, { agreement_id });
}

/**
 * Writes an account after a payment or a replay, with the snapshot that lists read. An agreement whose instalments are all paid is completed; one
 * that a reversal reopened is active again, but for nobody: of a customer who was erased none is. Whatever happens to the money of one that ended otherwise, it
 * stays ended.
 * @throws KistError STATE_CONFLICT where it would owe again and its customer was erased
 */
export async function saveAccount(
  tx: Tx,
  actor: Pick<Actor, 'userId'>,
  { agreement, account: { instalments, charges }, advance_paise, reason }: SavedAccount,
): Promise<Agreement> {
  const { agreement_id } = agreement;
  const state = dues({ instalments, charges }, await today(tx));
  if (agreement.state === 'completed' && !state.isCompleted) await customers.assertMayOweAgain(tx, agreement);
  // One behind the other in one go: none asks what the one before it said.
  const paid = store.writePaid.run(tx, {
    agreement_id,
    rows: instalments.map((row) => ({
      no: row.no,
      paid_principal_paise: row.paid_principal_paise,
      paid_interest_paise: row.paid_interest_paise,
      paid_fee_paise: row.paid_fee_paise,
      paid_on: instalmentLeft(row) === 0 ? row.paid_on : null,
    })),
  });
  const charged =
    charges.length > 0 &&
    store.writeChargesPaid.run(tx, {
      agreement_id,
      charge_ids: charges.map((charge) => charge.charge_id),
      paid_paise: charges.map((charge) => charge.paid_paise),
    });
  const snapshot = store.writeSnapshot.one(tx, {
    agreement_id,
    oldest_due_on: state.oldestUnpaid?.due_on ?? null,
    oldest_due_paise: state.oldestUnpaid?.left_paise ?? ZERO_PAISE,
    outstanding_paise: state.outstanding_paise,
    paid_count: state.paid_count,
    advance_paise,
    state: isLiving(agreement) ? (state.isCompleted ? 'completed' : 'active') : agreement.state,
    moved_by: actor.userId,
    reason,
  });
  const [, , saved] = await Promise.all([paid, charged, snapshot]);
  return saved;
}

/** Whether payments decide what it is. */
const isLiving = ({ state }: Agreement): boolean => state === 'active' || state === 'completed';

export interface SavedAccount {
  agreement: Agreement;
  account: Account;
  /** Paid beyond all that the account asks for. */
  advance_paise: Paise;
  /** Why, in the history of the agreement's states. */
  reason: string;
}

/** Which clause a customer accepted, and how. */
export interface GivenConsent {
  agreement_id: string;
  text_version: string;
  text: string;
  language: string;
  method: 'signature' | 'typed';
  /** The stored picture of the signature. */
  document_id: string | null;
  /** The code that the customer told from their own number. With the signature it makes the consent whole; without, no debt holds a phone on it. */
  confirmation_id: string | null;
}

/** Writes penal charges, whose journals are posted by who makes them. */
export async function insertCharges(tx: Tx, charges: readonly NewCharge[]): Promise<void> {
  if (charges.length > 0) await chargeStore.insertCharges.run(tx, { charges });
}

/** Where a charge belongs, one that was taken back too; undefined when there is none of this id. */
export const ofCharge = (tx: Tx, { charge_id }: { charge_id: string }) => chargeStore.ofCharge.first(tx, { charge_id });

/** How many charges of an instalment were made by hand on a day, whatever became of them. */
export const chargesByHand = async (
  tx: Tx,
  of: { agreement_id: string; instalment_no: number; on: IsoDate },
): Promise<number> => (await chargeStore.madeByHand.one(tx, of)).n;

/** Writes what is waived of a charge; its journal is posted by who waives it. */
export async function waiveCharge(tx: Tx, given: { charge_id: string; amount_paise: Paise }): Promise<void> {
  await chargeStore.waiveCharge.run(tx, given);
}

/** Marks charges that a payment makes unfounded; their journals are taken back by who records it. */
export async function takeChargesBack(
  tx: Tx,
  given: { charge_ids: readonly string[]; payment_id: string },
): Promise<void> {
  await chargeStore.takeChargesBack.run(tx, given);
}

/** Records that the customer accepted a clause: which text (hash of the server's own copy), how, when. */
export async function recordConsent(tx: Tx, actor: Actor, consent: GivenConsent): Promise<void> {
  const text_hash = createHash('sha256').update(consent.text).digest();
  await store.insertConsent.run(tx, { ...consent, consent_id: newId(), text_hash });
  const { agreement_id, text_version, language, method, document_id, confirmation_id } = consent;
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement_id,
    actor,
    action: 'consent_recorded',
    data: { text_version, text_sha256: text_hash.toString('hex'), language, method, document_id, confirmation_id },
  });
}

/** The signature that a consent of an agreement names; null: none names one. */
export const signedWith = async (tx: Tx, of: { agreement_id: string }): Promise<string | null> =>
  (await store.signedWith.first(tx, of))?.document_id ?? null;

/** Whether a consent that counts is kept of an agreement and the phone that it names now: with what its policy asks of it, as the gate sees it. */
export const hasWholeConsent = async (tx: Tx, { agreement_id }: { agreement_id: string }): Promise<boolean> =>
  (await store.wholeConsent.first(tx, { agreement_id })) !== undefined;

/** The live (or last) agreement of a phone; undefined when it has none. */
export const ofDevice = (tx: Tx, { device_id }: { device_id: string }): Promise<Agreement | undefined> =>
  store.ofDevice.first(tx, { device_id });

/** What a shop's newest agreement of each type of plan agreed beside its price. */
export const lastTerms = (tx: Tx, { owner_user_id }: { owner_user_id: string }) =>
  store.lastTerms.all(tx, { owner_user_id });

/** The live (or last) agreement of a customer; undefined when it has none. */
export const ofCustomer = (tx: Tx, { customer_id }: { customer_id: string }): Promise<Agreement | undefined> =>
  store.ofCustomer.first(tx, { customer_id });

/** The same, taken for this transaction: everything that moves its money queues here. */
export const ofCustomerToChange = (tx: Tx, { customer_id }: { customer_id: string }): Promise<Agreement | undefined> =>
  store.ofCustomerToChange.first(tx, { customer_id });

/**
 * The same, of a customer whom the caller was found to see. What held it may have been a transfer, so who answers for it is looked at again.
 * @throws KistError NOT_FOUND where that is another shop by now
 */
export async function theirsToChange(
  tx: Tx,
  actor: Actor,
  of: { customer_id: string },
): Promise<Agreement | undefined> {
  const agreement = await ofCustomerToChange(tx, of);
  if (agreement) customers.mustStillSee(actor, agreement);
  return agreement;
}

/** Whose agreement a number is; undefined when there is none of this number. */
export const customerOfNumber = async (tx: Tx, of: { agreement_no: string }): Promise<string | undefined> =>
  (await store.ofNumber.first(tx, of))?.customer_id;

/** Where an instalment belongs; undefined when there is none of this id. */
export const ofInstalment = (tx: Tx, { instalment_id }: { instalment_id: string }) =>
  store.ofInstalment.first(tx, { instalment_id });

/** Next number of a gap-free series of this organisation (`agreement`, `receipt:<user>:<year>`). */
export const next = async (tx: Tx, series: string): Promise<number> =>
  (await counters.nextNumber.one(tx, { name: series })).last;

/** The short number that a shop's receipts carry, given at its first receipt and never changed. */
export async function shopNo(tx: Tx, { user_id }: { user_id: string }): Promise<number> {
  const name = `shop:${user_id}`;
  const known = await counters.readNumber.first(tx, { name });
  if (known) return known.last;
  // One at a time: of two first receipts at once each would take a number, and one of them would be nobody's.
  await counters.takeShops.all(tx, {});
  const meanwhile = await counters.readNumber.first(tx, { name });
  return (meanwhile ?? (await counters.writeNumber.one(tx, { name, last: await next(tx, 'shops') }))).last;
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
  placesOf,
  unpaid,
} from './rules/account.ts';
export { type PenalRule, type StampedPenal, penalRuleInForce, penalRules, setPenalRule } from './penal-rules.ts';
export {
  fillHistoric,
  type HistoricAgreement,
  historicNumbers,
  knownHistoric,
  openHistoric,
  rowRefOf,
  unpaidAccount,
} from './historic.ts';
export { asRead, cancel, givenUp, owedAsRead } from './cancel.ts';
export { agreementsKept, movesKept, versionsKept } from './kept-store.ts';
export { loanOf, recordLoan } from './loans.ts';
export { exchange } from './exchange.ts';
export { type RevisionPreview, previewRevision, putAside, versionDays } from './revise.ts';
export type { NewTerms } from './rules/revision.ts';
export { dues } from './rules/dues.ts';
export { previewEmi } from './rules/preview.ts';
export { schedule } from './rules/schedule.ts';

/** How many agreements a shop has: with these customers, or with all. */
export const countOf = async (
  tx: Tx,
  { user_id, only }: { user_id: string; only: readonly string[] | null },
): Promise<number> => (await store.countOfOwner.one(tx, { user_id, only })).count;

/** The agreements of these customers belong to another shop from now on; money that was taken stays in the till that took it. @returns which */
export async function passOn(
  tx: Tx,
  actor: AuditActor,
  { customer_ids, to_user_id }: { customer_ids: readonly string[]; to_user_id: string },
): Promise<string[]> {
  const ids = (await store.changeOwner.all(tx, { customer_ids, to_user_id })).map(({ agreement_id }) => agreement_id);
  const datas = ids.map(() => ({ to_user_id }));
  await audit.appendMany(tx, 'agreement', ids, actor, 'agreement_transferred', datas);
  return ids;
}
export { checkTerms } from './terms-check.ts';
