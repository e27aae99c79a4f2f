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
 * What the payments are worth falls steadily as the rate rises, and ever more slowly (it is convex), so there is one root
 * and Newton's steps from 0 climb to it without passing it. Far up they climb too slowly: there halving the interval finds it, 60 times, which reaches far
 * below a basis point. Payments that return no more than was lent → 0; beyond the cap → `MAX_APR_BPS`.
 */
export function apr(flows: AprFlows): Bps {
  const highest = MAX_APR_BPS / 10_000 / flows.periodsPerYear;
  if (surplusAt(flows, 0) <= 0) return bps(0);
  const rate = climb(flows, highest) ?? halve(flows, highest);
  return rate >= highest ? MAX_APR_BPS : bps(Math.round(rate * flows.periodsPerYear * 10_000));
}

/** Present value at the first due date, minus the sum lent with the first period's interest. */
function surplusAt({ financed_paise, totalsPaise, first }: AprFlows, rate: number): number {
  const discount = 1 / (1 + rate);
  let value = 0;
  for (let index = totalsPaise.length - 1; index >= 0; index--) value = value * discount + totalsPaise[index]!;
  return value - financed_paise * (1 + (rate * first.days) / first.wholeDays);
}

const MOST_STEPS = 24;
/** A millionth of a basis point, of the rate of one period. */
const NEAR = 1e-12;

/** Newton's steps from 0. @returns nothing where so many of them did not settle. */
function climb({ financed_paise, totalsPaise, first }: AprFlows, highest: number): number | undefined {
  const share = first.days / first.wholeDays;
  let rate = 0;
  for (let step = 0; step < MOST_STEPS && rate < highest; step++) {
    const discount = 1 / (1 + rate);
    let value = 0;
    let slope = 0;
    for (let index = totalsPaise.length - 1; index >= 0; index--) {
      slope = slope * discount + value;
      value = value * discount + totalsPaise[index]!;
    }
    const surplus = value - financed_paise * (1 + rate * share);
    const by = surplus / (slope * discount * discount + financed_paise * share);
    rate += by;
    if (Math.abs(by) < NEAR) return rate;
  }
  return undefined;
}

function halve(flows: AprFlows, highest: number): number {
  let [low, high] = [0, highest];
  if (surplusAt(flows, high) >= 0) return highest;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (surplusAt(flows, middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
