import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ahead } from './ahead.ts';

/** Counts to `length` and notes how far it was asked, and that it was ended. */
function counting(length: number, failsAt = Infinity) {
  const seen = { asked: 0, isEnded: false };
  async function* source() {
    try {
      for (let n = 0; n < length; n += 1) {
        seen.asked = n + 1;
        await new Promise(setImmediate);
        if (n === failsAt) throw new Error(`no ${n}`);
        yield n;
      }
    } finally {
      seen.isEnded = true;
    }
  }
  return { seen, source: source() };
}

test('gives the same items in the same order, and asks no further ahead than it may', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(20), fc.nat(6), async (length, depth) => {
      const { seen, source } = counting(length);
      const got: number[] = [];
      for await (const item of ahead(source, depth)) {
        got.push(item);
        await new Promise((resolve) => setTimeout(resolve, 1));
        expect(seen.asked).toBeLessThanOrEqual(item + 2 + depth);
      }
      expect(got).toEqual(Array.from({ length }, (_, n) => n));
      expect(seen.isEnded).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('works on the next items while the caller is busy with one', async () => {
  const { seen, source } = counting(10);
  const items = ahead(source, 4);
  await items.next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(seen.asked).toBe(5);
  await items.return(undefined);
});

test('a failure is told at its item, after those before it', async () => {
  const { seen, source } = counting(10, 3);
  const got: number[] = [];
  const all = async () => {
    for await (const item of ahead(source, 8)) got.push(item);
  };
  await expect(all()).rejects.toThrow('no 3');
  expect([got, seen.isEnded]).toEqual([[0, 1, 2], true]);
});

test('who breaks off leaves nothing under way', async () => {
  const { seen, source } = counting(10);
  for await (const item of ahead(source, 3)) if (item === 1) break;
  expect(seen.isEnded).toBe(true);
});
