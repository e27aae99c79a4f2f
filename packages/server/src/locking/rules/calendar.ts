import { DAY_MS, INDIA_OFFSET_MS, instantOf, type IsoDate } from '@kist/contract/dates';

/**
 * The rules reckon in instants: a day in India is always 24 h, so days are whole multiples and the gate parses few dates; it is asked for
 * 100,000 phones at a time.
 */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** @returns the instant at which the day of an instant began in India. */
export const dayStartMs = (atMs: number): number =>
  Math.floor((atMs + INDIA_OFFSET_MS) / DAY_MS) * DAY_MS - INDIA_OFFSET_MS;

/** One agreement is judged at a time and asks for its due date again and again: the last answer is kept. */
let last = { on: '', ms: 0 };
/** @returns the instant at which that day begins in India. */
export function dateStartMs(on: IsoDate): number {
  if (last.on !== on) last = { on, ms: instantOf(on) };
  return last.ms;
}

/** @returns the first instant after the whole of that day. */
export const endOfDayMs = (on: IsoDate): number => dateStartMs(on) + DAY_MS;

/** Hours of the day in India, `toHour` not included. */
export interface HoursWindow {
  fromHour: number;
  toHour: number;
}

/** @returns `nowMs` when it lies in the window, else the next instant at which the window opens. */
export function opensAtMs(nowMs: number, { fromHour, toHour }: HoursWindow): number {
  const today = dayStartMs(nowMs);
  if (nowMs < today + fromHour * HOUR_MS) return today + fromHour * HOUR_MS;
  return nowMs < today + toHour * HOUR_MS ? nowMs : today + DAY_MS + fromHour * HOUR_MS;
}

/**
 * @param nowMs an instant inside the window
 * @param spreadMs any number ≥ 0
 * @returns the window's opening of that day plus the spread, wrapped to stay inside the window; never before `nowMs`.
 */
export function spreadInWindowMs(nowMs: number, { fromHour, toHour }: HoursWindow, spreadMs: number): number {
  const openMs = dayStartMs(nowMs) + fromHour * HOUR_MS;
  return Math.max(nowMs, openMs + (spreadMs % ((toHour - fromHour) * HOUR_MS)));
}
