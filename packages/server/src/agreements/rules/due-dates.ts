import { addDays, addMonthsAnchored, daysBetween, type IsoDate } from '@kist/contract/dates';
import type { EmiFrequency } from '@kist/contract/emi-limits';

/** Periods in a year: a fortnight's rate is rate × 14/364 = rate ÷ 26, a week's rate × 7/364 = rate ÷ 52. */
export const PERIODS_PER_YEAR = { MONTHLY: 12, FORTNIGHTLY: 26, WEEKLY: 52 } as const satisfies Record<
  EmiFrequency,
  number
>;

export interface DueDateTerms {
  frequency: EmiFrequency;
  deliveredOn: IsoDate;
  /** 1–31; the day of delivery when left out. Of no effect unless MONTHLY. */
  anchorDay?: number;
}

/** Days from delivery to the first instalment, at least: nobody owes an instalment a week after the down payment. Fortnights and weeks are longer by themselves. */
const FIRST_GAP_DAYS = 15;

/**
 * Due date of instalment `no` (1…). Monthly: the anchor day of the `no`-th month after the month of delivery, clamped to that month's last day and always
 * reckoned from delivery; where the first would come too soon, all come a month later. Fortnightly and weekly: 14 or 7 days × `no` after delivery.
 */
export function dueOn(terms: DueDateTerms, no: number): IsoDate {
  const { frequency, deliveredOn, anchorDay } = terms;
  if (frequency === 'MONTHLY') return addMonthsAnchored(deliveredOn, no + monthsPutOff(terms), anchorDay);
  return addDays(deliveredOn, no * (frequency === 'FORTNIGHTLY' ? 14 : 7));
}

const monthsPutOff = ({ deliveredOn, anchorDay }: DueDateTerms): 0 | 1 =>
  daysBetween(deliveredOn, addMonthsAnchored(deliveredOn, 1, anchorDay)) < FIRST_GAP_DAYS ? 1 : 0;

/** The first period as a share of a whole one: days ÷ wholeDays, exact. */
export interface FirstPeriod {
  days: number;
  wholeDays: number;
}

/**
 * Interest runs from delivery, so the first period counts by its days when the anchor day makes it shorter or longer than the month that the
 * day of delivery would have given: delivered 20 January, anchor 5 → 16 of 31 days. Without an anchor, or with the delivery's own day, it is
 * exactly one period.
 */
export function firstPeriod(terms: DueDateTerms): FirstPeriod {
  const days = daysBetween(terms.deliveredOn, dueOn(terms, 1));
  const wholeDays = daysBetween(terms.deliveredOn, dueOn({ ...terms, anchorDay: undefined }, 1));
  return days === wholeDays ? { days: 1, wholeDays: 1 } : { days, wholeDays };
}
