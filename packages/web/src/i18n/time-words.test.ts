import { describe, expect, it } from 'vitest';
import { type TimeUnit, punjabiWords, timeWords } from './time-words.ts';

const LIMITS: Record<TimeUnit, number> = { second: 59, minute: 59, hour: 23, day: 400 };

describe('Punjabi, for browsers that lack its words', () => {
  // Node has the whole of CLDR, so here timeWords gives the words of Intl.
  const cldr = timeWords('pa');
  it('is what a browser with the words says', () => {
    expect(cldr).not.toBe(punjabiWords);
    for (const [unit, limit] of Object.entries(LIMITS) as [TimeUnit, number][])
      for (let value = 1; value <= limit; value += 1) {
        expect(punjabiWords.ago(value, unit)).toBe(cldr.ago(value, unit));
        expect(punjabiWords.span(value, unit)).toBe(cldr.span(value, unit));
        expect(punjabiWords.span(value, unit, 2)).toBe(cldr.span(value, unit, 2));
      }
    expect(punjabiWords.ago(0, 'second')).toBe(cldr.ago(0, 'second'));
    for (let month = 1; month <= 12; month += 1) expect(punjabiWords.day(4, month)).toBe(cldr.day(4, month));
  });
});
