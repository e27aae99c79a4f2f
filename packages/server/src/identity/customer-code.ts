import type { Language, TheftPurpose } from '@kist/contract/codes';
import type { Tx } from '#server/platform/database.ts';
import type { Actor } from './actor.ts';
import { atCounter, mobileHash } from './askers.ts';
import { countFailure } from './failure-watch.ts';
import { mustBeAbleToSend, type OtpSent, presentOtp, sendOtp } from './otp.ts';
import type { OtpKey } from './otp-store.ts';
import { maskedMobile, type OtpVerdict } from './rules.ts';
import { shopOf } from './store.ts';

/** A customer's own word by a code to their number, at the counter: to one thing alone, it does for nothing else. */
export interface CustomerCode {
  customer_id: string;
  /** The customer's own, as it stands on file now. */
  mobile: string;
  /** Agrees to a text; says that the phone was stolen, or is there again. */
  purpose: 'CONSENT' | TheftPurpose;
  /** Of a consent: SHA-256 of the text, in the language in which it was shown. */
  text_hash: Buffer | null;
}

const keyOf = (tx: Tx, { orgId }: Actor, { customer_id, mobile, purpose, text_hash }: CustomerCode): OtpKey => ({
  mobile_hash: mobileHash(tx.ports, orgId, mobile),
  purpose,
  customer_id,
  device_hash: null,
  about_hash: text_hash,
});

/** The caller has authorised the customer and knows that the number is theirs. @throws KistError OTP_TOO_SOON, OTP_DAILY_LIMIT, SMS_UNAVAILABLE */
export async function sendCustomerCode(
  tx: Tx,
  actor: Actor,
  { language, ...code }: CustomerCode & { language: Language },
): Promise<OtpSent & { masked_mobile: string }> {
  mustBeAbleToSend(tx.ports);
  const sent = await sendOtp(tx, {
    ...keyOf(tx, actor, code),
    asker: atCounter(tx.ports, (await shopOf.first(tx, { user_id: actor.userId }))?.shop_user_id ?? actor.userId),
    requested_by: actor.userId,
    recipient: { mobile: code.mobile, language },
  });
  return { ...sent, masked_mobile: maskedMobile(code.mobile) };
}

/** Counts a presented code and uses it up when it is right. The transaction must commit whatever the verdict. */
export async function presentCustomerCode(tx: Tx, actor: Actor, code: CustomerCode, otp: string): Promise<OtpVerdict> {
  const { verdict } = await presentOtp(tx, keyOf(tx, actor, code), otp);
  if (verdict !== 'accepted') countFailure(tx.ports, 'otp', code.mobile);
  return verdict;
}
