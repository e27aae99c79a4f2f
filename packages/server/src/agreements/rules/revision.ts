import type { IsoDate } from '@kist/contract/dates';
import type { EmiFrequency, EmiMethod } from '@kist/contract/emi-limits';
import type { EmiRounding } from '@kist/contract/emi-terms';
import { add, type Bps, type Paise, sub, sum, ZERO_PAISE } from '@kist/contract/money';
import { byDueDate, instalmentLeft, type InstalmentState, instalmentTotal, leftInBucket } from './account.ts';
import { type Counted, countedIn, lessCounted } from './counted.ts';
import { dueDates } from './due-dates.ts';
import { type Schedule, schedule, type ScheduleRow } from './schedule.ts';

/** What stays of an agreement whatever its version: the days on which its instalments fall due. */
export interface Rhythm {
  frequency: EmiFrequency;
  delivered_on: IsoDate;
  anchor_day: number | null;
}

/** Terms for what is not due yet. */
export interface NewTerms {
  method: EmiMethod;
  rate_bps: Bps;
  /** How many instalments the rest is paid in. */
  tenure: number;
  rounding: EmiRounding;
  /** Due with the first of them; what was left of the fee when left out. */
  fee?: Paise | undefined;
}

/** What is given up of a row, which is all that was left of it. */
export interface Dropped {
  no: number;
  principal_paise: Paise;
  interest_paise: Paise;
  fee_paise: Paise;
}

export interface Revision {
  dropped: Dropped[];
  /** Rows that are paid, of days behind the first new one: they belong to the versions before from now on, and stay as they are. */
  settled: number[];
  /** New rows, numbered from 1. */
  rows: ScheduleRow[];
  principal_paise: Paise;
  /** What was paid ahead of the days that are laid out anew, and counts towards the new rows. */
  counted: Counted;
  sums: Pick<Schedule, 'emi_paise' | 'total_interest_paise' | 'apr_bps'> & { fee_paise: Paise };
}

/** A day on which a period begins by itself, so that the first is a whole one. */
const ANY_DAY = '2000-01-01' as IsoDate;

/** Which instalment of the agreement's rhythm falls due on a day. */
function placeOf(rhythm: Omit<Rhythm, 'anchor_day'> & { anchor_day?: number }, due_on: IsoDate): number {
  let place = 1;
  while (dueDates(rhythm, place).at(-1)! < due_on) place += 1;
  return place;
}

/**
 * A new schedule for what is not due yet, on the days that the agreement always had. Rows that are due stay owed as they are, rows that are paid stay paid;
 * of a row that is paid in part the paid part stays, and counts towards the new ones: its interest is not asked for twice. Interest and fee that are not due
 * are given up, the principal is laid out anew; the interest of the new rows runs from where that of the row before them ended.
 * @param rows that stand
 * @returns undefined where nothing is left that is not due
 */
export function revision(
  rows: readonly InstalmentState[],
  { frequency, delivered_on, anchor_day }: Rhythm,
  on: IsoDate,
  { fee, ...terms }: NewTerms,
): Revision | undefined {
  const open = rows.filter((row) => row.due_on > on && instalmentLeft(row) > 0).toSorted(byDueDate);
  const dropped = open.map((row) => ({
    no: row.no,
    principal_paise: leftInBucket(row, 'principal'),
    interest_paise: leftInBucket(row, 'interest'),
    fee_paise: leftInBucket(row, 'fee'),
  }));
  const principal_paise = sum(dropped.map((row) => row.principal_paise));
  if (open.length === 0 || principal_paise < 2 * terms.tenure) return undefined;
  const first = open[0]!.due_on;
  const fee_paise = fee ?? sum(dropped.map((row) => row.fee_paise));
  const rhythm = { frequency, delivered_on, anchor_day };
  const laidOut = { ...terms, principal_paise, fee_paise, rhythm, first };
  const counted = countedIn(paidAhead(rows, first), (more) => laidFrom(laidOut, more));
  const made = lessCounted(laidFrom(laidOut, counted.principal_paise), counted);
  const { emi_paise, total_interest_paise, apr_bps } = made;
  const settled = rows.filter((row) => row.due_on >= first && instalmentLeft(row) === 0).map(({ no }) => no);
  return {
    dropped,
    settled,
    rows: made.instalments,
    principal_paise,
    counted,
    sums: { emi_paise, total_interest_paise, apr_bps, fee_paise },
  };
}

/** What is laid out: so much principal, on the days of a rhythm from the one on that the first falls due. */
export interface LaidOut extends Omit<NewTerms, 'fee'> {
  principal_paise: Paise;
  fee_paise: Paise;
  rhythm: Rhythm;
  first: IsoDate;
}

/** @param more principal of the first period that is paid already */
export function laidFrom({ rhythm, first, principal_paise, fee_paise, ...terms }: LaidOut, more: Paise): Schedule {
  const { frequency, delivered_on, anchor_day } = rhythm;
  const days = { frequency, delivered_on, ...(anchor_day !== null && { anchor_day }) };
  const place = placeOf(days, first);
  const made = schedule({
    ...terms,
    ...(place === 1 ? days : { frequency, delivered_on: ANY_DAY }),
    cash_price: add(principal_paise, more),
    down_payment: ZERO_PAISE,
    fee: fee_paise,
  });
  const daysDue = dueDates(days, place - 1 + terms.tenure).slice(place - 1);
  return { ...made, instalments: made.instalments.map((row, index) => ({ ...row, due_on: daysDue[index]! })) };
}

/** Paid of the period that the first new row is for, whichever versions its rows are of; and interest of the periods behind it. */
const paidAhead = (rows: readonly InstalmentState[], first: IsoDate): Counted => ({
  principal_paise: sum(rows.filter(({ due_on }) => due_on === first).map((row) => row.paid_principal_paise)),
  interest_paise: sum(rows.filter(({ due_on }) => due_on >= first).map((row) => row.paid_interest_paise)),
});

/** What falls due on a day, whatever is paid of it. */
export interface Falling {
  due_on: IsoDate;
  total_paise: Paise;
}

/** The rows as a revision leaves them: what stays of those that stood, then the new ones. */
export function revised(rows: readonly InstalmentState[], { dropped, rows: made }: Revision): Falling[] {
  const gone = new Map(
    dropped.map(({ no, principal_paise, interest_paise, fee_paise }) => [
      no,
      sum([principal_paise, interest_paise, fee_paise]),
    ]),
  );
  const kept = rows.map((row) => ({
    due_on: row.due_on,
    total_paise: sub(instalmentTotal(row), gone.get(row.no) ?? ZERO_PAISE),
  }));
  return [...kept.filter((row) => row.total_paise > 0), ...made].map(({ due_on, total_paise }) => ({
    due_on,
    total_paise,
  }));
}

/** Whether on some day more would have fallen due than before: more in all, or as much but sooner. */
export function asksMore(before: readonly Falling[], after: readonly Falling[]): boolean {
  const until = (rows: readonly Falling[], day: IsoDate) =>
    sum(rows.filter(({ due_on }) => due_on <= day).map(({ total_paise }) => total_paise));
  return after.some(({ due_on }) => until(after, due_on) > until(before, due_on));
}
