import { type IsoDate, addDays, isoDate } from '@kist/contract/dates';
import { demoCall } from './base-url.ts';

interface DemoTime {
  now: string;
  business_on: string;
  shift_ms: number;
}

/** Messages may go out, and every phone's own moment of the day (10:00 to 12:30) is over. */
export const AFTERNOON = '13:00';

export const demoTime = (): Promise<DemoTime> => demoCall('GET', '/demo/clock');

/** Moves the product's clock forward and waits until the daily run of every day on the way is done. */
export const moveClock = (by: {
  advance_days?: number;
  advance_minutes?: number;
  set_time?: string;
}): Promise<DemoTime> => demoCall('POST', '/demo/clock', by);

/** The shop's day. */
export const today = async (): Promise<IsoDate> => isoDate((await demoTime()).business_on);

/** The same hour on the day that is so many days ahead; each day on the way has its run, as in a shop that is open every day. */
export async function goTo(days: number, time: string): Promise<IsoDate> {
  for (let day = 0; day < days; day += 1) await moveClock({ advance_days: 1, set_time: time });
  return today();
}

/** Makes it at least this hour of the day: today when it is still ahead, else tomorrow. @returns the day. */
export async function waitForHour(time: string): Promise<IsoDate> {
  const { now } = await demoTime();
  const minutes = (Math.floor(Date.parse(now) / 60_000) + 330) % 1440;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return isoDate(
    (await moveClock(minutes <= hour * 60 + minute ? { set_time: time } : { advance_days: 1, set_time: time }))
      .business_on,
  );
}

/** '2026-11-21' → '21-11-2026', as the app writes a day. */
export const shownDay = (date: string): string => date.split('-').reverse().join('-');

/** @returns the date so many days from the given one. */
export const daysFrom = (date: IsoDate, days: number): IsoDate => addDays(date, days);
