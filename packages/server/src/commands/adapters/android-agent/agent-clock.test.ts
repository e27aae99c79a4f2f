import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

test('a phone whose clock is wrong is told the time and gets in with it', async () => {
  const { phone } = await world.enrolledPhone();
  const wrong = await phone.call('/agent/v1/poll', {}, { created: 1_000_000_000 });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'STALE_REQUEST' }, isSigned: true });
  const serverTime = Date.parse(wrong.body.details.server_time);
  expect(Math.abs(Date.parse(wrong.headers['x-server-time']!) - serverTime)).toBeLessThan(1000);
  expect((await phone.call('/agent/v1/poll', {}, { created: Math.floor(serverTime / 1000) })).status).toBe(200);
});

test('a demo’s clock that was moved this very second is the phone’s too: what is right by it goes in, and what is not is told it', async () => {
  const { phone } = await world.enrolledPhone();
  const nowS = Math.floor(Date.now() / 1000);
  expect((await phone.call('/agent/v1/poll', {}, { created: nowS })).status).toBe(200);
  const move = (hours: number) =>
    world.db.asOwner('update clock_offset set shift = shift + make_interval(hours => $1)', [hours]);
  await move(25);
  try {
    expect((await phone.call('/agent/v1/poll', {}, { created: nowS + 25 * 3600 })).status).toBe(200);
  } finally {
    await move(-25);
  }
  const wrong = await phone.call('/agent/v1/poll', {}, { created: nowS + 50 * 3600 });
  expect(Math.abs(Date.parse(wrong.body.details.server_time) - Date.now())).toBeLessThan(60_000);
  expect((await phone.call('/agent/v1/poll', {}, { created: nowS })).status).toBe(200);
});

test('a clock that is less than five minutes off is right enough, either way; more is not', async () => {
  const { phone } = await world.enrolledPhone();
  const nowS = Math.floor(Date.now() / 1000);
  const answers: number[] = [];
  for (const offS of [-310, -290, 290, 310])
    answers.push((await phone.call('/agent/v1/poll', {}, { created: nowS + offS })).status);
  expect(answers).toEqual([400, 200, 200, 400]);
});
