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

/**
 * The instalment rounded to a unit (a rupee's or a paisa's), half up. A floating-point figure, good to fifteen digits, says which; where it lies too near to
 * the half for it to be sure, the exact fraction decides.
 */
export function roundedEmi(loan: ReducingLoan, unitPaise: number): Paise {
  const rate = Number(loan.rateNumerator) / Number(loan.rateDenominator);
  const lent = loan.financed_paise * (1 + (rate * loan.first.days) / loan.first.wholeDays);
  const units = (lent * rate) / (1 + rate) / -Math.expm1(-loan.tenure * Math.log1p(rate)) / unitPaise;
  const whole = Math.floor(units);
  const isSure = Math.abs(units - whole - 0.5) > Math.max(1, units) * UNSURE;
  if (isSure) return paise((whole + (units - whole > 0.5 ? 1 : 0)) * unitPaise);
  const { numerator, denominator } = exactEmi(loan);
  return paise(Number(divideHalfUp(numerator, denominator * BigInt(unitPaise))) * unitPaise);
}

/** A thousand times what the few operations above can be off, as a share of the figure. */
const UNSURE = 1e-11;

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
  const [rate, whole] = [Number(loan.rateNumerator), Number(loan.rateDenominator)];
  const rows: Split[] = [];
  let balance_paise = loan.financed_paise;
  for (let no = 1; no <= loan.tenure; no++) {
    const interest_paise =
      no === 1
        ? shareOf(balance_paise, rate * loan.first.days, whole * loan.first.wholeDays)
        : shareOf(balance_paise, rate, whole);
    const principal_paise = no === loan.tenure ? balance_paise : sub(emi_paise, interest_paise);
    balance_paise = sub(balance_paise, principal_paise);
    rows.push({ principal_paise, interest_paise });
  }
  return rows;
}

/**
 * As `mulRate`, in plain numbers while they are exact (which is always where an amount lies within `EMI_LIMITS`): the remainder of two integers is, and so
 * is the quotient of what it leaves. Ten times as fast as big integers.
 */
export function shareOf(amount: Paise, numerator: number, denominator: number): Paise {
  const product = 2 * amount * numerator + denominator;
  if (product < 0 || product > Number.MAX_SAFE_INTEGER) return mulRate(amount, numerator, denominator);
  return paise((product - (product % (2 * denominator))) / (2 * denominator));
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
