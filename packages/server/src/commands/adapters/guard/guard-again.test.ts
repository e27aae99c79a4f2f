import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as devices from '#server/devices/devices.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { closeClouds, guardActs } from '#test/spoken-cloud.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
  await world.dispatcher.stop();
});
afterAll(() => closeDeviceWorld(world));
afterEach(closeClouds);
const { cloud, phone, level, again, hurry, waiting } = guardActs(() => world);

/** A cloud that keeps each request as one transaction for ever, and the first of them all failed for a reason that passes. */
async function busyCloud() {
  const requests: string[] = [];
  const taken = (_of: string, { request_id }: { request_id: string }) => {
    if (!requests.includes(request_id)) requests.push(request_id);
    return { status: 202, body: { transaction_id: `t${requests.indexOf(request_id)}` } };
  };
  const handles: string[] = [];
  const made = await cloud({
    'POST /devices/targets': taken,
    'POST /devices/complete': taken,
    'GET /transactions/t0': () => ({
      body: {
        transaction_id: 't0',
        status: 'done',
        results: handles.map((device_id) => ({ device_id, status: 'error', code: 'BUSY' })),
      },
    }),
  });
  return { ...made, requests, handles };
}

test('an unlock that the cloud took and could not carry out yet is ordered anew, not asked for as the call that is over', async () => {
  const { says, drain, requests, handles } = await busyCloud();
  const { deviceId, handle } = await phone();
  handles.push(handle);
  await level(deviceId, 0);
  await drain();
  await says({ type: 'transaction.done', transaction_id: 't0' });
  expect(await waiting(deviceId)).toMatchObject({ why: 'BUSY', inS: expect.any(Number) });
  await hurry();
  await drain();
  expect(requests).toHaveLength(2);
  expect(await waiting(deviceId)).toMatchObject({ operation: 't1', inS: null });
});

test('a release that could not be carried out yet is ordered anew: a phone that was let go does not stay locked', async () => {
  const { says, drain, requests, handles } = await busyCloud();
  const { deviceId, handle } = await phone();
  handles.push(handle);
  await world.db.transaction(ORG, (tx) => devices.release(tx, SYSTEM(ORG), deviceId));
  await drain();
  await says({ type: 'transaction.done', transaction_id: 't0' });
  await hurry();
  await drain();
  expect(requests).toHaveLength(2);
  expect(await waiting(deviceId)).toMatchObject({ operation: 't1', inS: null });
});

test('a call whose answer was lost is the same call when it is made again, a release too', async () => {
  const requests: string[] = [];
  const silent = (_of: string, { request_id }: { request_id: string }) => {
    requests.push(request_id);
    return { status: 503, body: { code: 'UNAVAILABLE' } };
  };
  const { drain } = await cloud({ 'POST /devices/targets': silent, 'POST /devices/complete': silent });
  const [held, letGo] = [await phone(), await phone()];
  await drain();
  requests.length = 0;
  await level(held.deviceId, 4);
  await world.db.asOwner('update deliveries set next_at = null where device_id <> $1', [held.deviceId]);
  for (let time = 0; time < 2; time += 1) {
    await hurry();
    await drain();
  }
  await world.db.asOwner('update deliveries set next_at = null');
  await world.db.transaction(ORG, (tx) => devices.release(tx, SYSTEM(ORG), letGo.deviceId));
  for (let time = 0; time < 2; time += 1) {
    await hurry();
    await drain();
  }
  expect(requests).toHaveLength(4);
  expect(new Set(requests).size).toBe(2);
});

test('an unlock that stays pending at the cloud is ordered anew, more and more rarely, and is not waited for without end', async () => {
  const requests: string[] = [];
  const { drain } = await cloud({
    'POST /devices/targets': (_of, { request_id }) => {
      requests.push(request_id);
      return { status: 202, body: { transaction_id: `p${requests.length}` } };
    },
    'GET /transactions/': (of) => ({
      body: { transaction_id: of.split('/').at(-1), status: 'pending', results: [] },
    }),
    'GET /devices/': (of) => ({
      body: {
        device_id: of.split('/').at(-1),
        state: 'enrolled',
        target: null,
        applied: null,
        last_seen_at: null,
        sims: [],
      },
    }),
  });
  const { deviceId } = await phone();
  await world.db.asOwner('update deliveries set next_at = null');
  await level(deviceId, 0);
  const orderedBy: number[] = [];
  for (let time = 0; time < 17; time += 1) {
    if (time > 0) await again(deviceId);
    await drain();
    orderedBy.push(requests.length);
  }
  expect(orderedBy).toEqual([1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4]);
  expect(new Set(requests).size).toBe(4);
});
