import { describe, expect, test, vi } from 'vitest';
import { dispatchActs } from '#test/dispatch-acts.ts';
import { useDispatchWorld } from '#test/use-dispatch-world.ts';

const world = useDispatchWorld();
const { recorder, drainThrowing, phones, level, rowOf } = dispatchActs(() => world);

describe('phones that only need to hear that there is something', () => {
  test('are off the queue once they heard', async () => {
    const made = await phones(3);
    for (const deviceId of made) await level(deviceId, 4);
    const { dispatcher, devices } = recorder(undefined, { carries: false });
    await dispatcher.drain();
    expect(devices().toSorted()).toEqual(made.toSorted());
    for (const deviceId of made) expect(await rowOf(deviceId)).toMatchObject({ isWaiting: false, tries: 1 });
  });

  test('are all told, however many; where a batch is not full nobody looks for more', async () => {
    const asked = vi.spyOn(world.db.devicePool, 'query');
    for (const [count, batchSize, looks] of [
      [5, 2, 3],
      [3, 10, 1],
    ] as const) {
      const made = await phones(count);
      for (const deviceId of made) await level(deviceId, 4);
      const { dispatcher, devices } = recorder(undefined, { carries: false, batchSize });
      asked.mockClear();
      await dispatcher.drain();
      expect(devices().toSorted()).toEqual(made.toSorted());
      expect(asked.mock.calls.filter((call) => JSON.stringify(call).includes('organisations_waiting'))).toHaveLength(
        looks,
      );
    }
    asked.mockRestore();
  });

  test('wait as before when whoever tells them fails, and another tells them at once', async () => {
    const [deviceId] = await phones(1);
    await level(deviceId!, 4);
    expect(await drainThrowing({ carries: false })).toHaveLength(1);
    expect(await rowOf(deviceId!)).toMatchObject({ isWaiting: true, tries: 0 });
    const other = recorder(undefined, { carries: false });
    await other.dispatcher.drain();
    expect(other.devices()).toEqual([deviceId]);
  });

  test('are passed over while another is telling them, and a change that comes meanwhile is told after', async () => {
    const [deviceId] = await phones(1);
    await level(deviceId!, 4);
    let told = (): void => undefined;
    const isTold = new Promise<void>((resolve) => (told = resolve));
    const first = recorder(undefined, {
      carries: false,
      deliver: async (batch) => {
        first.calls.push([...batch]);
        if (first.calls.length === 1) await isTold;
        return batch.map(() => ({ outcome: 'told' }));
      },
    });
    const drained = first.dispatcher.drain();
    await expect.poll(() => first.calls.length).toBe(1);
    const other = recorder(undefined, { carries: false });
    await other.dispatcher.drain();
    expect(other.devices()).toEqual([]);
    const freed = level(deviceId!, 0);
    told();
    await Promise.all([drained, freed]);
    await first.dispatcher.drain();
    expect(first.devices()).toEqual([deviceId, deviceId]);
    expect(await rowOf(deviceId!)).toMatchObject({ isWaiting: false });
  });
});
