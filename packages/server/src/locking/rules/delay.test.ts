import { expect, test } from 'vitest';
import { consented, dayOfDate, onDay, overdue } from '#test/lock-facts.ts';
import { delayOf } from './delay.ts';

const DUE = dayOfDate('2026-03-10');

test('what was reckoned of an agreement is not told of other facts of it', () => {
  const facts = overdue(3);
  const { agreement } = facts;
  if (!agreement) throw new Error('no agreement');
  expect(delayOf(facts)?.countsFrom).toBe('2026-03-10');
  expect(delayOf({ agreement, consents: [consented(onDay(DUE + 2))] })?.countsFrom).toBe('2026-03-12');
  expect(delayOf({ agreement, consents: facts.consents })?.countsFrom).toBe('2026-03-10');
  expect(delayOf({ agreement, consents: [] })?.countsFrom).toBe('2026-03-10');
  expect(delayOf({ agreement: { ...agreement, oldestUnpaidPaise: 0 }, consents: facts.consents })).toBeNull();
  expect(delayOf({ agreement: { ...agreement, noticesFromMs: 7 }, consents: facts.consents })?.noticesFromMs).toBe(7);
  expect(delayOf({ agreement: null, consents: facts.consents })).toBeNull();
});
