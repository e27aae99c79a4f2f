import { expect, test } from 'vitest';
import * as devices from '#server/devices/devices.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { ORG } from '#test/device-world.ts';
import { dispatchActs } from '#test/dispatch-acts.ts';
import { useDispatchWorld } from '#test/use-dispatch-world.ts';
import type { Outcome } from './adapter.ts';

const world = useDispatchWorld();
const { recorder, phones, level, rowOf } = dispatchActs(() => world);

const DAY_MS = 86_400_000;
const later = (afterMs: number, more: { isTrouble?: false } = {}): Outcome => ({
  outcome: 'later',
  afterMs,
  why: 'not now',
  ...more,
});
/** What is open is carried to a vendor that says "later", as if it had been tried so often before. @returns seconds until it is tried again */
async function pauseOf(deviceId: string, says: Outcome, { before, priority }: { before?: number; priority?: 1 } = {}) {
  await world.db.asOwner(
    'update deliveries set next_at = kist_now(), troubles = coalesce($2, troubles), priority = coalesce($3, priority) where device_id = $1',
    [deviceId, before ?? null, priority ?? null],
  );
  const answer = () => says;
  const { dispatcher } = recorder(answer, { release: async () => says });
  await dispatcher.drain();
  return (await rowOf(deviceId))!.inS!;
}

test('an unlock is tried again within a minute, however long its vendor was away and whatever time it named', async () => {
  const [deviceId] = await phones(1);
  await level(deviceId!, 4);
  for (const to of [0, 2] as const) {
    await level(deviceId!, to);
    for (const more of [{}, { before: 30 }, { before: 30, priority: 1 as const }])
      for (const afterMs of [5000, DAY_MS, 4_000_000_000])
        expect(await pauseOf(deviceId!, later(afterMs), more)).toBeLessThanOrEqual(60);
  }
});

test('a release is tried again within a minute too', async () => {
  const [deviceId] = await phones(1);
  await world.db.transaction(ORG, (tx) => devices.release(tx, SYSTEM(ORG), deviceId!));
  expect(await pauseOf(deviceId!, later(DAY_MS), { before: 30, priority: 1 })).toBeLessThanOrEqual(60);
});

test('a lock waits as long as its vendor says, an hour at most, and longer by trouble up to a quarter of one', async () => {
  const [deviceId] = await phones(1);
  await level(deviceId!, 4);
  const pause = (afterMs: number, before = 0) => pauseOf(deviceId!, later(afterMs), { before });
  expect(await pause(120_000)).toBeGreaterThan(115);
  expect(await pause(5000, 30)).toBeGreaterThan(890);
  for (const afterMs of [DAY_MS, 4_000_000_000]) {
    const pauseS = await pause(afterMs);
    expect(pauseS).toBeGreaterThan(3590);
    expect(pauseS).toBeLessThanOrEqual(3600);
  }
});

test('what was asked about often and answered well makes no pause longer: trouble alone does, and it is over with the first that is told', async () => {
  const [deviceId] = await phones(1);
  await level(deviceId!, 4);
  for (let asked = 0; asked < 12; asked += 1) await pauseOf(deviceId!, { outcome: 'told' });
  expect(await rowOf(deviceId!)).toMatchObject({ tries: 12, troubles: 0 });
  expect(await pauseOf(deviceId!, later(0))).toBeLessThan(2);
  expect(await pauseOf(deviceId!, later(0), { before: 5 })).toBeGreaterThan(30);
  expect(await rowOf(deviceId!)).toMatchObject({ tries: 14, troubles: 6 });
  await pauseOf(deviceId!, { outcome: 'told' }, { before: 6 });
  expect(await rowOf(deviceId!)).toMatchObject({ tries: 15, troubles: 0 });
});

test('a turn that has not come is no trouble: it is not counted, and no later pause grows by it', async () => {
  const [deviceId] = await phones(1);
  await level(deviceId!, 4);
  expect(await pauseOf(deviceId!, later(10_000, { isTrouble: false }), { before: 12 })).toBeLessThan(13);
  expect((await rowOf(deviceId!))!.troubles).toBe(12);
});
