import { addDays, businessDate } from '@kist/contract/dates';

/** Customers are not woken: a message made at night leaves at this hour. */
const DAY_FROM_HOUR = 9;
const DAY_TO_HOUR = 21;

/** @returns 0 between 9 and 21 o'clock in India, else the seconds to the next 9 o'clock. */
export function secondsToDaytime(nowMs: number): number {
  const hourMs = 3_600_000;
  const midnightMs = Date.parse(`${businessDate(nowMs)}T00:00:00+05:30`);
  const fromMs = midnightMs + DAY_FROM_HOUR * hourMs;
  if (nowMs < fromMs) return Math.ceil((fromMs - nowMs) / 1000);
  if (nowMs < midnightMs + DAY_TO_HOUR * hourMs) return 0;
  return Math.ceil(
    (Date.parse(`${addDays(businessDate(nowMs), 1)}T00:00:00+05:30`) + DAY_FROM_HOUR * hourMs - nowMs) / 1000,
  );
}
