import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_TYPES } from '@kist/contract/commands';
import { LOCK_REASONS } from '@kist/contract/lock-policy';
import { makeRetailer } from '#test/factories.ts';
import { type TestApp, createSession, createTestApp, createUser } from '#test/http.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { deviceRoutes } from './devices.ts';
import { disputeRoutes } from './disputes.ts';
import { lockingRoutes } from './locking.ts';
import { organisationRoutes } from './organisation.ts';

const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057';
let world: LockWorld;
let http: TestApp;
let sale: Sale;
let token: string;
let mini: string;
let rival: string;

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell();
  http = await createTestApp({
    database: world.db,
    register: (app) => {
      lockingRoutes(app, { locking: world.locking });
      disputeRoutes(app, { locking: world.locking });
      organisationRoutes(app);
      deviceRoutes(app, {
        locking: world.locking,
        waker: world.waker,
        notices: world.notices,
      });
    },
  });
  const sessionOf = (userId: string) => createSession(world.db, { orgId: ORG, userId, mobile: '' });
  token = await sessionOf(world.shop.userId);
  mini = await sessionOf((await makeRetailer(world.db, ORG, world.shop)).userId);
  rival = await sessionOf((await makeRetailer(world.db, ORG)).userId);
});
afterAll(() => world.close());

const dispute = (by: string | undefined, body: object) => http.call('openDispute', { token: by, rawBody: body });

describe('a dispute', () => {
  it('is opened and closed by those it concerns, once each', async () => {
    const given = { customer_id: sale.customerId, text: 'I paid in cash.' };
    const key = crypto.randomUUID();
    const opened = await http.call('openDispute', { token, body: given, idempotencyKey: key });
    expect((await http.call('openDispute', { token, body: given, idempotencyKey: key })).data).toEqual(opened.data);
    expect(await dispute(token, given)).toMatchObject({ status: 409, code: 'DISPUTE_ALREADY_OPEN' });
    const close = (by: string | undefined, id = opened.data.dispute_id) =>
      http.call('closeDispute', { token: by, body: { dispute_id: id, outcome: 'Found the receipt.' } });
    expect((await close(mini)).status).toBe(403);
    expect((await close(rival)).text).toBe((await close(rival, NOBODY)).text);
    expect(await close(rival)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect((await close(undefined)).status).toBe(511);
    expect((await close(token)).data).toEqual({ ...opened.data, state: 'answered' });
    expect(await close(token)).toMatchObject({ status: 409, code: 'STATE_CONFLICT' });
  });

  it('of nobody, of somebody else’s customer, or without words is refused', async () => {
    expect((await dispute(token, { customer_id: NOBODY, text: 'x' })).status).toBe(404);
    expect((await dispute(rival, { customer_id: sale.customerId, text: 'x' })).status).toBe(404);
    expect((await dispute(token, { customer_id: sale.customerId, text: '  ' })).status).toBe(400);
    expect((await dispute(token, { customer_id: sale.customerId, text: 'x', extra: 1 })).status).toBe(400);
    expect((await dispute(undefined, { customer_id: sale.customerId, text: 'x' })).status).toBe(511);
  });
});

describe('the bell', () => {
  it('shows each user their own lines, newest first, and forgets that they were unread', async () => {
    const list = await http.call('listNotifications', { token, query: { page_size: 1 } });
    expect(list.data).toMatchObject({
      page: 1,
      page_size: 1,
      list: [{ kind: 'dispute_opened', read_at: null, customer_name: 'Irfan Shaikh' }],
    });
    expect(list.data.total).toBeGreaterThan(0);
    expect((await http.call('listNotifications', { token: rival })).data.list).toEqual([]);
    expect((await http.call('listNotifications', { token, query: { page_size: 101 } })).status).toBe(400);
    expect((await http.call('listNotifications', {})).status).toBe(511);
    expect((await http.call('readNotifications', { token, body: {} })).data.read).toBe(list.data.total);
    expect((await http.call('readNotifications', { token, body: {} })).data.read).toBe(0);
    expect((await http.call('readNotifications', { token, rawBody: { all: true } })).status).toBe(400);
    expect((await http.call('readNotifications', { body: {} })).status).toBe(511);
  });
});

it('a switch is asked about before it is turned: the rule is told and nothing is kept', async () => {
  const asked = (command: 'app_lock' | 'camera_lock') =>
    http.call('previewCommand', { token, params: { command }, body: { customer_id: sale.customerId } });
  expect((await asked('app_lock')).data.verdict).toMatchObject({ allowed: false, rule: 'NOT_OVERDUE' });
  expect((await asked('camera_lock')).data.verdict).toMatchObject({ rule: 'RESTRICTION_NOT_IN_POLICY' });
  const { commands } = (await http.call('getDevice', { token, params: { device_id: sale.deviceId } })).data;
  expect(commands).toEqual([]);
});

it('a refused lock answers with the rule and the moment, and stands in the history', async () => {
  const order = {
    token,
    params: { command: 'lock' },
    body: { customer_id: sale.customerId, reason: 'EMI_OVERDUE' as const },
  };
  const refused = await http.call('sendCommand', order);
  expect(refused).toMatchObject({ status: 422, code: 'POLICY_REFUSED' });
  expect(refused.details).toMatchObject({
    verdict: {
      allowed: false,
      rule: 'NOT_OVERDUE',
      failing: [
        { rule: 'NOT_OVERDUE', at: '2026-03-10T18:30:00.000Z' },
        // What was said in the test before was answered a moment ago.
        { rule: 'DISPUTE_ANSWERED' },
        { rule: 'BELOW_DPD' },
        { rule: 'NOTICE_NOT_DELIVERED' },
        { rule: 'LEVEL_STEP' },
      ],
    },
  });
  const preview = await http.call('previewCommand', order);
  expect(preview.data.verdict).toMatchObject({ allowed: false, rule: 'NOT_OVERDUE' });
  const { commands } = (await http.call('getDevice', { token, params: { device_id: sale.deviceId } })).data;
  expect(commands).toMatchObject([{ type: 'lock', state: 'REFUSED', reason: 'EMI_OVERDUE' }]);
});

describe('lost mode, which a customer asks for', () => {
  const sessionOfOwner = async ({ customerId }: Sale) =>
    createSession(world.db, await createUser(world.db, { orgId: ORG, userType: 'customer', customerId }));
  const order = (by: string, customer_id: string, command = 'lost_mode_on', reason?: string) =>
    http.call('sendCommand', { token: by, params: { command }, rawBody: { customer_id, reason, note: 'on the bus' } });

  it('is the owner’s word that the phone is lost: held for it, told to the shop, in the history, and ended as that', async () => {
    const lost = await world.sell();
    const own = await sessionOfOwner(lost);
    // Whose file it is the customer learns here.
    const { customer_id } = (await http.call('getUserAccess', { token: own })).data;
    expect(customer_id).toBe(lost.customerId);
    expect((await order(own, lost.customerId)).data).toMatchObject({ state: 'QUEUED', revision: expect.any(Number) });
    expect(await order(own, lost.customerId)).toMatchObject({ status: 409, code: 'STATE_CONFLICT' });
    const { commands } = (await http.call('getDevice', { token: own, params: { device_id: lost.deviceId } })).data;
    expect(commands).toMatchObject([{ type: 'lock', reason: 'CUSTOMER_REQUEST', note: 'on the bus' }]);
    const reports = await world.db.asOwner(
      'select kind, closed_at is null as open from protection_reports where device_id = $1',
      [lost.deviceId],
    );
    expect(reports).toEqual([{ kind: 'request', open: true }]);
    const locks = await world.db.asOwner(
      'select cause, verdict_id is not null as judged from locks where device_id = $1',
      [lost.deviceId],
    );
    expect(locks).toEqual([{ cause: 'customer_request', judged: true }]);
    const told = await http.call('listNotifications', { token, query: { page_size: 1 } });
    expect(told.data.list).toMatchObject([{ kind: 'lost_reported', data: { kind: 'lost' } }]);
    const found = await http.call('withdrawLost', { token: own, body: { customer_id: lost.customerId, kind: 'lost' } });
    expect(found.data).toMatchObject({ level: 0 });
  });

  it('is of the own phone alone, and another’s is as one that does not exist', async () => {
    const [mine, theirs] = [await world.sell(), await world.sell()];
    const own = await sessionOfOwner(mine);
    const answers = [await order(own, theirs.customerId), await order(own, NOBODY)];
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(answers[0]!.text).toBe(answers[1]!.text);
  });

  it('is the one order a customer has, for this reason alone, and no shop has it', async () => {
    const own = await sessionOfOwner(sale);
    for (const command of COMMAND_TYPES)
      expect([command, (await order(own, sale.customerId, command)).code]).toEqual([command, 'FORBIDDEN']);
    for (const reason of Object.keys(LOCK_REASONS).filter((one) => one !== 'CUSTOMER_REQUEST'))
      expect([reason, (await order(own, sale.customerId, 'lost_mode_on', reason)).code]).toEqual([reason, 'FORBIDDEN']);
    for (const shop of [token, mini])
      expect(await order(shop, sale.customerId)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});
