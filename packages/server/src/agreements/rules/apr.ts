import { bps, type Bps, type Paise } from '@kist/contract/money';
import type { FirstPeriod } from './due-dates.ts';

/** 1,00,000 % a year: where a fee dwarfs the sum, the figure stops here. */
export const MAX_APR_BPS = bps(10_000_000);

export interface AprFlows {
  /** What the customer had the use of, paise, above zero. */
  financed_paise: Paise;
  /** What the customer pays, period by period, fees included. */
  totalsPaise: readonly Paise[];
  periodsPerYear: number;
  first: FirstPeriod;
}

/**
 * Yearly percentage rate: the internal rate of return of one period × periods in a year, rounded to the basis point. The first period is
 * discounted by its share of days, linearly, as its interest is charged; so a reducing loan without fees and rounding has APR = rate.
 *
 * What the payments are worth falls steadily as the rate rises, so there is one root and halving the interval finds it: 60 halvings of
 * [0, cap] reach far below a basis point. Payments that return no more than was lent → 0; beyond the cap → `MAX_APR_BPS`.
 */
export function apr({ financed_paise, totalsPaise, periodsPerYear, first }: AprFlows): Bps {
  const firstShare = first.days / first.wholeDays;
  /** Present value at the first due date, minus the sum lent with the first period's interest. */
  const surplusAt = (rate: number): number => {
    const discount = 1 / (1 + rate);
    let value = 0;
    for (let index = totalsPaise.length - 1; index >= 0; index--) value = value * discount + (totalsPaise[index] ?? 0);
    return value - financed_paise * (1 + rate * firstShare);
  };
  let low = 0;
  let high = MAX_APR_BPS / 10_000 / periodsPerYear;
  if (surplusAt(low) <= 0) return bps(0);
  if (surplusAt(high) >= 0) return MAX_APR_BPS;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (surplusAt(middle) > 0) low = middle;
    else high = middle;
  }
  return bps(Math.round(((low + high) / 2) * periodsPerYear * 10_000));
}
