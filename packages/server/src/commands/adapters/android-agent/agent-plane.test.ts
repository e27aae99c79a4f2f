import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DesiredPolicy } from '@kist/contract/agent';
import { PROVISIONING } from '@kist/contract/codes';
import { createTestDatabase } from '#test/database.ts';
import {
  ORG,
  type DeviceWorld,
  closeDeviceWorld,
  commandState,
  createDeviceWorld,
  lockOfPhone,
} from '#test/device-world.ts';
import { imeiOf, newEventId } from '#test/phone.ts';
import { create, request } from '#server/commands/commands.ts';
import { setDesired } from '#server/devices/desired.ts';
import { release, view } from '#server/devices/devices.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

const HELD = { level: 4, cause: 'debt' as const, screen: null };
const FREE = { level: 0, cause: null, screen: null };
const lockOf = (deviceId: string) => lockOfPhone(world.db, deviceId);
const order = (deviceId: string, lock: DesiredPolicy['lock']) =>
  world.db.transaction(ORG, (tx) => setDesired(tx, deviceId, { lock }));

test('a phone enrols with its own key, is told, obeys, and only its own report makes it locked', async () => {
  const { deviceId, phone, customerId } = await world.enrolledPhone();
  expect(world.enrolled.at(-1)).toMatchObject({ deviceId, customerId, isFirst: true });
  const first = await phone.checkin();
  expect(first).toMatchObject({
    status: 200,
    isSigned: true,
    body: { desired: { revision: 1 }, commands: [], lease: null },
  });

  const { revision } = await order(deviceId, HELD);
  expect(revision).toBe(2);
  expect(await lockOf(deviceId)).toMatchObject({
    lock_status: 0,
    desired_level: 4,
    pending: { to: 'locked', state: 'QUEUED' },
  });
  await phone.checkin();
  expect(await lockOf(deviceId)).toMatchObject({ lock_status: 0, pending: { to: 'locked', state: 'SENT' } });
  await phone.checkin();
  expect(await lockOf(deviceId)).toMatchObject({
    lock_status: 1,
    level: 4,
    pending: null,
    strength: 'unproven',
    cause: 'debt',
  });
  await world.plane.whenQuiet();
  expect(world.changes.filter((change) => change.deviceId === deviceId)).toMatchObject([
    { first: true },
    { level: { from: 0, to: 4 }, settled: { revision: 2, level: 4 } },
  ]);
});

test('an erased phone that enrols again is handed its lock again, under a later revision than it ever had', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  await order(deviceId, HELD);
  await phone.checkin();
  await phone.checkin();
  const erased = world.phone(phone.imei);
  expect((await erased.enrol(await world.token(deviceId), { serial: `S${phone.imei}` })).status).toBe(200);
  expect(world.enrolled.at(-1)).toMatchObject({ deviceId, isFirst: false });
  expect(await lockOf(deviceId)).toMatchObject({ lock_status: 0, desired_level: 4, pending: { to: 'locked' } });
  const answer = await erased.checkin();
  expect(answer.body.desired).toMatchObject({ revision: 2, policy: { lock: { level: 4 } } });
  await erased.checkin();
  expect(await lockOf(deviceId)).toMatchObject({ lock_status: 1 });
  const later = await order(deviceId, FREE);
  expect(later.revision).toBe(3);
});

test('a report from before never overwrites a newer one, whoever sends it again', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  await order(deviceId, HELD);
  await phone.checkin();
  const locked = await phone.checkin();
  await order(deviceId, FREE);
  await phone.checkin();
  await phone.checkin();
  expect(await lockOf(deviceId)).toMatchObject({ lock_status: 0, level: 0 });

  const replay = await phone.call('/agent/v1/checkin', undefined, { headers: locked.sent, method: 'POST' });
  expect(replay.status).toBe(400);
  phone.elapsedMs -= 3000;
  const stale = await phone.checkin({
    obey: false,
    change: {
      state: {
        revision: 2,
        lock_level: 4,
        lock_cause: 'debt',
        lease_seq: 0,
        toggles: phone.toggles,
        sims: [],
        battery: 1,
        agent_version: '0',
      },
    },
  });
  expect(stale.status).toBe(200);
  expect(await lockOf(deviceId)).toMatchObject({ lock_status: 0, level: 0 });
  const { rows } = await world.db.read(ORG, (tx) =>
    tx.query<{ battery: number }>('select battery from device_reports where device_id = $1', [deviceId]),
  );
  expect(rows[0]?.battery).toBe(80);
});

test('the very same request is refused the second time', async () => {
  const { phone } = await world.enrolledPhone();
  const nonce = 'n'.repeat(22);
  const first = await phone.call('/agent/v1/poll', {}, { nonce, headers: undefined });
  const again = await phone.call('/agent/v1/poll', {}, { nonce });
  expect(first.status).toBe(200);
  expect(again).toMatchObject({ status: 409, body: { code: 'AGENT_REPLAYED' }, isSigned: true });
});

test('what one phone has used up refuses no other', async () => {
  const [one, other] = [await world.enrolledPhone(), await world.enrolledPhone()];
  const nonce = 'm'.repeat(22);
  for (const { phone } of [one, other]) expect((await phone.call('/agent/v1/poll', {}, { nonce })).status).toBe(200);
});

test('what was changed on the way is refused: body, path, method, key', async () => {
  const { phone } = await world.enrolledPhone();
  const other = (await world.enrolledPhone()).phone;
  const forged = await phone.call('/agent/v1/dispute', { text: 'mine' }, { sentBody: '{"text":"other"}' });
  expect(forged).toMatchObject({ status: 400, body: { code: 'AGENT_SIGNATURE_INVALID' }, isSigned: true });
  const { sent } = await phone.call('/agent/v1/poll', {});
  expect((await phone.call('/agent/v1/dispute', {}, { headers: sent })).body.code).toBe('AGENT_SIGNATURE_INVALID');
  expect((await phone.call('/agent/v1/poll', {}, { keyid: other.keyid })).body.code).toBe('AGENT_SIGNATURE_INVALID');
});

test('a key is known by the one name it was given', async () => {
  const { phone } = await world.enrolledPhone();
  for (const keyid of [`0${phone.keyid}`, `+${phone.keyid}`, phone.keyid.toUpperCase()]) {
    const { status } = await phone.call('/agent/v1/poll', {}, { keyid });
    expect([keyid, status === 200]).toEqual([keyid, keyid === phone.keyid]);
  }
});

test('one key is one phone: it enrols no second one while the first is live, and the same one again', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  const other = await world.register();
  const token = await world.token(other.deviceId);
  const taken = await phone.enrol(token, { imei: [other.imei], serial: '' });
  expect(taken.body.code).toBe('ENROLMENT_PHONE_MISMATCH');
  expect((await phone.checkin()).status).toBe(200);
  expect((await world.phone(other.imei).enrol(token, { serial: '' })).status).toBe(200);
  expect((await phone.enrol(await world.token(deviceId), { serial: '' })).status).toBe(200);
  expect((await phone.checkin()).status).toBe(200);
});

test('a phone that is set up as another one is told of at once, also where that is refused; the same phone again is not', async () => {
  const { deviceId, imei } = await world.register();
  const phone = world.phone(imei);
  await phone.enrol(await world.token(deviceId), { serial: '' });
  const other = await world.register();
  const before = world.elsewhere.length;
  expect((await phone.enrol(await world.token(deviceId), { serial: '' })).status).toBe(200);
  expect(world.elsewhere.slice(before)).toEqual([]);
  const stolen = world.phone(imei);
  expect((await stolen.enrol(await world.token(other.deviceId), { serial: '' })).body.code).toBe(
    'ENROLMENT_PHONE_MISMATCH',
  );
  expect(world.elsewhere.slice(before)).toEqual([deviceId]);
  const both = world.phone(other.imei);
  expect((await both.enrol(await world.token(other.deviceId), { imei: [other.imei, imei], serial: '' })).status).toBe(
    200,
  );
  expect(world.elsewhere.slice(before)).toEqual([deviceId, deviceId]);
});

test('unknown, ended and foreign enrolments get the same answer', async () => {
  const { phone, deviceId } = await world.enrolledPhone();
  const [, ownKey] = phone.keyid.split('.');
  await phone.checkin();
  const unknown = await phone.call('/agent/v1/checkin', {}, { keyid: '20.00000000-0000-4000-8000-000000000000' });
  const foreign = await phone.checkin({ keyid: `21.${ownKey}` });
  await world.db.asOwner('update enrolments set ended_at = now() where device_id = $1', [deviceId]);
  const ended = await phone.checkin();
  for (const answer of [unknown, foreign, ended]) expect(answer).toMatchObject({ status: 404, body: unknown.body });
  expect((await phone.call('/agent/v1/poll', {})).body.code).toBe('AGENT_UNKNOWN');
});

test('a code tells the time to who holds it only, and enrols no phone that was let go', async () => {
  const { deviceId, imei } = await world.register();
  const token = await world.token(deviceId);
  const phone = world.phone(imei);
  const hourAgo = { created: Math.floor(Date.now() / 1000) - 3600 };
  const strange = `${token.split('.')[0]}.${'x'.repeat(43)}`;
  expect((await phone.enrol(strange, {}, hourAgo)).body.code).toBe('AGENT_UNKNOWN');
  expect((await phone.enrol(token, {}, hourAgo)).body.code).toBe('STALE_REQUEST');
  await world.db.transaction(ORG, (tx) => release(tx, world.actor, deviceId));
  expect((await phone.enrol(token)).body.code).toBe('STATE_CONFLICT');
});

test('a token works once, dies with the next one, and binds the phone of the agreement', async () => {
  const { deviceId, imei } = await world.register();
  const [old, token] = [await world.token(deviceId), await world.token(deviceId)];
  const phone = world.phone(imei);
  expect((await phone.enrol(old)).body.code).toBe('ENROLMENT_TOKEN_EXPIRED');
  expect((await world.phone(imeiOf(999_999)).enrol(token)).body.code).toBe('ENROLMENT_PHONE_MISMATCH');
  expect((await phone.enrol(token, { agent: 'LINKFL' })).body.code).toBe('ENROLMENT_PHONE_MISMATCH');
  expect((await phone.enrol(`k.${'x'.repeat(43)}`)).body.code).toBe('AGENT_UNKNOWN');
  const enrolled = await phone.enrol(token, { serial: 'S-once' });
  expect(enrolled).toMatchObject({
    status: 200,
    isSigned: true,
    body: { lock_strength: 'enforced', server_key_id: world.key.keyId },
  });
  expect((await phone.enrol(token, { serial: 'S-once' })).body.keyid).toBe(enrolled.body.keyid);
  expect((await world.phone(imei).enrol(token)).body.code).toBe('ENROLMENT_TOKEN_USED');
  const { device } = await world.db.read(ORG, (tx) => view(tx, deviceId));
  expect(device).toMatchObject({
    grade: 'none',
    serial: 'S-once',
    is_online: false,
    features: { toggles: expect.arrayContaining(['lock']) },
  });
});

test('a released phone is told to drop everything and its number is free for the next sale', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  await order(deviceId, HELD);
  await phone.checkin();
  await world.db.transaction(ORG, (tx) => release(tx, world.actor, deviceId));
  const answer = await phone.checkin();
  expect(answer.body.desired.policy).toMatchObject({ released: true, lock: { level: 0 } });
  await expect(world.register({ imei: phone.imei })).resolves.toBeDefined();
});

test('events are noted once, a changed SIM is reported with both sides', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  await phone.checkin();
  const event = { id: newEventId(), kind: 'booted', at: new Date().toISOString(), data: {} };
  phone.events = [event];
  await phone.checkin();
  phone.events = [event];
  phone.sims = [{ slot: 0, iccid: '8991000000000000009', operator: 'Airtel' }];
  await phone.checkin();
  await world.plane.whenQuiet();
  const mine = world.changes.filter((change) => change.deviceId === deviceId);
  expect(mine.flatMap((change) => change.events ?? [])).toHaveLength(1);
  expect(mine.filter((change) => change.events)).toMatchObject([{ events: [{ id: event.id, kind: 'booted' }] }]);
  expect(mine.flatMap((change) => change.sims ?? [])).toMatchObject([
    { from: [{ operator: 'Jio' }], to: [{ operator: 'Airtel' }] },
  ]);
});

test('what one check-in brought comes as one change, its events in the order in which they happened', async () => {
  const { deviceId, customerId, phone } = await world.enrolledPhone();
  await phone.checkin();
  await phone.checkin();
  await world.plane.whenQuiet();
  world.changes.length = 0;
  await world.db.transaction(ORG, (tx) =>
    request(tx, world.waker, world.actor, { customerId, type: 'sim_info', reason: 'CUSTOMER_REQUEST' }),
  );
  await phone.checkin();
  await world.db.asOwner(`update enrolments set started_at = started_at - interval '1 hour' where device_id = $1`, [
    deviceId,
  ]);
  const at = (second: number) => new Date(Date.now() - 60_000 + second * 1000).toISOString();
  phone.events = [
    { id: newEventId(), kind: 'lease_step', at: at(2), data: { level: 1, none: null } },
    { id: newEventId(), kind: 'notice_shown', at: at(1), data: { no: 1 } },
  ];
  phone.level = 1;
  await phone.checkin();
  await world.plane.whenQuiet();
  expect(world.changes.filter((change) => change.deviceId === deviceId)).toMatchObject([
    {
      level: { from: 0, to: 1 },
      events: [{ kind: 'notice_shown' }, { kind: 'lease_step', data: { level: 1, none: null } }],
      commands: [{ type: 'sim_info', state: 'VERIFIED', result: { done: 'sim_info' } }],
    },
  ]);
});

test('what a phone dates after we heard of it stays in the order in which it was told', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  await phone.checkin();
  await world.plane.whenQuiet();
  world.changes.length = 0;
  const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const told = ['low_battery', 'payment_claimed', 'lease_step', 'clock_moved', 'dispute', 'notice_shown'] as const;
  // By its own clock, which runs ahead and was set back meanwhile, the last was the first.
  phone.events = told.map((kind, nth) => ({ id: newEventId(), kind, at: ahead(90 - nth), data: {} }));
  await phone.checkin();
  await world.plane.whenQuiet();
  const heard = world.changes.filter((change) => change.deviceId === deviceId).flatMap(({ events = [] }) => events);
  expect(heard.map(({ kind }) => kind)).toEqual(told);
});

test('a phone that claims a revision it was never given neither gets away with it nor stops its own orders', async () => {
  const { deviceId, phone } = await world.enrolledPhone();
  await phone.checkin();
  await order(deviceId, HELD);
  for (const lie of [1000, Number.MAX_SAFE_INTEGER]) {
    const state = {
      revision: lie,
      lock_level: 0,
      lock_cause: null,
      lease_seq: lie,
      toggles: phone.toggles,
      sims: [],
      battery: 1,
      agent_version: '1',
    };
    expect((await phone.checkin({ obey: false, change: { state, highest_seq: lie } })).status).toBe(200);
    expect(await lockOf(deviceId)).toMatchObject({ lock_status: 0, pending: { to: 'locked' } });
    await order(deviceId, HELD);
  }
  const answer = await phone.checkin();
  expect(answer.body.desired).toMatchObject({ revision: 1002, policy: { lock: { level: 4 } } });
});

test('many phones in one statement each get their own, and their own only', async () => {
  const phones = await Promise.all(Array.from({ length: 40 }, () => world.enrolledPhone()));
  await Promise.all(phones.map(({ phone }) => phone.checkin()));
  const expected = new Map<string, { level: number; commandId: string }>();
  for (const [index, { deviceId, customerId }] of phones.entries()) {
    const level = index % 5;
    await order(deviceId, { level, cause: 'debt', screen: null });
    const { commandId } = await world.db.transaction(ORG, (tx) =>
      request(tx, world.waker, world.actor, {
        customerId,
        type: 'emi_alert',
        value: deviceId,
        reason: 'CUSTOMER_REQUEST',
      }),
    );
    expected.set(deviceId, { level, commandId });
  }
  // Twice each at the same time: one phone's reports queue up behind one another.
  const answers = await Promise.all(phones.flatMap(({ phone }) => [phone.checkin(), phone.checkin({ obey: false })]));
  phones.forEach(({ deviceId, phone }, index) => {
    const { body } = answers[index * 2]!;
    const { level, commandId } = expected.get(deviceId)!;
    expect(body.desired).toMatchObject({ revision: 2, policy: { lock: { level } } });
    expect(body.commands).toMatchObject([{ id: commandId, args: { text: deviceId } }]);
    expect(phone.level).toBe(level);
  });
  await Promise.all(phones.map(({ phone }) => phone.checkin()));
  const views = await Promise.all(phones.map(({ deviceId }) => lockOf(deviceId)));
  expect(views.map((lock) => lock.level)).toEqual(phones.map((_phone, index) => index % 5));
});

test('a linked phone that holds its reminder up is never called locked', async () => {
  const { deviceId, imei } = await world.register({ provisioningType: PROVISIONING.LINKFL });
  const phone = world.phone(imei);
  const answer = await phone.enrol(await world.token(deviceId), { agent: 'LINKFL', imei: [], serial: '' });
  expect(answer.body.lock_strength).toBe('advisory');
  await order(deviceId, HELD);
  await phone.checkin();
  await phone.checkin();
  expect(await lockOf(deviceId)).toMatchObject({ lock_status: 0, level: 4, strength: 'advisory', pending: null });
});

test('an order to a linked phone is carried out once it reminds as far as it can', async () => {
  const { deviceId, imei } = await world.register({ provisioningType: PROVISIONING.LINKFL });
  const phone = world.phone(imei);
  await phone.enrol(await world.token(deviceId), { agent: 'LINKFL', imei: [], serial: '' });
  const { revision } = await order(deviceId, HELD);
  const orderId = await world.db.transaction(ORG, (tx) =>
    create(tx, { deviceId, type: 'lock', revision, reason: 'EMI_OVERDUE', requestedBy: null }),
  );
  await phone.checkin();
  await phone.checkin();
  expect(await commandState(world.db, orderId)).toBe('VERIFIED');
});

test('the place in an answer to a location order is where the phone is', async () => {
  const { deviceId, customerId, phone } = await world.enrolledPhone();
  await world.db.transaction(ORG, (tx) =>
    request(tx, world.waker, world.actor, { customerId, type: 'location', reason: 'CUSTOMER_REQUEST' }),
  );
  const { body } = await phone.checkin({ obey: false });
  const place = { latitude: 19.99, longitude: 73.79, accuracy_m: 12, at: new Date().toISOString() };
  phone.acks = [{ id: body.commands[0].id, seq: 1, status: 'applied', result: place }];
  await phone.checkin();
  await world.plane.whenQuiet();
  const { device } = await world.db.read(ORG, (tx) => view(tx, deviceId));
  expect(device.location).toEqual(place);
});
