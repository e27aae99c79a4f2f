import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Named } from '#server/commands/adapter.ts';
import { createPhoneKeys } from './phone-keys.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const nobodys = () => `20.${crypto.randomUUID()}`;
/** Nobody's keys, and how many names each look at the database asked for. */
function nobody() {
  const asked: number[] = [];
  const keys = createPhoneKeys({
    keysOf: async (named: readonly Named[]) => {
      asked.push(named.length);
      return named.map(() => undefined);
    },
  });
  return { keys, asked };
}
const answered = async <T>(all: readonly (T | Promise<T>)[]): Promise<T[]> => {
  const done = Promise.all(all);
  await vi.advanceTimersByTimeAsync(1000);
  return done;
};

test('suspects who ask at once under one name are one look, and those under many names one statement', async () => {
  const { keys, asked } = nobody();
  const name = nobodys();
  const one = await answered(Array.from({ length: 50 }, () => keys.isPhone(name)));
  expect([new Set(one), asked]).toEqual([new Set([false]), [1]]);
  await answered(Array.from({ length: 50 }, () => keys.isPhone(nobodys())));
  expect(asked).toEqual([1, 50]);
});

test('who goes on under a name that is nobody’s costs no look for five seconds, and is looked for again by then', async () => {
  const { keys, asked } = nobody();
  const name = nobodys();
  await answered([keys.isPhone(name)]);
  expect(keys.isPhone(name)).toBe(false);
  for (let second = 0; second < 5; second += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    void keys.isPhone(nobodys());
  }
  expect(keys.isPhone(name)).toBeInstanceOf(Promise);
  expect(asked[0]).toBe(1);
});

test('a name that was nobody’s and enrols here is looked for at once', async () => {
  const { keys, asked } = nobody();
  const name = nobodys();
  await answered([keys.isPhone(name)]);
  keys.enrolled(name);
  await answered([keys.isPhone(name)]);
  expect(asked).toEqual([1, 1]);
});

test('names that were nobody’s are forgotten, the eldest first, before they fill the memory', async () => {
  const { keys } = nobody();
  const all = Array.from({ length: 21_000 }, nobodys);
  for (let at = 0; at < all.length; at += 1500)
    await answered(all.slice(at, at + 1500).map((name) => keys.isPhone(name)));
  expect(keys.isPhone(all[0]!)).toBeInstanceOf(Promise);
});
