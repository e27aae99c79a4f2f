import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonthsAnchored,
  businessDate,
  compare,
  daysBetween,
  daysInMonth,
  financialYear,
  formatDate,
  formatInstant,
  instantOf,
  isoDate,
  minuteOfDay,
  partsOf,
} from './dates.ts';
import { isoDateSchema } from './fields.ts';

const dates = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2110-01-01'), noInvalidDate: true })
  .map((date) => isoDate(date.toISOString().slice(0, 10)));

describe('dates', () => {
  test('only days of the calendar are dates', () => {
    expect(isoDate('2024-02-29')).toBe('2024-02-29');
    for (const bad of [
      '2023-02-29',
      '2100-02-29',
      '2023-00-10',
      '2023-13-01',
      '2023-04-31',
      '2023-4-1',
      '',
      '2023-04-01T00:00',
    ]) {
      expect(() => isoDate(bad)).toThrow(RangeError);
      expect(isoDateSchema.safeParse(bad).success).toBe(false);
    }
  });
  test('days are added and counted across months, leap days and years', () => {
    expect(addDays(isoDate('2024-02-28'), 1)).toBe('2024-02-29');
    expect(addDays(isoDate('2026-12-31'), 1)).toBe('2027-01-01');
    expect(daysBetween(isoDate('2024-01-01'), isoDate('2025-01-01'))).toBe(366);
    expect(() => addDays(isoDate('9999-12-31'), 1)).toThrow(RangeError);
    fc.assert(
      fc.property(dates, fc.integer({ min: -5000, max: 5000 }), (date, days) => {
        expect(daysBetween(date, addDays(date, days))).toBe(days);
        expect(compare(date, addDays(date, days))).toBe(Math.sign(0 - days) + 0);
      }),
    );
  });
  test('days are counted as the calendar of the platform counts them, over two centuries', () => {
    const wrong: string[] = [];
    const first = isoDate('1900-01-01');
    for (let day = 0; day < 73_414; day++) {
      const text = new Date(Date.UTC(1900, 0, 1 + day)).toISOString().slice(0, 10);
      if (addDays(first, day) !== text || daysBetween(first, isoDate(text)) !== day) wrong.push(text);
    }
    expect(wrong).toEqual([]);
    expect(addDays(isoDate('0000-03-01'), -1)).toBe('0000-02-29');
    expect(() => addDays(isoDate('0000-01-01'), -1)).toThrow(RangeError);
  });
  test('31 January anchors to 28 February and 31 March, 30 April to 30 May', () => {
    expect(addMonthsAnchored(isoDate('2023-01-31'), 1)).toBe('2023-02-28');
    expect(addMonthsAnchored(isoDate('2023-01-31'), 2)).toBe('2023-03-31');
    expect(addMonthsAnchored(isoDate('2024-01-31'), 1)).toBe('2024-02-29');
    expect(addMonthsAnchored(isoDate('2023-04-30'), 1)).toBe('2023-05-30');
    expect(addMonthsAnchored(isoDate('2023-04-30'), 1, 31)).toBe('2023-05-31');
    expect(addMonthsAnchored(isoDate('2023-01-31'), -2)).toBe('2022-11-30');
  });
  test('an anchored month is the month asked for, on the anchor or the last day', () => {
    fc.assert(
      fc.property(
        dates,
        fc.integer({ min: -600, max: 600 }),
        fc.integer({ min: 1, max: 31 }),
        (start, months, anchor) => {
          const from = partsOf(start);
          const to = partsOf(addMonthsAnchored(start, months, anchor));
          expect(to.year * 12 + to.month - from.year * 12 - from.month).toBe(months);
          expect(to.day).toBe(Math.min(anchor, daysInMonth(to.year, to.month)));
        },
      ),
    );
  });
  test('the financial year turns on 1 April', () => {
    expect(financialYear(isoDate('2027-03-31'))).toBe('2026-27');
    expect(financialYear(isoDate('2027-04-01'))).toBe('2027-28');
    expect(financialYear(isoDate('2099-12-31'))).toBe('2099-00');
  });
});

describe('India’s clock', () => {
  test('31 August 20:00 UTC is 1 September', () => {
    expect(businessDate(Date.UTC(2026, 7, 31, 20))).toBe('2026-09-01');
    expect(businessDate(Date.UTC(2026, 7, 31, 18, 29, 59, 999))).toBe('2026-08-31');
    expect(businessDate(Date.UTC(2026, 7, 31, 18, 30))).toBe('2026-09-01');
  });
  test('instants read DD-MM-YYYY hh:mm A at +05:30', () => {
    expect(formatInstant(Date.UTC(2026, 7, 31, 20))).toBe('01-09-2026 01:30 AM');
    expect(formatInstant(Date.UTC(2026, 7, 31, 18, 30))).toBe('01-09-2026 12:00 AM');
    expect(formatInstant(Date.UTC(2026, 7, 31, 6, 30))).toBe('31-08-2026 12:00 PM');
    expect(formatInstant(Date.UTC(2026, 7, 31, 12, 35))).toBe('31-08-2026 06:05 PM');
    expect(formatDate(isoDate('2026-08-31'))).toBe('31-08-2026');
  });
  test('a day and a minute make an instant and come back', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 1439 }), (date, minutes) => {
        expect(businessDate(instantOf(date, minutes))).toBe(date);
        expect(minuteOfDay(instantOf(date, minutes))).toBe(minutes);
      }),
    );
  });
});
