import { CALENDAR } from './limits.ts';

/** FLAT interest on the whole sum for the whole time, REDUCING on what is still owed, ZERO none. */
export const EMI_METHODS = ['FLAT', 'REDUCING', 'ZERO'] as const;
export type EmiMethod = (typeof EMI_METHODS)[number];

export const EMI_FREQUENCIES = ['MONTHLY', 'FORTNIGHTLY', 'WEEKLY'] as const;
export type EmiFrequency = (typeof EMI_FREQUENCIES)[number];

/** Bounds of an agreement. Ten years at most in every frequency. Without zod: the app checks while the terms are typed. */
export const EMI_LIMITS = {
  cashPriceMaxPaise: 50_00_000_00,
  /** Far beyond what anybody owes by any terms, and little enough that a book of such payments still adds up. */
  paymentMaxPaise: 10_00_00_000_00,
  rateMaxBps: 10_000,
  tenureMax: { MONTHLY: 120, FORTNIGHTLY: 260, WEEKLY: 520 } satisfies Record<EmiFrequency, number>,
  /** Least financed amount for each instalment: with two paise a row there is always a schedule in which every row is above zero. */
  financedMinPaisePerInstalment: 2,
  /** What may be reckoned; what may be signed is much less. */
  deliveredFrom: CALENDAR.from,
  deliveredTo: CALENDAR.to,
  /** A sale is written down at the counter or within these days: dated back further, a phone could be overdue the moment it is sold. */
  deliveredAgoDays: 3,
} as const;
