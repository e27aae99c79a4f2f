import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { ORG, type DeviceWorld, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { setDesired } from '#server/devices/desired.ts';

/** What a phone waits for, and what it may do while nobody can be asked. */
let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

const HELD = { level: 4, cause: 'debt' as const, screen: null };

test('a poll sleeps until the phone is woken, and answers at once when something waits', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  expect((await phone.call('/agent/v1/poll', {})).body).toEqual({ wake: true });
  await phone.checkin();
  await phone.checkin();
  const polling = phone.call('/agent/v1/poll', {});
  await new Promise((resolve) => setTimeout(resolve, 100));
  const begun = performance.now();
  await world.db.transaction(ORG, async (tx) => {
    await setDesired(tx, deviceId, { lock: HELD });
    world.waker.wake(tx, [deviceId]);
  });
  expect((await polling).body).toEqual({ wake: true });
  expect(performance.now() - begun).toBeLessThan(500);
});

test('a key that is another phone’s by now sleeps for that one, not for the one it was', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  expect((await phone.call('/agent/v1/poll', {})).body).toEqual({ wake: true });
  await world.db.asOwner('update enrolments set ended_at = now() where device_id = $1', [deviceId]);
  const next = await world.register();
  const enrolled = await phone.enrol(await world.token(next.deviceId), { imei: [next.imei], serial: '' });
  expect(enrolled.body.device_id).toBe(next.deviceId);
  await phone.checkin();
  await phone.checkin();
  await world.dispatcher.drain();
  // Nothing waits for it, and yet it is to ask again: what it listened for was the other phone.
  expect((await phone.call('/agent/v1/poll', {})).body).toEqual({ wake: true });
});

test('a lease is signed by the pinned key over the characters it is sent as, and its number rises', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  const terms = { valid_until: '2030-01-01T00:00:00.000Z', reminders: [], notices: [], ladder: [], screen: null };
  await world.db.transaction(ORG, (tx) => setDesired(tx, deviceId, { lease: terms }));
  const answer = await phone.checkin();
  const { payload, signature } = answer.body.lease;
  expect(world.key.verify(payload, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    v: 1,
    device_id: deviceId,
    seq: 1,
    revision: 1,
  });
  await world.db.transaction(ORG, (tx) => setDesired(tx, deviceId, { lease: terms, lock: HELD }));
  const next = await phone.checkin();
  expect(JSON.parse(Buffer.from(next.body.lease.payload, 'base64url').toString())).toMatchObject({
    seq: 2,
    revision: 2,
  });
  expect((await phone.checkin()).body.lease).toBeNull();
});
