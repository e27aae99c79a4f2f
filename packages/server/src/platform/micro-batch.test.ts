import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type MicroBatchOptions, microBatch } from './micro-batch.ts';

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

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A batch runner that a test lets go by hand. */
function held(options: MicroBatchOptions<string> = {}) {
  const batches: { items: readonly string[]; go: () => void }[] = [];
  const ask = microBatch(
    (items: string[]) =>
      new Promise<string[]>((resolve) => batches.push({ items, go: () => resolve(items.map((item) => `${item}!`)) })),
    { keyOf: (item) => item.split(':')[0]!, maxItems: 3, inFlight: 2, maxWaiting: 5, leavesAtOnce: true, ...options },
  );
  return { batches, ask };
}

test('a quiet server sends at once, a busy one gathers what waits', async () => {
  const { batches, ask } = held();
  const answers = ['a', 'b', 'c', 'd', 'e', 'f'].map((item) => ask(item));
  expect(batches.map(({ items }) => items)).toEqual([['a'], ['b']]);
  batches[0]!.go();
  await settled();
  expect(batches[2]?.items).toEqual(['c', 'd', 'e']);
  batches[1]!.go();
  await settled();
  expect(batches[3]?.items).toEqual(['f']);
  batches[2]!.go();
  batches[3]!.go();
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!', 'f!']);
});

test('two of one phone are never under way together and keep their order', async () => {
  const { batches, ask } = held();
  const answers = [ask('a:1'), ask('a:2'), ask('b:1')];
  expect(batches.map(({ items }) => items)).toEqual([['a:1'], ['b:1']]);
  batches[0]!.go();
  await settled();
  expect(batches[2]?.items).toEqual(['a:2']);
  batches[1]!.go();
  batches[2]!.go();
  expect(await Promise.all(answers)).toEqual(['a:1!', 'a:2!', 'b:1!']);
});

test('when too many wait the next is told to come later, and nobody before it is lost', async () => {
  const { batches, ask } = held();
  const answers = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((item) => ask(item));
  await expect(ask('h')).rejects.toMatchObject({ code: 'UNAVAILABLE', options: { retryAfterS: 5 } });
  for (let at = 0; at < 4; at += 1) {
    batches[at]?.go();
    await settled();
  }
  expect(await Promise.all(answers)).toHaveLength(7);
});

test('one bad item fails alone where each is tried by itself', async () => {
  let runs = 0;
  const ask = microBatch(
    async (items: string[]) => {
      runs += 1;
      await settled();
      if (items.includes('bad')) throw new Error('bad');
      return items.map((item) => item.toUpperCase());
    },
    { keyOf: (item) => item, maxItems: 10, inFlight: 1, leavesAtOnce: true, retriesAlone: true },
  );
  const answers = await Promise.allSettled(['first', 'good', 'bad', 'fine'].map((item) => ask(item)));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed'))).toEqual([
    'FIRST',
    'GOOD',
    'failed',
    'FINE',
  ]);
  expect(runs).toBe(5);
});

test('elsewhere a batch fails as one, after one try', async () => {
  let runs = 0;
  const ask = microBatch(async (_items: string[]): Promise<string[]> => {
    runs += 1;
    throw new Error('away');
  });
  const answers = await Promise.allSettled(['first', 'second'].map((item) => ask(item)));
  expect([answers.map(({ status }) => status), runs]).toEqual([['rejected', 'rejected'], 1]);
});

test('callers of a gathering lane wait for each other, also behind a batch', async () => {
  const sizes: number[] = [];
  const ask = microBatch(
    async (batch: number[]) => {
      sizes.push(batch.length);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return batch;
    },
    { inFlight: 1, gatherMs: 15 },
  );
  const first = Promise.all([1, 2, 3].map(ask));
  await new Promise((resolve) => setTimeout(resolve, 2));
  const more = Promise.all([4, 5].map(ask));
  await Promise.all([first, more]);
  await Promise.all([ask(6), new Promise((resolve) => setTimeout(resolve, 5)).then(() => ask(7))]);
  expect(sizes).toEqual([5, 2]);
});

test('enough of those who are gathered wait for no others, also behind a batch; fewer do, and all that wait leave then', async () => {
  vi.useFakeTimers();
  try {
    const one = held({ inFlight: 1, maxItems: 5, leavesAtOnce: false, gatherMs: 20, enough: 3 });
    let came = 0;
    const sizes = () => one.batches.map(({ items }) => items.length);
    const come = (many: number) => Array.from({ length: many }, () => void one.ask(`${(came += 1)}`));
    come(2);
    await vi.advanceTimersByTimeAsync(19);
    expect(sizes()).toEqual([]);
    come(1);
    expect(sizes()).toEqual([3]);
    one.batches[0]!.go();
    await vi.advanceTimersByTimeAsync(0);
    come(1);
    await vi.advanceTimersByTimeAsync(19);
    expect(sizes()).toEqual([3]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sizes()).toEqual([3, 1]);
    come(4);
    await vi.advanceTimersByTimeAsync(100);
    one.batches[1]!.go();
    await vi.advanceTimersByTimeAsync(0);
    expect(sizes()).toEqual([3, 1, 4]);
  } finally {
    vi.useRealTimers();
  }
});

describe('with patience', () => {
  const patient = { patienceMs: 20, maxItems: 4, inFlight: 3, maxWaiting: 100 };
  const itemsOf = ({ batches }: ReturnType<typeof held>) => batches.map(({ items }) => items.join(''));
  afterEach(() => vi.useRealTimers());

  test('those who come while a statement is under way leave together with the next', async () => {
    const one = held(patient);
    const answers = ['a', 'b', 'c'].map((item) => one.ask(item));
    expect(itemsOf(one)).toEqual(['a']);
    one.batches[0]!.go();
    await settled();
    expect(itemsOf(one)).toEqual(['a', 'bc']);
    one.batches[1]!.go();
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!']);
  });

  test('a whole batch does not wait', () => {
    const one = held(patient);
    for (const item of ['a', 'b', 'c', 'd', 'e', 'f']) void one.ask(item);
    expect(itemsOf(one)).toEqual(['a', 'bcde']);
  });

  test('statements that are held up hold nobody up: each time after so long the next goes beside them', async () => {
    vi.useFakeTimers();
    const one = held(patient);
    for (const item of ['a', 'b', 'c', 'd']) {
      void one.ask(item);
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(itemsOf(one)).toEqual(['a', 'b', 'c']);
    void one.ask('e');
    await vi.advanceTimersByTimeAsync(1000);
    expect(itemsOf(one)).toHaveLength(3);
    one.batches[1]!.go();
    await vi.advanceTimersByTimeAsync(20);
    expect(itemsOf(one)).toEqual(['a', 'b', 'c', 'de']);
  });
});
