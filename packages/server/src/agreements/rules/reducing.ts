import { divideHalfUp, minPaise, mulRate, type Paise, paise, sub, ZERO_PAISE } from '@kist/contract/money';
import type { FirstPeriod } from './due-dates.ts';

/** Principal and interest of one row, paise. */
export interface Split {
  principal_paise: Paise;
  interest_paise: Paise;
}

/** What a reducing balance is reckoned from; the rate of one period is rateNumerator ÷ rateDenominator, above zero. */
export interface ReducingLoan {
  financed_paise: Paise;
  rateNumerator: bigint;
  rateDenominator: bigint;
  tenure: number;
  first: FirstPeriod;
}

/** A positive rational number. */
export interface Ratio {
  numerator: bigint;
  denominator: bigint;
}

/**
 * The exact instalment that brings the balance to nought after `tenure` rows. With r the rate of a period and f the share of the first:
 *
 *     E = P · (1 + r·f) · r · (1 + r)^(n−1) ÷ ((1 + r)^n − 1)
 *
 * which is the textbook formula when f = 1. Integers throughout, so the one rounding that follows is the only one.
 */
export function exactEmi({ financed_paise, rateNumerator: a, rateDenominator: b, tenure, first }: ReducingLoan): Ratio {
  const days = BigInt(first.days);
  const wholeDays = BigInt(first.wholeDays);
  const n = BigInt(tenure);
  return {
    numerator: BigInt(financed_paise) * (b * wholeDays + a * days) * a * (a + b) ** (n - 1n),
    denominator: b * wholeDays * ((a + b) ** n - b ** n),
  };
}

/** Interest of row `no` on the balance before it, to the paisa, half up. */
const interestOf = (loan: ReducingLoan, balance_paise: Paise, no: number): Paise =>
  no === 1
    ? mulRate(
        balance_paise,
        loan.rateNumerator * BigInt(loan.first.days),
        loan.rateDenominator * BigInt(loan.first.wholeDays),
      )
    : mulRate(balance_paise, loan.rateNumerator, loan.rateDenominator);

/** Rows of a fixed instalment: interest on the balance to the paisa, the rest is principal, the last row takes the balance. */
export function reducingRows(loan: ReducingLoan, emi_paise: Paise): Split[] {
  let balance_paise = loan.financed_paise;
  return Array.from({ length: loan.tenure }, (_, index) => {
    const interest_paise = interestOf(loan, balance_paise, index + 1);
    const principal_paise = index + 1 === loan.tenure ? balance_paise : sub(emi_paise, interest_paise);
    balance_paise = sub(balance_paise, principal_paise);
    return { principal_paise, interest_paise };
  });
}

/** Fixed-point bits behind the paisa; at 100 % over ten years errors grow by 2^15, which leaves more than 2^-100 of a paisa. */
const FRACTION_BITS = 128n;

/**
 * Rows for the terms in which even an instalment in whole paise goes astray: at 100 % over 120 months half a paisa grows to several hundred
 * rupees by the last row. Here the balance follows the exact, unrounded one to the paisa, so no rounding compounds: every row still pays
 * `emi_paise`, its principal is the step of the exact balance, its interest the rest; the last row takes what is left and one period's interest.
 * While the exact balance grows (a long first period), the rows pay interest only until it is back under the principal.
 */
export function trackedRows(loan: ReducingLoan, emi_paise: Paise): Split[] {
  const emi = exactEmi(loan);
  const exactInstalment = (emi.numerator << FRACTION_BITS) / emi.denominator;
  let exactBalance = BigInt(loan.financed_paise) << FRACTION_BITS;
  let balance_paise = loan.financed_paise;
  return Array.from({ length: loan.tenure }, (_, index) => {
    const share = index === 0 ? loan.first : { days: 1, wholeDays: 1 };
    const interest =
      (exactBalance * loan.rateNumerator * BigInt(share.days)) / (loan.rateDenominator * BigInt(share.wholeDays));
    exactBalance = exactBalance + interest - exactInstalment;
    if (index + 1 === loan.tenure) {
      return { principal_paise: balance_paise, interest_paise: interestOf(loan, balance_paise, loan.tenure) };
    }
    const targetPaise = paise(Number(divideHalfUp(exactBalance, 1n << FRACTION_BITS)));
    const stepPaise = targetPaise < balance_paise ? sub(balance_paise, targetPaise) : ZERO_PAISE;
    const principal_paise = minPaise(stepPaise, emi_paise);
    balance_paise = sub(balance_paise, principal_paise);
    return { principal_paise, interest_paise: sub(emi_paise, principal_paise) };
  });
}
