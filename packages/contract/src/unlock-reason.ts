import type { LockReason } from './lock-policy.ts';

/**
 * The reason that a shop's unlock is to name so that it takes off what holds the phone, by the cause that speaks on it (`LockView.cause`). An unlock for money leaves what the
 * owner asked for, so that is named where it holds.
 * @returns null: a theft's lock is its owner's to end, and no shop's
 */
export function unlockReasonFor(cause: string | null): Exclude<LockReason, 'THEFT_REPORTED'> | null {
  if (cause === 'theft') return null;
  return cause === 'customer_request' ? 'CUSTOMER_REQUEST' : 'EMI_OVERDUE';
}
