import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inLanes, inParts } from './lanes.ts';

async function* numbers(upTo: number): AsyncGenerator<number> {
  for (let n = 1; n <= upTo; n += 1) yield n;
}

describe('lanes', () => {
  test('work on every part once, begin them in their order, and never on more at once than there are lanes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }),
        async (lanes, waits) => {
          const begun: number[] = [];
          let [atWork, most] = [0, 0];
          await inLanes(
            numbers(waits.length),
            async (n) => {
              begun.push(n);
              atWork += 1;
              most = Math.max(most, atWork);
              await sleep(waits[n - 1]);
              atWork -= 1;
            },
            lanes,
          );
          expect(begun).toEqual(waits.map((_wait, index) => index + 1));
          expect(most).toBeLessThanOrEqual(lanes);
          expect(most).toBe(Math.min(lanes, waits.length));
          expect(atWork).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('begin nothing more once a part has failed, wait for what is under way, and say why', async () => {
    const [begun, ended]: [number[], number[]] = [[], []];
    const work = async (n: number) => {
      begun.push(n);
      await sleep(n === 1 ? 30 : 1);
      if (n === 2) throw new Error('the second');
      ended.push(n);
    };
    await expect(inLanes(numbers(10), work, 2)).rejects.toThrow('the second');
    expect([begun, ended]).toEqual([[1, 2], [1]]);
  });

  test('say why the next part could not be had', async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 1;
      throw new Error('no look');
    }
    await expect(inLanes(broken(), async () => undefined)).rejects.toThrow('no look');
  });
});

describe('parts', () => {
  test('hold everything that there is to find, each once and in its order, whatever a look and a part may hold', async () => {
    const id = (n: number) => String(n).padStart(4, '0');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(40),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 7 }),
        async (all, found, part) => {
          const there = Array.from({ length: all }, (_one, index) => id(index));
          const parts: (readonly string[])[] = [];
          const look = async (after: string | undefined, limit: number) =>
            there.filter((one) => after === undefined || one > after).slice(0, limit);
          for await (const ids of inParts(look, { found, part })) parts.push(ids);
          expect(parts.flat()).toEqual(there);
          for (const ids of parts) expect(ids.length).toBeLessThanOrEqual(part);
          expect(parts.every((ids) => ids.length > 0)).toBe(true);
        },
      ),
    );
  });
});
