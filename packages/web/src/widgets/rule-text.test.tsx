// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { beforeAll, expect, it } from 'vitest';
import { mapPluralRules } from '#web/i18n/plurals.ts';
import { useRuleText } from './rule-text.ts';

const files = import.meta.glob<object>('../../public/locales/{en,sp,tg}.json', { import: 'default', eager: true });

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: Object.fromEntries(
      ['en', 'sp', 'tg'].map((code) => [code, { translation: files[`../../public/locales/${code}.json`] ?? {} }]),
    ),
    interpolation: { escapeValue: false },
  });
  mapPluralRules(i18next);
});

async function says(language: string, rule: string, params: Record<string, string | number>): Promise<string> {
  await i18next.changeLanguage(language);
  return renderHook(() => useRuleText()).result.current(rule, params);
}

it.each([
  ['en', 1, 'Allowed: 1 day late, step 3.'],
  ['en', 2, 'Allowed: 2 days late, step 3.'],
  ['en', 0, 'Allowed: 0 days late, step 3.'],
  ['sp', 1, 'Permitido: 1 día de atraso, paso 3.'],
  ['tg', 1, 'అనుమతి ఉంది: 1 రోజు లేటు, స్టెప్ 3.'],
  ['tg', 5, 'అనుమతి ఉంది: 5 రోజులు లేటు, స్టెప్ 3.'],
])('a day is one day and several are several (%s, %i)', async (language, dpd, sentence) => {
  expect(await says(language, 'OVERDUE_STEP', { level: 3, dpd })).toBe(sentence);
});

it('all that a rule counts has its form', async () => {
  const below = { dpd: 1, from_dpd: 3, from_on: '2026-03-13' };
  expect(await says('en', 'BELOW_DPD', below)).toMatch(/^1 day late\. Allowed from day 3, on /);
  expect(await says('en', 'LEVEL_DWELL', { current_level: 1, dwell_days: 1, until_on: '2026-03-13' })).toMatch(
    /^Step 1 must last 1 day, until /,
  );
  expect(await says('en', 'TEST_WINDOW_OVER', { hours: 24 })).toContain('within 24 hours of');
  expect(await says('en', 'TEST_WINDOW_OVER', { hours: 1 })).toContain('within 1 hour of');
});
