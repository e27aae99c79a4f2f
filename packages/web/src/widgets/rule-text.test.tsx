// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { beforeAll, expect, it } from 'vitest';
import { mapPluralRules } from '#web/i18n/plurals.ts';
import { useRuleText } from './rule-text.ts';

const files = import.meta.glob<object>('../../public/locales/**/{en,hn,sp,tg}.json', {
  import: 'default',
  eager: true,
});
const wordsOf = (code: string) => ({
  ...files[`../../public/locales/${code}.json`],
  ...files[`../../public/locales/customer/${code}.json`],
});

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: Object.fromEntries(['en', 'hn', 'sp', 'tg'].map((code) => [code, { translation: wordsOf(code) }])),
    interpolation: { escapeValue: false },
  });
  mapPluralRules(i18next);
});

async function says(language: string, rule: string, params: Record<string, string | number>): Promise<string> {
  await i18next.changeLanguage(language);
  return renderHook(() => useRuleText()).result.current(rule, params);
}

it.each([
  ['en', 1, 'Allowed: app lock, 1 day overdue.'],
  ['en', 2, 'Allowed: app lock, 2 days overdue.'],
  ['en', 0, 'Allowed: app lock, 0 days overdue.'],
  ['sp', 1, /^Permitido: 1 día de atraso\b/],
  ['tg', 1, /(^|\s)1 రోజు(\s|,)/],
  ['tg', 5, /(^|\s)5 రోజులు(\s|,)/],
])('a day is one day and several are several (%s, %i)', async (language, dpd, sentence) => {
  expect(await says(language, 'OVERDUE_STEP', { level: 3, dpd })).toMatch(sentence);
});

it('all that a rule counts has its form', async () => {
  const below = { dpd: 1, from_dpd: 3, from_on: '2026-03-13' };
  expect(await says('en', 'BELOW_DPD', below)).toMatch(/^1 day overdue\. Allowed from day 3, on /);
  expect(await says('en', 'LEVEL_DWELL', { current_level: 1, dwell_days: 1, until_on: '2026-03-13' })).toMatch(
    /^The step “reminder” stays for at least 1 day, till /,
  );
  expect(await says('en', 'TEST_WINDOW_OVER', { hours: 24 })).toContain('within 24 hours of');
  expect(await says('en', 'TEST_WINDOW_OVER', { hours: 1 })).toContain('within 1 hour of');
});

it('steps are said by name, and of an unlocked phone its state', async () => {
  expect(await says('en', 'LEVEL_STEP', { level: 3, current_level: 0, next_level: 1 })).toBe(
    'One step at a time: now Unlocked, next reminder.',
  );
  expect(await says('en', 'LEVEL_NOT_IN_POLICY', { level: 4 })).toBe('Your lock rules have no such step: full lock.');
});

it.each([
  ['en', 10, 18, 'Phones are locked only between 10 AM and 6 PM.'],
  ['en', 0, 24, 'Phones are locked only between 12 AM and 12 AM.'],
  ['en', 9, 12, 'Phones are locked only between 9 AM and 12 PM.'],
  ['hn', 10, 18, /सुबह 10 से शाम 6 बजे/],
  ['sp', 8, 21, /8 de la mañana y las 9 de la noche/],
])('hours are said as people say them (%s, %i to %i)', async (language, from_hour, to_hour, sentence) => {
  expect(await says(language, 'QUIET_HOURS', { from_hour, to_hour })).toMatch(sentence);
});

it('where the customer’s word rests the lock, no grace is spoken of: nobody gave any', async () => {
  const held = { until_on: '2026-03-13' };
  expect(await says('en', 'HOLD_ACTIVE', { ...held, kind: 'medical' })).toBe('Grace period till 13-03-2026.');
  expect(await says('en', 'HOLD_ACTIVE', { ...held, kind: 'claim' })).toBe(
    'Customer says it is paid · No new lock till 13-03-2026.',
  );
});
