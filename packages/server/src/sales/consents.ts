import { createHash } from 'node:crypto';
import { NEEDS } from '@kist/contract/access';
import type { Language } from '@kist/contract/codes';
import type { ConsentPart } from '@kist/contract/customers';
import { KistError } from '@kist/contract/errors';
import { needsConsentCode } from '@kist/contract/consent-code';
import type { EmiTerms } from '@kist/contract/emi-terms';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import * as notices from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';

/** Which clause, of which customer: a draft's or one's whose agreement runs. */
export interface AskedConsent {
  customer_id: string;
  text_version: string;
  language: Language;
}

/** The server's own copy of a clause. @throws KistError INVALID_INPUT at `path` for a version it never had */
export function clauseOf(
  tx: Tx,
  { text_version, language }: Pick<AskedConsent, 'text_version' | 'language'>,
  path: string,
): customers.Clause & { text: string } {
  const text = tx.ports.sales.consentText(text_version, language);
  if (text === undefined) throw new KistError('INVALID_INPUT', { fields: [{ path, key: 'field.consent' }] });
  return { text_version, language, text, text_hash: createHash('sha256').update(text).digest() };
}

/** What is agreed to besides the clause: a sale to come, by its digest, or an agreement as it stands. */
type AgreedTo = { deal_hash: Buffer; running?: undefined } | { deal_hash: null; running: agreements.Agreement };

const ofWhat = (customer: customers.AuthorizedCustomer, running: agreements.Agreement | undefined): AgreedTo =>
  running ? { deal_hash: null, running } : { deal_hash: customers.dealOf(customer.draft) };

async function asked(tx: Tx, actor: Actor, given: AskedConsent) {
  identity.requires(actor, NEEDS.activate);
  const customer = await customers.authorizeToChange(tx, actor, given);
  const { text, ...clause } = clauseOf(tx, given, 'text_version');
  const agreement = await agreements.ofCustomer(tx, customer);
  // Whom nothing is sold to (any more) agrees to nothing, and a draft without a number has nobody to ask.
  if (customer.mobile === '' || (agreement ? agreement.state !== 'active' : !customer.is_draft))
    throw new KistError('STATE_CONFLICT');
  // The shop would agree in the customer's place.
  if (await identity.isStaffNumber(tx, customer.mobile)) throw new KistError('STAFF_NUMBER');
  // What an agreement that runs is about stands; a draft's form may yet become another.
  return { customer, clause, text, agreement, of: ofWhat(customer, agreement) };
}

/**
 * What the customer agrees to, for the message to say: what runs as it stands, a draft as the sale would make it.
 * @throws KistError INVALID_INPUT naming what the form lacks: a code that was sent without the sums is worth nothing for a sale
 */
function saidTerms({ customer: { draft, language }, agreement }: Awaited<ReturnType<typeof asked>>) {
  const money = notices.amountText(language as Language);
  const said = (financed: number, emis: number, amount: number, total: number): customers.SaidTerms => ({
    financed: money(financed),
    emis: String(emis),
    amount: money(amount),
    total: money(total),
  });
  if (agreement)
    return said(agreement.financed_paise, agreement.tenure, agreement.emi_paise, agreement.total_payable_paise);
  const missing = (['device', 'emi'] as const).filter((part) => !draft[part]);
  if (missing.length > 0)
    throw new KistError('INVALID_INPUT', { fields: missing.map((path) => ({ path, key: 'field.required' })) });
  // As the form was decoded when it was kept.
  const terms = draft['emi'] as EmiTerms;
  const { financed, emi, total_payable } = agreements.previewEmi(terms);
  return said(financed, terms.tenure, emi, total_payable);
}

/** Sends the customer the code of the consent, on the number on file; the message says what they agree to. @throws KistError NOT_FOUND, STATE_CONFLICT, STAFF_NUMBER, INVALID_INPUT, OTP_TOO_SOON, OTP_DAILY_LIMIT, OTP_SHOP_LIMIT, SMS_UNAVAILABLE */
export async function sendConsentCode(tx: Tx, actor: Actor, given: AskedConsent) {
  const about = await asked(tx, actor, given);
  const { customer, clause, of } = about;
  return customers.sendConsentCode(tx, actor, { customer, clause, deal_hash: of.deal_hash, words: saidTerms(about) });
}

/** What is still to be had of a consent; `needs_no_code`: the policy does without the code, so none is asked for. */
export interface Collected {
  missing: ConsentPart[];
  needs_no_code?: true;
  /** What the code that was told came to for signing in; null: none was. */
  login: identity.LoginGiven | null;
}

/**
 * Takes the customer's code, if one is given, and keeps the consent of a running agreement once its signature and its code are both there: from that moment
 * it counts. A draft's waits for the sale. The transaction must commit whatever comes of it: a wrong code is returned, not thrown, because it counts.
 * @param consented what follows for the phone: its lease may allow steps now
 * @throws KistError NOT_FOUND, STATE_CONFLICT, STAFF_NUMBER, INVALID_INPUT
 */
export async function collectConsent(
  tx: Tx,
  actor: Actor,
  { otp, ...given }: AskedConsent & { otp?: string | undefined },
  consented: (tx: Tx, agreementIds: readonly string[]) => Promise<void>,
): Promise<Collected | KistError> {
  const { customer, clause, text, agreement, of } = await asked(tx, actor, given);
  let login: Collected['login'] = null;
  if (otp !== undefined) {
    const told = await customers.confirmConsent(tx, actor, { customer, clause, deal_hash: of.deal_hash, otp });
    if (told.verdict !== 'accepted') return new KistError(told.verdict);
    ({ login } = told);
  }
  const { agreement_id } = agreement ?? {};
  // By what it was signed under; a draft by what it would be signed under now.
  const needsCode = needsConsentCode(agreement?.policy ?? (await locking.policyInForce(tx)));
  const without = needsCode ? {} : { needs_no_code: true as const };
  if (agreement_id !== undefined && (await agreements.hasWholeConsent(tx, { agreement_id })))
    return { missing: [], ...without, login };
  const proofs = await proofsOf(tx, customer, clause, of);
  const missing = missingOf(proofs, needsCode);
  if (agreement_id !== undefined && missing.length === 0) {
    await agreements.recordConsent(tx, actor, { ...clause, ...proofs, text, agreement_id, method: 'signature' });
    await consented(tx, [agreement_id]);
  }
  return { missing, ...without, login };
}

interface ConsentProofs {
  /** The stored picture of the signature. */
  document_id: string | null;
  confirmation_id: string | null;
}

/**
 * What there is of a consent to a text: the newest signature, and the code that was told from this very number, both of a sale for this very deal. What was given
 * before another phone came was given for that one.
 */
export async function proofsOf(
  tx: Tx,
  { customer_id, mobile }: { customer_id: string; mobile: string },
  { text_hash }: { text_hash: Buffer },
  { deal_hash, running }: AgreedTo,
): Promise<ConsentProofs> {
  const since = running?.exchanged_at ?? null;
  return {
    document_id: running
      ? await documents.signatureUnder(tx, running)
      : await documents.signatureFor(tx, { customer_id, deal_hash }),
    confirmation_id: await customers.consentConfirmation(tx, { text_hash, deal_hash, customer_id, mobile, since }),
  };
}

const missingOf = ({ document_id, confirmation_id }: ConsentProofs, needsCode: boolean): ConsentPart[] => [
  ...(document_id === null ? (['signature'] as const) : []),
  ...(needsCode && confirmation_id === null ? (['code'] as const) : []),
];
