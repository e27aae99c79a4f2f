import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import * as format from './formats.ts';
import * as mobile from './mobile.ts';

describe('money', () => {
  it('has lakh grouping, and paise only when there are some', () => {
    expect(format.formatMoney(12_500_000)).toBe('₹1,25,000');
    expect(format.formatMoney(125_050)).toBe('₹1,250.50');
    expect(format.formatMoney(-50_000)).toBe('-₹500');
    expect(format.formatMoney(0)).toBe('₹0');
  });
  it('is short as K, L and Cr with two decimals, N/A when empty', () => {
    const paise = [99_900, 1_00_000, 12_34_500, 1_25_00_000, 3_00_00_00_000, null, undefined];
    expect(paise.map(format.formatMoneyShort)).toEqual([
      '₹999',
      '₹1.00K',
      '₹12.35K',
      '₹1.25L',
      '₹3.00Cr',
      'N/A',
      'N/A',
    ]);
  });
});

describe('dates', () => {
  it('are shown at +05:30 as DD-MM-YYYY hh:mm A', () => {
    expect(format.formatDateTime('2026-11-20T18:30:00Z')).toBe('21-11-2026 12:00 AM');
    expect(format.formatDateTime('2026-11-20T06:31:00Z')).toBe('20-11-2026 12:01 PM');
    expect(format.formatDateTime('2026-11-20T12:05:00.123+05:30')).toBe('20-11-2026 12:05 PM');
    expect(format.formatDateTime(null)).toBe('N/A');
  });
  it('keep a calendar date as it is', () => {
    expect(format.formatDate('2026-02-03')).toBe('03-02-2026');
    expect(format.formatDate('2026-02-03T20:00:00Z')).toBe('04-02-2026');
  });
  it('say how long ago', () => {
    const now = Date.parse('2026-11-20T10:00:00Z');
    expect(format.formatAgo('2026-11-20T09:58:00Z', now)).toMatch(/2 min/);
    expect(format.formatAgo('2026-11-17T09:58:00Z', now)).toMatch(/3 days/);
    // What is not whole yet is not told: 1 h 59 min are one hour.
    expect(format.formatAgo('2026-11-20T08:01:00Z', now)).toMatch(/^1 h/);
    // A phone's clock may be a little behind the server's.
    expect(format.formatAgo('2026-11-20T10:00:05Z', now)).toBe('now');
  });
  it('say how long in two units at most, without an empty one', () => {
    const MINUTE = 60_000;
    const spans = [-1, 0, 1, 59, 60, 125, 24 * 60, 24 * 60 + 59, 6333].map((minutes) => minutes * MINUTE);
    expect(spans.map(format.formatSpan)).toEqual(['0m', '0m', '1m', '59m', '1h', '2h 05m', '1d', '1d', '4d 9h']);
    expect(spans.map(format.formatAge)).toEqual(['0m', '0m', '1m', '59m', '1h', '2h', '1d', '1d', '4d']);
  });
  it("say how long in the language's own words and in the digits of money", () => {
    for (const language of LANGUAGES) {
      i18next.resolvedLanguage = language;
      const span = format.formatSpan(4 * 86_400_000 + 9 * 3_600_000);
      expect(span, language).toMatch(/^4\D+9\D+$/);
      if (!['en', 'sp'].includes(language)) expect(span, language).not.toMatch(/[a-z]/i);
    }
    i18next.resolvedLanguage = undefined;
  });
});

describe('names and numbers', () => {
  it('shorten only what is longer than 10 letters as people count them', () => {
    expect(format.shortName('Ramesh Pat')).toBe('Ramesh Pat');
    expect(format.shortName('Ramesh Patil')).toBe('Ramesh Pat…');
    expect(format.shortName('श्रीनिवासन')).toBe('श्रीनिवासन');
  });
  it('write a rate to the hundredth of a percent, as it is agreed', () => {
    expect([2632, 1800, 5, 0].map(format.formatRate)).toEqual(['26.32%', '18.00%', '0.05%', '0.00%']);
  });
  it('write a mobile in two halves', () => {
    expect(mobile.formatMobile('+919876543210')).toBe('98765 43210');
  });
});
