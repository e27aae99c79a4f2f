import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairGate } from './fair-gate.ts';

test('no more than allowed run at once, and a thousand works of one owner delay another by one', async () => {
  const gate = createFairGate(2);
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
  const all = Array.from({ length: 1000 }, () => gate('greedy', work('greedy')));
  expect(await gate('modest', work('modest'))).toBe('modest');
  expect(order.indexOf('modest')).toBeLessThanOrEqual(4);
  await Promise.all(all);
  expect([most, order.length]).toEqual([2, 1001]);
});

test('a work that fails makes room like any other', async () => {
  const gate = createFairGate(1);
  await expect(gate('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate('one', async () => 7)).toBe(7);
});
