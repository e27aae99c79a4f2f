import { DAY_MS, type IsoDate, daysBetween, instantOf } from './dates.ts';

/** EMIs maturing (status 6): the last instalment falls due within so many days. */
export const MATURING_DAYS = 30;

/**
 * Calendar days in India from the oldest unpaid due date to an instant: 0 on the due day itself, 0 where nothing is unpaid.
 * @param instantMs Unix milliseconds
 */
export const daysPastDueAt = (dueOn: IsoDate | null, instantMs: number): number =>
  dueOn === null ? 0 : Math.max(0, Math.floor((instantMs - instantOf(dueOn)) / DAY_MS));

/** The same on a business day. */
export const daysPastDue = (dueOn: IsoDate | null, today: IsoDate): number => daysPastDueAt(dueOn, instantOf(today));

/** Whether what fell due on a day and is not paid is overdue: from the day after; the due day itself is the customer's to its end. */
export const isOverdue = (dueOn: IsoDate, today: IsoDate): boolean => dueOn < today;

/** Whether the last instalment falls due from `today` on, within MATURING_DAYS. What is completed matures no more: that is for the caller to know. */
export function isMaturing(lastDueOn: IsoDate, today: IsoDate): boolean {
  const days = daysBetween(today, lastDueOn);
  return days >= 0 && days <= MATURING_DAYS;
}
