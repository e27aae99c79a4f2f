import type { IsoDate } from '@kist/contract/dates';
import type { EmiRounding, EmiTerms } from '@kist/contract/emi-terms';
import { add, type Bps, type Paise, paise, sub, ZERO_PAISE } from '@kist/contract/money';
import { apr } from './apr.ts';
import { dueDates, type FirstPeriod, firstPeriod, PERIODS_PER_YEAR } from './due-dates.ts';
import { flatInterest, flatRows } from './flat.ts';
import { reducingRows, type ReducingLoan, roundedEmi, shareOf, type Split, trackedRows } from './reducing.ts';

/** Terms within the bounds of `EMI_LIMITS`, as the app sends them; rounded to the rupee where nothing is said. */
export interface ScheduleTerms extends Omit<EmiTerms, 'rounding' | 'fee'> {
  rounding?: EmiRounding;
  /** Collected with the first instalment. */
  fee?: Paise;
}

export interface ScheduleRow {
  /** 1…tenure */
  no: number;
  due_on: IsoDate;
  principal_paise: Paise;
  interest_paise: Paise;
  fee_paise: Paise;
  total_paise: Paise;
  /** Principal still owed after this row. */
  balance_paise: Paise;
}

export interface Schedule {
  financed_paise: Paise;
  /** The rounded instalment: every row but the last, which takes the balance to the paisa; without the fee. */
  emi_paise: Paise;
  instalments: ScheduleRow[];
  total_interest_paise: Paise;
  /** All instalments together with the fee, without the down payment. */
  total_payable_paise: Paise;
  apr_bps: Bps;
}

/** A row is fit to sign when it asks for something and never takes principal back. */
const isSound = ({ principal_paise, interest_paise }: Split): boolean =>
  principal_paise >= 0 && interest_paise >= 0 && principal_paise + interest_paise > 0;

interface Plan {
  /** The exact instalment rounded once, half up, to so many paise. */
  roundedTo: (unitPaise: number) => Paise;
  /** Rows of an instalment rounded to the rupee or the paisa. */
  rowsOf: (emi_paise: Paise) => Split[];
  /** Sound whatever the terms: used when rounding, even to the paisa, would leave a row empty or below zero. */
  lastResort: () => { emi_paise: Paise; rows: Split[] };
}

function reducingPlan(loan: ReducingLoan): Plan {
  const roundedTo = (unitPaise: number) => roundedEmi(loan, unitPaise);
  return {
    roundedTo,
    rowsOf: (emi_paise) => reducingRows(loan, emi_paise),
    lastResort: () => ({ emi_paise: roundedTo(1), rows: trackedRows(loan, roundedTo(1)) }),
  };
}

function flatPlan(financed_paise: Paise, interest_paise: Paise, tenure: number): Plan {
  const loan = { financed_paise, interest_paise, tenure };
  const all_paise = add(financed_paise, interest_paise);
  return {
    roundedTo: (unitPaise) => paise(shareOf(all_paise, 1, tenure * unitPaise) * unitPaise),
    rowsOf: (emi_paise) => flatRows(loan, emi_paise),
    // Rounded down, the last row can only be larger than the others.
    lastResort: () => {
      const emi_paise = paise(Math.floor(all_paise / tenure));
      return { emi_paise, rows: flatRows(loan, emi_paise) };
    },
  };
}

function planOf(terms: ScheduleTerms, financed_paise: Paise, first: FirstPeriod): Plan {
  const { method, rate_bps, tenure, frequency } = terms;
  const periodsPerYear = PERIODS_PER_YEAR[frequency];
  // A reducing balance at 0 % has no interest to reduce: it is ZERO.
  if (method === 'ZERO' || rate_bps === 0) return flatPlan(financed_paise, ZERO_PAISE, tenure);
  if (method === 'FLAT')
    return flatPlan(financed_paise, flatInterest(financed_paise, rate_bps, tenure, periodsPerYear), tenure);
  return reducingPlan({
    financed_paise,
    rateNumerator: BigInt(rate_bps),
    rateDenominator: 10_000n * BigInt(periodsPerYear),
    tenure,
    first,
  });
}

/** The instalment rounded once, half up: to the rupee, else to the paisa, else the last resort; the first that is sound in every row. */
function settle(plan: Plan, rounding: EmiRounding): { emi_paise: Paise; rows: Split[] } {
  for (const unitPaise of rounding === 'RUPEE' ? [100, 1] : [1]) {
    const emi_paise = plan.roundedTo(unitPaise);
    const rows = plan.rowsOf(emi_paise);
    if (rows.every(isSound)) return { emi_paise, rows };
  }
  return plan.lastResort();
}

/**
 * The one schedule engine: previews, agreements and the nightly check all come from here. Pure and exact (integers; only the APR, a figure
 * that is shown and never owed, is floating point).
 *
 * - Rows are `tenure` in number, each above zero; the principal adds up to what is financed; the last row takes the balance.
 * - REDUCING: interest of each row to the paisa on the balance before it, one period at rate ÷ 12, 26 or 52. The first period counts by its days
 *   when an anchor day makes it shorter or longer (`firstPeriod`), and the instalment is solved with it, so it stays the same in every row.
 * - FLAT: P · rate · n ÷ periods in a year, spread evenly. ZERO, and REDUCING or FLAT at 0 %: P ÷ n.
 * - The fee is due with the first instalment, bears no interest and counts in the APR.
 *
 * @param terms within `EMI_LIMITS`: at least 2 paise financed for each instalment. @throws RangeError only beyond the bound of `Paise`.
 */
export function schedule(terms: ScheduleTerms): Schedule {
  const financed_paise = sub(terms.cash_price, terms.down_payment);
  const first = firstPeriod(terms);
  const { emi_paise, rows } = settle(planOf(terms, financed_paise, first), terms.rounding ?? 'RUPEE');
  const instalments = rowsOf(rows, dueDates(terms, terms.tenure), {
    financed_paise,
    fee_paise: terms.fee ?? ZERO_PAISE,
  });
  const totalsPaise: Paise[] = [];
  let total_interest_paise = ZERO_PAISE;
  let total_payable_paise = ZERO_PAISE;
  for (const { interest_paise, total_paise } of instalments) {
    totalsPaise.push(total_paise);
    total_interest_paise = add(total_interest_paise, interest_paise);
    total_payable_paise = add(total_payable_paise, total_paise);
  }
  const apr_bps = apr({ financed_paise, totalsPaise, periodsPerYear: PERIODS_PER_YEAR[terms.frequency], first });
  return { financed_paise, emi_paise, instalments, total_interest_paise, total_payable_paise, apr_bps };
}

/** The rows with their days, the fee in the first, and what is still owed after each. */
function rowsOf(
  rows: readonly Split[],
  days: readonly IsoDate[],
  { financed_paise, fee_paise: fee }: { financed_paise: Paise; fee_paise: Paise },
): ScheduleRow[] {
  let balance_paise = financed_paise;
  return rows.map(({ principal_paise, interest_paise }, index) => {
    const fee_paise = index === 0 ? fee : ZERO_PAISE;
    balance_paise = sub(balance_paise, principal_paise);
    const total_paise = add(add(principal_paise, interest_paise), fee_paise);
    return {
      no: index + 1,
      due_on: days[index]!,
      principal_paise,
      interest_paise,
      fee_paise,
      total_paise,
      balance_paise,
    };
  });
}
