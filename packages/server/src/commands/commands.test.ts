import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROVISIONING } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { setDesired, setDesiredMany } from '#server/devices/desired.ts';
import { reserveAt } from '#server/devices/enrolment.ts';
import { createTestDatabase } from '#test/database.ts';
import {
  type DeviceWorld,
  ORG,
  OTHER_ORG,
  closeDeviceWorld,
  commandState,
  createDeviceWorld,
} from '#test/device-world.ts';
import { type PlainCommand, create, createMany, expire, keepBatch, phoneErased, request } from './commands.ts';
import { batch, getDevice, timeline } from './history.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

const inOrg = <T>(work: Parameters<DeviceWorld['db']['transaction']>[1]) =>
  world.db.transaction(ORG, work) as Promise<T>;
const ask = (customerId: string, type: PlainCommand, value?: string) =>
  world.db.transaction(ORG, (tx) =>
    request(tx, world.waker, world.actor, { customerId, type, reason: 'CUSTOMER_REQUEST', value }),
  );
const stateOfNow = (commandId: string) => commandState(world.db, commandId);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof KistError ? error.code : error),
  );
const PAGE = { page: 1, page_size: 50 };

test('a one-shot waits for the phone, is handed out once it comes, and its result comes back', async () => {
  const { customerId, deviceId, phone } = await world.enrolledPhone();
  const { commandId, state } = await ask(customerId, 'sim_info');
  expect(state).toBe('QUEUED');
  expect((await ask(customerId, 'sim_info')).commandId).toBe(commandId);
  const answer = await phone.checkin();
  expect(answer.body.commands).toMatchObject([{ id: commandId, seq: 1, type: 'sim_info' }]);
  expect(await stateOfNow(commandId)).toBe('SENT');
  await phone.checkin();
  expect(await stateOfNow(commandId)).toBe('VERIFIED');
  const { commands } = await world.db.read(ORG, (tx) => getDevice(tx, world.actor, deviceId));
  expect(commands[0]).toMatchObject({
    type: 'sim_info',
    state: 'VERIFIED',
    requested_by: 'Asha',
    result: { done: 'sim_info' },
  });
  expect((await phone.checkin()).body.commands).toEqual([]);
});

test('an order whose answer was lost is handed out again until the phone says it has it', async () => {
  const { customerId, phone } = await world.enrolledPhone();
  const { commandId } = await ask(customerId, 'location');
  await phone.checkin({ obey: false });
  const again = await phone.checkin({ obey: false });
  expect(again.body.commands).toMatchObject([{ id: commandId }]);
  await phone.checkin({ change: { highest_seq: 1 }, obey: false });
  expect(await stateOfNow(commandId)).toBe('DELIVERED');
});

test('a fetched order without result is asked for again after ten minutes, and given up a day after its time', async () => {
  const { customerId, phone } = await world.enrolledPhone();
  const { commandId } = await ask(customerId, 'reboot');
  await phone.checkin({ obey: false });
  phone.highestSeq = 1;
  expect((await phone.checkin({ obey: false })).body.commands).toEqual([]);
  await world.db.asOwner(`update commands set asked_at = asked_at - interval '11 minutes' where command_id = $1`, [
    commandId,
  ]);
  expect((await phone.checkin({ obey: false })).body.commands).toMatchObject([{ id: commandId }]);
  await world.db.asOwner(`update commands set expires_at = now() - interval '25 hours' where command_id = $1`, [
    commandId,
  ]);
  await inOrg((tx) => expire(tx));
  expect(await stateOfNow(commandId)).toBe('FAILED');
});

test('a switch is a new desired revision: applied when reported, verified when the phone says it is so', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  await phone.checkin();
  const { commandId, revision } = await world.db.transaction(ORG, async (tx) => {
    const { revision } = await setDesired(tx, deviceId, { toggles: { camera_lock: true } });
    const order = { deviceId, type: 'camera_lock' as const, revision, reason: 'EMI_OVERDUE', requestedBy: null };
    return { commandId: await create(tx, order), revision };
  });
  expect(revision).toBe(2);
  await phone.checkin();
  expect(await stateOfNow(commandId)).toBe('SENT');
  await phone.checkin();
  expect(phone.toggles.camera_lock).toBe(true);
  expect(await stateOfNow(commandId)).toBe('VERIFIED');
});

test('what this very phone cannot do is refused with the reason, and the app is told before anybody presses', async () => {
  const set = async (change: Record<string, unknown>) => {
    const { customerId, deviceId, imei } = await world.register();
    const enrolled = await world.phone(imei).enrol(await world.token(deviceId), change);
    const { device, lock } = await world.db.read(ORG, (tx) => getDevice(tx, world.actor, deviceId));
    return { customerId, enrolled, device, lock };
  };
  const old = await set({ android_api: 23 });
  const why = { why: 'devices.why.android', needs: '7' };
  await expect(ask(old.customerId, 'reboot')).rejects.toMatchObject({
    code: 'UNSUPPORTED_ON_DEVICE',
    options: { details: why },
  });
  expect(old.device.features.cannot).toEqual({ app_lock: why, wallpaper: why, reboot: why });
  expect(old.device.features.actions).toContain('reboot');
  expect((await ask(old.customerId, 'sim_info')).state).toBe('QUEUED');

  const guest = await set({ is_owner: false });
  expect(guest.enrolled.body).toMatchObject({ lock_strength: 'advisory' });
  expect(guest.lock).toMatchObject({ strength: 'advisory' });
  expect(guest.device.features.cannot).toMatchObject({ camera_lock: { why: 'devices.why.owner' } });
  await expect(ask(guest.customerId, 'reboot')).rejects.toMatchObject({
    options: { details: { why: 'devices.why.owner' } },
  });

  const fit = await set({ is_owner: true, android_api: 34 });
  expect(fit.device.features.cannot).toEqual({});
  // Nobody vouches for its key.
  expect(fit.lock).toMatchObject({ strength: 'unproven' });
});

test('a phone that another vendor holds is asked for what that vendor carries', async () => {
  const { customerId, deviceId } = await world.enrolledPhone();
  await world.db.asOwner(
    `update enrolments set vendor = 'guard', handle = device_id::text, public_key_spki = null where device_id = $1`,
    [deviceId],
  );
  await expect(ask(customerId, 'reboot')).rejects.toMatchObject({
    options: { details: { why: 'devices.why.vendor' } },
  });
  const { device } = await world.db.read(ORG, (tx) => getDevice(tx, world.actor, deviceId));
  expect(device.features.cannot).toMatchObject({ camera_lock: { why: 'devices.why.vendor' } });
  expect(device.features.cannot).not.toHaveProperty('sim_info');
});

test('what an agent beside the vendor in charge carries is offered by the app and taken by the server', async () => {
  const { customerId, deviceId, imei } = await world.register();
  const handle = `beside-${deviceId}`;
  await world.db.transaction(ORG, (tx) => reserveAt(tx, world.actor, { deviceId, vendor: 'guard', handle }));
  await world.plane.begun(ORG, 'guard', handle);
  await world.phone(imei).enrol(await world.token(deviceId), { serial: `S${imei}` });
  const { device } = await world.db.read(ORG, (tx) => getDevice(tx, world.actor, deviceId));
  expect(device.features.actions).toEqual(expect.arrayContaining(['reboot', 'fetch_location']));
  expect(device.features.cannot).not.toHaveProperty('reboot');
  expect(device.features.cannot).not.toHaveProperty('fetch_location');
  for (const type of ['reboot', 'location'] as const) expect((await ask(customerId, type)).state).toBe('QUEUED');
  // What the phone is held to is for the one in charge alone.
  expect(device.features.cannot).toMatchObject({ camera_lock: { why: 'devices.why.vendor' } });
});

test('what a kind of phone can not do is refused with the reason, and what a user may not do too', async () => {
  const { customerId } = await world.register({ provisioningType: PROVISIONING.LINKFL });
  const allow = (features: string[]) =>
    world.db.asOwner('update organisations set allowed_features = $1 where org_id = $2', [
      JSON.stringify({ LINKFL: features }),
      ORG,
    ]);
  await world.db.plant(['customers'], 'update customers set status = 1 where customer_id = $1', [customerId]);
  await allow(['reboot']);
  await expect(ask(customerId, 'reboot')).rejects.toMatchObject({
    code: 'UNSUPPORTED_ON_DEVICE',
    options: { details: { why: 'devices.why.LINKFL.reboot' } },
  });
  const { customerId: managed } = await world.register({ provisioningType: PROVISIONING.AMAPI });
  await world.db.plant(['customers'], 'update customers set status = 1 where customer_id = $1', [managed]);
  await world.db.asOwner('update organisations set allowed_features = $1 where org_id = $2', [
    JSON.stringify({ AMAPI: ['fetch_location'] }),
    ORG,
  ]);
  await expect(ask(managed, 'location')).rejects.toMatchObject({
    code: 'UNSUPPORTED_ON_DEVICE',
    options: { details: { why: 'devices.why.AMAPI.fetch_location', only_in: 'lost_mode' } },
  });
  await world.db.asOwner(`update organisations set allowed_features = '{}'`);
  expect(await code(ask(customerId, 'location'))).toBe('STATE_CONFLICT');
  const bound = { ...world.actor, access: { ...world.actor.access, feature_access: '0' as const } };
  const { customerId: mine } = await world.enrolledPhone();
  expect(
    await code(
      world.db.transaction(ORG, (tx) =>
        request(tx, world.waker, bound, { customerId: mine, type: 'reboot', reason: 'CUSTOMER_REQUEST' }),
      ),
    ),
  ).toBe('FEATURE_NOT_ALLOWED');
  expect(await code(ask(mine, 'emi_alert'))).toBe('INVALID_INPUT');
});

test('an unlock ends every pending lock before it, and no lock of an earlier revision ends it', async () => {
  const { deviceId } = await world.enrolledPhone();
  const order = (type: 'lock' | 'unlock', revision: number) =>
    world.db.transaction(ORG, (tx) =>
      create(tx, { deviceId, type, revision, reason: 'EMI_OVERDUE', requestedBy: null }),
    );
  const [first, second, unlock, late] = [
    await order('lock', 2),
    await order('lock', 3),
    await order('unlock', 5),
    await order('lock', 4),
  ];
  expect(await Promise.all([first, second, unlock, late].map(stateOfNow))).toEqual([
    'SUPERSEDED',
    'SUPERSEDED',
    'QUEUED',
    'QUEUED',
  ]);
});

test('an erased phone: what it had fetched has failed, what waited is handed to it again', async () => {
  const { customerId, deviceId, phone } = await world.enrolledPhone();
  const [fetched, waiting] = [await ask(customerId, 'location'), await ask(customerId, 'emi_alert', 'Hello')];
  await world.db.asOwner(`update commands set state = 'DELIVERED' where command_id = $1`, [fetched.commandId]);
  const erased = world.phone(phone.imei);
  await erased.enrol(await world.token(deviceId), { serial: `S${phone.imei}` });
  await inOrg((tx) => phoneErased(tx, deviceId));
  expect(await stateOfNow(fetched.commandId)).toBe('FAILED');
  expect((await erased.checkin()).body.commands).toMatchObject([{ id: waiting.commandId, args: { text: 'Hello' } }]);
  await erased.checkin();
  expect(await stateOfNow(waiting.commandId)).toBe('APPLIED');
  erased.acks.push({ id: waiting.commandId, seq: 2, status: 'seen' });
  await erased.checkin();
  expect(await stateOfNow(waiting.commandId)).toBe('VERIFIED');
});

test('a phone, an order and a batch of another shop answer exactly like ones that do not exist', async () => {
  const { deviceId, customerId } = await world.enrolledPhone();
  const stranger = { ...world.actor, userId: crypto.randomUUID(), visibleOwnerIds: [crypto.randomUUID()] };
  const nothing = crypto.randomUUID();
  const batchId = await world.db.transaction(ORG, (tx) =>
    keepBatch(tx, world.actor, {
      command: 'lock',
      reason: 'EMI_OVERDUE',
      total: 1,
      allowed: 1,
      refused: 0,
      refusals: [],
    }),
  );
  expect(await world.db.read(ORG, (tx) => batch(tx, world.actor, batchId))).toMatchObject({ total: 1, states: {} });
  for (const [id, order, customer] of [
    [deviceId, batchId, customerId],
    [nothing, nothing, nothing],
  ] as const) {
    for (const orgId of [ORG, OTHER_ORG]) {
      expect(await code(world.db.read(orgId, (tx) => getDevice(tx, stranger, id)))).toBe('NOT_FOUND');
      expect(await code(world.db.read(orgId, (tx) => timeline(tx, stranger, id, PAGE)))).toBe('NOT_FOUND');
      expect(await code(world.db.read(orgId, (tx) => batch(tx, stranger, order)))).toBe('NOT_FOUND');
      expect(
        await code(
          world.db.transaction(orgId, (tx) =>
            request(tx, world.waker, stranger, { customerId: customer, type: 'reboot', reason: 'CUSTOMER_REQUEST' }),
          ),
        ),
      ).toBe('NOT_FOUND');
    }
  }
});

test('the timeline tells orders, events and audit lines, newest first, in pages', async () => {
  const { customerId, deviceId, phone } = await world.enrolledPhone();
  await ask(customerId, 'location');
  await phone.checkin();
  await phone.checkin();
  const all = await world.db.read(ORG, (tx) => timeline(tx, world.actor, deviceId, PAGE));
  expect(all.list.map(({ source, kind, state }) => [source, kind, state])).toEqual([
    ['command', 'location', 'VERIFIED'],
    ['event', 'enrolled', null],
    ['audit', 'enrolment_token_issued', null],
    ['audit', 'device_registered', null],
  ]);
  const second = await world.db.read(ORG, (tx) => timeline(tx, world.actor, deviceId, { page: 2, page_size: 3 }));
  expect(second).toMatchObject({ total: 4, list: [{ kind: 'device_registered', by: 'Asha' }] });
});

test('10,000 phones are ordered in a few statements, each with its own number', { timeout: 60_000 }, async () => {
  await world.db.asOwner(
    `with made as (
       insert into devices (org_id, device_id, provisioning_type, created_at) select ${ORG}, gen_random_uuid(), 0, now() from generate_series(1, 10000) returning device_id
     ), desired as (
       insert into device_desired (org_id, device_id, revision, document, changed_at)
       select ${ORG}, device_id, 1, '{"lock":{"level":0,"cause":null,"screen":null},"toggles":{"camera_lock":false,"app_lock":false,"wallpaper":false},"wallpaper_text":null,"released":false}', now() from made
     ) insert into device_reports (org_id, device_id) select ${ORG}, device_id from made`,
  );
  const rows = await world.db.asOwner<{ id: string }>('select device_id as id from devices where customer_id is null');
  const ids = rows.map((row) => row.id);
  await inOrg(async (tx) => {
    const revisions = await setDesiredMany(
      tx,
      ids.map((deviceId) => ({ deviceId, lock: { level: 4, cause: 'debt', screen: null } })),
    );
    expect(new Set(revisions)).toEqual(new Set([2]));
    await createMany(
      tx,
      ids.map((deviceId) => ({ deviceId, type: 'lock', revision: 2, reason: 'EMI_OVERDUE', requestedBy: null })),
    );
  });
  const [counted] = await world.db.asOwner<{ n: number }>(
    `select count(*)::integer as n from commands where type = 'lock' and seq = 1 and revision = 2 and device_id = any($1)`,
    [ids],
  );
  expect(counted?.n).toBe(10_000);
});

test('a revision never falls, not even by hand', async () => {
  const { deviceId } = await world.enrolledPhone();
  await world.db.transaction(ORG, (tx) => setDesired(tx, deviceId, { released: false }));
  await expect(
    world.db.asOwner('update device_desired set revision = 1 where device_id = $1', [deviceId]),
  ).rejects.toThrow('would fall');
});
