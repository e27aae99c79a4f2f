import { addDays, addMonthsAnchored, daysBetween, type IsoDate } from '@kist/contract/dates';
import type { EmiFrequency } from '@kist/contract/emi-limits';

/** Periods in a year: a fortnight's rate is rate × 14/364 = rate ÷ 26, a week's rate × 7/364 = rate ÷ 52. */
export const PERIODS_PER_YEAR = { MONTHLY: 12, FORTNIGHTLY: 26, WEEKLY: 52 } as const satisfies Record<
  EmiFrequency,
  number
>;

export interface DueDateTerms {
  frequency: EmiFrequency;
  delivered_on: IsoDate;
  /** 1–31; the day of delivery when left out. Of no effect unless MONTHLY. */
  anchor_day?: number;
}

/** Days from delivery to the first instalment, at least: nobody owes an instalment a week after the down payment. Fortnights and weeks are longer by themselves. */
const FIRST_GAP_DAYS = 15;

/**
 * Due dates of the first `count` instalments. Monthly: the anchor day of the `no`-th month after the month of delivery, clamped to that month's last day and always
 * reckoned from delivery; where the first would come too soon, all come a month later. Fortnightly and weekly: 14 or 7 days × `no` after delivery.
 */
export function dueDates(terms: DueDateTerms, count: number): IsoDate[] {
  const { frequency, delivered_on, anchor_day } = terms;
  const found: IsoDate[] = [];
  const putOff = frequency === 'MONTHLY' ? monthsPutOff(terms) : 0;
  const step = frequency === 'FORTNIGHTLY' ? 14 : 7;
  for (let no = 1; no <= count; no++)
    found.push(
      frequency === 'MONTHLY'
        ? addMonthsAnchored(delivered_on, no + putOff, anchor_day)
        : addDays(delivered_on, no * step),
    );
  return found;
}

const firstDueOn = (terms: DueDateTerms): IsoDate => dueDates(terms, 1)[0]!;

const monthsPutOff = ({ delivered_on, anchor_day }: DueDateTerms): 0 | 1 =>
  daysBetween(delivered_on, addMonthsAnchored(delivered_on, 1, anchor_day)) < FIRST_GAP_DAYS ? 1 : 0;

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
  const { days, whole_days: wholeDays } = periodDays(terms);
  return days === wholeDays ? { days: 1, wholeDays: 1 } : { days, wholeDays };
}

/** Days from delivery to the first instalment, and those that a whole period from delivery has. */
export function periodDays(terms: DueDateTerms): { days: number; whole_days: number } {
  const days = daysBetween(terms.delivered_on, firstDueOn(terms));
  if (terms.anchor_day === undefined || terms.frequency !== 'MONTHLY') return { days, whole_days: days };
  const { delivered_on, frequency } = terms;
  return { days, whole_days: daysBetween(delivered_on, firstDueOn({ delivered_on, frequency })) };
}
