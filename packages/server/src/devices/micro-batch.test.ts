import { expect, test } from 'vitest';
import { createMicroBatch } from './micro-batch.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A batch runner that a test lets go by hand. */
function held() {
  const batches: { items: readonly string[]; go: () => void }[] = [];
  const ask = createMicroBatch<string, string>({
    keyOf: (item) => item.split(':')[0]!,
    maxBatch: 3,
    maxInFlight: 2,
    maxWaiting: 5,
    run: (items) =>
      new Promise((resolve) => batches.push({ items, go: () => resolve(items.map((item) => `${item}!`)) })),
  });
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

test('one bad item fails alone', async () => {
  let runs = 0;
  const ask = createMicroBatch<string, string>({
    keyOf: (item) => item,
    maxBatch: 10,
    maxInFlight: 1,
    maxWaiting: 10,
    run: async (items) => {
      runs += 1;
      await settled();
      if (items.includes('bad')) throw new Error('bad');
      return items.map((item) => item.toUpperCase());
    },
  });
  const answers = await Promise.allSettled(['first', 'good', 'bad', 'fine'].map((item) => ask(item)));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed'))).toEqual([
    'FIRST',
    'GOOD',
    'failed',
    'FINE',
  ]);
  expect(runs).toBe(5);
});
