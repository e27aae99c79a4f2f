import { createHash, generateKeyPairSync } from 'node:crypto';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setDesired } from '#server/devices/desired.ts';
import { createRequestLimits } from '#server/http/request-limits.ts';
import { agentRoutes } from '#server/http/routes/agent.ts';
import { createRateCounter } from '#server/platform/rate-counter.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { type TestPhone, createPhone, imeiOf } from '#test/phone.ts';
import { publicKeyFrom } from './server-key.ts';

/** Who asks is named by the key, which the question brings. */
let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

const nameOf = (publicKey: string, org = ORG): string =>
  `${org}.${createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('base64url')}`;
const enrolmentName = async (deviceId: string): Promise<string> => {
  const [row] = await world.db.asOwner<{ id: string }>(
    'select enrolment_id as id from enrolments where device_id = $1 and ended_at is null',
    [deviceId],
  );
  return `${ORG}.${row!.id}`;
};
const stranger = (): TestPhone => {
  const phone = createPhone(world.http, world.key.spki, imeiOf(777));
  phone.keyid = nameOf(phone.publicKey);
  return phone;
};
const setLevel = (deviceId: string, level: number) =>
  world.db.transaction(ORG, (tx) => setDesired(tx, deviceId, { lock: { level, cause: 'debt', screen: null } }));

test('a phone is enrolled under the name of its key, and no question of its needs a look-up', async () => {
  const keysOf = vi.spyOn(world.plane, 'keysOf');
  const { phone, deviceId } = await world.enrolledPhone();
  expect(phone.keyid).toBe(nameOf(phone.publicKey));
  await setLevel(deviceId, 3);
  expect((await phone.checkin()).body.desired.policy.lock.level).toBe(3);
  await phone.checkin();
  await setLevel(deviceId, 0);
  expect((await phone.call('/agent/v1/poll', undefined, { method: 'GET' })).body).toEqual({ wake: true });
  await phone.checkin();
  expect(phone.level).toBe(0);
  expect(keysOf).not.toHaveBeenCalled();
  keysOf.mockRestore();
});

test('the name of its enrolment, or that of its key without the key, is the same phone', async () => {
  const { phone, deviceId } = await world.enrolledPhone();
  const older = await enrolmentName(deviceId);
  await phone.checkin();
  await setLevel(deviceId, 3);
  const answer = await phone.checkin({ keyid: older });
  expect(answer).toMatchObject({ status: 200, isSigned: true, body: { desired: { policy: { lock: { level: 3 } } } } });
  expect(await phone.checkin({ publicKey: '' })).toMatchObject({ status: 200, body: { desired: null } });
  expect(await phone.checkin()).toMatchObject({ status: 200, body: { desired: null } });
  const text = { text: 'I paid' };
  for (const keyid of [older, phone.keyid])
    expect((await phone.call('/agent/v1/dispute', text, { keyid })).status).toBe(200);
  expect(world.disputes.filter((one) => one.deviceId === deviceId)).toHaveLength(2);
});

test('many phones in one moment are each answered as themselves, by either name', async () => {
  const phones = await Promise.all([1, 2, 3, 4].map(() => world.enrolledPhone()));
  await Promise.all(phones.map(({ deviceId }, n) => setLevel(deviceId, n)));
  const names = await Promise.all(phones.map(({ deviceId }) => enrolmentName(deviceId)));
  const answers = await Promise.all(
    phones.map(({ phone }, n) => phone.checkin(n % 2 === 0 ? {} : { keyid: names[n]! })),
  );
  expect(answers.map(({ body }) => body.desired.policy.lock.level)).toEqual([0, 1, 2, 3]);
});

/** One point of the curve, written otherwise. */
function otherForms(publicKey: string): Record<string, Buffer> {
  const der = Buffer.from(publicKey, 'base64url');
  const [x, y] = [der.subarray(27, 59), der.subarray(59)];
  const odd = y.at(-1)! & 1;
  return {
    compressed: Buffer.concat([
      Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
      Buffer.from([2 + odd]),
      x,
    ]),
    hybrid: Buffer.concat([der.subarray(0, 26), Buffer.from([6 + odd]), x, y]),
    trailing: Buffer.concat([der, Buffer.from([0])]),
    longerLength: Buffer.concat([Buffer.from([0x30, 0x81, 0x59]), der.subarray(2)]),
  };
}

test('one key is one phone: in another form it is refused, at enrolment and beside a question', async () => {
  const refused = { status: 400, body: { code: 'AGENT_SIGNATURE_INVALID' } };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { deviceId, imei } = await world.register();
  const phone = createPhone(world.http, world.key.spki, imei, privateKey);
  expect((await phone.enrol(await world.token(deviceId), { imei: [imei] })).status).toBe(200);
  for (const [form, bytes] of Object.entries(otherForms(phone.publicKey))) {
    const written = bytes.toString('base64url');
    const other = await world.register();
    const another = createPhone(world.http, world.key.spki, other.imei, privateKey);
    const enrolled = await another.enrol(await world.token(other.deviceId), { public_key_spki: written });
    expect({ form, ...enrolled }).toMatchObject(refused);
    expect({ form, key: publicKeyFrom(bytes) }).toEqual({ form, key: undefined });
    expect((await phone.checkin({ keyid: nameOf(written), publicKey: written })).status).not.toBe(200);
  }
  // One that was taken in before is still heard by its name.
  const { compressed } = otherForms(phone.publicKey);
  await world.db.asOwner('update enrolments set public_key_spki = $2, key_sha256 = sha256($2) where device_id = $1', [
    deviceId,
    compressed,
  ]);
  const older = nameOf(compressed!.toString('base64url'));
  expect(await phone.checkin({ keyid: older, publicKey: '' })).toMatchObject({ status: 200 });
});

test('another key beside the name of one that is remembered is refused, however it is remembered', async () => {
  const refused = { status: 400, body: { code: 'AGENT_SIGNATURE_INVALID' } };
  const { phone } = await world.enrolledPhone();
  await phone.checkin();
  expect(await phone.checkin({ publicKey: stranger().publicKey })).toMatchObject(refused);
  expect((await phone.checkin({ publicKey: '' })).status).toBe(200);
  expect(await phone.checkin({ publicKey: stranger().publicKey })).toMatchObject(refused);
  expect((await phone.checkin()).status).toBe(200);
});

test('a key that it does not name, or that signed nothing, opens nothing', async () => {
  const { phone } = await world.enrolledPhone();
  const thief = stranger();
  const refused = { status: 400, body: { code: 'AGENT_SIGNATURE_INVALID' } };
  expect(await thief.checkin({ keyid: phone.keyid })).toMatchObject(refused);
  expect(await thief.checkin({ keyid: phone.keyid, publicKey: phone.publicKey })).toMatchObject(refused);
  expect(await thief.checkin({ keyid: phone.keyid, publicKey: '' })).toMatchObject(refused);
});

test('a key of one’s own proves nothing: it is unknown, whatever else is wrong, and its questions count as failed', async () => {
  const db = await createTestDatabase();
  const counter = createRateCounter(db.devicePool, (error) => expect.fail(String(error)));
  const limits = createRequestLimits({ counter, firstUse: async () => true, factor: 1 });
  const http = fastify();
  agentRoutes(http, world.agents, {
    limits,
    log: { error: (...said: unknown[]) => expect.fail(JSON.stringify(said)) },
  });
  await http.ready();
  const { phone } = await world.enrolledPhone();
  phone.through(http);
  const created = Math.floor(Date.now() / 1000) - 3600;
  const own = stranger().through(http);
  expect((await own.checkin({ created })).body.code).toBe('AGENT_UNKNOWN');
  const { sent } = await own.checkin();
  expect((await own.call('/agent/v1/poll', undefined, { method: 'GET' })).body.code).toBe('AGENT_UNKNOWN');
  expect((await own.call('/agent/v1/checkin', {}, { headers: sent })).body.code).not.toBe('AGENT_REPLAYED');
  const codes: string[] = [];
  for (let n = 0; n < 70; n += 1) codes.push((await stranger().through(http).checkin()).body.code);
  expect(codes[0]).toBe('AGENT_UNKNOWN');
  expect(codes.at(-1)).toBe('RATE_LIMITED');
  // Behind the same address, a phone that is right is answered, and told of a wrong clock.
  expect((await phone.checkin({ created })).body.code).toBe('STALE_REQUEST');
  expect((await phone.checkin()).status).toBe(200);
  await http.close();
  await counter.flush();
});

test('the same key under a new code is the newer enrolment, also where it was looked up before', async () => {
  const { phone, deviceId } = await world.enrolledPhone();
  expect((await phone.checkin({ publicKey: '' })).status).toBe(200);
  await phone.enrol(await world.token(deviceId), { serial: `S${phone.imei}` });
  await setLevel(deviceId, 3);
  const live = await phone.checkin({ publicKey: '' });
  // An earlier key would be given nothing that it is not held by.
  expect(live.body.desired.policy.lock.level).toBe(3);
});
