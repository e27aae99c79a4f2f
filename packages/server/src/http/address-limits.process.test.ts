import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AGENT_PATHS } from '@kist/contract/agent';
import { LIMITS } from '@kist/contract/limits';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { createDeviceWorld, type DeviceWorld } from '#test/device-world.ts';
import { createTestApp, type TestApp } from '#test/http.ts';
import { createPhone, imeiOf, type TestPhone } from '#test/phone.ts';
import { portOf, sendRaw, statusOf } from '#test/raw-http.ts';
import { areaOf } from './area.ts';
import { agentRoutes } from './routes/agent.ts';
import { demoRoutes } from './routes/demo.ts';
import { healthRoutes } from './routes/health.ts';
import { hookRoutes } from './routes/hooks.ts';
import { turnAwaySuspects } from './turn-away.ts';

const lab = createServer((_request, response) => response.end('the lab'));
let it: TestApp;
beforeAll(async () => {
  await new Promise<void>((resolve) => void lab.listen(0, '127.0.0.1', resolve));
  it = await createTestApp({
    limitFactor: 0.05,
    settings: { trustedProxies: ['127.0.0.1'] },
    register: (app) => {
      healthRoutes(app);
      hookRoutes(app.fastify, { db: app.deps.db, notices: {} as never, smsSecrets: ['a secret of this test'] });
      demoRoutes(app, {
        clock: { read: async () => ({ now: new Date(), businessOn: '', shiftMs: 0 }), advance: async () => undefined },
        labUrl: `http://127.0.0.1:${portOf(lab)}`,
        hosts: [],
      });
    },
  });
});
afterAll(() => void lab.close());
// Limits count by the minute of this process: one that turned in the middle of a test would begin anew.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
afterEach(() => void vi.useRealTimers());

describe('every address is counted before anything else', () => {
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

  test('whatever it calls itself in its network: the addresses of one /64 have one limit', async () => {
    const ask = async (address: string) =>
      (await it.app.fastify.inject({ url: '/metrics', headers: { 'x-forwarded-for': address } })).statusCode;
    for (let n = 0; n < 3; n += 1) expect(await ask(`2001:db8:9:1::${n + 1}`)).not.toBe(429);
    expect(await ask('2001:db8:9:1:ffff::9')).toBe(429);
    expect(await ask('2001:db8:9:2::1')).not.toBe(429);
  });

  test('an area is the first part of a path, however the rest goes on', () => {
    const paths = ['/lab', '/lab/x', '/lab?x', '/agent/v1/poll', '/', '/customers', '/healthz', '/labs', '/files/20.a'];
    expect(paths.map(areaOf)).toEqual(['lab', 'lab', 'lab', 'agent', 'files', 'files', 'health', 'files', 'api']);
  });
});

describe('the phones’ side', () => {
  let db: TestDatabase;
  let world: DeviceWorld;
  let keyQueries = 0;
  type Server = ((imei: string) => TestPhone) & { http: TestApp['app']['fastify'] };
  const aServer = async (): Promise<Server> => {
    const { app } = await createTestApp({
      database: db,
      limitFactor: 1,
      register: ({ fastify, deps }) => agentRoutes(fastify, world.agents, deps),
    });
    return Object.assign((imei: string) => createPhone(app.fastify, world.key.spki, imei), { http: app.fastify });
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
          if (query.name?.startsWith('device_key')) keyQueries += 1;
          return (made.devicePool.query as (...args: unknown[]) => unknown)(query, ...rest);
        },
      },
    }) as TestDatabase['devicePool'];
    db = { ...made, devicePool };
    world = await createDeviceWorld(db);
  });
  // Each test has servers of its own; what they told one another would outlast it.
  beforeEach(() => db.asOwner('delete from rate_limits'));

  const stranger = (phoneOf: (imei: string) => TestPhone, keyid = `20.${crypto.randomUUID()}`) => {
    const phone = phoneOf(imeiOf(5000));
    phone.keyid = keyid;
    return phone;
  };

  test('keys that nobody has are told so a few times, then refused without a signature', async () => {
    const phoneOf = await aServer();
    const answers = [];
    for (let n = 0; n < 80; n += 1) answers.push(await stranger(phoneOf).checkin());
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 80 }, (_, n) => (n < 60 ? 404 : 429)));
    expect([answers[0]!.isSigned, answers[70]!.isSigned]).toEqual([true, false]);
    expect(answers[70]!.body).toMatchObject({ status: 429, response: 'failure', code: 'RATE_LIMITED' });
    expect(Number(answers[70]!.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('each answer about the server’s key takes a signature: an address gets sixty a minute, and is then told to wait without one', async () => {
    const { http } = await aServer();
    const ask = async (n: number) => {
      const input = `sig1=("@method" "@path" "content-digest");created=1;nonce="${String(n).padStart(22, '0')}";keyid="20.x";alg="ecdsa-p256-sha256"`;
      const { statusCode, headers } = await http.inject({
        url: AGENT_PATHS.key,
        headers: { 'signature-input': input },
      });
      return [statusCode, 'signature' in headers, Number(headers['retry-after'] ?? 0) > 0];
    };
    for (let n = 0; n < 60; n += 1) expect(await ask(n)).toEqual([200, true, false]);
    expect(await ask(60)).toEqual([429, false, true]);
  });

  test('a phone behind the address of a stranger is heard, also by a server that has never seen it', async () => {
    const honest = await enrolled(await aServer());
    const restarted = await aServer();
    for (let n = 0; n < 70; n += 1) await stranger(restarted).checkin();
    expect((await stranger(restarted).checkin()).status).toBe(429);
    const { status, isSigned } = await honest.through(restarted.http).checkin();
    expect([status, isSigned]).toEqual([200, true]);
  });

  test('a phone whose key a stranger names is heard, also by a server that has never seen it', async () => {
    const honest = await enrolled(await aServer());
    const restarted = await aServer();
    const statuses = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await stranger(restarted, honest.keyid).checkin()).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
    expect((await honest.through(restarted.http).checkin()).status).toBe(200);
    // And it is refused as before after the phone has shown itself.
    expect((await stranger(restarted, honest.keyid).checkin()).status).toBe(429);
  });

  test('3,000 requests of a stranger at once cost few statements, and a phone among them is heard', async () => {
    const honest = await enrolled(await aServer());
    const restarted = await aServer();
    for (let n = 0; n < 61; n += 1) await stranger(restarted).checkin();
    keyQueries = 0;
    const one = stranger(restarted);
    const flood = (count: number) =>
      Array.from({ length: count }, () => one.call('/agent/v1/poll', {}, { keyid: `20.${crypto.randomUUID()}` }));
    const [before, heard, after] = [flood(1500), honest.through(restarted.http).checkin(), flood(1500)];
    expect((await heard).status).toBe(200);
    const codes = new Set((await Promise.all([...before, ...after])).map(({ status }) => status));
    expect([...codes]).toEqual([429]);
    expect(keyQueries).toBeLessThan(300);
  });

  /** What answers before the framework answers on a socket only. */
  const listening = async ({ fastify }: TestApp['app']) => {
    const url = await fastify.listen({ port: 0, host: '127.0.0.1' });
    const inject = async (asked: {
      method: string;
      url: string;
      headers: Record<string, string>;
      payload?: string;
    }) => {
      const reply = await fetch(`${url}${asked.url}`, {
        method: asked.method,
        headers: asked.headers,
        ...(asked.payload !== undefined && { body: asked.payload }),
      });
      const rawPayload = Buffer.from(await reply.arrayBuffer());
      const headers = Object.fromEntries(reply.headers);
      return { statusCode: reply.status, headers, rawPayload, payload: rawPayload.toString() };
    };
    return { inject } as unknown as TestApp['app']['fastify'];
  };

  test('a suspect is sent away at its headers: nothing of its question is read, a name that was nobody’s is not looked up again, and one line tells of all', async () => {
    const told = vi.fn<(fields: object, message: string) => void>();
    const { app } = await createTestApp({
      database: db,
      limitFactor: 1,
      register: (made) => {
        agentRoutes(made.fastify, world.agents, made.deps);
        turnAwaySuspects({ ...made, deps: { ...made.deps, log: { ...made.deps.log, info: told } } }, world.agents);
      },
    });
    const http = await listening(app);
    const phoneOf = (imei: string) => createPhone(http, world.key.spki, imei);
    for (let n = 0; n < 60; n += 1) await stranger(phoneOf).checkin();
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: Date.now(), shouldAdvanceTime: true });
    const identify = vi.spyOn(world.agents, 'identify');
    keyQueries = 0;
    const nobody = `20.${crypto.randomUUID()}`;
    const answers = [];
    for (let n = 0; n < 30; n += 1) answers.push((await stranger(phoneOf, nobody).checkin()).status);
    expect([new Set(answers), keyQueries]).toEqual([new Set([429]), 1]);
    const malformed = (length: number) =>
      sendRaw(
        portOf(app.fastify.server),
        `POST /agent/v1/checkin HTTP/1.1\r\nHost: kist.test\r\nSignature: none\r\nContent-Length: ${length}\r\n\r\n`,
        { withinMs: 300 },
      );
    const refused = await malformed(1);
    expect([statusOf(refused), keyQueries]).toEqual([429, 1]);
    expect(refused.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(refused.toLowerCase()).toContain('connection: keep-alive');
    expect(refused).toContain('"code":"RATE_LIMITED"');
    const long = await malformed(LIMITS.agentBodyBytes + 1);
    expect([statusOf(long), long.toLowerCase().includes('connection: close')]).toEqual([429, true]);
    expect(identify).not.toHaveBeenCalled();
    identify.mockRestore();
    expect(await app.deps.metrics.text()).toContain('kist_agent_turned_away_total 32');
    // What it asks in no phone’s name is not its question here.
    expect((await fetch(`http://127.0.0.1:${portOf(app.fastify.server)}/agent/v1/key`)).status).toBe(200);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told.mock.calls).toEqual([[{ count: 32 }, expect.stringContaining('turned away')]]);
  });

  test('a suspect is who asks and not the proxy before it, and one that is a phone is counted once', async () => {
    const honest = await enrolled(await aServer());
    const { app } = await createTestApp({
      database: db,
      limitFactor: 1,
      settings: { trustedProxies: ['127.0.0.1'] },
      register: (made) => {
        agentRoutes(made.fastify, world.agents, made.deps);
        turnAwaySuspects(made, world.agents);
      },
    });
    const plain = await listening(app);
    const from = (ip: string) =>
      ({
        inject: async (asked: { headers: object }) =>
          plain.inject({ ...asked, headers: { ...asked.headers, 'x-forwarded-for': ip } }),
      }) as unknown as TestApp['app']['fastify'];
    const through = (ip: string) => (imei: string) => createPhone(from(ip), world.key.spki, imei);
    for (let n = 0; n < 61; n += 1) await stranger(through('10.7.0.1')).checkin();
    const identify = vi.spyOn(world.agents, 'identify');
    expect((await stranger(through('10.7.0.1')).checkin()).status).toBe(429);
    expect(identify).not.toHaveBeenCalled();
    identify.mockRestore();
    expect((await stranger(through('10.7.0.2')).checkin()).status).toBe(404);
    const address = vi.spyOn(app.deps.limits, 'address');
    expect((await honest.through(from('10.7.0.1')).checkin()).status).toBe(200);
    expect(address.mock.calls).toEqual([['10.7.0.1', '/agent/v1/checkin']]);
  });

  test('a phone that enrols a moment after its name was nobody’s is heard at once', async () => {
    const phoneOf = await aServer();
    for (let n = 0; n < 61; n += 1) await stranger(phoneOf).checkin();
    const { deviceId, imei } = await world.register();
    const phone = phoneOf(imei);
    const keyid = `20.${createHash('sha256').update(Buffer.from(phone.publicKey, 'base64url')).digest('base64url')}`;
    expect((await phone.checkin({ keyid })).status).toBe(429);
    expect((await phone.enrol(await world.token(deviceId))).status).toBe(200);
    expect(phone.keyid).toBe(keyid);
    expect((await phone.checkin()).status).toBe(200);
  });

  test('a new phone enrols from the address of a stranger, and is told so when its clock is wrong', async () => {
    const phoneOf = await aServer();
    for (let n = 0; n < 70; n += 1) await stranger(phoneOf).checkin();
    const { deviceId, imei } = await world.register();
    const phone = phoneOf(imei);
    const token = await world.token(deviceId);
    const wrong = await phone.enrol(token, {}, { created: 1_000_000_000 });
    expect([wrong.body.code, wrong.isSigned]).toEqual(['STALE_REQUEST', true]);
    expect((await phone.enrol(token)).status).toBe(200);
  });

  test.each([
    ['an enrolment of another day', {}, { created: 1_000_000_000 }],
    ['an enrolment that cannot be read', { boot_count: 'many' }, {}],
    ['an enrolment with a code of nobody', {}, {}],
    ['an enrolment with the start of a code that was used', { used: true }, {}],
  ])('%s counts as a failure', async (_what, { used, ...change }: Record<string, unknown>, options) => {
    const phoneOf = await aServer();
    const { deviceId, imei } = await world.register();
    const token = await world.token(deviceId);
    expect((await phoneOf(imei).enrol(token)).status).toBe(200);
    const other = `k.${'A'.repeat(43)}`;
    const asked = used ? token.slice(0, 16) + other.slice(16, token.length) : other;
    const answers = [];
    for (let n = 0; n < 62; n += 1) answers.push(await phoneOf(imei).enrol(asked, change, options));
    expect(answers[0]!.status).toBeLessThan(429);
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(answers.at(-1)!.isSigned).toBe(false);
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

  test('a phone has one budget under its two names: the name of its key and that of its enrolment', async () => {
    const phone = await enrolled(await aServer());
    const [row] = await db.asOwner<{ id: string }>(
      'select enrolment_id as id from enrolments e join devices d using (org_id, device_id) where d.imei1 = $1 and e.ended_at is null',
      [phone.imei],
    );
    const names = [phone.keyid, `20.${row!.id}`];
    const statuses = [];
    for (let n = 0; n < 16; n += 1) statuses.push((await phone.checkin({ keyid: names[n % 2]! })).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(statuses.slice(10).filter((status) => status === 429).length).toBeGreaterThan(2);
  });
});
