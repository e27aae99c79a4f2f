import { expect, test } from 'vitest';
import { jsonInSlices, mapInSlices } from './slices.ts';

const numbers = Array.from({ length: 1234 }, (_, n) => n);

test('a long list is made in order, item by item with its place', async () => {
  expect(await mapInSlices(numbers, (n, index) => n * 2 + index)).toEqual(numbers.map((n) => n * 3));
  expect(await mapInSlices([], () => 1)).toEqual([]);
});

test('a long list gives way to whoever waits, a short one does not', async () => {
  const seen: string[] = [];
  const other = setImmediate(() => seen.push('other'));
  await mapInSlices(numbers.slice(0, 50), (n) => n === 49 && seen.push('short'));
  await mapInSlices(numbers, (n) => n === 1233 && seen.push('long'));
  clearImmediate(other);
  expect(seen).toEqual(['short', 'other', 'long']);
});

test('a list in JSON is the same in slices', async () => {
  const rows = numbers.map((n) => ({ n, text: `"${n}`, none: null, left: undefined }));
  expect(await jsonInSlices(rows)).toBe(JSON.stringify(rows));
  expect(await jsonInSlices([])).toBe('[]');
});

test('what an item throws is thrown', async () => {
  await expect(
    mapInSlices(numbers, (n) => {
      if (n === 700) throw new RangeError('700');
    }),
  ).rejects.toThrow('700');
});
