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
import {
  createTrustedTime,
  createVectorsAgent,
  canonical,
  isBelieved,
  parameterOf,
  policyDigest,
  question,
  stepOf,
  vectors,
} from '#test/vectors-agent.ts';
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
    policy_digest: policyDigest(told.desired!.policy),
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

test('typed instead of read: the code brings token and key, and is proved by the key that enrolment brings', async () => {
  const { deviceId, imei } = await world.register();
  const code = await world.typedCode(deviceId);
  const agent = createVectorsAgent({ url, imei });
  await expect(agent.setUp('3333-3333')).rejects.toThrow('AGENT_UNKNOWN');
  const setUp = await agent.setUp(code.toLowerCase());
  expect(setUp.isProven()).toBe(false);
  expect(await agent.enrol(setUp.token)).toMatchObject({ device_id: deviceId });
  expect(setUp.isProven()).toBe(true);
  expect(await agent.serverKey()).toEqual({ server_key_id: world.key.keyId, server_key_spki: world.key.spki });
  await expect(createVectorsAgent({ url, imei }).setUp(code)).rejects.toThrow('AGENT_UNKNOWN');
});

test('erased and set up again it has a new key; the earlier one is still given back to, and never more than it is held by', async () => {
  const { deviceId, imei } = await world.register();
  const setLevel = (level: number) =>
    world.db.transaction(ORG, (tx) => setDesired(tx, deviceId, { lock: { level, cause: 'debt', screen: null } }));
  const before = createVectorsAgent({ url, keyId: world.key.keyId, imei });
  const first = await before.enrol(await world.token(deviceId));
  await setLevel(3);
  const after = createVectorsAgent({ url, keyId: world.key.keyId, imei });
  const second = await after.enrol(await world.token(deviceId));
  expect(second).toMatchObject({ device_id: deviceId });
  expect(second['keyid']).not.toBe(first['keyid']);
  expect((await after.checkIn())['desired']).toMatchObject({ policy: { lock: { level: 3 } } });
  expect((await before.checkIn())['desired']).toMatchObject({ policy: { lock: { level: 0 } } });
});

const signedVectors = vectors.requests.filter(({ signature_base: base }) => base !== undefined);
test.each(signedVectors)('by the page alone it signs the question of the vectors: $name', (vector) => {
  const { method, path: at, body, headers } = vector;
  const input = headers['signature-input']!;
  const [created, nonce, keyid] = ['created', 'nonce', 'keyid'].map((name) => parameterOf(input, name));
  const { signature: _, ...rest } = headers;
  const { public_key_spki: spki } = vectors.keys[/again|new key/.test(vector.name) ? 'next_phone' : 'phone'];
  const own = question({ method, path: at, body, created: Number(created), nonce: nonce!, keyid: keyid!, spki });
  expect(own).toEqual({ base: vector.signature_base, headers: rest });
});

test.each(vectors.replies)('by the page alone it believes or throws away: $name', (vector) => {
  const asked = vectors.requests.find(({ name }) => name === vector.answers)!;
  const nonce = parameterOf(asked.headers['signature-input'] ?? '', 'nonce');
  expect(isBelieved(vectors.keys.server, nonce, vector)).toBe(vector.is_thrown_away !== true);
  expect(isBelieved(vectors.keys.server, `${nonce}x`, vector)).toBe(false);
});

test.each(vectors.lease_cases)('by the page alone it takes a step of the lease: $name', (one) => {
  expect(stepOf(one)).toEqual(one.step);
});

test.each(vectors.documents)('by the page alone it says which document it applied: $what', (one) => {
  expect(canonical(one.policy)).toBe(one.canonical);
  expect(policyDigest(one.policy)).toBe(one.digest);
});

test('by the page alone it knows the time of the vectors', () => {
  const time = createTrustedTime();
  for (const { elapsed_ms: elapsed, off_at_ms: offAt, server_time: heard, trusted, what } of vectors.trusted_time) {
    if (offAt !== undefined) time.booted(offAt);
    if (heard) time.heard(Date.parse(heard), elapsed);
    expect([what, new Date(time.nowMs(elapsed)).toISOString()]).toEqual([what, trusted]);
  }
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
