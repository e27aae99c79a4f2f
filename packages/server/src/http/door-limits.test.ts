import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { createDeviceWorld, type DeviceWorld } from '#test/device-world.ts';
import { createTestApp, type TestApp } from '#test/http.ts';
import { createPhone, imeiOf, type TestPhone } from '#test/phone.ts';
import { portOf } from '#test/raw-http.ts';
import { areaOf } from './area.ts';
import { agentRoutes } from './routes/agent.ts';
import { registerDemoRoutes } from './routes/demo.ts';
import { registerHealthRoutes } from './routes/health.ts';
import { hookRoutes } from './routes/hooks.ts';

const lab = createServer((_request, response) => response.end('the lab'));
let it: TestApp;
beforeAll(async () => {
  await new Promise<void>((resolve) => void lab.listen(0, '127.0.0.1', resolve));
  it = await createTestApp({
    limitFactor: 0.05,
    settings: { trustedProxies: ['127.0.0.1'] },
    register: (app) => {
      registerHealthRoutes(app);
      hookRoutes(app.fastify, { db: app.deps.db, notices: {} as never, smsSecrets: ['a secret of this test'] });
      registerDemoRoutes(app, {
        clock: { read: async () => ({ now: new Date(), businessOn: '', shiftMs: 0 }), advance: async () => undefined },
        labUrl: `http://127.0.0.1:${portOf(lab)}`,
        hosts: [],
      });
    },
  });
});
afterAll(() => void lab.close());

describe('every address is counted at the door', () => {
  test.each([
    ['/metrics', 'GET', 3],
    ['/healthz', 'GET', 30],
    ['/demo/clock', 'GET', 60],
    ['/lab', 'GET', 300],
    ['/hooks/sms', 'POST', 300],
    ['/locales/en.json', 'GET', 300],
    ['/nothing/here', 'GET', 300],
    ['/api/nothing', 'GET', 150],
  ] as const)('%s', async (url, method, limit) => {
    const from = `10.9.${limit % 250}.${url.length}`;
    const ask = (address: string) =>
      it.app.fastify.inject({
        method,
        url,
        headers: { 'x-forwarded-for': address },
        ...(method === 'POST' && { payload: {} }),
      });
    const replies = [];
    for (let n = 0; n <= limit; n += 1) replies.push(await ask(from));
    expect(replies.slice(0, -1).filter(({ statusCode }) => statusCode === 429)).toEqual([]);
    const refused = replies.at(-1)!;
    expect(refused.json()).toMatchObject({ status: 429, response: 'failure', code: 'RATE_LIMITED' });
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await ask('10.8.0.1')).statusCode).not.toBe(429);
  });

  test('an area is the first part of a path, however the rest goes on', () => {
    expect(['/lab', '/lab/x', '/lab?x', '/agent/v1/poll', '/', '/customers', '/healthz', '/labs'].map(areaOf)).toEqual([
      'lab',
      'lab',
      'lab',
      'agent',
      'files',
      'files',
      'health',
      'files',
    ]);
  });
});

describe('the phones’ door', () => {
  let db: TestDatabase;
  let world: DeviceWorld;
  let keyQueries = 0;
  const aServer = async (): Promise<(imei: string) => TestPhone> => {
    const { app } = await createTestApp({
      database: db,
      limitFactor: 1,
      register: ({ fastify, deps }) => agentRoutes(fastify, world.plane, deps),
    });
    return (imei) => createPhone(app.fastify, world.key.spki, imei);
  };
  const enrolled = async (phoneOf: (imei: string) => TestPhone) => {
    const { deviceId, imei } = await world.register();
    const phone = phoneOf(imei);
    expect((await phone.enrol(await world.token(deviceId))).status).toBe(200);
    return phone;
  };
  beforeAll(async () => {
    const made = await createTestDatabase();
    const devicePool = Object.create(made.devicePool, {
      query: {
        value: (query: { name?: string }, ...rest: unknown[]) => {
          if (query.name === 'device_key') keyQueries += 1;
          return (made.devicePool.query as (...args: unknown[]) => unknown)(query, ...rest);
        },
      },
    }) as TestDatabase['devicePool'];
    db = { ...made, devicePool };
    world = await createDeviceWorld(db);
  });
  // Each test has servers of its own; what they told one another would outlast it.
  beforeEach(() => db.asOwner('delete from rate_limits'));

  test('keys that nobody has are looked up a few times, then refused without a question and without a signature; phones that are right go on', async () => {
    const phoneOf = await aServer();
    const honest = await enrolled(phoneOf);
    expect((await honest.checkin()).status).toBe(200);
    keyQueries = 0;
    const answers = [];
    for (let n = 0; n < 80; n += 1) {
      const stranger = phoneOf(imeiOf(5000 + n));
      stranger.keyid = `20.${crypto.randomUUID()}`;
      answers.push(await stranger.checkin());
    }
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 80 }, (_, n) => (n < 60 ? 404 : 429)));
    expect(keyQueries).toBe(60);
    expect([answers[0]!.isSigned, answers[70]!.isSigned]).toEqual([true, false]);
    expect(answers[70]!.body).toMatchObject({ status: 429, response: 'failure', code: 'RATE_LIMITED' });
    expect(Number(answers[70]!.headers['retry-after'])).toBeGreaterThan(0);
    expect((await honest.checkin()).status).toBe(200);
  });

  test('somebody who names a phone’s key is refused after ten failures, the phone itself never', async () => {
    const phoneOf = await aServer();
    const honest = await enrolled(phoneOf);
    expect((await honest.checkin()).status).toBe(200);
    const other = await aServer();
    const forger = other(imeiOf(6000));
    forger.keyid = honest.keyid;
    const statuses = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await forger.checkin()).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
    expect((await honest.checkin()).status).toBe(200);
  });

  test('a phone checks in ten times at once, then once a second; its refusals are signed', async () => {
    const phone = await enrolled(await aServer());
    const answers = [];
    for (let n = 0; n < 14; n += 1) answers.push(await phone.checkin());
    const first = answers.findIndex(({ status }) => status === 429);
    expect(first).toBeGreaterThanOrEqual(10);
    const refused = answers[first]!;
    expect([refused.isSigned, refused.body.code, refused.headers['retry-after']]).toEqual([true, 'RATE_LIMITED', '1']);
  });
});
