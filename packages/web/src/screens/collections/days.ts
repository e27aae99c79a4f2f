import { useSearchParams } from 'react-router';
import { type IsoDate, isoDate } from '@kist/contract/dates';
import { CALENDAR } from '@kist/contract/limits';
import { formatDay, shopToday } from '#web/i18n/formats.ts';

/** As many days as Home's bars have. */
export const FORTNIGHT = 14;
/** Payments of a page. */
export const PAGE_SIZE = 30;
/** The most days that are asked for at once. */
const DAYS_MAX = 31;

/** Which days, the last and how many, and of whose sales: a kind of shop, one shop's id, or '' for all. */
export interface Asked {
  on: IsoDate;
  days: number;
  soldBy: string;
}

/** @returns the day that is spelled, or null where there is none, or none that has anything to show: one to come, or one before any of the calendar. */
export function dayOf(text: string, today: IsoDate): IsoDate | null {
  try {
    const day = isoDate(text);
    return day >= CALENDAR.from && day <= today ? day : null;
  } catch {
    return null;
  }
}

/** @returns the day with its year: '4 Dec 2026'. What stands on paper beside it is of some year too. */
export const formatWholeDay = (on: string): string => `${formatDay(on)} ${on.slice(0, 4)}`;

const KINDS = ['retailer', 'miniretailer'];
const IS_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isSeller = (text: string): boolean => KINDS.includes(text) || IS_ID.test(text);

/** What the address asks for. `isOther`: it names a day that cannot be shown, and today stands in its place. */
export function useAsked() {
  const [search, setSearch] = useSearchParams();
  const today = shopToday();
  const wanted = search.get('on');
  const found = wanted === null ? today : dayOf(wanted, today);
  const count = Number(search.get('days'));
  const seller = search.get('sold_by') ?? '';
  const asked: Asked = {
    on: found ?? today,
    days: Number.isInteger(count) && count > 1 && count <= DAYS_MAX ? count : 1,
    soldBy: isSeller(seller) ? seller : '',
  };
  const set = (change: Partial<Asked>) => {
    const { on, days, soldBy } = { ...asked, ...change };
    setSearch(
      { ...(on < today && { on }), ...(days > 1 && { days: String(days) }), ...(soldBy !== '' && { sold_by: soldBy }) },
      { replace: true },
    );
  };
  return { asked, today, isOther: found === null, set };
}

/** What the server is asked for so. Rows and sums ask for the same first page, so that one answer serves both. */
export const queryOf = ({ on, days, soldBy }: Asked, page: number) => ({
  on,
  days,
  page,
  page_size: PAGE_SIZE,
  ...(KINDS.includes(soldBy) && { user_type: soldBy }),
  ...(IS_ID.test(soldBy) && { retailer_id: soldBy }),
});
