import { maskMobile } from '@kist/contract/masked';
import type { Language, TheftPurpose } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { Tx } from '#server/platform/database.ts';
import type { Actor } from './actor.ts';
import { type Asker, atCounter, mobileHash } from './askers.ts';
import { countFailure } from './failure-watch.ts';
import { mustBeAbleToSend, type OtpSent, presentOtp, sendOtp } from './otp.ts';
import { type OtpKey, dealRuns, holdAsker, lockOtp, numberSpeaks, unusedAtCounters } from './otp-store.ts';
import type { OtpVerdict } from './rules.ts';
import { headOf } from './sessions.ts';

/** A customer's own word by a code to their number, at the counter: to one thing alone, it does for nothing else. */
export interface CustomerCode {
  customer_id: string;
  /** The customer's own, as it stands on file now. */
  mobile: string;
  /** Agrees to a text, to new terms, to another number; says that the phone was stolen, or is there again. */
  purpose: 'CONSENT' | 'TERMS' | 'NUMBER' | TheftPurpose;
  /** SHA-256 of what is agreed to: the text, in the language in which it was shown, the terms, or the number. */
  text_hash: Buffer | null;
  /** Of a sale, SHA-256 of what is sold and on which terms: the code is worth nothing for others. */
  deal_hash?: Buffer | null;
}

/** A code that frees a phone waits for nobody's budget: a shop that spent it, or fifty others, would else keep a customer locked. The number's own limits hold. */
const GIVES_BACK: readonly CustomerCode['purpose'][] = ['THEFT_LIFT'];

const keyOf = (
  tx: Tx,
  { orgId }: Actor,
  { customer_id, mobile, purpose, text_hash, deal_hash = null }: CustomerCode,
): OtpKey => ({
  mobile_hash: mobileHash(tx.ports, orgId, mobile),
  purpose,
  customer_id,
  device_hash: null,
  about_hash: text_hash,
  deal_hash,
});

/**
 * One shop, or many of one organisation, do not write to strangers by the thousand: what nobody used counts, whatever its number.
 * @throws KistError OTP_SHOP_LIMIT, with when it ends
 */
async function mayWriteToMore(tx: Tx, { asker }: Asker): Promise<void> {
  await holdAsker.run(tx, { asker });
  const { by_shop, shop_waits_s, by_all, all_wait_s } = await unusedAtCounters.one(tx, { asker });
  const waitS = Math.max(
    by_shop >= LIMITS.otpUnusedPerShop ? shop_waits_s : 0,
    by_all >= LIMITS.otpUnusedPerOrganisation ? all_wait_s : 0,
  );
  if (waitS > 0) throw new KistError('OTP_SHOP_LIMIT', { retryAfterS: Math.ceil(waitS) });
}

/**
 * A number that a shop changed waits for a day before codes there are the customer's word, whatever they are for; the database asks the same of what stands on
 * them (`kist_code_is_used_now`). @throws KistError NUMBER_IS_NEW, with when it ends
 */
async function mustSpeak(tx: Tx, { customer_id }: CustomerCode): Promise<void> {
  const { speaks_at, waits_s } = await numberSpeaks.one(tx, { customer_id });
  if (speaks_at !== null && waits_s > 0)
    throw new KistError('NUMBER_IS_NEW', {
      retryAfterS: Math.ceil(waits_s),
      details: { speaks_at: speaks_at.toISOString() },
    });
}

/** From when on codes to the number on file are the customer's own word; null: they are now. */
export const numberSpeaksAt = async (tx: Tx, { customer_id }: { customer_id: string }): Promise<Date | null> =>
  (await numberSpeaks.one(tx, { customer_id })).speaks_at;

/**
 * A code went there a moment ago. Whoever orders the one of a consent is told whether it is that: one for a deal that was changed since is worth nothing for
 * this, and nobody should be asked for its digits. @throws KistError what was thrown, with `details.is_same`
 */
async function sayWhich(tx: Tx, key: OtpKey, error: unknown): Promise<never> {
  if (!(error instanceof KistError) || error.code !== 'OTP_TOO_SOON' || key.purpose !== 'CONSENT') throw error;
  const known = await lockOtp.first(tx, key);
  const is_same = known !== undefined && !known.is_consumed && !known.is_expired;
  throw new KistError('OTP_TOO_SOON', { ...error.options, details: { is_same } });
}

/** The caller has authorised the customer and knows that the number is theirs. @param words what the message says besides, as its language writes it @throws KistError NUMBER_IS_NEW, OTP_SHOP_LIMIT (not of a code that gives back), OTP_TOO_SOON, OTP_DAILY_LIMIT, SMS_UNAVAILABLE */
export async function sendCustomerCode(
  tx: Tx,
  actor: Actor,
  { language, words = {}, ...code }: CustomerCode & { language: Language; words?: Readonly<Record<string, string>> },
): Promise<OtpSent & { masked_mobile: string }> {
  await mustSpeak(tx, code);
  mustBeAbleToSend(tx.ports);
  const shop = await headOf(tx, actor);
  const asker = atCounter(tx.ports, shop);
  if (!GIVES_BACK.includes(code.purpose)) await mayWriteToMore(tx, asker);
  const key = keyOf(tx, actor, code);
  const recipient = { mobile: code.mobile, language, words };
  const order = { ...key, asker, requested_by: actor.userId, recipient };
  const sent = await sendOtp(tx, order).catch((error: unknown) => sayWhich(tx, key, error));
  return { ...sent, masked_mobile: maskMobile(code.mobile) };
}

/** What became of a presented code. */
export interface PresentedCode {
  /** Of the one that was right and is used up: whatever the customer's word leads to names it. Null of a wrong one. */
  otp_id: string | null;
  verdict: OtpVerdict;
}

/** Counts a presented code and uses it up when it is right. The transaction must commit whatever the verdict. @throws KistError NUMBER_IS_NEW, of a code that went out before */
export async function presentCustomerCode(
  tx: Tx,
  actor: Actor,
  code: CustomerCode,
  otp: string,
): Promise<PresentedCode> {
  await mustSpeak(tx, code);
  const { verdict, otp_id } = await presentOtp(tx, keyOf(tx, actor, code), otp);
  if (verdict !== 'accepted') countFailure(tx.ports, 'otp', code.mobile);
  return { verdict, otp_id: verdict === 'accepted' ? otp_id : null };
}

/** The sale of this very deal is signed: a code that went out for it and is not told yet counts for the agreement. */
export async function dealIsSigned(
  tx: Tx,
  { orgId }: Actor,
  { mobile, ...deal }: { customer_id: string; mobile: string; deal_hash: Buffer },
): Promise<void> {
  await dealRuns.run(tx, { ...deal, mobile_hash: mobileHash(tx.ports, orgId, mobile) });
}
