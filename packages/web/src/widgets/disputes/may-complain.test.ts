import { expect, it } from 'vitest';
import { mayComplain } from './may-complain.ts';

const level = (to: number) => ({ at: '2026-03-13T07:00:00Z', kind: 'level', params: { level: to } });
const told = { at: '2026-03-12T07:00:00Z', kind: 'notice_sent', params: { no: 1 } };

it.each([
  ['runs', 'active', [told], true],
  ['was paid to its end, and its phone was locked once', 'completed', [told, level(2), level(3)], true],
  ['was paid to its end, and its phone only reminded', 'completed', [told, level(2)], false],
  ['was cancelled', 'cancelled', [level(3)], false],
])('one may complain of an agreement that %s: %s', (_what, state, events, may) => {
  expect(mayComplain(state, { events })).toBe(may);
});

it('of a phone without a history one may while the agreement runs', () => {
  expect([mayComplain('active', null), mayComplain('completed', null), mayComplain(undefined, null)]).toEqual([
    true,
    false,
    false,
  ]);
});
