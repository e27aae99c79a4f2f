import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

test('no more than allowed run at once, and a thousand works of one owner delay another by one', async () => {
  const inTurn = createFairTurns(2);
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const work = (name: string) => async () => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    order.push(name);
    return name;
  };
  const all = Array.from({ length: 1000 }, () => inTurn('greedy', work('greedy')));
  expect(await inTurn('modest', work('modest'))).toBe('modest');
  expect(order.indexOf('modest')).toBeLessThanOrEqual(4);
  await Promise.all(all);
  expect([most, order.length]).toEqual([2, 1001]);
});

test('a work that fails makes room like any other', async () => {
  const inTurn = createFairTurns(1);
  await expect(inTurn('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await inTurn('one', async () => 7)).toBe(7);
});
