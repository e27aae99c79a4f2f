import i18next from 'i18next';
import { expect, it } from 'vitest';
import { eventText } from './lock-events.ts';

const files = import.meta.glob<object>('../../../public/locales/en.json', { import: 'default', eager: true });

it.each([
  [1, '1 day overdue: wallpaper allowed'],
  [12, '12 days overdue: wallpaper allowed'],
])('a level is told with its days in their own form (%i)', async (days, sentence) => {
  await i18next.init({
    lng: 'en',
    resources: { en: { translation: files['../../../public/locales/en.json'] ?? {} } },
    interpolation: { escapeValue: false },
  });
  const event = { at: '2026-03-13T00:00:00Z', kind: 'level', params: { level: 2, days_past_due: days } } as const;
  expect(eventText(event, i18next.t)).toBe(sentence);
});
