import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as devices from '#server/devices/devices.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { type Answers, closeClouds, guardActs } from '#test/spoken-cloud.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
  await world.dispatcher.stop();
});
afterAll(() => closeDeviceWorld(world));
afterEach(async () => {
  closeClouds();
  await world.db.asOwner('update deliveries set next_at = null');
});
const { cloud, phone, level, again, waiting, report, isLive } = guardActs(() => world);

const record = (device_id: string, version: number, more: object = {}) => ({
  device_id,
  state: 'enrolled',
  target: { version, locked: false },
  applied: { version, locked: false, at: new Date().toISOString() },
  last_seen_at: null,
  sims: [],
  ...more,
});
const taken = () => ({ status: 202, body: { transaction_id: 't0' } });
const failed = (device_id: string, code: string) => ({ device_id, status: 'error', code });
/** A bulk call that is over, as the cloud tells of it. */
const overAs = (results: object[], transaction_id = 't0'): Answers => ({
  'GET /transactions/t0': () => ({ body: { transaction_id, status: 'done', results } }),
});

/** A phone that was ordered free, and what the cloud answers from then on. */
async function freed(answersOf: (handle: string, revision: number) => Answers) {
  const made = await phone();
  const revision = await level(made.deviceId, 0);
  const { says, drain } = await cloud({ 'POST /devices/targets': taken, ...answersOf(made.handle, revision) });
  await drain();
  return { ...made, revision, says, drain };
}

test('the record of another phone confirms nothing: the unlock stays open and is asked about again', async () => {
  const { deviceId, drain } = await freed((handle, revision) => ({
    [`GET /devices/${handle}`]: () => ({ body: record('another', revision) }),
  }));
  const before = await report(deviceId);
  await again(deviceId);
  await drain();
  expect(await report(deviceId)).toEqual(before);
  expect(await waiting(deviceId)).toMatchObject({ inS: expect.any(Number) });
});

test('its own record confirms it', async () => {
  const { deviceId, revision, drain } = await freed((handle, given) => ({
    [`GET /devices/${handle}`]: () => ({ body: record(handle, given) }),
  }));
  await again(deviceId);
  await drain();
  expect(await report(deviceId)).toMatchObject({ revision, level: 0 });
});

test('a bulk call that names a phone as unknown ends no channel while the cloud has its record', async () => {
  const other = await phone();
  const { says, enrolmentId } = await freed((handle, revision) => ({
    ...overAs([failed(other.handle, 'NOT_FOUND'), failed(handle, 'NOT_FOUND')]),
    [`GET /devices/${other.handle}`]: () => ({ body: record(other.handle, revision) }),
  }));
  expect(await says({ type: 'transaction.done', transaction_id: 't0' })).toBe(200);
  expect([await isLive(other.enrolmentId), await isLive(enrolmentId)]).toEqual([true, false]);
});

test('a bulk call that a phone was not in does not have it carried again', async () => {
  const other = await phone();
  await world.db.asOwner('update deliveries set next_at = null, operation = $2 where device_id = $1', [
    other.deviceId,
    'its own',
  ]);
  const { says, deviceId } = await freed((handle) => overAs([failed(other.handle, 'BUSY'), failed(handle, 'BUSY')]));
  expect(await says({ type: 'transaction.done', transaction_id: 't0' })).toBe(200);
  expect(await waiting(other.deviceId)).toMatchObject({ inS: null });
  expect(await waiting(deviceId)).toMatchObject({ why: 'BUSY' });
});

test('what is said of another bulk call than the one asked about is said of none', async () => {
  const { says, deviceId } = await freed((handle) => overAs([failed(handle, 'BUSY')], 'another'));
  await says({ type: 'transaction.done', transaction_id: 't0' }).catch(() => undefined);
  expect(await waiting(deviceId)).toMatchObject({ inS: null, operation: 't0' });
});

test('a phone is never reserved under the name of another', async () => {
  const imei = '490154203237518';
  const offered = async (found: object) => {
    const { adapter } = await cloud({
      'POST /devices/': taken,
      'GET /devices?imei=': () => ({ body: record('g', 0, { state: 'approved', ...found }) }),
    });
    return (await adapter.offer!({ orgId: ORG, deviceId: 'd', imei, serial: 'S1' })).offer;
  };
  expect(await offered({ imei: '356938035643809', serial: null })).toBe('later');
  expect(await offered({ imei, serial: 'S2' })).toBe('later');
  expect(await offered({})).toBe('later');
  expect(await offered({ imei, serial: null })).toBe('reserved');
});

test('a phone that another account has is refused with the cloud’s word, not waited for; one whose turn has not come is', async () => {
  const offered = async (results: object[]) => {
    const { adapter } = await cloud({
      'POST /devices/': taken,
      'GET /transactions/t0': () => ({ body: { transaction_id: 't0', status: 'done', results } }),
    });
    return adapter.offer!({ orgId: ORG, deviceId: 'd', imei: '490154203237518', serial: 'S1' });
  };
  expect(await offered([{ imei: '490154203237518', status: 'error', code: 'NOT_AVAILABLE' }])).toEqual({
    offer: 'refused',
    code: 'NOT_AVAILABLE',
    why: 'NOT_AVAILABLE',
  });
  expect(await offered([])).toMatchObject({ offer: 'later' });
});

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
/** What no cloud can truly say of a phone. */
const ODD_VERSIONS = [-1, 1.5, 2 ** 31, 2 ** 63, 1e300];

test('a word of a time to come, or of a version that can be none, is refused and moves nothing', async () => {
  const { says, handle: device_id, deviceId, revision } = await freed(() => ({}));
  const before = await report(deviceId);
  const type = 'device.applied';
  const applied = { version: revision, locked: true };
  const refused = [
    { type, device_id, at: inMinutes(6), applied },
    { type, device_id, applied: { ...applied, at: '2099-01-01T00:00:00Z' } },
    ...ODD_VERSIONS.map((version) => ({ type, device_id, applied: { ...applied, version } })),
    ...['a\0b', 'a\ud800b'].flatMap((text) => [
      { type, device_id: text, applied },
      { type, device_id, event_id: text, applied },
      { type: 'transaction.done', transaction_id: text },
    ]),
  ];
  for (const word of refused) expect([word, await says(word)]).toEqual([word, 400]);
  expect(await report(deviceId)).toEqual(before);
  expect(await says({ type, device_id, at: inMinutes(4), applied: { ...applied, locked: false } })).toBe(200);
  expect(await report(deviceId)).toMatchObject({ revision, level: 0 });
});

test('a record of a time to come, or that can be none, is passed over, and what is so afterwards is heard', async () => {
  const now = { said: {} as object };
  const { says, handle, deviceId, revision } = await freed((device_id, given) => ({
    ...overAs([failed(device_id, 'OLD_VERSION')]),
    [`GET /devices/${device_id}`]: () => ({ body: record(device_id, given, now.said) }),
  }));
  const before = await report(deviceId);
  const applied = { version: revision, locked: true, at: inMinutes(0) };
  const sims = (operator: string) => ({ sims: [{ slot: 0, iccid: '8991', operator }] });
  for (const said of [
    { applied: { ...applied, at: inMinutes(6) } },
    { last_seen_at: '2099-01-01T00:00:00Z' },
    ...ODD_VERSIONS.map((version) => ({ applied: { ...applied, version } })),
    sims('a\0b'),
    sims('a\ud800b'),
  ]) {
    now.said = said;
    for (const word of [
      { type: 'device.sim_changed', device_id: handle },
      { type: 'transaction.done', transaction_id: 't0' },
    ])
      expect([said, await says(word)]).toEqual([said, 200]);
  }
  expect(await report(deviceId)).toEqual(before);
  now.said = {};
  await says({ type: 'device.sim_changed', device_id: handle });
  expect(await report(deviceId)).toMatchObject({ revision, level: 0 });
});

test('names and reasons that the database cannot keep hold up nobody who was carried with them', async () => {
  const odd = await phone();
  const good = await freed((handle) => ({
    'POST /devices/complete': () => ({ body: { transaction_id: 'x'.repeat(201) } }),
    ...overAs([failed(handle, 'a\0b')]),
  }));
  expect(await waiting(good.deviceId)).toMatchObject({ operation: 't0', inS: null });
  await world.db.transaction(ORG, (tx) => devices.release(tx, SYSTEM(ORG), odd.deviceId));
  await level(good.deviceId, 4);
  await good.drain();
  expect(await waiting(good.deviceId)).toMatchObject({ operation: 't0', inS: null });
  expect(await waiting(odd.deviceId)).toMatchObject({ inS: expect.any(Number) });
  expect(await good.says({ type: 'transaction.done', transaction_id: 't0' })).toBe(200);
  expect(await waiting(good.deviceId)).toMatchObject({ why: 'UNKNOWN' });
});

test.each([
  ['what became of a bulk call', { type: 'transaction.done', transaction_id: 't0' }, 'GET /transactions/'],
  ['what changed of a phone', { type: 'device.sim_changed' }, 'GET /devices/'],
])('%s is not taken for heard while the cloud does not say it: it must say so again', async (_what, word, question) => {
  const { says, handle: device_id } = await freed(() => ({ [question]: () => ({ status: 503, body: {} }) }));
  await expect(says({ device_id, ...word })).rejects.toMatchObject({ status: 503 });
});
