import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import {
  ORG,
  type DeviceWorld,
  closeDeviceWorld,
  commandState,
  createDeviceWorld,
  lockOfPhone,
} from '#test/device-world.ts';
import { createVectorsAgent } from '#test/vectors-agent.ts';
import { request } from '#server/commands/commands.ts';
import { setDesired } from '#server/devices/desired.ts';

let world: DeviceWorld;
let url: string;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
  url = await world.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => closeDeviceWorld(world));

interface Reply {
  desired: { revision: number; policy: { lock: { level: number; cause: string } } } | null;
  commands: { id: string; seq: number; type: string; args: { text?: string } }[];
}

test('an agent written from page and vectors alone enrols, is told, obeys, does an order and says so', async () => {
  const { deviceId, customerId, imei } = await world.register();
  const agent = createVectorsAgent({ url, keyId: world.key.keyId, imei });
  const enrolled = await agent.enrol(await world.token(deviceId));
  expect(enrolled).toMatchObject({ device_id: deviceId, lock_strength: 'enforced' });

  await world.db.transaction(ORG, (tx) =>
    setDesired(tx, deviceId, { lock: { level: 4, cause: 'debt', screen: null } }),
  );
  const { commandId } = await world.db.transaction(ORG, (tx) =>
    request(tx, world.waker, world.actor, {
      customerId,
      type: 'emi_alert',
      value: 'Please call the shop',
      reason: 'CUSTOMER_REQUEST',
    }),
  );
  const told = (await agent.checkIn()) as unknown as Reply;
  expect(told.desired).toMatchObject({ policy: { lock: { level: 4, cause: 'debt' } } });
  expect(told.commands).toMatchObject([{ id: commandId, type: 'emi_alert', args: { text: 'Please call the shop' } }]);
  expect(await lockOfPhone(world.db, deviceId)).toMatchObject({ lock_status: 0, pending: { to: 'locked' } });

  const [order] = told.commands;
  const state = {
    revision: told.desired!.revision,
    lock_level: 4,
    lock_cause: 'debt',
    lease_seq: 0,
    toggles: { camera_lock: false, app_lock: false, wallpaper: false },
    sims: [],
    battery: 80,
    agent_version: '1.0.0',
  };
  const acks = [{ id: order!.id, seq: order!.seq, status: 'seen' }];
  const after = (await agent.checkIn({ state, acks, highest_seq: order!.seq })) as unknown as Reply;
  expect(after).toMatchObject({ desired: null, commands: [] });
  expect(await lockOfPhone(world.db, deviceId)).toMatchObject({ lock_status: 1, level: 4, pending: null });
  expect(await commandState(world.db, commandId)).toBe('VERIFIED');
});

test('it believes no other server than the one that the QR names', async () => {
  const { deviceId, imei } = await world.register();
  const agent = createVectorsAgent({ url, keyId: 'AAAAAAAAAAAAAAAA', imei });
  await expect(agent.enrol(await world.token(deviceId))).rejects.toThrow('another server');
});

test('it was written without a line of the product', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../../test/vectors-agent.ts'), 'utf8');
  expect([...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from)).toEqual([
    'node:crypto',
    'node:fs',
    'node:path',
  ]);
});
