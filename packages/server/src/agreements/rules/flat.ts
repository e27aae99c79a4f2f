import { add, mulRate, type Paise, sub } from '@kist/contract/money';
import type { Split } from './reducing.ts';

/** A sum in equal rows: FLAT with its interest, ZERO with none. */
export interface FlatLoan {
  financedPaise: Paise;
  /** Interest of the whole time, paise. */
  interestPaise: Paise;
  tenure: number;
}

/**
 * Flat interest of the whole time: P · rate · n ÷ periods in a year, to the paisa, half up. By contract it counts whole periods only, so the
 * anchor day does not change it.
 */
export const flatInterest = (financedPaise: Paise, rateBps: number, tenure: number, periodsPerYear: number): Paise =>
  mulRate(financedPaise, BigInt(rateBps) * BigInt(tenure), 10_000n * BigInt(periodsPerYear));

/**
 * Rows of a fixed instalment; the last takes the remainder. A row's interest is the step of interest · no ÷ n rounded to the paisa, so it is
 * even to the paisa and adds up exactly.
 */
export function flatRows({ financedPaise, interestPaise, tenure }: FlatLoan, emiPaise: Paise): Split[] {
  let leftPaise = add(financedPaise, interestPaise);
  let interestSoFar = mulRate(interestPaise, 0, tenure);
  return Array.from({ length: tenure }, (_, index) => {
    const no = index + 1;
    const interestUpTo = mulRate(interestPaise, no, tenure);
    const rowInterest = sub(interestUpTo, interestSoFar);
    const totalPaise = no === tenure ? leftPaise : emiPaise;
    interestSoFar = interestUpTo;
    leftPaise = sub(leftPaise, totalPaise);
    return { principalPaise: sub(totalPaise, rowInterest), interestPaise: rowInterest };
  });
}
