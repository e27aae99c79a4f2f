import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Delivery, Outcome } from '#server/commands/adapter.ts';
import { createGuardClient } from '#server/commands/adapters/guard/guard-client.ts';
import { setDesired } from '#server/devices/desired.ts';
import * as devices from '#server/devices/devices.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { dispatchActs } from '#test/dispatch-acts.ts';
import { type Said, closeClouds, guardActs } from '#test/spoken-cloud.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
  await world.dispatcher.stop();
});
afterAll(async () => {
  closeClouds();
  await closeDeviceWorld(world);
});
beforeEach(() => world.db.asOwner('update deliveries set next_at = null, asked_at = null'));
const guard = guardActs(() => world);
const { recorder } = dispatchActs(() => world);

const TAKEN: Said = { body: { transaction_id: 'taken' } };
const record = (device_id: string): Said => ({
  body: {
    device_id,
    state: 'enrolled',
    target: { version: 1_000_000, locked: false },
    applied: null,
    last_seen_at: null,
    sims: [],
  },
});

/** Phones that were told what they shall be, and have said nothing of it. */
async function told(count: number) {
  const phones = [];
  for (let n = 0; n < count; n += 1) phones.push(await guard.phone());
  await (await guard.cloud({ 'POST /devices/targets': () => TAKEN })).drain();
  return phones;
}

/** A cloud that takes its time for whatever concerns one phone alone; with the first such call an unlock is decided. */
async function slowCloud(unlock: () => Promise<unknown>) {
  let isDecided = false;
  const slowly = async (said: Said): Promise<Said> => {
    if (!isDecided) await unlock();
    isDecided = true;
    await sleep(20);
    return said;
  };
  return guard.cloud({
    'GET /devices/': (path) => slowly(record(path.split('/').at(-1)!)),
    'POST /devices/complete': () => slowly(TAKEN),
    'POST /devices/targets': () => TAKEN,
  });
}
const isUnlock = (call: { of: string }) => call.of === 'POST /devices/targets';

test('an unlock waits for one question at most, however many were to be asked; the others are asked afterwards', async () => {
  const [freed, ...asked] = await told(9);
  for (const { deviceId } of asked) await guard.again(deviceId);
  const cloud = await slowCloud(() => guard.level(freed!.deviceId, 2));
  await guard.level(freed!.deviceId, 4);
  await world.db.asOwner('update deliveries set next_at = null where device_id = $1', [freed!.deviceId]);
  await cloud.drain();
  expect(cloud.calls.findIndex(isUnlock)).toBe(1);
  expect(new Set(cloud.asked().filter((of) => of.startsWith('GET')))).toEqual(
    new Set(asked.map(({ handle }) => `GET /devices/${handle}`)),
  );
});

test('and for one release at most, though a release gives back too; each is made, once', async () => {
  const [freed, ...letGo] = await told(9);
  await guard.level(freed!.deviceId, 4);
  await world.db.asOwner('update deliveries set next_at = null');
  for (const { deviceId } of letGo) await world.db.transaction(ORG, (tx) => devices.release(tx, world.actor, deviceId));
  const cloud = await slowCloud(() => guard.level(freed!.deviceId, 2));
  await cloud.drain();
  expect(cloud.calls.findIndex(isUnlock)).toBe(1);
  expect(cloud.asked().filter((of) => of === 'POST /devices/complete')).toHaveLength(letGo.length);
});

test('releases that wait already do not stand before an unlock, nor does a batch that is tried in parts', async () => {
  const [freed, later, bad, ...letGo] = await told(7);
  for (const { deviceId } of [freed!, later!, bad!]) await guard.level(deviceId, 4);
  await world.db.asOwner('update deliveries set next_at = null');
  for (const { deviceId } of letGo) await world.db.transaction(ORG, (tx) => devices.release(tx, world.actor, deviceId));
  for (const { deviceId } of [bad!, freed!]) await guard.level(deviceId, 2);
  const given: string[][] = [];
  const cloud = await guard.cloud({
    'POST /devices/complete': () => TAKEN,
    'POST /devices/targets': async (_of, { items }) => {
      given.push(items.map(({ device_id }) => device_id));
      // With its first refusal another unlock is decided: it is in the very next call, and the parts come with it.
      if (given.length === 1) await guard.level(later!.deviceId, 2);
      return items.some(({ device_id }) => device_id === bad!.handle)
        ? { status: 400, body: { code: 'INVALID_REQUEST' } }
        : TAKEN;
    },
  });
  await cloud.drain();
  expect(given[1]).toContain(later!.handle);
  expect(
    given
      .filter((handles) => handles.length === 1)
      .flat()
      .toSorted(),
  ).toContain(bad!.handle);
  const ofUnlocks = cloud.asked().lastIndexOf('POST /devices/targets');
  expect(cloud.asked().indexOf('POST /devices/complete')).toBeGreaterThan(ofUnlocks);
  expect(cloud.asked().filter((of) => of === 'POST /devices/complete')).toHaveLength(letGo.length);
});

test('more releases than go in one batch stand behind an unlock that came after them, and are all made', async () => {
  const [freed, ...letGo] = await Promise.all(Array.from({ length: 6 }, () => world.enrolledPhone()));
  await world.db.asOwner('update deliveries set next_at = null');
  const level = (to: 0 | 4) =>
    world.db.transaction(ORG, (tx) =>
      setDesired(tx, freed!.deviceId, { lock: { level: to, cause: to ? 'debt' : null, screen: null } }),
    );
  await level(4);
  for (const { deviceId } of letGo) await world.db.transaction(ORG, (tx) => devices.release(tx, world.actor, deviceId));
  await level(0);
  const done: string[] = [];
  const note = ({ deviceId }: Delivery): Outcome => {
    done.push(deviceId);
    return { outcome: 'told' };
  };
  const { dispatcher } = recorder(note, { release: async (one) => note(one) });
  await dispatcher.drain();
  expect(done[0]).toBe(freed!.deviceId);
  expect(done.slice(1).toSorted()).toEqual(letGo.map(({ deviceId }) => deviceId).toSorted());
});

test('a lock that another process is slow to carry takes nothing from the unlock that overtook it', async () => {
  const { deviceId } = await world.enrolledPhone();
  const level = (to: 0 | 4) =>
    world.db.transaction(ORG, (tx) =>
      setDesired(tx, deviceId, { lock: { level: to, cause: to ? 'debt' : null, screen: null } }),
    );
  const fast = recorder(() => ({ outcome: 'told', operation: 'the unlock', level: 0 }));
  await level(4);
  const slow = recorder(undefined, {
    deliver: async (batch) => {
      await level(0);
      await fast.dispatcher.drain();
      return batch.map(() => ({ outcome: 'told', operation: 'the lock', level: 4 }));
    },
  });
  await slow.dispatcher.drain();
  const [row] = await world.db.asOwner<object>(
    `select d.operation, d.level, d.revision = w.revision as is_newest, d.next_at from deliveries d join device_desired w using (org_id, device_id)
     where d.device_id = $1`,
    [deviceId],
  );
  expect(row).toEqual({ operation: 'the unlock', level: 0, is_newest: true, next_at: null });
});

test('the one call that it waits for takes as long as an answer may, the tokens for it within that', async () => {
  let tokens = 0;
  const server = createServer(async (request, response) => {
    await sleep(150);
    const isToken = request.url!.endsWith('/token');
    response.writeHead(isToken ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isToken ? { access_token: `t${(tokens += 1)}`, expires_in: 1800 } : { code: 'NO' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tenant = { orgId: 1, clientId: 'c', clientSecret: 's', webhookSecret: 'w' };
  const startedMs = performance.now();
  // Token, call, token, call would be 600 ms.
  await expect(createGuardClient(url, tenant, 400).ask(z.unknown(), 'GET', '/x')).rejects.toThrow('NO_ANSWER');
  expect(performance.now() - startedMs).toBeLessThan(550);
  server.close();
});
