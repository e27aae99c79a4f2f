import i18next from 'i18next';
import { shopNowMs } from '#web/state/shop-clock.ts';
import { tagOf } from './languages.ts';
import { type TimeWords, timeWords } from './time-words.ts';

/** Shop time: India, no summer time. */
const OFFSET_MS = 330 * 60_000;
const NOT_AVAILABLE = 'N/A';
const two = (value: number) => String(value).padStart(2, '0');
const shopTime = (at: string | number | Date) => new Date(new Date(at).getTime() + OFFSET_MS);
const day = (time: Date) => `${two(time.getUTCDate())}-${two(time.getUTCMonth() + 1)}-${time.getUTCFullYear()}`;

const words = () => timeWords(tagOf(i18next.resolvedLanguage));
const grouped = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 });
const groupedPaise = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param paise integer. @returns '₹1,25,000', with paise only when there are some: '₹1,250.50'. */
export function formatMoney(paise: number): string {
  const sign = paise < 0 ? '-' : '';
  const value = Math.abs(paise);
  return `${sign}₹${value % 100 === 0 ? grouped.format(value / 100) : groupedPaise.format(value / 100)}`;
}

/** @returns a large number short, two decimals: 12.35K, 1.25L, 3.00Cr; 'N/A' when empty (specification, section 9). */
export function formatShort(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return NOT_AVAILABLE;
  const size = Math.abs(value);
  if (size >= 1e7) return `${(value / 1e7).toFixed(2)}Cr`;
  if (size >= 1e5) return `${(value / 1e5).toFixed(2)}L`;
  if (size >= 1e3) return `${(value / 1e3).toFixed(2)}K`;
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
/** @param paise integer. @returns '₹1.25L'. */
export const formatMoneyShort = (paise: number | null | undefined): string =>
  paise === null || paise === undefined ? NOT_AVAILABLE : `₹${formatShort(paise / 100)}`;

/** @param at ISO instant. @returns 'DD-MM-YYYY hh:mm A' at +05:30. */
export function formatDateTime(at: string | null | undefined): string {
  return at ? `${day(shopTime(at))} ${formatTime(at)}` : NOT_AVAILABLE;
}

/** @param at ISO instant, or ms. @returns 'hh:mm A' at +05:30. */
export function formatTime(at: string | number): string {
  const time = shopTime(at);
  const hours = time.getUTCHours();
  return `${two(hours % 12 || 12)}:${two(time.getUTCMinutes())} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** @param on 'YYYY-MM-DD' or an ISO instant. @returns 'DD-MM-YYYY'. */
export function formatDate(on: string | null | undefined): string {
  if (!on) return NOT_AVAILABLE;
  return on.length === 10 ? on.split('-').reverse().join('-') : day(shopTime(on));
}

/** @param on 'YYYY-MM-DD'. @returns the day in the language's own short form: '4 Dec', '4 दिस॰'. */
export const formatDay = (on: string): string => words().day(Number(on.slice(8)), Number(on.slice(5, 7)));

/** @returns the day in India by the product's clock, YYYY-MM-DD; not by the contract's dates, which bring their checks along (16 KB). */
export const shopToday = (): string => shopTime(shopNowMs()).toISOString().slice(0, 10);

/** @returns how long ago: '2 minutes ago', '3 दिन पहले'. @param nowMs for tests. */
export function formatAgo(at: string, nowMs = shopNowMs()): string {
  const seconds = Math.max(0, Math.round((nowMs - new Date(at).getTime()) / 1000));
  const { ago } = words();
  if (seconds < 60) return ago(seconds, 'second');
  if (seconds < 3600) return ago(Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return ago(Math.floor(seconds / 3600), 'hour');
  return ago(Math.floor(seconds / 86_400), 'day');
}

type Span = Parameters<TimeWords['span']>;
/** A length of time in its two largest units, largest first. */
function unitsOf(ms: number): [Span, ...Span[]] {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return [[minutes, 'minute']];
  if (hours < 24)
    return [
      [hours, 'hour'],
      [minutes % 60, 'minute', 2],
    ];
  return [
    [Math.floor(hours / 24), 'day'],
    [hours % 24, 'hour'],
  ];
}

/** @returns a length of time in two units at most: '2h 05m', '3m', '4d 6h', '2d', '33 मि'. */
export const formatSpan = (ms: number): string =>
  unitsOf(ms)
    .filter(([value], place) => place === 0 || value > 0)
    .map((unit) => words().span(...unit))
    .join(' ');

/** @returns the same in one unit, for places where a second one has no room: '2h', '4d'. */
export const formatAge = (ms: number): string => words().span(...unitsOf(ms)[0]);

/** @returns a name shortened only when it is longer than 10 characters, counted as people see them. */
export function shortName(name: string): string {
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)].map(
    (part) => part.segment,
  );
  return letters.length > 10 ? `${letters.slice(0, 10).join('').trimEnd()}…` : name;
}

/** @returns '98765 43210' from '+919876543210'. */
export function formatMobile(mobile: string): string {
  const digits = mobile.replace(/^\+91/, '');
  return digits.length === 10 ? `${digits.slice(0, 5)} ${digits.slice(5)}` : mobile;
}
/** @returns '98••• ••210': enough to recognise, not enough to copy. */
export function maskMobile(mobile: string): string {
  const digits = mobile.replace(/^\+91/, '');
  return `${digits.slice(0, 2)}••• ••${digits.slice(-3)}`;
}

/** Floor of the years between now and N days ahead (specification, section 9). @param nowMs for tests. */
export function yearsUntil(daysAhead: number, nowMs = Date.now()): number {
  const now = shopTime(nowMs);
  const then = shopTime(nowMs + daysAhead * 86_400_000);
  const years = then.getUTCFullYear() - now.getUTCFullYear();
  const isBefore =
    then.getUTCMonth() < now.getUTCMonth() ||
    (then.getUTCMonth() === now.getUTCMonth() && then.getUTCDate() < now.getUTCDate());
  return isBefore ? years - 1 : years;
}

/** @param bps basis points. @returns '26.32%'. */
export const formatRate = (bps: number): string => `${(bps / 100).toFixed(2)}%`;
