import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { addTemplate } from '#server/notices/notices.ts';
import { makeRetailer } from '#test/factories.ts';
import { type TestApp, createSession, createTestApp } from '#test/http.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { SCREEN_TEXTS } from '#test/screen-texts.ts';
import { customerRoutes } from './customers.ts';
import { deviceRoutes } from './devices.ts';
import { moneyRoutes } from './money.ts';

let world: LockWorld;
let http: TestApp;
let mini: Actor;
let rival: Actor;
let token: string;
let miniToken: string;
/** In the order of their sale: two of the shop's, the second on 1 March, one of its mini-retailer's, one of a rival's. */
let sales: Sale[];

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-02-10T12:00:00');
  mini = await makeRetailer(world.db, ORG, world.shop);
  rival = await makeRetailer(world.db, ORG);
  const first = await world.sell();
  await world.at('2026-03-01T12:00:00');
  sales = [first, await world.sell(), await world.sell({ actor: mini }), await world.sell({ actor: rival })];
  await world.db.asOwner(`update customers set search = 'irfan shaikh'`);
  await world.db.asOwner('update customers set plan_id = 2 where customer_id = $1', [sales[1]!.customerId]);
  await world.db.asOwner(`update devices set serial = 'SN-' || $2 where device_id = $1`, [sales[1]!.deviceId, '77']);
  http = await createTestApp({
    database: world.db,
    register: (app) => {
      customerRoutes(app, world);
      moneyRoutes(app, { payments: world.payments, notices: world.notices });
      deviceRoutes(app, {
        locking: world.locking,
        waker: world.waker,
        notices: world.notices,
      });
    },
  });
  const sessionOf = ({ userId }: Actor) => createSession(world.db, { orgId: ORG, userId, mobile: '' });
  token = await sessionOf(world.shop);
  miniToken = await sessionOf(mini);
});
afterAll(() => world.close());

const emi = () => sales[0]!.agreement.emi_paise;

it('the list shows those whom the figures count, and no rival’s', async () => {
  const { status, data } = await http.call('listCustomers', { token });
  expect([status, data.total]).toEqual([200, 3]);
  expect(data.list.map(({ customer_id }) => customer_id).toSorted()).toEqual(
    sales
      .slice(0, 3)
      .map(({ customerId }) => customerId)
      .toSorted(),
  );
});

describe('the figures of the shop', () => {
  const all = (query = {}, by = token) =>
    http.call('getDashboard', { token: by, query }).then(({ data }) => data.statuses['all']);

  it('are narrowed by who sold, what and when', async () => {
    await world.at('2026-03-12T12:00:00');
    const shopId = world.shop.userId;
    expect([await all(), await all({}, miniToken)]).toEqual([3, 1]);
    expect([await all({ retailer_id: shopId }), await all({ retailer_id: mini.userId })]).toEqual([2, 1]);
    expect([await all({ plan_id: 1 }), await all({ plan_id: 2 }), await all({ product_id: 2 })]).toEqual([2, 1, 1]);
    expect([
      await all({ user_type: 'MiniRetailer' }),
      await all({ account_id: shopId }),
      await all({ user_id: mini.userId }),
    ]).toEqual([1, 3, 1]);
    expect([
      await all({ to: '2026-02-28' }),
      await all({ from: '2026-03-01' }),
      await all({ refresh: true, page: 3 } as never),
    ]).toEqual([1, 2, 3]);
  });

  it('narrow money, days and orders alike', async () => {
    await world.at('2026-03-12T12:00:00');
    await world.pay(sales[0]!, 1);
    const of = async (query = {}) => (await http.call('getDashboard', { token, query })).data;
    const whole = await of();
    expect(whole).toMatchObject({ today: { collected_paise: emi() }, overdue: { paise: 2 * emi(), customers: 2 } });
    expect(whole.collections).toHaveLength(14);
    const onPlan = await of({ plan_id: 2 });
    expect(onPlan).toMatchObject({ today: { collected_paise: 0 }, overdue: { paise: emi(), customers: 1 } });
    expect(onPlan.outstanding_paise * 2).toBeGreaterThan(onPlan.outstanding_paise);
    expect(whole.outstanding_paise).toBeGreaterThan(onPlan.outstanding_paise);
    const days = await of({ from: '2026-03-11', to: '2026-03-13' });
    expect(days.collections).toEqual([
      { on: '2026-03-11', paise: 0 },
      { on: '2026-03-12', paise: emi() },
      { on: '2026-03-13', paise: 0 },
    ]);
    expect((await of({ from: '2020-01-01', to: '2026-03-13' })).collections).toHaveLength(366);
    expect((await of({ plan_id: 2, from: '2026-03-11', to: '2026-03-13' })).collections[1]).toMatchObject({ paise: 0 });
    const total = (query: object) => http.call('getTotalOutstanding', { token, query });
    expect((await total({ retailer_id: mini.userId })).data).toMatchObject({ agreements: 1, overdue_paise: emi() });
  });

  it('of a shop that is not below the caller are not found, whether it exists or not', async () => {
    for (const retailer_id of [rival.userId, crypto.randomUUID()])
      for (const name of [
        'getDashboard',
        'getTotalOutstanding',
        'getUpcomingEmi',
        'upcomingEmiCounts',
        'listCollections',
      ] as const)
        expect(await http.call(name, { token, query: { retailer_id } })).toMatchObject({
          status: 404,
          code: 'NOT_FOUND',
        });
    expect(
      (await http.call('getDashboard', { token: miniToken, query: { retailer_id: world.shop.userId } })).status,
    ).toBe(404);
  });

  it('of dues are narrowed too, by days on which they fall due', async () => {
    const rows = async (query: object) =>
      (await http.call('getUpcomingEmi', { token, query: { bucket: 'overdue', ...query } })).data.total;
    expect([
      await rows({}),
      await rows({ retailer_id: mini.userId }),
      await rows({ customer_id: sales[1]!.customerId }),
    ]).toEqual([2, 1, 1]);
    expect([
      await rows({ from: '2026-03-11' }),
      await rows({ to: '2026-03-10' }),
      await rows({ search: 'irfan' }),
      await rows({ search: 'nobody' }),
    ]).toEqual([0, 2, 2, 0]);
    const { data } = await http.call('upcomingEmiCounts', { token, query: { plan_id: 2 } });
    expect(data.find(({ bucket }) => bucket === 'overdue')).toMatchObject({ customers: 1, paise: emi() });
  });
});

describe('a filter in place of ids', () => {
  const remind = (body: object) => http.call('sendEmiAlert', { token, rawBody: body });

  it('reminds everybody it means, once in six hours, and names those left out', async () => {
    await world.at('2026-03-12T12:00:00');
    const first = (await remind({ filter: { due: 'overdue', plan_id: 2 } })).data;
    expect(first).toMatchObject({ total: 1, reminded: 1, refused: 0, sent: ['sms', 'phone'] });
    const second = (await remind({ filter: { status: 'all' } })).data;
    expect(second).toMatchObject({ total: 3, reminded: 2, refused: 1 });
    expect(second.refusals).toEqual([{ customer_id: sales[1]!.customerId, code: 'REMINDED_ALREADY' }]);
    expect(await remind({ customer_id: sales[2]!.customerId })).toMatchObject({
      status: 429,
      code: 'REMINDED_ALREADY',
    });
    const told = await world.db.asOwner<{ n: number }>(
      `select count(*)::int as n from notices where kind = 'alert' and agreement_id = $1`,
      [sales[3]!.agreement.agreement_id],
    );
    expect(told).toEqual([{ n: 0 }]);
  });

  it('is not what keeps others out: a reminder reaches nobody of a rival or of the shop above, and answers for them as for nobody at all', async () => {
    await world.at('2026-03-20T12:00:00');
    const told = () => world.db.asOwner(`select notice_id from notices where kind = 'alert' order by notice_id`);
    const before = await told();
    const ids = [sales[0]!.customerId, sales[3]!.customerId, crypto.randomUUID()];
    const { sent, reminded, refusals } = await world.inOrg((tx) => world.notices.sendAlerts(tx, mini, ids));
    expect({ sent, reminded, refusals }).toEqual({
      sent: [],
      reminded: 0,
      refusals: ids.map((customer_id) => ({ customer_id, code: 'STATE_CONFLICT' })),
    });
    expect(await told()).toEqual(before);
  });

  it('of nothing at all means nobody: it is refused, as ids and filter together are', async () => {
    expect(await remind({ filter: {} })).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(await remind({ filter: { nobody_knows: 1 } })).toMatchObject({ status: 400 });
    expect(await remind({ filter: { status: 'all' }, customer_id: sales[0]!.customerId })).toMatchObject({
      status: 400,
    });
    const bulk = (body: object) =>
      http.call('bulkCommand', { token, rawBody: { command: 'lock', reason: 'EMI_OVERDUE', ...body } });
    for (const body of [{}, { filter: {} }, { filter: { status: 'all' }, customer_ids: [sales[0]!.customerId] }])
      expect(await bulk(body)).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  it('takes what the list’s query takes: what it has no use for is left, and empty is not set', async () => {
    const bulk = async (filter: object) =>
      (
        await http.call('bulkCommand', {
          token,
          rawBody: { command: 'lock', reason: 'EMI_OVERDUE', dry_run: true, filter },
        })
      ).data.total;
    expect(await bulk({ status: '1', page: 1, page_size: 20, sort: 'due', refresh: true, device_id: 'abc' })).toBe(3);
    expect(await bulk({ plan_id: '2', from: '', to: '', search: '', customer_id: '', lock_status: '' })).toBe(1);
    expect((await remind({ filter: { status: '3', mpin: '', from: '' } })).data).toMatchObject({ total: 0 });
    for (const filter of [{ page: 1 }, { from: '' }, { refresh: true, search: '' }])
      expect(await remind({ filter })).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(await remind({ filter: { status: 'all', nobody_knows: '' } })).toMatchObject({ status: 400 });
  });

  it('orders many phones through the same gate, and a dry run orders none', async () => {
    await world.at('2026-03-12T12:00:00');
    // A session of the morning.
    await world.db.asOwner(`update sessions set created_at = created_at - interval '2 hours'`);
    const bulk = async (body: object) =>
      (await http.call('bulkCommand', { token, rawBody: { command: 'lock', reason: 'EMI_OVERDUE', ...body } })).data;
    const dry = await bulk({ filter: { serial_number: 'SN-77' }, dry_run: true });
    expect(dry).toMatchObject({ batch_id: null, total: 1, allowed: 0, refused: 1 });
    expect(dry.refusals).toMatchObject([{ customer_id: sales[1]!.customerId }]);
    const real = await bulk({ filter: { status: 1, lock_status: 0 } });
    expect(real).toMatchObject({ total: 3, allowed: 0, refused: 3 });
    const byIds = await bulk({ customer_ids: sales.slice(0, 3).map(({ customerId }) => customerId), dry_run: true });
    expect(real.refusals.toSorted(byCustomer)).toEqual(byIds.refusals.toSorted(byCustomer));
    expect(real.refusals.map(({ customer_id }) => customer_id)).not.toContain(sales[3]!.customerId);
    expect(await bulk({ filter: { deviceQuery: 'no such phone' } })).toMatchObject({ total: 0, allowed: 0 });
  });
  const byCustomer = (left: { customer_id: string }, right: { customer_id: string }) =>
    left.customer_id < right.customer_id ? -1 : 1;
});

it('emi_alert is the reminder itself, on the phone alone and under one throttle, in its own words or those of a message that is named', async () => {
  await world.at('2026-03-13T12:00:00');
  const { customerId, deviceId } = sales[1]!;
  const order = (body = {}) =>
    http.call('sendCommand', { token, params: { command: 'emi_alert' }, body: { customer_id: customerId, ...body } });
  const messages = (customer_id = customerId) => http.call('getPhoneMessages', { token, query: { customer_id } });
  const listed = (await messages()).data;
  expect(listed.messages.map(({ name }) => name)).toEqual(['reminder', 'call_shop', 'visit_shop', 'keep_online']);
  // No shop writes its own words on a customer's screen, whatever else would keep it from being sent.
  const refused = {
    status: 400,
    code: 'INVALID_INPUT',
    errors: [{ path: 'value', code: 'field.own_words' }],
  };
  for (const value of ['Come by on Friday', 'festival', 'toString'])
    expect(await order({ value })).toMatchObject(refused);
  expect((await order()).data).toMatchObject({ state: 'QUEUED' });
  const textOf = async () => {
    const ordered = await world.db.asOwner<{ text: string }>(
      `select args ->> 'text' as text from commands where device_id = $1 and type = 'emi_alert' order by seq desc limit 1`,
      [deviceId],
    );
    return ordered[0]!.text;
  };
  expect(await textOf()).toContain('10-03-2026');
  expect(await textOf()).toBe(listed.messages[0]!.text);
  expect(await order()).toMatchObject({ status: 429, code: 'REMINDED_ALREADY' });
  expect(await order({ value: 'visit_shop' })).toMatchObject({ status: 429, code: 'REMINDED_ALREADY' });
  expect(await order({ value: 'Come by on Friday' })).toMatchObject(refused);
  expect(await http.call('sendEmiAlert', { token, body: { customer_id: customerId } })).toMatchObject({ status: 429 });
  expect(await order({ customer_id: sales[3]!.customerId })).toMatchObject({ status: 404 });
  expect(await messages(sales[3]!.customerId)).toMatchObject({ status: 404 });
  await world.at('2026-03-13T18:30:00');
  // The customer reads their own language, whoever chooses it another.
  await world.db.plant(['customers'], `update customers set language = 'hn' where customer_id = $1`, [customerId]);
  await world.db.operator.transaction(ORG, (tx) =>
    addTemplate(tx, SYSTEM(ORG), { name: 'festival', texts: SCREEN_TEXTS }),
  );
  const inHindi = (await messages()).data;
  expect(inHindi.language).toBe('hn');
  expect(inHindi.messages.map(({ name }) => name).slice(-1)).toEqual(['festival']);
  const visit = inHindi.messages.find(({ name }) => name === 'visit_shop')!;
  expect(visit.text).toContain('दुकान पर आएँ');
  expect(visit.own).toContain('come to the shop');
  expect((await order({ value: 'visit_shop' })).data).toMatchObject({ state: 'QUEUED' });
  expect(await textOf()).toBe(visit.text);
  const kept = await world.db.asOwner<{ body: string }>(
    `select body from notices where kind = 'alert' and channel = 'phone' and customer_id = $1 order by created_at desc limit 1`,
    [customerId],
  );
  expect(kept).toEqual([{ body: visit.text }]);
  for (const body of [{}, { value: 'festival' }])
    expect(await order(body)).toMatchObject({ status: 429, code: 'REMINDED_ALREADY' });
  await world.at('2026-03-14T12:30:00');
  expect((await order({ value: 'festival' })).data).toMatchObject({ state: 'QUEUED' });
  expect(await textOf()).toMatch(/: कृपया ₹[\d,.]+ भरें। मदद: \+91\d{10}$/);
  await world.inOrg((tx) => world.locking.endTemplate(tx, SYSTEM(ORG), { name: 'festival' }));
  expect(await order({ value: 'festival' })).toMatchObject(refused);
  await world.db.plant(['customers'], `update customers set language = 'en' where customer_id = $1`, [customerId]);
});

it('a filter’s status is whom an order to many and a reminder reach: those of that status and nobody else', async () => {
  await world.at('2026-03-25T12:00:00');
  const [first, gone, third] = sales.map(({ customerId }) => customerId) as [string, string, string];
  await world.db.plant(['customers'], 'update customers set status = 3 where customer_id = $1', [gone]);
  const ordered = async (status: string) => {
    const rawBody = { command: 'lock', reason: 'EMI_OVERDUE', dry_run: true, filter: { status } };
    const { total, refusals } = (await http.call('bulkCommand', { token, rawBody })).data;
    return { total, whom: refusals.map(({ customer_id }) => customer_id).toSorted() };
  };
  expect(await ordered('3')).toEqual({ total: 1, whom: [gone] });
  expect(await ordered('1')).toEqual({ total: 2, whom: [first, third].toSorted() });
  expect(await ordered('0')).toEqual({ total: 0, whom: [] });

  const reminded = async () =>
    (
      await world.db.asOwner<{ id: string }>(
        `select distinct customer_id::text as id from notices where kind = 'alert' and created_at >= '2026-03-25' order by id`,
      )
    ).map(({ id }) => id);
  const remind = async (status: string) =>
    (await http.call('sendEmiAlert', { token, rawBody: { filter: { status } } })).data;
  expect(await remind('3')).toMatchObject({ total: 1, reminded: 1, refused: 0 });
  expect(await reminded()).toEqual([gone]);
  expect(await remind('1')).toMatchObject({ total: 2, reminded: 2, refused: 0 });
  expect(await reminded()).toEqual([first, gone, third].toSorted());
  await world.db.plant(['customers'], 'update customers set status = 1 where customer_id = $1', [gone]);
});

it('emi_alert that the phone showed, and that its holder saw, says so on its notice', async () => {
  await world.at('2026-03-28T12:00:00');
  const { customerId, deviceId } = sales[0]!;
  const call = { token, params: { command: 'emi_alert' }, body: { customer_id: customerId } } as const;
  const { command_id: id } = (await http.call('sendCommand', call)).data;
  const said = (state: 'APPLIED' | 'VERIFIED', at: Date) =>
    world.inOrg((tx) =>
      world.locking.reported(tx, [{ changeId: id, deviceId, at, commands: [{ id, type: 'emi_alert', state }] }]),
    );
  const notice = () =>
    world.db.asOwner(
      `select channel, delivered_at as shown, seen_at as seen from notices where kind = 'alert' and customer_id = $1 order by created_at desc limit 1`,
      [customerId],
    );
  expect(await notice()).toEqual([{ channel: 'phone', shown: null, seen: null }]);
  const [shown, seen] = [new Date('2026-03-28T12:01:00+05:30'), new Date('2026-03-28T12:05:00+05:30')];
  await said('APPLIED', shown);
  expect(await notice()).toEqual([{ channel: 'phone', shown, seen: null }]);
  await said('VERIFIED', seen);
  expect(await notice()).toEqual([{ channel: 'phone', shown, seen }]);
});

it('each status that is kept is its own: a customer of one is found by no other', async () => {
  const one = sales[0]!.customerId;
  const found = async (status: string) => {
    const rawBody = { command: 'lock', reason: 'EMI_OVERDUE', dry_run: true, filter: { status } };
    return (await http.call('bulkCommand', { token, rawBody })).data.total;
  };
  const kept = ['0', '2', '3', '4'] as const;
  for (const status of kept) {
    await world.db.plant(['customers'], 'update customers set status = $2 where customer_id = $1', [
      one,
      Number(status),
    ]);
    const totals = await Promise.all(kept.map(found));
    expect([status, totals]).toEqual([status, kept.map((asked) => (asked === status ? 1 : 0))]);
  }
  await world.db.plant(['customers'], 'update customers set status = 1 where customer_id = $1', [one]);
});

it('a list of what is overdue tells when each customer was asked for it last, as the list of their EMIs does; another list does not tell', async () => {
  await world.at('2026-03-30T12:00:00');
  const overdue = async () => (await http.call('getUpcomingEmi', { token, query: { bucket: 'overdue' } })).data.list;
  const { customer_id } = (await overdue())[0]!;
  expect(await http.call('sendEmiAlert', { token, body: { customer_id } })).toMatchObject({ status: 200 });
  const told = new Map((await overdue()).map((due) => [due.customer_id, due.reminded_at]));
  expect(told.get(customer_id)).toMatch(/^2026-03-30T/);
  const listed = (await http.call('listCustomers', { token, query: { due: 'overdue' } })).data.list;
  expect(new Map(listed.map((row) => [row.customer_id, row.reminded_at]))).toEqual(told);
  const all = (await http.call('listCustomers', { token, query: {} })).data.list;
  expect(all.filter((row) => 'reminded_at' in row)).toEqual([]);
});
