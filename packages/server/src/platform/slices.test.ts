import { expect, test } from 'vitest';
import { mapInSlices } from './slices.ts';

const numbers = Array.from({ length: 1234 }, (_, n) => n);

test('a long list is made in order, item by item with its place', async () => {
  expect(await mapInSlices(numbers, (n, index) => n * 2 + index)).toEqual(numbers.map((n) => n * 3));
  expect(await mapInSlices([], () => 1)).toEqual([]);
});

test('a long list gives way to whoever waits, a short one does not', async () => {
  const seen: string[] = [];
  const other = setImmediate(() => seen.push('other'));
  await mapInSlices(numbers.slice(0, 20), (n) => n === 19 && seen.push('short'));
  await mapInSlices(numbers, (n) => n === 1233 && seen.push('long'));
  clearImmediate(other);
  expect(seen).toEqual(['short', 'other', 'long']);
});

test('of two long lists the first is ready before the second begins, and one that fails stops no other', async () => {
  const seen: string[] = [];
  const note = (name: string) => (n: number) => {
    if (n === 0 || n === 1233) seen.push(`${name}${n}`);
    if (name === 'b' && n === 700) throw new RangeError('700');
  };
  const lists = await Promise.allSettled(['a', 'b', 'c'].map((name) => mapInSlices(numbers, note(name))));
  expect(seen).toEqual(['a0', 'a1233', 'b0', 'c0', 'c1233']);
  expect(lists.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('what is wanted now goes before what is made ahead, also when that has begun', async () => {
  const seen: string[] = [];
  const note = (name: string) => (n: number) => {
    if (n === 0 || n === 1233) seen.push(`${name}${n}`);
  };
  let now: Promise<unknown> | undefined;
  const noteEarly = (n: number) => {
    note('early')(n);
    now ??= mapInSlices(numbers, note('now'));
  };
  await Promise.all([mapInSlices(numbers, noteEarly, 'ahead'), mapInSlices(numbers, note('next'), 'ahead')]);
  await now;
  expect(seen).toEqual(['early0', 'now0', 'now1233', 'early1233', 'next0', 'next1233']);
});

test('what an item throws is thrown', async () => {
  await expect(
    mapInSlices(numbers, (n) => {
      if (n === 700) throw new RangeError('700');
    }),
  ).rejects.toThrow('700');
});
