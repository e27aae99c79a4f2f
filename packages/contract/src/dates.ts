import type { $brand } from 'zod';

/**
 * Calendar dates as text, 'YYYY-MM-DD', of the proleptic Gregorian calendar, years 0000–9999. Text sorts as time does, so `<` compares.
 * India has one offset, +05:30, all year and since 1945: no time zone database is needed, and none is asked (a phone's may be wrong).
 * Without schemas (those stand in fields.ts): the app's first page reckons with these and carries no zod.
 */
export type IsoDate = string & $brand<'IsoDate'>;

/** +05:30 in milliseconds. */
export const INDIA_OFFSET_MS = (5 * 60 + 30) * 60_000;
/** A day has no other length: India keeps one offset, UTC counts no leap seconds here. */
export const DAY_MS = 86_400_000;

interface DateParts {
  year: number;
  /** 1–12 */
  month: number;
  day: number;
}

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
/** @param month 1–12 */
export const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (MONTH_DAYS[month - 1] ?? 0);

/** @throws RangeError when the text is no date of the calendar: a programming error; input goes through `dateSchema` (fields.ts). */
export function isoDate(text: string): IsoDate {
  const { year, month, day } = partsOf(text);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && day >= 1 && day <= daysInMonth(year, month);
  if (!isDate) throw new RangeError(`not a date: ${text}`);
  return text as IsoDate;
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;
/** Year, month (1–12) and day of a date. Digit by digit: a schedule takes its days apart by the hundred. */
export const partsOf = (date: string): DateParts => ({
  year: digit(date, 0) * 1000 + digit(date, 1) * 100 + digit(date, 2) * 10 + digit(date, 3),
  month: digit(date, 5) * 10 + digit(date, 6),
  day: digit(date, 8) * 10 + digit(date, 9),
});

const TWO = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));
const two = (value: number): string => TWO[value] ?? String(value);
/** @throws RangeError when there is no such day. */
function fromParts(year: number, month: number, day: number): IsoDate {
  if (!(year >= 0 && year <= 9999) || !(day >= 1 && day <= daysInMonth(year, month)))
    throw new RangeError(`not a date: ${year}-${month}-${day}`);
  return `${two(Math.floor(year / 100))}${two(year % 100)}-${two(month)}-${two(day)}` as IsoDate;
}

/*
 * Days are counted with arithmetic and without `Date`, which a schedule of hundreds of rows would make by the hundred. Years begin in March here, so that the
 * leap day is the last of its year; 400 years are 146,097 days.
 */
const ERA_DAYS = 146_097;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH = 719_468;

/** Days since 1970-01-01. */
function epochDay(date: IsoDate): number {
  const { year, month, day } = partsOf(date);
  const from = month > 2 ? year : year - 1;
  const era = Math.floor(from / 400);
  const ofEra = from - era * 400;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * ERA_DAYS + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - EPOCH;
}

function fromEpochDay(epoch: number): IsoDate {
  const days = epoch + EPOCH;
  const era = Math.floor(days / ERA_DAYS);
  const left = days - era * ERA_DAYS;
  const leaps = Math.floor(left / 1460) - Math.floor(left / 36_524) + Math.floor(left / (ERA_DAYS - 1));
  const ofEra = Math.floor((left - leaps) / 365);
  const ofYear = left - (365 * ofEra + Math.floor(ofEra / 4) - Math.floor(ofEra / 100));
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const day = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  return fromParts(ofEra + era * 400 + (month <= 2 ? 1 : 0), month, day);
}

/** @throws RangeError outside the years 0000–9999. */
export const addDays = (date: IsoDate, days: number): IsoDate => fromEpochDay(epochDay(date) + days);

/** Whole days from one date to the other, negative when `to` is earlier. */
export const daysBetween = (from: IsoDate, to: IsoDate): number => epochDay(to) - epochDay(from);

/** −1, 0 or 1, for sorting. */
export const compare = (left: IsoDate, right: IsoDate): number => (left < right ? -1 : left > right ? 1 : 0);

/**
 * The anchor day of the month that is `months` after the month of `start`, clamped to that month's last day. Every date is reckoned from the
 * start, never from the one before: 31 January → 28 February → 31 March, where a chain would stick at the 28th.
 * @param anchorDay 1–31; the start's own day when left out.
 */
export function addMonthsAnchored(start: IsoDate, months: number, anchorDay = partsOf(start).day): IsoDate {
  const { year, month } = partsOf(start);
  const index = year * 12 + (month - 1) + months;
  const targetYear = Math.floor(index / 12);
  const targetMonth = index - targetYear * 12 + 1;
  return fromParts(targetYear, targetMonth, Math.min(anchorDay, daysInMonth(targetYear, targetMonth)));
}

/** India's financial year, April to March: 2027-03-31 → '2026-27'. */
export function financialYear(date: IsoDate): string {
  const { year, month } = partsOf(date);
  const first = month >= 4 ? year : year - 1;
  return `${first}-${two((first + 1) % 100)}`;
}

/**
 * The calendar day in India at an instant: 31 August 20:00 UTC is 1 September.
 * @param instantMs Unix milliseconds
 */
export const businessDate = (instantMs: number): IsoDate =>
  fromEpochDay(Math.floor((instantMs + INDIA_OFFSET_MS) / DAY_MS));

/** Minutes since midnight in India at an instant, 0–1439 (quiet hours, opening hours). */
export const minuteOfDay = (instantMs: number): number =>
  Math.floor(((((instantMs + INDIA_OFFSET_MS) % DAY_MS) + DAY_MS) % DAY_MS) / 60_000);

/** The instant (Unix milliseconds) at which a day begins in India, plus `minutes` of that day. */
export const instantOf = (date: IsoDate, minutes = 0): number =>
  epochDay(date) * DAY_MS - INDIA_OFFSET_MS + minutes * 60_000;

/** DD-MM-YYYY @param date YYYY-MM-DD, or more after it */
export const formatDate = (date: string): string => `${date.slice(8, 10)}-${date.slice(5, 7)}-${date.slice(0, 4)}`;

/** hh:mm A at +05:30. @param instantMs Unix milliseconds */
export function formatTime(instantMs: number): string {
  const minutes = minuteOfDay(instantMs);
  const hour = Math.floor(minutes / 60);
  return `${two(hour % 12 || 12)}:${two(minutes % 60)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** DD-MM-YYYY hh:mm A at +05:30, wherever the reader's clock stands. @param instantMs Unix milliseconds */
export const formatInstant = (instantMs: number): string =>
  `${formatDate(businessDate(instantMs))} ${formatTime(instantMs)}`;
