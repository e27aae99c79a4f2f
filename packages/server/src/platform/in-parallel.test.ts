import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('so many at a time and no more, results in the order of the items; a failure is thrown when all are over', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const work = async (item: number) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 10 - item));
    running -= 1;
    if (item === 2) throw new Error('two');
    done.push(item);
    return item * 2;
  };
  expect(await inParallel([5, 4, 3, 1], 3, work)).toEqual([10, 8, 6, 2]);
  expect(most).toBe(3);
  done.length = 0;
  await expect(inParallel([1, 2, 3, 4, 5], 2, work)).rejects.toThrow('two');
  expect(done.toSorted((a, b) => a - b)).toEqual([1, 3, 4, 5]);
  expect(await inParallel([], 3, work)).toEqual([]);
});
