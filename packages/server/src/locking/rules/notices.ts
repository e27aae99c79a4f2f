import { addDays, businessDate, daysBetween, type IsoDate } from '@kist/contract/dates';
import { isOverdue } from '@kist/contract/dues';
import type { LockLevel, LockPolicy } from '@kist/contract/lock-policy';
import { delayFrom } from './delay.ts';
import type { DeliveredNotice } from './facts.ts';
import { neededNotices, noticeTimes } from './notice-times.ts';

/** What the ledger says is unpaid, penal charges left out, in order of due date. */
export interface Arrears {
  state: 'active' | 'completed' | 'cancelled';
  unpaid: readonly { dueOn: IsoDate; unpaidPaise: number }[];
  /** Deliveries with proof; a notice that follows another waits for that one's days. */
  delivered: readonly DeliveredNotice[];
  /** When the customer agreed to the clause; null: not yet, and days count from the due date alone. */
  consentMs: number | null;
  /** As AgreementFacts has it. */
  noticesFromMs: number | null;
}

/** Identity of a message: the same (agreement, kind, no, due instalment) is never due twice. */
export interface NoticeId {
  kind: 'reminder' | 'notice';
  no: number;
  dueOn: IsoDate;
}

export interface DueReminder extends NoticeId {
  kind: 'reminder';
  /** ≤ 0: days from the due date. */
  offsetDays: number;
  unpaidPaise: number;
}

export interface DueNotice extends NoticeId {
  kind: 'notice';
  /** Everything past due, the instalment named among it. */
  overduePaise: number;
  unpaidPaise: number;
  /** Last day to pay if delivered on this business day; a later delivery moves it. */
  payByOn: IsoDate;
  /** What follows if nothing is paid, and from which day at the earliest; restrictionsFor(level) says what is taken away and what stays on. */
  levels: { level: LockLevel; fromOn: IsoDate }[];
}

/**
 * What to send on a business day. Idempotent: what is in `sent` is not due again; take a message that failed for good out of `sent` and it is.
 * A day left out is made up for: a notice stays due, of several missed reminders only the latest still makes sense.
 */
export function noticesDue(
  arrears: Arrears,
  policy: LockPolicy,
  businessOn: IsoDate,
  sent: readonly NoticeId[],
): (DueReminder | DueNotice)[] {
  if (arrears.state !== 'active') return [];
  const isSent = (id: NoticeId) =>
    sent.some((one) => one.kind === id.kind && one.no === id.no && one.dueOn === id.dueOn);
  const all = [...reminders(arrears, policy, businessOn), ...notices(arrears, policy, businessOn)];
  return all.filter((due) => !isSent(due));
}

function reminders({ unpaid }: Arrears, policy: LockPolicy, businessOn: IsoDate): DueReminder[] {
  const offsets = policy.reminderOffsetDays.toSorted((a, b) => a - b);
  return unpaid.flatMap(({ dueOn, unpaidPaise }) => {
    const day = daysBetween(dueOn, businessOn);
    const no = offsets.filter((offset) => offset <= day).length;
    const offsetDays = offsets[no - 1];
    if (unpaidPaise <= 0 || day > 0 || offsetDays === undefined) return [];
    return [{ kind: 'reminder' as const, no, dueOn, offsetDays, unpaidPaise }];
  });
}

/** Notices speak of the oldest unpaid instalment: it is the one that days past due count from. */
function notices(arrears: Arrears, policy: LockPolicy, businessOn: IsoDate): DueNotice[] {
  const { unpaid, delivered } = arrears;
  const late = unpaid.filter(({ dueOn, unpaidPaise }) => unpaidPaise > 0 && isOverdue(dueOn, businessOn));
  const oldest = late.toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : 1))[0];
  if (!oldest) return [];
  const overduePaise = late.reduce((sum, one) => sum + one.unpaidPaise, 0);
  const delay = delayFrom(oldest.dueOn, arrears.consentMs, arrears.noticesFromMs);
  const due: DueNotice[] = [];
  for (const { notice, earliestMs } of noticeTimes(policy, delay, delivered)) {
    if (earliestMs === null || businessDate(earliestMs) > businessOn) continue;
    const payBy = addDays(businessOn, notice.minDaysToPay);
    const levels = policy.steps
      .filter((step) => neededNotices(policy, step.level).includes(notice.no))
      .map((step) => ({
        level: step.level,
        fromOn: later(addDays(delay.countsFrom, step.fromDpd), addDays(payBy, 1)),
      }));
    const { dueOn, unpaidPaise } = oldest;
    due.push({ kind: 'notice', no: notice.no, dueOn, unpaidPaise, overduePaise, payByOn: payBy, levels });
  }
  return due;
}

const later = (a: IsoDate, b: IsoDate): IsoDate => (a > b ? a : b);
