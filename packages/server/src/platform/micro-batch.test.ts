import fc from 'fast-check';
import { expect, test } from 'vitest';
import { microBatch } from './micro-batch.ts';

test('every caller gets the answer to its own item, in whatever batches they travelled', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(), { maxLength: 50 }),
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 3 }),
      async (items, maxItems, inFlight) => {
        let running = 0;
        let most = 0;
        const ask = microBatch(
          async (batch: number[]) => {
            most = Math.max(most, ++running);
            expect(batch.length).toBeLessThanOrEqual(maxItems);
            await new Promise(setImmediate);
            running -= 1;
            return batch.map((item) => item * 2);
          },
          { maxItems, inFlight },
        );
        expect(await Promise.all(items.map(ask))).toEqual(items.map((item) => item * 2));
        expect(most).toBeLessThanOrEqual(inFlight);
      },
    ),
  );
});

test('a failed statement fails its own callers only, and a wrong number of answers is a failure', async () => {
  let calls = 0;
  const ask = microBatch(async (batch: number[]) => {
    calls += 1;
    if (calls === 1) throw new Error('away');
    return calls === 2 ? [] : batch;
  });
  await expect(ask(1)).rejects.toThrow('away');
  await expect(ask(2)).rejects.toThrow('0 results for 1 items');
  expect(await ask(3)).toBe(3);
});

test('calls of one turn of the loop share one statement', async () => {
  const sizes: number[] = [];
  const ask = microBatch(async (batch: number[]) => {
    sizes.push(batch.length);
    return batch;
  });
  await Promise.all(Array.from({ length: 100 }, (_, n) => ask(n)));
  expect(sizes).toEqual([100]);
});
