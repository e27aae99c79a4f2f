import { expect, test } from 'vitest';
import { createSessionEpochs } from './session-epochs.ts';

const soon = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/** A database whose answer waits until it is let go. */
function slowDatabase() {
  const asked: { orgIds: readonly number[]; answer(epochs: Record<number, number>): void; fail(): void }[] = [];
  const read = (orgIds: readonly number[]) =>
    new Promise<Map<number, number>>((resolve, reject) => {
      asked.push({
        orgIds,
        answer: (epochs) => resolve(new Map(Object.entries(epochs).map(([orgId, epoch]) => [Number(orgId), epoch]))),
        fail: () => reject(new Error('away')),
      });
    });
  return { asked, read };
}

/** Epochs that know organisation 20's already, as number 4. */
async function epochsKnowing20(trustedMs: number) {
  const { asked, read } = slowDatabase();
  const epochs = createSessionEpochs(read, trustedMs);
  const first = epochs.now(20);
  await soon();
  asked[0]!.answer({ 20: 4 });
  await first;
  return { asked, epochs };
}

test('all who ask in one turn share a statement, and each organisation is asked once', async () => {
  const { asked, read } = slowDatabase();
  const epochs = createSessionEpochs(read);
  const all = Promise.all([epochs.now(20), epochs.now(21), epochs.now(20), epochs.recent(22)]);
  await soon();
  expect(asked.map(({ orgIds }) => orgIds)).toEqual([[20, 21, 22]]);
  asked[0]!.answer({ 20: 4, 21: 7 });
  expect(await all).toEqual([4, 7, 4, 0]);
});

test('a read rests on an answer that is recent, whoever asked for it; a change never does', async () => {
  const { asked, epochs } = await epochsKnowing20(60_000);
  expect(epochs.recent(20)).toBe(4);
  expect(epochs.recent(21)).toBeInstanceOf(Promise);
  void epochs.now(20);
  await soon();
  asked[1]!.answer({});
  await soon();
  expect(asked.map(({ orgIds }) => orgIds)).toEqual([[20], [21, 20]]);
});

test('an answer that is three quarters of its time old is renewed before anybody has to wait, and once only', async () => {
  const { asked, epochs } = await epochsKnowing20(400);
  await soon(320);
  expect([epochs.recent(20), epochs.recent(20)]).toEqual([4, 4]);
  await soon();
  expect(asked).toHaveLength(2);
  asked[1]!.answer({ 20: 5 });
  await soon();
  expect(epochs.recent(20)).toBe(5);
});

test('after a change here nothing counts that was asked before it, not even an answer under way', async () => {
  const { asked, read } = slowDatabase();
  const epochs = createSessionEpochs(read, 60_000);
  const before = epochs.now(20);
  await soon(2);
  epochs.changed(20);
  asked[0]!.answer({ 20: 4 });
  expect(await before).toBe(4);
  const after = epochs.recent(20);
  expect(after).toBeInstanceOf(Promise);
  await soon();
  asked[1]!.answer({ 20: 5 });
  expect(await after).toBe(5);
  expect(epochs.recent(20)).toBe(5);
});

test('a database that is away is told to who needs it, and leaves no answer behind', async () => {
  const { asked, read } = slowDatabase();
  const epochs = createSessionEpochs(read, 60_000);
  const first = epochs.recent(20);
  await soon();
  asked[0]!.fail();
  await expect(first).rejects.toThrow('away');
  const second = epochs.recent(20);
  await soon();
  asked[1]!.answer({ 20: 1 });
  expect(await second).toBe(1);
});
