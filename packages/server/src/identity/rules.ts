import { LIMITS } from '@kist/contract/limits';
import type { ErrorCode } from '@kist/contract/errors';
import type { OtpRow, SentOtps } from './otp-store.ts';
import type { User } from './store.ts';

/** A stored code at the moment somebody presents one. */
type StoredOtp = Pick<OtpRow, 'is_consumed' | 'is_expired' | 'tries'>;

/** What a presented code comes to. A wrong one counts; a used, expired or guessed-at one is not looked at again. */
export type OtpVerdict = 'accepted' | Extract<ErrorCode, 'OTP_INVALID' | 'OTP_EXPIRED' | 'OTP_USED_UP'>;

export function otpVerdict(stored: StoredOtp | undefined, isMatch: boolean): OtpVerdict {
  if (!stored) return 'OTP_INVALID';
  if (stored.is_consumed || stored.is_expired) return 'OTP_EXPIRED';
  if (stored.tries >= LIMITS.otpTries) return 'OTP_USED_UP';
  if (isMatch) return 'accepted';
  return stored.tries + 1 >= LIMITS.otpTries ? 'OTP_USED_UP' : 'OTP_INVALID';
}

/** @returns why no further code may be sent now, with the seconds to wait. */
export function otpRefusal(
  { by_asker, by_site, by_lane, since_last_s, asker_waits_s, site_waits_s, lane_waits_s }: SentOtps,
  budget: { each: number; site?: number; together: number },
): { code: 'OTP_TOO_SOON' | 'OTP_DAILY_LIMIT'; retryAfterS: number } | undefined {
  const waitS = Math.max(
    by_asker >= budget.each ? asker_waits_s : 0,
    by_site >= (budget.site ?? Infinity) ? site_waits_s : 0,
    by_lane >= budget.together ? lane_waits_s : 0,
  );
  if (waitS > 0) return { code: 'OTP_DAILY_LIMIT', retryAfterS: Math.ceil(waitS) };
  if (since_last_s !== null && since_last_s < LIMITS.otpResendS)
    return { code: 'OTP_TOO_SOON', retryAfterS: Math.ceil(LIMITS.otpResendS - since_last_s) };
  return undefined;
}

/**
 * Whether nobody but the device can know its id: random letters of the length that our app makes. An Android id, an IMEI, a browser's name can be guessed
 * or read off, so such a device is never trusted, signs in by code only and counts by its network.
 */
export const isSecretDeviceId = (deviceId: string | undefined): deviceId is string =>
  deviceId !== undefined && /^[A-Za-z0-9_-]{20,120}$/.test(deviceId);

/**
 * M-PINs among the first a thief tries: one digit or pair repeated, runs up or down, the birth year or day, ends of the mobile.
 * @param births birthdays of this person that stand elsewhere than with the user: whoever has a customer's phone may have their papers
 */
export function isTrivialMpin(
  mpin: string,
  { mobile, birth_on }: Pick<User, 'mobile' | 'birth_on'>,
  births: readonly string[] = [],
): boolean {
  const digits = Array.from(mpin, Number);
  const steps = digits.slice(1).map((digit, index) => (digit - (digits[index] ?? 0) + 10) % 10);
  const isRun =
    steps.every((step) => step === 0) || steps.every((step) => step === 1) || steps.every((step) => step === 9);
  const isPairs = mpin.slice(0, 2) === mpin.slice(2) || (digits[0] === digits[1] && digits[2] === digits[3]);
  const national = mobile.slice(-10);
  const own = [national.slice(-4), national.slice(0, 4)];
  const days = [...(birth_on === null ? [] : [birth_on]), ...births];
  return isRun || isPairs || own.includes(mpin) || days.some((day) => isOfBirth(mpin, day));
}

function isOfBirth(mpin: string, birthOn: string): boolean {
  const [year = '', month = '', day = ''] = birthOn.split('-');
  return [year, day + month, month + day].includes(mpin);
}

/** Wrong M-PINs after which the devices lose their trust: from then on only an OTP opens. */
const triesUntilUntrusted = LIMITS.mpinTries * 2;

/** @param failed wrong tries in a row, this one included */
export function afterWrongMpin(failed: number): { isLocked: boolean; isUntrusted: boolean; triesLeft: number } {
  const inRound = failed % LIMITS.mpinTries;
  return {
    isLocked: inRound === 0,
    isUntrusted: failed >= triesUntilUntrusted,
    triesLeft: inRound === 0 ? 0 : LIMITS.mpinTries - inRound,
  };
}
