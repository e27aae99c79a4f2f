import { expect, test } from 'vitest';
import { newDigits, newId, newToken } from './ids.ts';

test('ids are UUIDs of version 7 and sort by creation, also within one millisecond', () => {
  const ids = Array.from({ length: 20_000 }, newId);
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
    true,
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test('an id tells its moment to within the burst it was made in', () => {
  const before = Date.now();
  const at = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at - before).toBeLessThan(1_000);
});

test('tokens carry 256 bits and never repeat', () => {
  const tokens = Array.from({ length: 1_000 }, newToken);
  expect(tokens.every((token) => Buffer.from(token, 'base64url').length === 32)).toBe(true);
  expect(new Set(tokens).size).toBe(tokens.length);
});

test('every digit of a code is equally likely, the first one included', () => {
  expect(newDigits(6)).toMatch(/^\d{6}$/);
  const draws = 20_000;
  const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0));
  for (let draw = 0; draw < draws; draw += 1) {
    const code = newDigits(6);
    for (const [place, digit] of code.split('').entries()) counts[place]![Number(digit)]! += 1;
  }
  // Chi-square with 9 degrees of freedom: above 40 happens once in 100,000.
  for (const place of counts) {
    const chiSquare = place.reduce((sum, count) => sum + (count - draws / 10) ** 2 / (draws / 10), 0);
    expect(chiSquare).toBeLessThan(40);
  }
});
