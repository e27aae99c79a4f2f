import { expect, it } from 'vitest';
import { locksAnHour } from './bulk-cap.ts';

it.each([
  [0, 50],
  [2_549, 50],
  [2_550, 51],
  [100_000, 2_000],
])('of %i phones %i may be locked in an hour: two in a hundred, and never fewer than fifty', (phones, most) => {
  expect(locksAnHour(phones)).toBe(most);
});
