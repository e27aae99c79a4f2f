import { minPaise, type Paise, paise, sub, sum, ZERO_PAISE } from '@kist/contract/money';
import type { Schedule, ScheduleRow } from './schedule.ts';

/** What was paid ahead into rows that a version puts aside, and counts towards its own. */
export interface Counted {
  /** Of the period of the first new row: interest runs on it, for it counts on its due day and no sooner. */
  principal_paise: Paise;
  interest_paise: Paise;
}

/** Of a row's interest as much as can be counted: a row asks for something. */
const countable = ({ principal_paise, fee_paise, interest_paise }: ScheduleRow): Paise =>
  principal_paise + fee_paise > 0 ? interest_paise : paise(Math.max(0, interest_paise - 1));

/**
 * What of what was paid ahead counts: principal where the first new row has room for it and still asks for something, interest as far as there is any.
 * @param layOut the new schedule with so much principal more
 */
export function countedIn(paid: Counted, layOut: (more: Paise) => Pick<Schedule, 'instalments'>): Counted {
  const [first, ...others] = layOut(paid.principal_paise).instalments;
  const left = first && { ...first, principal_paise: sub(first.principal_paise, paid.principal_paise) };
  const hasRoom =
    left && left.principal_paise >= 0 && (paid.principal_paise === 0 || left.principal_paise + left.fee_paise > 0);
  const rows = left && hasRoom ? [left, ...others] : layOut(ZERO_PAISE).instalments;
  return {
    principal_paise: hasRoom ? paid.principal_paise : ZERO_PAISE,
    interest_paise: minPaise(paid.interest_paise, sum(rows.map(countable))),
  };
}

/** A schedule without what counts towards it: principal in the first row, interest from the first row on. */
export function lessCounted(schedule: Schedule, { principal_paise, interest_paise }: Counted): Schedule {
  let leftPaise = interest_paise;
  const instalments = schedule.instalments.map((row, index) => {
    const principal = index === 0 ? sub(row.principal_paise, principal_paise) : row.principal_paise;
    const counted = minPaise(leftPaise, countable({ ...row, principal_paise: principal }));
    leftPaise = sub(leftPaise, counted);
    const interest = sub(row.interest_paise, counted);
    const total_paise = sum([principal, interest, row.fee_paise]);
    return { ...row, principal_paise: principal, interest_paise: interest, total_paise };
  });
  const total_interest_paise = sub(schedule.total_interest_paise, interest_paise);
  const total_payable_paise = sum(instalments.map((row) => row.total_paise));
  return { ...schedule, instalments, total_interest_paise, total_payable_paise };
}
