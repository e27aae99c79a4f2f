import type { CodePurpose, Language } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { hmacSha256, safeEqual } from '#server/platform/crypto.ts';
import type { Tx } from '#server/platform/database.ts';
import { newDigits, newId } from '#server/platform/ids.ts';
import { append as appendOutbox } from '#server/platform/outbox.ts';
import type { Ports } from '#server/platform/ports.ts';
import { CODES_A_DAY, type Asker } from './askers.ts';
import * as store from './otp-store.ts';
import { otpRefusal, otpVerdict, type OtpVerdict } from './rules.ts';

/** Outbox topic of messages that nobody gets: they keep the work for an unknown mobile equal to that for a known one. */
export const DECOY_TOPIC = 'sms_decoy';

export interface OtpSent {
  resend_after_s: number;
  expires_in_s: number;
}

export interface OtpOrder extends store.OtpKey {
  asker: Asker;
  requested_by: string | null;
  /** Who gets the message; undefined when the mobile is nobody's, which no caller may find out. */
  recipient: { mobile: string; language: Language; words?: Readonly<Record<string, string>> } | undefined;
}

/** In a decoy's message: the shape of a real one, about nobody. */
const NOBODY = { mobile: '+910000000000', language: 'en', words: {} } as const;
const RETRY_SENDING_S = 60;

/** Asked before anything about the mobile is known, so that it tells nothing about it. @throws KistError SMS_UNAVAILABLE */
export function mustBeAbleToSend({ identity }: Ports): void {
  if (!identity.canSendCodes()) throw new KistError('SMS_UNAVAILABLE', { retryAfterS: RETRY_SENDING_S });
}

/**
 * Makes a code and promises its message, in the caller's transaction. The same statements run whoever asks for whomever, with as many bytes; the message
 * stands sealed and is gone when it is sent, or with its code.
 * @throws KistError OTP_TOO_SOON, OTP_DAILY_LIMIT
 */
export async function sendOtp(tx: Tx, { asker, recipient, ...order }: OtpOrder): Promise<OtpSent> {
  const { mobile_hash, purpose } = order;
  await store.holdMobile.run(tx, { mobile_hash });
  const sent = await store.sentOtps.one(tx, { mobile_hash, purpose, ...asker });
  const refusal = otpRefusal(sent, CODES_A_DAY[asker.lane]);
  if (refusal) throw new KistError(refusal.code, { retryAfterS: refusal.retryAfterS });
  const otp_id = newId();
  const code = newDigits(LIMITS.otpDigits);
  const code_hash = codeHash(tx.ports, otp_id, code);
  await store.insertOtp.run(tx, { ...order, ...asker, otp_id, code_hash, ttl_s: LIMITS.otpTtlS });
  const { mobile, language, words = {} } = recipient ?? NOBODY;
  // The template of each purpose says what the code will do, so that nobody reads out an unlock for a sign-in.
  await appendOutbox(tx, {
    topic: recipient ? 'sms' : DECOY_TOPIC,
    payload: { mobile, template: 'otp', params: { ...words, code, purpose, minutes: LIMITS.otpTtlS / 60 }, language },
    sealer: tx.ports.identity.sealer,
    ttlS: LIMITS.otpTtlS,
  });
  return { resend_after_s: LIMITS.otpResendS, expires_in_s: LIMITS.otpTtlS };
}

/** Looks a presented code up, counts it, and uses it up when it is right. The transaction must commit whatever the verdict. */
export async function presentOtp(
  tx: Tx,
  key: store.OtpKey,
  code: string,
): Promise<{ verdict: OtpVerdict; requested_by: string | null; otp_id: string | null }> {
  const otp = await store.lockOtp.first(tx, key);
  // An unknown row costs the same hash as a known one.
  const isMatch = safeEqual(codeHash(tx.ports, otp?.otp_id ?? '', code), otp?.code_hash ?? Buffer.alloc(32));
  const verdict = otpVerdict(otp, isMatch);
  if (otp && verdict === 'accepted') await store.useOtp.run(tx, otp);
  else if (otp && !otp.is_consumed && !otp.is_expired && otp.tries < LIMITS.otpTries)
    await store.countWrongOtp.run(tx, otp);
  return { verdict, requested_by: otp?.requested_by ?? null, otp_id: otp?.otp_id ?? null };
}

const codeHash = ({ identity }: Ports, otpId: string, code: string): Buffer =>
  hmacSha256(identity.pepper, 'otp', otpId, code);

/** Purposes that a signed-in user orders for a customer. */
export type StepUpPurpose = Extract<CodePurpose, 'UNINSTALL' | 'BYPASS_CODE'>;
export const isStepUp = (purpose: CodePurpose): purpose is StepUpPurpose =>
  purpose === 'UNINSTALL' || purpose === 'BYPASS_CODE';
