import { expect, it } from 'vitest';
import { remaining } from './remaining.ts';

it('counts down in hours, minutes and seconds, and ends', () => {
  expect(remaining(24 * 3_600_000)).toBe('24:00:00');
  expect(remaining(61_000)).toBe('1:01');
  expect(remaining(1)).toBe('0:01');
  expect(remaining(0)).toBeNull();
});
