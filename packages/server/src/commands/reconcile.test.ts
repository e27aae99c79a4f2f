import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OnReports } from '#server/devices/changes.ts';
import { setDesired } from '#server/devices/desired.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, commandState, createDeviceWorld } from '#test/device-world.ts';
import { create } from './commands.ts';
import { type Place, reconcile } from './reconcile.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

const run = () =>
  reconcile({
    db: world.db,
    onReports: async (_tx, changes) => void world.changes.push(...changes),
  });
const lockOrder = (deviceId: string) =>
  world.db.transaction(ORG, async (tx) => {
    const { revision } = await setDesired(tx, deviceId, { lock: { level: 4, cause: 'debt', screen: null } });
    return create(tx, { deviceId, type: 'lock', revision, reason: 'EMI_OVERDUE', requestedBy: null });
  });
const stateNow = (commandId: string) => commandState(world.db, commandId);

test('an order whose row was held when its report came is noted afterwards', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  const commandId = await lockOrder(deviceId);
  await phone.checkin();
  await world.db.transaction(ORG, async (tx) => {
    await tx.query('select from commands where command_id = $1 for update', [commandId]);
    const answer = await phone.checkin();
    expect(answer.status).toBe(200);
  });
  expect(await stateNow(commandId)).toBe('SENT');
  expect(await run()).toMatchObject({ healed: 1 });
  expect(await stateNow(commandId)).toBe('VERIFIED');
});

test('an unlock whose row was held is noted whatever digest the free phone says; a lock is not', async () => {
  const wrong = 'A'.repeat(43);
  const noted = async (type: 'lock' | 'unlock') => {
    const { deviceId, phone } = await world.enrolledPhone();
    const commandId = await world.db.transaction(ORG, async (tx) => {
      const level = type === 'lock' ? 4 : 0;
      const { revision } = await setDesired(tx, deviceId, { lock: { level, cause: 'debt', screen: null } });
      return create(tx, { deviceId, type, revision, reason: 'CUSTOMER_REQUEST', requestedBy: null });
    });
    await phone.checkin();
    await world.db.transaction(ORG, async (tx) => {
      await tx.query('select from commands where command_id = $1 for update', [commandId]);
      await phone.checkin({ change: { state: { ...phone.reported(), policy_digest: wrong } } });
    });
    expect(await stateNow(commandId)).toBe('SENT');
    await run();
    return stateNow(commandId);
  };
  expect([await noted('unlock'), await noted('lock')]).toEqual(['VERIFIED', 'DELIVERED']);
});

test('one run looks at a part of the open orders and the next goes on behind it', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  const commandId = await lockOrder(deviceId);
  await phone.checkin();
  await world.db.transaction(ORG, async (tx) => {
    await tx.query('select from commands where command_id = $1 for update', [commandId]);
    await phone.checkin();
  });
  const place: Place = { after: { org_id: 2_000_000_000, device_id: deviceId, seq: '0' } };
  const reconcileOn = () => reconcile({ db: world.db, onReports: async () => undefined, place });
  expect(await reconcileOn()).toMatchObject({ healed: 0 });
  expect([await stateNow(commandId), place.after]).toEqual(['SENT', null]);
  expect(await reconcileOn()).toMatchObject({ healed: 1 });
  expect(await stateNow(commandId)).toBe('VERIFIED');
});

test('consequences that nobody drew are drawn, once', async () => {
  const { deviceId } = await world.enrolledPhone();
  await world.db.asOwner(
    `insert into device_changes (org_id, change_id, device_id, at, changes) values ($1, gen_random_uuid(), $2, now() - interval '1 minute', '{"first": true}')`,
    [ORG, deviceId],
  );
  const [one, two] = await Promise.all([run(), run()]);
  expect(one.drained + two.drained).toBe(1);
  expect(world.changes.filter((change) => change.deviceId === deviceId)).toHaveLength(1);
});

test('what one phone says and cannot be acted on holds up no other phone, nor an order whose time is over', async () => {
  const phones = [await world.enrolledPhone(), await world.enrolledPhone(), await world.enrolledPhone()];
  const [before, liar, after] = phones.map(({ deviceId }) => deviceId);
  const late = await lockOrder(before!);
  await world.db.asOwner(`update commands set expires_at = now() - interval '1 second' where command_id = $1`, [late]);
  await world.db.asOwner(
    `insert into device_changes (org_id, change_id, device_id, at, changes)
     select $1, gen_random_uuid(), id, now() - interval '1 minute', '{"first": true}' from unnest($2::uuid[]) id`,
    [ORG, [before, liar, liar, after]],
  );
  const acted: string[] = [];
  const onReports: OnReports = async (_tx, changes) => {
    if (changes.some(({ deviceId }) => deviceId === liar)) throw new Error('no words');
    acted.push(...changes.map(({ deviceId }) => deviceId));
  };
  const failing = reconcile({ db: world.db, onReports });
  await expect(failing).rejects.toMatchObject({ errors: [{ message: 'no words' }, { message: 'no words' }] });
  expect(acted).toHaveLength(2);
  expect(new Set(acted)).toEqual(new Set([before, after]));
  expect(await stateNow(late)).toBe('EXPIRED');
  const left = await world.db.asOwner('select device_id from device_changes where device_id = any($1)', [
    [before, liar, after],
  ]);
  expect(left).toEqual([{ device_id: liar }, { device_id: liar }]);
  expect(await run()).toMatchObject({ drained: 2 });
});

test('consequences that fail stay until they succeed', async () => {
  const { deviceId } = await world.enrolledPhone();
  await world.db.asOwner(
    `insert into device_changes (org_id, change_id, device_id, at, changes) values ($1, gen_random_uuid(), $2, now() - interval '1 minute', '{"first": true}')`,
    [ORG, deviceId],
  );
  const failing = reconcile({ db: world.db, onReports: async () => Promise.reject(new Error('down')) });
  await expect(failing).rejects.toThrow('down');
  expect(await run()).toMatchObject({ drained: 1 });
});

test('an order whose time is over is given up and says why; the desired state stands', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  const commandId = await lockOrder(deviceId);
  await world.db.asOwner(`update commands set expires_at = now() - interval '1 second' where command_id = $1`, [
    commandId,
  ]);
  expect(await run()).toMatchObject({ expired: 1 });
  expect(await stateNow(commandId)).toBe('EXPIRED');
  expect((await phone.checkin()).body.desired.policy.lock.level).toBe(4);
});
