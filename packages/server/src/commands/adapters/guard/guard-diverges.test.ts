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
  world.gone.length = 0;
  world.changes.length = 0;
});
const { cloud, phone, level, again, report, isLive } = guardActs(() => world);

const now = () => new Date().toISOString();
const record = (device_id: string, version: number, more: object = {}) => ({
  device_id,
  state: 'enrolled',
  target: { version, locked: true },
  applied: null,
  last_seen_at: now(),
  sims: [],
  ...more,
});
const TAKEN: Answers = { 'POST /devices/': () => ({ status: 202, body: { transaction_id: 't' } }) };

/** A phone that the cloud was told to lock, and what it says of it. */
async function locked(said: (revision: number) => object) {
  const made = await phone();
  const revision = await level(made.deviceId, 4);
  const cloudOf = await cloud({
    ...TAKEN,
    [`GET /devices/${made.handle}`]: () => ({ body: record(made.handle, revision, said(revision)) }),
  });
  await cloudOf.drain();
  const asked = async (): Promise<void> => {
    await again(made.deviceId);
    await cloudOf.drain();
    await world.plane.whenQuiet();
  };
  return { ...made, ...cloudOf, revision, asked };
}
const unfit = () => world.changes.flatMap((change) => (change.unfit ? [change.unfit.polls] : []));

test.each(['the word of the cloud', 'a question'])(
  'a phone that somebody else let go at the cloud is not what we want of it: its channel ends and the shop hears, by %s',
  async (how) => {
    const { says, handle, enrolmentId, deviceId, asked } = await locked((version) => ({
      state: 'removed',
      applied: { version, locked: false, at: now() },
    }));
    const before = await report(deviceId);
    if (how === 'a question') await asked();
    else expect(await says({ type: 'device.completed', device_id: handle })).toBe(200);
    expect(await isLive(enrolmentId)).toBe(false);
    expect(world.gone).toEqual([deviceId]);
    expect(await report(deviceId)).toEqual(before);
  },
);

test('a word that a phone was let go, which its record does not bear out, moves nothing', async () => {
  const { says, handle, enrolmentId, deviceId } = await locked(() => ({}));
  const before = await report(deviceId);
  expect(await says({ type: 'device.completed', device_id: handle })).toBe(200);
  expect([await isLive(enrolmentId), await report(deviceId)]).toEqual([true, before]);
  expect(world.gone).toEqual([]);
});

test('one that we let go is free when its record says that it took that', async () => {
  const { says, handle, enrolmentId, deviceId, drain } = await locked(() => ({ state: 'removed' }));
  await world.db.transaction(ORG, (tx) => devices.release(tx, SYSTEM(ORG), deviceId));
  await drain();
  expect(await says({ type: 'device.completed', device_id: handle })).toBe(200);
  expect(await report(deviceId)).toMatchObject({ level: 0 });
  expect([await isLive(enrolmentId), world.gone]).toEqual([true, []]);
});

test('a phone that the cloud hears of and that never applies what it was given does not fit: that is told, with what heals it', async () => {
  for (const says of [() => ({}), () => ({ applied: { version: 1, locked: false, at: now() } })]) {
    world.changes.length = 0;
    const { asked, deviceId } = await locked(says);
    for (let turn = 0; turn < 3; turn += 1) await asked();
    expect(unfit()).toEqual([2, 3]);
    expect((await report(deviceId))!.level).toBe(0);
  }
});

test('one that is off, or has only just taken it, is waited for; once it applied it, it fits', async () => {
  const old = now();
  let applied: object | null = null;
  let seenAt = old;
  const { asked, deviceId, revision } = await locked(() => ({ last_seen_at: seenAt, applied }));
  for (let turn = 0; turn < 4; turn += 1) await asked();
  expect(unfit()).toEqual([]);
  // On with its first word it is given the lock, and says so with its second.
  seenAt = now();
  for (let turn = 0; turn < 4; turn += 1) await asked();
  expect(unfit()).toEqual([]);
  applied = { version: revision, locked: true, at: now() };
  await asked();
  expect(await report(deviceId)).toEqual({ revision, level: 4 });
  expect(unfit()).toEqual([]);
  const [row] = await world.db.asOwner('select unfit_polls from device_reports where device_id = $1', [deviceId]);
  expect(row).toEqual({ unfit_polls: 0 });
});

test.each([
  ['held though it was told to be free', 0, true, 4],
  ['free though it was told to lock', 4, false, 0],
  ['free as a reminder leaves it', 2, false, 2],
  ['locked as it was told', 4, true, 4],
] as const)('a phone that the cloud says is %s stands in our books at just that', async (_what, to, isLocked, at) => {
  const { deviceId, handle } = await phone();
  const version = await level(deviceId, to);
  const { drain } = await cloud({
    ...TAKEN,
    [`GET /devices/${handle}`]: () => ({
      body: record(handle, version, { applied: { version, locked: isLocked, at: now() } }),
    }),
  });
  await drain();
  await again(deviceId);
  await drain();
  expect(await report(deviceId)).toEqual({ revision: version, level: at });
});
