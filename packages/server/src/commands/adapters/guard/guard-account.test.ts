import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as commands from '#server/commands/commands.ts';
import { reconcile } from '#server/commands/reconcile.ts';
import { reserveAt } from '#server/devices/enrolment.ts';
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

/** Phones of one account alone, kept by a cloud of that name and given what they shall be. */
const keptBy = async (vendor: string): Promise<string> => {
  const { deviceId } = await world.register();
  const handle = `${vendor}-${deviceId}`;
  await world.db.transaction(ORG, (tx) => reserveAt(tx, world.actor, { deviceId, vendor, handle }));
  await world.plane.begun(ORG, vendor, handle);
  await world.db.asOwner(
    `update deliveries d set revision = w.revision, level = 0, next_at = null from device_desired w
     where d.device_id = $1 and w.org_id = d.org_id and w.device_id = d.device_id`,
    [deviceId],
  );
  return deviceId;
};
const lastUsed = (vendor: string, hoursAgo: number) =>
  world.db.asOwner(
    `insert into vendor_budgets (org_id, vendor, left_over, filled_at) values ($1, $2, 1, kist_now() - make_interval(hours => $3))`,
    [ORG, vendor, hoursAgo],
  );
const askedAbout = async (): Promise<string[]> =>
  (
    await world.db.asOwner<{ device_id: string }>(
      `select device_id from deliveries where asked_at is not null and next_at is not null and priority = 1`,
    )
  ).map(({ device_id: deviceId }) => deviceId);

describe('of two accounts of one organisation', () => {
  beforeEach(() => world.db.asOwner('delete from deliveries'));

  test('the one that was not used is asked about a phone of its own, not of the other', async () => {
    await keptBy('guard');
    const other = await keptBy('other');
    await rests(0);
    await lastUsed('guard', 1);
    await lastUsed('other', 21);
    expect((await look()).asked).toBe(1);
    expect(await askedAbout()).toEqual([other]);
  });

  test('one that has no phone is not asked about, whatever the other has', async () => {
    await keptBy('guard');
    await rests(0);
    await lastUsed('guard', 1);
    await lastUsed('other', 21);
    expect((await look()).asked).toBe(0);
  });

  test('both are asked about, each about one', async () => {
    const [one, two] = [await keptBy('guard'), await keptBy('other')];
    await rests(0);
    await lastUsed('guard', 21);
    await lastUsed('other', 21);
    expect((await look()).asked).toBe(2);
    expect((await askedAbout()).toSorted()).toEqual([one, two].toSorted());
  });

  test('what waits for the other holds the question back no longer than its own does', async () => {
    const one = await keptBy('guard');
    const waiting = await keptBy('other');
    await rests(0);
    await lastUsed('guard', 21);
    const waits = (deviceId: string) =>
      world.db.asOwner(`update deliveries set next_at = kist_now() + interval '1 hour' where device_id = $1`, [
        deviceId,
      ]);
    await waits(waiting);
    expect((await look()).asked).toBe(1);
    expect(await askedAbout()).toEqual([one]);
    await rests(0);
    await waits(await keptBy('guard'));
    expect((await look()).asked).toBe(0);
  });
});

describe('an account that was not used is asked about no phone', () => {
  beforeEach(() => world.db.asOwner('delete from deliveries'));

  test.each([
    ['that was given nothing yet', 'update deliveries set revision = null where device_id = $1'],
    ['that is behind what it shall be', 'update device_desired set revision = revision + 1 where device_id = $1'],
    ['that said more than it was told', 'update device_reports set revision = revision + 1 where device_id = $1'],
    ['that says its number and is not what it says', 'update device_reports set unfit_polls = 1 where device_id = $1'],
    ['that it keeps no more', 'update enrolments set ended_at = kist_now() where device_id = $1'],
    ['that another keeps', 'update enrolments set in_charge = false where device_id = $1'],
  ])('%s; and about one beside it that is what it shall be', async (_which, makes) => {
    const deviceId = await keptBy('guard');
    await rests(0);
    await lastUsed('guard', 21);
    await world.db.asOwner(makes, [deviceId]);
    await world.db.asOwner('update deliveries set next_at = null, asked_at = null');
    expect((await look()).asked).toBe(0);
    const fit = await keptBy('guard');
    await world.db.asOwner(
      `update device_reports r set revision = w.revision, unfit_polls = 0 from device_desired w where w.device_id = $1 and w.org_id = r.org_id and w.device_id = r.device_id`,
      [fit],
    );
    expect((await look()).asked).toBe(1);
    expect(await askedAbout()).toEqual([fit]);
  });
});
