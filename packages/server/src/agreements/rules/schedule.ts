import type { IsoDate } from '@kist/contract/dates';
import type { EmiFrequency, EmiMethod } from '@kist/contract/emi-limits';
import type { EmiRounding } from '@kist/contract/emi-terms';
import { add, type Bps, divideHalfUp, type Paise, paise, sub, sum, ZERO_PAISE } from '@kist/contract/money';
import { apr } from './apr.ts';
import { dueOn, firstPeriod, PERIODS_PER_YEAR } from './due-dates.ts';
import { flatInterest, flatRows } from './flat.ts';
import { exactEmi, type Ratio, reducingRows, type ReducingLoan, type Split, trackedRows } from './reducing.ts';

/** Terms within the bounds of `EMI_LIMITS` (@kist/contract/emi-terms). */
export interface ScheduleTerms {
  method: EmiMethod;
  cashPricePaise: Paise;
  /** Instalment 0, at the counter, outside the tenure. */
  downPaymentPaise: Paise;
  /** Basis points a year; not looked at when ZERO. */
  rateBps: Bps;
  /** Number of instalments. */
  tenure: number;
  frequency: EmiFrequency;
  deliveredOn: IsoDate;
  /** 1–31; the day of delivery when left out. Of no effect unless MONTHLY. */
  anchorDay?: number;
  /** RUPEE (default) or PAISE: to what the instalment is rounded. */
  rounding?: EmiRounding;
  /** Fee collected with the first instalment. */
  feePaise?: Paise;
}

export interface ScheduleRow {
  /** 1…tenure */
  no: number;
  dueOn: IsoDate;
  principalPaise: Paise;
  interestPaise: Paise;
  feePaise: Paise;
  totalPaise: Paise;
  /** Principal still owed after this row. */
  balancePaise: Paise;
}

export interface Schedule {
  financedPaise: Paise;
  /** The rounded instalment: every row but the last, which takes the balance to the paisa; without the fee. */
  emiPaise: Paise;
  instalments: ScheduleRow[];
  totalInterestPaise: Paise;
  /** All instalments together with the fee, without the down payment. */
  totalPayablePaise: Paise;
  aprBps: Bps;
}

/** A row is fit to sign when it asks for something and never takes principal back. */
const isSound = ({ principalPaise, interestPaise }: Split): boolean =>
  principalPaise >= 0 && interestPaise >= 0 && principalPaise + interestPaise > 0;

const rounded = ({ numerator, denominator }: Ratio, unitPaise: bigint): Paise =>
  paise(Number(divideHalfUp(numerator, denominator * unitPaise) * unitPaise));

interface Plan {
  exact: Ratio;
  /** Rows of an instalment rounded to the rupee or the paisa. */
  rowsOf: (emiPaise: Paise) => Split[];
  /** Sound whatever the terms: used when rounding, even to the paisa, would leave a row empty or below zero. */
  lastResort: () => { emiPaise: Paise; rows: Split[] };
}

function reducingPlan(loan: ReducingLoan): Plan {
  const exact = exactEmi(loan);
  return {
    exact,
    rowsOf: (emiPaise) => reducingRows(loan, emiPaise),
    lastResort: () => ({ emiPaise: rounded(exact, 1n), rows: trackedRows(loan, rounded(exact, 1n)) }),
  };
}

function flatPlan(financedPaise: Paise, interestPaise: Paise, tenure: number): Plan {
  const loan = { financedPaise, interestPaise, tenure };
  const exact = { numerator: BigInt(add(financedPaise, interestPaise)), denominator: BigInt(tenure) };
  return {
    exact,
    rowsOf: (emiPaise) => flatRows(loan, emiPaise),
    // Rounded down, the last row can only be larger than the others.
    lastResort: () => {
      const emiPaise = paise(Number(exact.numerator / exact.denominator));
      return { emiPaise, rows: flatRows(loan, emiPaise) };
    },
  };
}

function planOf(terms: ScheduleTerms, financedPaise: Paise): Plan {
  const { method, rateBps, tenure, frequency } = terms;
  const periodsPerYear = PERIODS_PER_YEAR[frequency];
  // A reducing balance at 0 % has no interest to reduce: it is ZERO.
  if (method === 'ZERO' || rateBps === 0) return flatPlan(financedPaise, ZERO_PAISE, tenure);
  if (method === 'FLAT')
    return flatPlan(financedPaise, flatInterest(financedPaise, rateBps, tenure, periodsPerYear), tenure);
  return reducingPlan({
    financedPaise,
    rateNumerator: BigInt(rateBps),
    rateDenominator: 10_000n * BigInt(periodsPerYear),
    tenure,
    first: firstPeriod(terms),
  });
}

/** The instalment rounded once, half up: to the rupee, else to the paisa, else the last resort; the first that is sound in every row. */
function settle(plan: Plan, rounding: EmiRounding): { emiPaise: Paise; rows: Split[] } {
  for (const unitPaise of rounding === 'RUPEE' ? [100n, 1n] : [1n]) {
    const emiPaise = rounded(plan.exact, unitPaise);
    const rows = plan.rowsOf(emiPaise);
    if (rows.every(isSound)) return { emiPaise, rows };
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
  const financedPaise = sub(terms.cashPricePaise, terms.downPaymentPaise);
  const { emiPaise, rows } = settle(planOf(terms, financedPaise), terms.rounding ?? 'RUPEE');
  let balancePaise = financedPaise;
  const instalments = rows.map(({ principalPaise, interestPaise }, index): ScheduleRow => {
    const no = index + 1;
    const feePaise = no === 1 ? (terms.feePaise ?? ZERO_PAISE) : ZERO_PAISE;
    balancePaise = sub(balancePaise, principalPaise);
    const totalPaise = sum([principalPaise, interestPaise, feePaise]);
    return { no, dueOn: dueOn(terms, no), principalPaise, interestPaise, feePaise, totalPaise, balancePaise };
  });
  const totalsPaise = instalments.map((row) => row.totalPaise);
  return {
    financedPaise,
    emiPaise,
    instalments,
    totalInterestPaise: sum(instalments.map((row) => row.interestPaise)),
    totalPayablePaise: sum(totalsPaise),
    aprBps: apr({
      financedPaise,
      totalsPaise,
      periodsPerYear: PERIODS_PER_YEAR[terms.frequency],
      first: firstPeriod(terms),
    }),
  };
}
