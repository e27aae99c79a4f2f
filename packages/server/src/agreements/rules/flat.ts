import { add, mulRate, type Paise, sub, ZERO_PAISE } from '@kist/contract/money';
import { shareOf, type Split } from './reducing.ts';

/** A sum in equal rows: FLAT with its interest, ZERO with none. */
export interface FlatLoan {
  financed_paise: Paise;
  /** Interest of the whole time, paise. */
  interest_paise: Paise;
  tenure: number;
}

/**
 * Flat interest of the whole time: P · rate · n ÷ periods in a year, to the paisa, half up. By contract it counts whole periods only, so the
 * anchor day does not change it.
 */
export const flatInterest = (financed_paise: Paise, rate_bps: number, tenure: number, periodsPerYear: number): Paise =>
  mulRate(financed_paise, BigInt(rate_bps) * BigInt(tenure), 10_000n * BigInt(periodsPerYear));

/**
 * Rows of a fixed instalment; the last takes the remainder. A row's interest is the step of interest · no ÷ n rounded to the paisa, so it is
 * even to the paisa and adds up exactly.
 */
export function flatRows({ financed_paise, interest_paise, tenure }: FlatLoan, emi_paise: Paise): Split[] {
  let leftPaise = add(financed_paise, interest_paise);
  let interestSoFar = ZERO_PAISE;
  const rows: Split[] = [];
  for (let no = 1; no <= tenure; no++) {
    const interestUpTo = shareOf(interest_paise, no, tenure);
    const rowInterest = sub(interestUpTo, interestSoFar);
    const total_paise = no === tenure ? leftPaise : emi_paise;
    interestSoFar = interestUpTo;
    leftPaise = sub(leftPaise, total_paise);
    rows.push({ principal_paise: sub(total_paise, rowInterest), interest_paise: rowInterest });
  }
  return rows;
}
