import type { ErrorCode } from './errors.ts';
import type { LockPolicy } from './lock-policy.ts';

/** Whether a consent counts with its signature alone. Only a shop's own credit may do so; in SQL `kist_needs_consent_code`. */
export const needsConsentCode = ({ preset, consentCodeRequired }: LockPolicy): boolean =>
  preset !== 'dealer' || consentCodeRequired !== false;

/** Why no code goes to a customer now. */
export const CODE_REFUSALS = [
  'NUMBER_IS_NEW',
  'OTP_TOO_SOON',
  'OTP_DAILY_LIMIT',
  'OTP_SHOP_LIMIT',
  'SMS_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
