import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { localesDir } from '#server/compose.ts';
import { failureReply } from './errors.ts';
import { loadTranslations } from '#server/platform/translations.ts';

const translations = loadTranslations(localesDir);
const WAITING = [
  'RATE_LIMITED',
  'OTP_LOCKED',
  'MPIN_LOCKED',
  'OTP_DAILY_LIMIT',
  'OTP_SHOP_LIMIT',
  'NUMBER_CHANGED_OFTEN',
  'SMS_UNAVAILABLE',
] as const;

describe.each(LANGUAGES)('%s', (language) => {
  test('says when to come back, in its own words and form for the number', () => {
    for (const code of WAITING) {
      const say = (retryAfterS?: number) =>
        failureReply(new KistError(code, retryAfterS === undefined ? {} : { retryAfterS }), language, translations).body
          .message;
      const said = [1, 40, 60 * 20, 3600 * 2, 3600 * 23].map(say);
      expect(said.map((text) => /\d+/.exec(text)?.[0])).toEqual(['1', '40', '20', '2', '23']);
      expect(new Set(said).size).toBe(said.length);
      for (const text of [...said, say()]) expect(text).not.toMatch(/\{\{|undefined|\s[.।,]/);
      expect(say()).not.toMatch(/\d/);
    }
  });
});

test('one hour and two hours are said as people say them', () => {
  const say = (language: 'en' | 'mr' | 'sp', retryAfterS: number) =>
    failureReply(new KistError('RATE_LIMITED', { retryAfterS }), language, translations).body.message;
  expect(say('en', 3600 * 6)).toBe('Too many attempts. Try again in 6 hours.');
  expect(say('en', 1)).toBe('Too many attempts. Try again in 1 second.');
  expect(say('mr', 3600 * 2)).toContain('2 तासांनंतर');
  expect(say('sp', 60 * 91)).toContain('dentro de 2 horas');
});
