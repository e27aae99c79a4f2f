import fc from 'fast-check';
import { expect, test } from 'vitest';
import { waitOf } from './wait.ts';

const UNIT_S = { 'wait.seconds': 1, 'wait.minutes': 60, 'wait.hours': 3600 };

test('is never too short, and by less than one unit too long', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 30 * 86_400, noNaN: true }), (seconds) => {
      const { key, count } = waitOf(seconds);
      const saidS = count * UNIT_S[key];
      expect(saidS).toBeGreaterThanOrEqual(seconds);
      expect(saidS - seconds).toBeLessThan(UNIT_S[key]);
    }),
  );
});

test.each([
  [0, 'wait.seconds', 1],
  [17, 'wait.seconds', 17],
  [91, 'wait.minutes', 2],
  [900, 'wait.minutes', 15],
  [5401, 'wait.hours', 2],
  [25_200, 'wait.hours', 7],
])('%d s is said as %s, %d', (seconds, key, count) => {
  expect(waitOf(seconds)).toEqual({ key, count });
});
