import type { LockPolicy } from '@kist/contract/lock-policy';
import { HOUR_MS } from './calendar.ts';

/**
 * A restriction that should not be there. 'late_reversal': the dues were cleared at `fromMs` and the phone was not free in time.
 * 'wrongful': the lock should never have been put on; `fromMs` is when the phone took it.
 */
export interface RestrictionSpan {
  kind: 'late_reversal' | 'wrongful';
  fromMs: number;
  /** The phone's own word that it is free; null while there is none. */
  confirmedAtMs: number | null;
}

export interface Compensation {
  /** From `fromMs` to the confirmation, or to now. */
  elapsedMs: number;
  /** Hours that count, started ones whole. */
  hours: number;
  owedPaise: number;
  /** No confirmation yet: the figure still grows. */
  isRunning: boolean;
  /** When the next hour starts to count; null when the meter stands still. */
  nextHourAtMs: number | null;
}

/**
 * The wrongful-hours meter. The Reserve Bank's draft asks for reversal within one hour of payment and ₹250 for every hour of wrongful
 * restriction or late reversal. It does not say what a part of an hour is worth nor whether the first hour counts once it is exceeded. Here:
 * a late reversal counts from the end of `cureWithinMinutes` (only what is beyond it is late), a wrongful lock counts from its first
 * moment, and every hour that has started counts whole, in the customer's favour.
 */
export function compensation(
  span: RestrictionSpan,
  policy: Pick<LockPolicy, 'cureWithinMinutes' | 'compensationPaisePerHour'>,
  nowMs: number,
): Compensation {
  const isRunning = span.confirmedAtMs === null;
  const elapsedMs = Math.max(0, (span.confirmedAtMs ?? nowMs) - span.fromMs);
  const freeMs = span.kind === 'late_reversal' ? policy.cureWithinMinutes * 60_000 : 0;
  const hours = Math.ceil(Math.max(0, elapsedMs - freeMs) / HOUR_MS);
  return {
    elapsedMs,
    hours,
    owedPaise: hours * policy.compensationPaisePerHour,
    isRunning,
    nextHourAtMs: isRunning ? span.fromMs + freeMs + hours * HOUR_MS : null,
  };
}
