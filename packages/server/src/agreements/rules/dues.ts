import type { IsoDate } from '@kist/contract/dates';
import { daysPastDue, isMaturing, isOverdue } from '@kist/contract/dues';
import { type Paise, sum } from '@kist/contract/money';
import { type Account, byDueDate, chargeLeft, instalmentLeft, type InstalmentState } from './account.ts';

interface NextDue {
  no: number;
  due_on: IsoDate;
  left_paise: Paise;
}

/** Where an agreement stands on a business day. Penal charges count in `penal_left_paise` and nowhere else: they never make a phone overdue. */
export interface Dues {
  /** 0 on the due day itself and when all due is paid. */
  days_past_due: number;
  /** Left of instalments due before today. */
  overdue_paise: Paise;
  /** Left of the instalment due today. */
  dueTodayPaise: Paise;
  /** Left of all instalments. */
  outstanding_paise: Paise;
  penal_left_paise: Paise;
  /** The oldest instalment with something left, overdue or not; null when all are paid. */
  oldestUnpaid: NextDue | null;
  /** The first instalment from today on with something left; null when there is none. */
  nextDue: NextDue | null;
  last_due_on: IsoDate;
  paid_count: number;
  /** All instalments paid (status 5). Penal charges do not hold a phone back. */
  isCompleted: boolean;
  /** Not completed and the last instalment falls due within 30 days from today (status 6). */
  isMaturing: boolean;
}

const nextDueOf = (row: InstalmentState | undefined): NextDue | null =>
  row ? { no: row.no, due_on: row.due_on, left_paise: instalmentLeft(row) } : null;

/** @param account with at least one instalment. @param businessOn the calendar day in India, not a browser's or UTC's. @throws RangeError without any. */
export function dues({ instalments, charges }: Account, businessOn: IsoDate): Dues {
  const rows = instalments.toSorted(byDueDate);
  const last = rows.at(-1);
  if (!last) throw new RangeError('an agreement without instalments has no dues');
  const open = rows.filter((row) => instalmentLeft(row) > 0);
  const leftOf = (isWanted: (row: InstalmentState) => boolean): Paise => sum(open.filter(isWanted).map(instalmentLeft));
  return {
    days_past_due: daysPastDue(open[0]?.due_on ?? null, businessOn),
    overdue_paise: leftOf((row) => isOverdue(row.due_on, businessOn)),
    dueTodayPaise: leftOf((row) => row.due_on === businessOn),
    outstanding_paise: leftOf(() => true),
    penal_left_paise: sum(charges.map(chargeLeft)),
    oldestUnpaid: nextDueOf(open[0]),
    nextDue: nextDueOf(open.find((row) => !isOverdue(row.due_on, businessOn))),
    last_due_on: last.due_on,
    paid_count: rows.length - open.length,
    isCompleted: open.length === 0,
    isMaturing: open.length > 0 && isMaturing(last.due_on, businessOn),
  };
}
