import type { Language, Purpose } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { hmacSha256, safeEqual, type Sealer } from '#server/platform/crypto.ts';
import type { Tx } from '#server/platform/database.ts';
import { newDigits, newId } from '#server/platform/ids.ts';
import { append as appendOutbox } from '#server/platform/outbox.ts';
import { CODES_A_DAY, type Asker } from './askers.ts';
import { otpRefusal, otpVerdict, type OtpVerdict } from './rules.ts';
import { holdMobile, insertOtp, lockOtp, sentOtps, settleOtp, type OtpKey, type OtpRow } from './store.ts';

/** Outbox topic of messages that nobody gets: they keep the work for an unknown mobile equal to that for a known one. */
export const DECOY_TOPIC = 'sms_decoy';

export interface OtpSent {
  resend_after_s: number;
  expires_in_s: number;
}

export interface OtpOrder extends OtpKey {
  asker: Asker;
  requestedBy: string | null;
  /** Who gets the message; undefined when the mobile is nobody's, which no caller may find out. */
  recipient: { mobile: string; language: Language } | undefined;
}

/** In a decoy's message: the shape of a real one, about nobody. */
const NOBODY = { mobile: '+910000000000', language: 'en' } as const;

/**
 * Makes a code and promises its message, in the caller's transaction. The same statements run whoever asks for whomever, with as many bytes; the message
 * stands sealed and is gone when it is sent, or with its code.
 * @throws KistError OTP_TOO_SOON, OTP_DAILY_LIMIT
 */
export async function sendOtp(
  tx: Tx,
  { pepper, sealer }: { pepper: Uint8Array; sealer: Sealer },
  order: OtpOrder,
): Promise<OtpSent> {
  await holdMobile(tx, order.mobileHash);
  const sent = await sentOtps(tx, order.mobileHash, order.asker, order.purpose);
  const refusal = otpRefusal(sent, CODES_A_DAY[order.asker.lane]);
  if (refusal) throw new KistError(refusal.code, { retryAfterS: refusal.retryAfterS });
  const otpId = newId();
  const code = newDigits(LIMITS.otpDigits);
  await insertOtp(tx, { ...order, otpId, codeHash: codeHash(pepper, otpId, code) });
  const { mobile, language } = order.recipient ?? NOBODY;
  // The template of each purpose says what the code will do, so that nobody reads out an unlock for a sign-in.
  await appendOutbox(tx, {
    topic: order.recipient ? 'sms' : DECOY_TOPIC,
    payload: {
      mobile,
      template: 'otp',
      params: { code, purpose: order.purpose, minutes: LIMITS.otpTtlS / 60 },
      language,
    },
    sealer,
    ttlS: LIMITS.otpTtlS,
  });
  return { resend_after_s: LIMITS.otpResendS, expires_in_s: LIMITS.otpTtlS };
}

/** Looks a presented code up, counts it, and uses it up when it is right. The transaction must commit whatever the verdict. */
export async function presentOtp(
  tx: Tx,
  pepper: Uint8Array,
  key: OtpKey,
  code: string,
): Promise<{ verdict: OtpVerdict; otp?: OtpRow }> {
  const otp = await lockOtp(tx, key);
  // An unknown row costs the same hash as a known one.
  const isMatch = safeEqual(codeHash(pepper, otp?.otpId ?? '', code), otp?.codeHash ?? Buffer.alloc(32));
  const verdict = otpVerdict(otp, isMatch);
  if (otp && verdict === 'accepted') await settleOtp(tx, otp.otpId, 'consumed');
  else if (otp && !otp.isConsumed && !otp.isExpired && otp.tries < LIMITS.otpTries)
    await settleOtp(tx, otp.otpId, 'wrong');
  return { verdict, otp };
}

const codeHash = (pepper: Uint8Array, otpId: string, code: string): Buffer => hmacSha256(pepper, 'otp', otpId, code);

/** Purposes that a signed-in user orders for a customer. */
export type StepUpPurpose = Extract<Purpose, 'UNINSTALL' | 'BYPASS_CODE'>;
export const isStepUp = (purpose: Purpose): purpose is StepUpPurpose =>
  purpose === 'UNINSTALL' || purpose === 'BYPASS_CODE';
