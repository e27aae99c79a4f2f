import { type IsoDate, addDays, compare, isoDate } from '@kist/contract/dates';

/** India's three days of the nation, and Christmas: the same every year. */
const EVERY_YEAR = ['01-26', '08-15', '10-02', '12-25'];

/** Holi, Ganesh Chaturthi, Dussehra and Diwali go by the moon; a shop reads each year's from the government's list. */
const FESTIVALS = [
  ['2026-03-04', '2026-09-14', '2026-10-20', '2026-11-08'],
  ['2027-03-22', '2027-09-04', '2027-10-09', '2027-10-29'],
  ['2028-03-11', '2028-08-23', '2028-09-27', '2028-10-17'],
]
  .flat()
  .map(isoDate);

const YEAR_DAYS = 365;

/** A demo that is tried out, and the browser's tests of it, move through the first months: there a phone is locked on the day that its ladder says. */
const UNTOUCHED_DAYS = 180;

/** Holidays of a year that begins the day after `on`, in order. */
export function holidaysAfter(on: IsoDate): IsoDate[] {
  const last = addDays(on, YEAR_DAYS);
  const year = Number(on.slice(0, 4));
  const national = [year, year + 1].flatMap((one) => EVERY_YEAR.map((day) => isoDate(`${one}-${day}`)));
  return [...national, ...FESTIVALS].filter((day) => compare(day, on) > 0 && compare(day, last) <= 0).toSorted(compare);
}

/** Those of the demo's own shop, which has a past and phones on their ladders: far enough ahead that nothing played or tried falls on one. */
export const holidaysOfShop = (today: IsoDate): IsoDate[] => holidaysAfter(addDays(today, UNTOUCHED_DAYS));
