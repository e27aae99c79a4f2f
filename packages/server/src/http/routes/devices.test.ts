import { beforeAll, expect, test } from 'vitest';
import type { Verdict } from '@kist/contract/lock-policy';
import { create, createMany } from '#server/commands/commands.ts';
import { setDesired } from '#server/devices/desired.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, OTHER_ORG, createDeviceWorld } from '#test/device-world.ts';
import { type TestApp, createSession, createTestApp, createUser, emmHeader } from '#test/http.ts';
import { type DeviceRouteDeps, type LockOrders, deviceRoutes } from './devices.ts';

let world: DeviceWorld;
let http: TestApp;
let token: string;
let foreign: string;
let elsewhere: string;

const VERDICT = { allowed: false, rule: 'NOT_OVERDUE' } as Verdict;
/** Locking's side of the port: refuses every lock, frees every phone. */
const locking: LockOrders = {
  requestLock: async () => ({ refused: VERDICT }),
  requestUnlock: async (tx, actor, customerId) => {
    const { rows } = await tx.query<{ deviceId: string }>(
      'select device_id as "deviceId" from devices where customer_id = $1',
      [customerId],
    );
    const { deviceId } = rows[0]!;
    const { revision } = await setDesired(tx, deviceId, { lock: { level: 0, cause: null, screen: null } });
    const commandId = await create(tx, {
      deviceId,
      type: 'unlock',
      revision,
      reason: 'EMI_OVERDUE',
      requestedBy: actor.userId,
    });
    world.waker.wake(tx, [deviceId]);
    return { commandId, state: 'QUEUED', revision };
  },
  requestSwitch: async () => ({ refused: VERDICT }),
  reportLost: async () => ({ refused: VERDICT }),
  previewLock: async () => VERDICT,
  previewSwitch: async () => VERDICT,
  bulk: async (_tx, _actor, { customer_ids }) => ({
    batch_id: null,
    state: null,
    total: customer_ids.length,
    allowed: 0,
    refused: customer_ids.length,
    refusals: [],
    preview: null,
  }),
  decideBulk: async (_tx, _actor, { batchId }) => ({ batch_id: batchId, state: 'asked' }),
};

/** Whom a filter means and the reminder's words are other slices' matter. */
const elsewhereDecided: Pick<DeviceRouteDeps, 'notices'> = {
  notices: {
    alertOnPhone: (_tx, _actor, { message }, order) => order(message ?? 'Due on Friday'),
    phoneMessages: async () => ({ language: 'en', messages: [] }),
  },
};

beforeAll(async () => {
  const db = await createTestDatabase();
  world = await createDeviceWorld(db);
  http = await createTestApp({
    database: db,
    register: (app) => deviceRoutes(app, { locking, waker: world.waker, ...elsewhereDecided }),
  });
  token = await createSession(db, { orgId: ORG, userId: world.actor.userId, mobile: '' });
  foreign = await createSession(db, await createUser(db, { orgId: ORG }));
  elsewhere = await createSession(db, await createUser(db, { orgId: OTHER_ORG }));
});

test('an order goes out once for each key, and only with a session', async () => {
  const { customerId, deviceId } = await world.enrolledPhone();
  const input = {
    token,
    params: { command: 'reboot' },
    body: { customer_id: customerId },
    idempotencyKey: crypto.randomUUID(),
  };
  const first = await http.call('sendCommand', input);
  expect(first.data).toMatchObject({ state: 'QUEUED', revision: null });
  expect((await http.call('sendCommand', input)).data).toEqual(first.data);
  const { device, commands } = (await http.call('getDevice', { token, params: { device_id: deviceId } })).data;
  expect(commands).toHaveLength(1);
  expect(device).toMatchObject({
    device_id: deviceId,
    is_online: false,
    desired_revision: 1,
    features: { actions: expect.arrayContaining(['reboot']) },
  });
  expect(await http.call('sendCommand', { ...input, token: undefined })).toMatchObject({
    status: 511,
    code: 'SESSION_REQUIRED',
  });
});

test('the reminder is ordered by its own name, and no other name stands in for it', async () => {
  const { customerId, deviceId } = await world.enrolledPhone();
  const order = (command: string) =>
    http.call('sendCommand', { token, params: { command }, body: { customer_id: customerId, value: 'Due on Friday' } });
  expect((await order('emi_alert')).data).toMatchObject({ state: 'QUEUED' });
  expect(await order('message')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const { commands } = (await http.call('getDevice', { token, params: { device_id: deviceId } })).data;
  expect(commands.map(({ type }) => type)).toEqual(['emi_alert']);
});

test('a refused lock names the rule', async () => {
  const { customerId } = await world.enrolledPhone();
  const refused = await http.call('sendCommand', {
    token,
    params: { command: 'lock' },
    body: { customer_id: customerId, reason: 'EMI_OVERDUE' },
  });
  expect(refused).toMatchObject({ status: 422, code: 'POLICY_REFUSED', details: { verdict: VERDICT } });
});

test('who may lock but not read what is owed hears the rule of a refusal, and nothing that tells of money', async () => {
  const { customerId: customer_id } = await world.enrolledPhone();
  await world.db.asOwner(`update users set lock_access = lock_access || '{"read": "0"}' where user_id = $1`, [
    world.actor.userId,
  ]);
  for (const [command, body] of Object.entries({
    lock: { customer_id, reason: 'EMI_OVERDUE' as const },
    camera_lock: { customer_id },
  }))
    expect(await http.call('sendCommand', { token, params: { command }, body })).toMatchObject({
      status: 422,
      code: 'POLICY_REFUSED',
      details: { rule: VERDICT.rule },
    });
  const { details } = await http.call('sendCommand', { token, params: { command: 'lock' }, body: { customer_id } });
  expect(details).not.toHaveProperty('verdict');
  await world.db.asOwner(`update users set lock_access = lock_access || '{"read": "1"}' where user_id = $1`, [
    world.actor.userId,
  ]);
});

test('bad input is refused by field: unknown order, unknown field, no id; what cannot be an id in an address is not found', async () => {
  expect(
    await http.call('sendCommand', {
      token,
      params: { command: 'explode' },
      body: { customer_id: crypto.randomUUID() },
    }),
  ).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(
    await http.call('sendCommand', { token, params: { command: 'reboot' }, rawBody: { customer_id: 'x', more: 1 } }),
  ).toMatchObject({
    status: 400,
    errors: expect.arrayContaining([expect.objectContaining({ path: 'customer_id' })]),
  });
  const noId = await http.call('getDevice', { token, params: { device_id: '../x' } });
  expect(noId.text).toBe((await http.call('getDevice', { token, params: { device_id: crypto.randomUUID() } })).text);
  expect(noId).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});

test('phones of others and phones that do not exist get one and the same answer', async () => {
  const { customerId, deviceId } = await world.enrolledPhone();
  const answers: string[] = [];
  for (const [who, device, customer] of [
    [foreign, deviceId, customerId],
    [elsewhere, deviceId, customerId],
    [token, crypto.randomUUID(), crypto.randomUUID()],
  ] as const) {
    const calls = [
      await http.call('getDevice', { token: who, params: { device_id: device } }),
      await http.call('getTimeline', { token: who, params: { device_id: device } }),
      await http.call('getBatch', { token: who, params: { batch_id: device } }),
      await http.call('sendCommand', { token: who, params: { command: 'reboot' }, body: { customer_id: customer } }),
    ];
    for (const call of calls) expect(call.status).toBe(404);
    answers.push(JSON.stringify(calls.map((call) => call.text)));
  }
  expect(new Set(answers).size).toBe(1);
});

test('a mini-retailer orders many phones only where it was allowed to', async () => {
  const body = { command: 'lock' as const, reason: 'EMI_OVERDUE' as const, customer_ids: [crypto.randomUUID()] };
  const mini = (bulk: '0' | '1') =>
    createUser(world.db, {
      userType: 'miniretailer',
      parentUserId: world.actor.userId,
      access: { bulk_retailer: bulk },
    });
  expect((await http.call('bulkCommand', { token, body })).data.refused).toBe(1);
  expect(await http.call('bulkCommand', { token: await createSession(world.db, await mini('0')), body })).toMatchObject(
    { status: 403, code: 'FEATURE_NOT_ALLOWED', details: { access: 'bulk_retailer' } },
  );
  expect(await http.call('bulkCommand', { token: await createSession(world.db, await mini('1')), body })).toMatchObject(
    { status: 200 },
  );
});

test('the live stream tells each step of an unlock, and nothing that did not happen', async () => {
  const { customerId, deviceId, phone } = await world.enrolledPhone();
  await world.db.transaction(ORG, async (tx) => {
    const { revision } = await setDesired(tx, deviceId, { lock: { level: 4, cause: 'debt', screen: null } });
    await createMany(tx, [{ deviceId, type: 'lock', revision, reason: 'EMI_OVERDUE', requestedBy: null }]);
  });
  await phone.checkin();
  await phone.checkin();
  const address = await http.app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const path = `/api/device/${deviceId}/events`;
  const open = (session: string) =>
    fetch(address + path, { headers: { authorization: `bearer ${session}`, 'x-emm-auth-session': emmHeader(path) } });
  expect((await open(foreign)).status).toBe(404);
  const blind = await createUser(world.db, { parentUserId: world.actor.userId, lockAccess: { read: '0' } });
  expect((await open(await createSession(world.db, blind))).status).toBe(403);
  const states = live(await open(token));
  expect((await states.next()).value).toMatchObject({ lock: { lock_status: 1, pending: null } });
  await http.call('sendCommand', { token, params: { command: 'unlock' }, body: { customer_id: customerId } });
  expect((await states.next()).value).toMatchObject({
    lock: { lock_status: 1, pending: { to: 'unlocked', state: 'QUEUED' } },
  });
  await phone.checkin();
  expect((await states.next()).value).toMatchObject({ lock: { lock_status: 1, pending: { state: 'SENT' } } });
  await phone.checkin();
  expect((await states.next()).value).toMatchObject({
    lock: { lock_status: 0, pending: null },
    commands: [{ type: 'unlock', state: 'VERIFIED' }, { type: 'lock' }],
  });
  await states.return(undefined);
});

async function* live(reply: Response): AsyncGenerator<unknown, void> {
  let text = '';
  for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data) yield JSON.parse(data);
    }
  }
}
