import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as commands from '#server/commands/commands.ts';
import { reconcile } from '#server/commands/reconcile.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, OTHER_ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { type Answers, type Said, closeClouds, guardActs } from '#test/spoken-cloud.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
  await world.dispatcher.stop();
});
afterAll(async () => {
  closeClouds();
  await closeDeviceWorld(world);
});
beforeEach(async () => {
  await world.db.asOwner('update deliveries set next_at = null, asked_at = null');
  await world.db.asOwner('delete from vendor_budgets');
  world.accounts.length = 0;
});
const guard = guardActs(() => world);

const NO: Said = { status: 401, body: { code: 'INVALID_CLIENT' } };
const WELL: Answers = { 'POST /devices/targets': () => ({ body: { transaction_id: 't' } }) };
const refused = () => world.db.read(ORG, commands.refusedAccounts);
const passes = (minutes: number) =>
  world.db.asOwner(`update vendor_budgets set refused_since = refused_since - make_interval(mins => $1)`, [minutes]);

test.each([
  ['a token that is refused each time', { 'POST /oauth/token': () => NO }],
  ['tokens that are given, and calls refused', { 'POST /devices/': () => NO }],
  ['an account that was barred', { 'POST /devices/': () => ({ status: 403, body: { code: 'SUSPENDED' } }) }],
] as [string, Answers][])('%s is told once after a minute, and once when it is well again', async (_what, says) => {
  const { deviceId } = await guard.phone();
  const bad = await guard.cloud(says);
  await bad.drain();
  expect(await refused()).toMatchObject([{ vendor: 'guard' }]);
  expect(world.accounts).toEqual([]);
  await passes(2);
  for (let again = 0; again < 3; again += 1) {
    await guard.hurry();
    await bad.drain();
  }
  expect(world.accounts).toHaveLength(1);
  expect(await world.db.read(OTHER_ORG, commands.refusedAccounts)).toEqual([]);
  await guard.hurry();
  await (await guard.cloud(WELL)).drain();
  await guard.level(deviceId, 2);
  await (await guard.cloud(WELL)).drain();
  expect(world.accounts.slice(1)).toEqual([null]);
  expect(await refused()).toEqual([]);
});

test('one bad minute rings nothing, neither as it begins nor as it ends; nor does a cloud that is down', async () => {
  await guard.phone();
  await (await guard.cloud({ 'POST /oauth/token': () => NO })).drain();
  await guard.hurry();
  await (await guard.cloud(WELL)).drain();
  expect(await refused()).toEqual([]);
  const { deviceId } = await guard.phone();
  const down = await guard.cloud({ 'POST /oauth/token': () => ({ status: 503, body: { code: 'UNAVAILABLE' } }) });
  await down.drain();
  expect(await refused()).toEqual([]);
  expect((await guard.waiting(deviceId))!.why).toBe('UNAVAILABLE');
  expect(world.accounts).toEqual([]);
});

test('what is only asked about says so too, and no answer at all ends nothing', async () => {
  const { deviceId } = await guard.phone();
  await (await guard.cloud(WELL)).drain();
  await guard.again(deviceId);
  await (await guard.cloud({ 'GET /devices/': () => NO })).drain();
  expect(await refused()).toMatchObject([{ refused_why: 'INVALID_CLIENT' }]);
  await guard.hurry();
  await (await guard.cloud({ 'GET /devices/': () => ({ status: 503, body: {} }) })).drain();
  expect(await refused()).toHaveLength(1);
});

const look = () => reconcile({ db: world.db, onReports: async () => undefined });
/** Nothing was asked of the account for so long, and all of its phones are what they shall be. */
const rests = async (hours: number) => {
  await world.db.asOwner(`update deliveries set next_at = null, asked_at = null`);
  await world.db.asOwner(`update vendor_budgets set filled_at = filled_at - make_interval(hours => $1)`, [hours]);
  await world.db.asOwner(
    `update device_reports r set revision = w.revision, unfit_polls = 0 from device_desired w where w.org_id = r.org_id and w.device_id = r.device_id`,
  );
};

test('an account that nothing was asked of since yesterday is asked about one phone, and one refused in silence is known', async () => {
  for (let phones = 0; phones < 3; phones += 1) await guard.phone();
  await (await guard.cloud(WELL)).drain();
  await rests(19);
  expect((await look()).asked).toBe(0);
  await rests(2);
  expect((await look()).asked).toBe(1);
  expect((await look()).asked).toBe(0);
  const bad = await guard.cloud({ 'GET /devices/': () => NO });
  await bad.drain();
  expect(new Set(bad.asked().map((of) => of.split('/')[0]))).toEqual(new Set(['GET ']));
  expect(await refused()).toMatchObject([{ vendor: 'guard', refused_why: 'INVALID_CLIENT' }]);
  expect((await look()).asked).toBe(0);
});

test('a phone that was let go is not asked about for its account', async () => {
  const { deviceId } = await guard.phone();
  await (await guard.cloud(WELL)).drain();
  await rests(21);
  await world.db.asOwner(
    `update device_desired set document = jsonb_set(document, '{released}', 'true') where device_id = $1`,
    [deviceId],
  );
  await world.db.asOwner('delete from deliveries where device_id <> $1', [deviceId]);
  expect((await look()).asked).toBe(0);
});
