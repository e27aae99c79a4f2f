import type { Language } from '@kist/contract/codes';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { AuthorizedCustomer } from './customers.ts';
import * as store from './confirmation-store.ts';

/** The clause that a code is about, by its version, its language and the SHA-256 of its text. */
export interface Clause {
  text_version: string;
  language: Language;
  text_hash: Buffer;
}

interface Asked {
  customer: AuthorizedCustomer;
  clause: Clause;
}

/** What a code is sent and told for besides: SHA-256 of what is sold, on which terms and whose loan; null: of an agreement that runs. */
interface OfDeal {
  deal_hash: Buffer | null;
}

const codeOf = ({
  customer: { customer_id, mobile },
  clause: { text_hash },
  deal_hash,
}: Asked & OfDeal): identity.CustomerCode => ({
  customer_id,
  mobile,
  purpose: 'CONSENT',
  text_hash,
  deal_hash,
});

/** What the message says that is agreed to, as its language writes it. */
export type SaidTerms = Readonly<Record<'financed' | 'emis' | 'amount' | 'total', string>>;

/** Sends the customer the code with which they agree to a clause and to these terms, on the number on file. @throws KistError OTP_TOO_SOON, OTP_DAILY_LIMIT, OTP_SHOP_LIMIT, SMS_UNAVAILABLE */
export async function sendConsentCode(tx: Tx, actor: Actor, asked: Asked & OfDeal & { words: SaidTerms }) {
  const { customer, words } = asked;
  const sent = await identity.sendCustomerCode(tx, actor, {
    ...codeOf(asked),
    language: customer.language as Language,
    words,
  });
  await note(tx, actor, 'consent_code_sent', asked, { masked_mobile: sent.masked_mobile });
  return sent;
}

/**
 * Counts a presented code; the right one is kept as proof, and its number signs in as this customer from now on. The transaction must commit whatever the
 * verdict.
 */
export async function confirmConsent(
  tx: Tx,
  actor: Actor,
  asked: Asked & OfDeal & { otp: string },
): Promise<{ verdict: identity.OtpVerdict; login: identity.LoginGiven | null }> {
  const { verdict, otp_id } = await identity.presentCustomerCode(tx, actor, codeOf(asked), asked.otp);
  if (verdict !== 'accepted') return { verdict, login: null };
  const confirmation_id = newId();
  const { customer, clause, deal_hash } = asked;
  const { customer_id, mobile } = customer;
  await store.insertConfirmation.run(tx, {
    ...clause,
    confirmation_id,
    customer_id,
    mobile,
    deal_hash,
    otp_id,
    confirmed_by: actor.userId,
  });
  await note(tx, actor, 'consent_code_confirmed', asked, { confirmation_id });
  const { first_name, last_name, language } = customer;
  const told = { customer_id, mobile, first_name, last_name, language: language as Language };
  return { verdict, login: await identity.giveCustomerLogin(tx, actor, told) };
}

/** @returns the proof that this customer agreed to this very text, and of a sale to this very deal, by a code to this very number; null: there is none. */
export async function consentConfirmation(
  tx: Tx,
  { since = null, ...of }: OfDeal & { customer_id: string; mobile: string; text_hash: Buffer; since?: Date | null },
): Promise<string | null> {
  return (await store.confirmationOf.first(tx, { ...of, since }))?.confirmation_id ?? null;
}

const note = (tx: Tx, actor: Actor, action: string, { customer, clause }: Asked, more: Record<string, string>) =>
  audit.append(tx, {
    kind: 'customer',
    id: customer.customer_id,
    actor,
    action,
    data: {
      text_version: clause.text_version,
      language: clause.language,
      text_sha256: clause.text_hash.toString('hex'),
      ...more,
    },
  });
