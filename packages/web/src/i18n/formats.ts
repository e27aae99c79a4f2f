import i18next from 'i18next';
import { businessDate, formatDate as formatCalendarDate, formatInstant, type IsoDate } from '@kist/contract/dates';
import { abbreviate } from '@kist/contract/money-text';
import { shopNowMs } from '#web/state/shop-clock.ts';
import { tagOf } from './languages.ts';
import { type TimeWords, timeWords } from './time-words.ts';

export { formatTime } from '@kist/contract/dates';
export { formatInr as formatMoney } from '@kist/contract/money-text';

const NOT_AVAILABLE = 'N/A';
const words = () => timeWords(tagOf(i18next.resolvedLanguage));
/** @param paise integer. @returns '₹1.25L'. */
export const formatMoneyShort = (paise: number | null | undefined): string =>
  paise === null || paise === undefined ? NOT_AVAILABLE : `₹${abbreviate(paise / 100)}`;

/** @param at ISO instant. @returns 'DD-MM-YYYY hh:mm A' at +05:30. */
export const formatDateTime = (at: string | null | undefined): string =>
  at ? formatInstant(Date.parse(at)) : NOT_AVAILABLE;

/** @param on 'YYYY-MM-DD' or an ISO instant. @returns 'DD-MM-YYYY'. */
export const formatDate = (on: string | null | undefined): string =>
  on ? formatCalendarDate(on.length === 10 ? on : businessDate(Date.parse(on))) : NOT_AVAILABLE;

/** @param on 'YYYY-MM-DD'. @returns the day in the language's own short form: '4 Dec', '4 दिस॰'. */
export const formatDay = (on: string): string => words().day(Number(on.slice(8)), Number(on.slice(5, 7)));

/** @returns the day in India by the product's clock. */
export const shopToday = (): IsoDate => businessDate(shopNowMs());

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

/** @param bps basis points. @returns '26.32%'. */
export const formatRate = (bps: number): string => `${(bps / 100).toFixed(2)}%`;
