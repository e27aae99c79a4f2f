import { beforeEach, describe, expect, test } from 'vitest';
import { ORG } from '#test/device-world.ts';
import { dispatchActs } from '#test/dispatch-acts.ts';
import { useDispatchWorld } from '#test/use-dispatch-world.ts';
import { NOT_BEGUN } from './adapter.ts';
import { create } from './commands.ts';

const world = useDispatchWorld();
const { recorder, phones, level, rowOf } = dispatchActs(() => world);

test('of what a vendor allows in a minute, unlocks are carried and locks wait', async () => {
  const many = await phones(5);
  for (const deviceId of many) await level(deviceId, 4);
  for (const deviceId of many.slice(3)) await level(deviceId, 0);
  await world.db.asOwner('delete from vendor_budgets');
  const { dispatcher, devices } = recorder(undefined, { budget: { perMinute: 1, burst: 3 } });
  await dispatcher.drain();
  expect(devices().slice(0, 2).toSorted()).toEqual(many.slice(3).toSorted());
  expect(devices()).toHaveLength(3);
  expect((await Promise.all(many.map(rowOf))).filter((row) => row!.isWaiting)).toHaveLength(2);
});

test('a call that was not begun, for an unlock waits, uses up nothing of the minute: the unlock has its call', async () => {
  const [first, second] = await phones(2);
  await level(first!, 4);
  await level(second!, 4);
  await world.db.asOwner('delete from vendor_budgets');
  const given: string[][] = [];
  const { dispatcher } = recorder(undefined, {
    budget: { perMinute: 1, burst: 3 },
    deliver: async (batch) => {
      given.push(batch.map(({ deviceId }) => deviceId));
      if (given.length > 1) return batch.map(() => ({ outcome: 'told' }));
      await level(second!, 0);
      return batch.map(() => NOT_BEGUN);
    },
  });
  await dispatcher.drain();
  expect(given.slice(1, 3)).toEqual([[second], [first]]);
});

describe('what a vendor takes in a day', () => {
  const daily = { perMinute: 600, burst: 600, perDay: 4, keptForUnlocks: 2 };
  const vendor = () =>
    recorder(
      ({ desired, before }) => ({ outcome: 'told', ...(desired?.revision !== before.revision && { operation: 'o' }) }),
      {
        batchSize: 10,
        budget: daily,
      },
    );
  beforeEach(() => world.db.asOwner('delete from vendor_budgets'));

  test('is not used up by locks: an unlock of the same day goes at once, and the locks go the next day', async () => {
    const many = await phones(5);
    for (const deviceId of many) await level(deviceId, 4);
    const first = vendor();
    await first.dispatcher.drain();
    expect(first.devices()).toHaveLength(2);
    const locked = first.devices()[0]!;
    await level(locked, 0);
    const second = vendor();
    await second.dispatcher.drain();
    expect(second.devices()).toEqual([locked]);
    await world.db.asOwner(`update vendor_budgets set day = day - 1`);
    const next = vendor();
    await next.dispatcher.drain();
    expect(next.devices()).toHaveLength(2);
    expect(next.devices().every((deviceId) => many.includes(deviceId) && deviceId !== locked)).toBe(true);
  });

  test('is counted anew each day: what was carried yesterday takes nothing from today', async () => {
    const many = await phones(4);
    const carriedOf = async (some: readonly string[]) => {
      for (const deviceId of some) await level(deviceId, 4);
      const carrying = vendor();
      await carrying.dispatcher.drain();
      return carrying.devices();
    };
    expect(await carriedOf(many.slice(0, 2))).toHaveLength(2);
    await world.db.asOwner(`update vendor_budgets set day = day - 1`);
    for (const deviceId of many.slice(2)) expect(await carriedOf([deviceId])).toEqual([deviceId]);
  });

  test('is no reason for a question to wait', async () => {
    const many = await phones(3);
    for (const deviceId of many) await level(deviceId, 4);
    await vendor().dispatcher.drain();
    const left = (await Promise.all(many.map(rowOf))).findIndex((row) => row!.isWaiting);
    await world.db.transaction(ORG, (tx) =>
      create(tx, {
        deviceId: many[left]!,
        type: 'location',
        state: 'QUEUED',
        reason: 'CUSTOMER_REQUEST',
        requestedBy: null,
      }),
    );
    const asked = vendor();
    await asked.dispatcher.drain();
    expect(asked.devices()).toEqual([many[left]]);
  });
});
