import i18next from 'i18next';
import { expect, it } from 'vitest';
import { byEpisode, eventText, shownEvents } from './lock-events.ts';

const files = import.meta.glob<object>('../../../public/locales/**/en.json', { import: 'default', eager: true });

it.each([
  [1, '1 day overdue: wallpaper allowed'],
  [12, '12 days overdue: wallpaper allowed'],
])('a level is told with its days in their own form (%i)', async (days, sentence) => {
  await i18next.init({
    lng: 'en',
    resources: { en: { translation: Object.assign({}, ...Object.values(files)) as object } },
    interpolation: { escapeValue: false },
  });
  const event = { at: '2026-03-13T00:00:00Z', kind: 'level', params: { level: 2, days_past_due: days } } as const;
  expect(eventText(event, i18next.t)).toBe(sentence);
  // Whether it runs or has passed, it was given.
  const given = { at: '2026-03-13T00:00:00Z', kind: 'hold', params: { kind: 'medical', until_on: '2026-03-15' } };
  expect(eventText(given, i18next.t)).toBe('Grace period given till 15-03-2026');
  const taken = { at: '2026-03-13T00:00:00Z', kind: 'taken', params: { taken: 'camera_lock', trigger: 'manual' } };
  expect(eventText(taken, i18next.t)).toBe('Started: Camera lock');
});

const at = '2026-03-13T00:00:00Z';
const kinds = (...names: string[]) => names.map((kind) => ({ at, kind, params: {} }));
const cure = { cured_at: at, confirmed_at: null as string | null, held_since: null, compensation_paise: 0 };
it.each([
  ['nothing yet', kinds('notice_sent', 'level'), { level: 2, cure: null }, 0],
  ['paid, and the phone has not said that it is open', kinds('notice_sent', 'level', 'cured'), { level: 0, cure }, 0],
  [
    'paid and opened',
    kinds('notice_sent', 'level', 'cured', 'unlock_confirmed', 'unlocked_sent'),
    { level: 0, cure: { ...cure, confirmed_at: at } },
    5,
  ],
  ['paid after a notice, never held', kinds('notice_sent', 'cured'), { level: 0, cure: null }, 2],
  [
    'the next one begins',
    kinds('notice_sent', 'cured', 'unlock_confirmed', 'unlocked_delivered', 'reminder_sent', 'notice_sent'),
    { level: 0, cure: { ...cure, confirmed_at: at } },
    4,
  ],
])('a finished episode is folded: %s', (_what, events, state, past) => {
  const split = byEpisode({ events, ...state });
  expect(split.past).toHaveLength(past);
  expect([...split.past, ...split.now]).toEqual(events);
});

it.each([
  ['level', { level: 4, days_past_due: 0, reason: 'THEFT_REPORTED', trigger: 'manual' }, 'theft.said_theft'],
  ['level', { level: 4, days_past_due: 0, reason: 'CUSTOMER_REQUEST', trigger: 'manual' }, 'theft.said_lost'],
  ['level', { level: 4, days_past_due: 9, reason: 'EMI_OVERDUE', trigger: 'manual' }, 'lock_timeline.level'],
  ['hold', { kind: 'claim', until_on: '2026-03-15' }, 'bell.payment_claimed'],
  ['hold', { kind: 'medical', until_on: '2026-03-15' }, 'lock_timeline.hold'],
] as const)('what the customer said is told as the customer’s word: %s %o', (kind, params, key) => {
  expect(eventText({ at, kind, params }, ((one: string) => one) as never)).toBe(key);
});

it('why a phone is held is told however many messages of late fees came since', () => {
  const told = kinds('notice_delivered', 'level');
  const fees = Array.from({ length: 20 }, (_, no) => ({
    at,
    kind: 'penal_delivered',
    params: { no, due_on: '2026-03-10' },
  }));
  expect(shownEvents([...told, ...fees])).toEqual(told);
});
