import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { createDeviceWorld, type DeviceWorld, ORG } from '#test/device-world.ts';
import { createSession, createTestApp, createUser, emmHeader, type TestApp, type TestUser } from '#test/http.ts';
import type { Database } from '#server/platform/database.ts';
import * as identity from '#server/identity/identity.ts';
import { TRUSTED_MS } from '#server/identity/session-epochs.ts';
import { STREAMS } from './live-streams.ts';
import { authRoutes } from './routes/auth.ts';
import { deviceRoutes, type LockOrders } from './routes/devices.ts';
import { sessionRoutes } from './routes/sessions.ts';

/** What a stream may outlive its session by. */
const WITHIN_MS = 1000;
const counts = { reads: 0, readsAtOnce: 0, mostAtOnce: 0, sessionStatements: 0 };

let db: TestDatabase;
let world: DeviceWorld;
let shop: TestUser;
let here: { http: TestApp; address: string };
let other: typeof here;
/** Where a read may rest on what was known a minute ago. */
let believing: typeof here;
/** The database as `cutOff` finds it. */
let isAway = false;

/** The database as a server process has it, its statements counted. */
function counted(database: TestDatabase): TestDatabase {
  const read: Database['read'] = async (orgId, work) => {
    counts.reads += 1;
    counts.readsAtOnce += 1;
    counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.readsAtOnce);
    try {
      return await database.read(orgId, work);
    } finally {
      counts.readsAtOnce -= 1;
    }
  };
  const devicePool = Object.create(database.devicePool, {
    query: {
      value: (query: { name?: string }, ...rest: never[]) => {
        if (query.name?.startsWith('identity.')) counts.sessionStatements += 1;
        return (database.devicePool.query as (...args: unknown[]) => unknown)(query, ...rest);
      },
    },
  }) as Database['devicePool'];
  return { ...database, read, devicePool, with: (ports) => counted(database.with(ports)) };
}

/** A database that may be away for whoever asks for sessions. */
function cutOff(database: TestDatabase): TestDatabase {
  const devicePool = Object.create(database.devicePool, {
    query: {
      value: (...args: unknown[]) =>
        isAway
          ? Promise.reject(new Error('no database'))
          : (database.devicePool.query as (...given: unknown[]) => unknown)(...args),
    },
  }) as Database['devicePool'];
  return { ...database, devicePool, with: (ports) => cutOff(database.with(ports)) };
}

async function aProcess(sessionTrustMs = TRUSTED_MS, database = counted(db)): Promise<typeof here> {
  const http = await createTestApp({
    database,
    sessionTrustMs,
    register: (app) => {
      authRoutes(app);
      sessionRoutes(app);
      deviceRoutes(app, {
        locking: {} as LockOrders,
        waker: world.waker,
        notices: {
          alertOnPhone: () => Promise.reject(new Error('not asked here')),
          phoneMessages: () => Promise.reject(new Error('not asked here')),
        },
      });
    },
  });
  return { http, address: await http.app.fastify.listen({ port: 0, host: '127.0.0.1' }) };
}

beforeAll(async () => {
  db = await createTestDatabase();
  world = await createDeviceWorld(db);
  shop = { orgId: ORG, userId: world.actor.userId, mobile: '' };
  [here, other, believing] = [await aProcess(), await aProcess(), await aProcess(60_000)];
});

/** An open stream; `ended` resolves with the moment at which the server ended it. */
async function open({ address }: typeof here, token: string, deviceId: string) {
  const path = `/api/device/${deviceId}/events`;
  const gone = new AbortController();
  const reply = await fetch(address + path, {
    signal: gone.signal,
    headers: { authorization: `bearer ${token}`, 'x-emm-auth-session': emmHeader(path) },
  });
  let isEnded = false;
  const events: string[] = [];
  const ended = (async () => {
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) events.push(chunk);
    isEnded = true;
    return performance.now();
  })().catch(() => Number.NaN);
  return { reply, ended, events, isEnded: () => isEnded, close: () => gone.abort() };
}

const endAllSessions = () => db.transaction(ORG, (tx) => identity.endSessions(tx, world.actor, 'all'));

describe('a live stream ends within a second of its session, on every process', () => {
  const change = (set: string) => db.asOwner(`update users set ${set} where user_id = $1`, [shop.userId]);

  test.each<[string, (token: string) => Promise<unknown>, string?]>([
    ['logout', (token) => here.http.call('logout', { token, body: {} })],
    ['all sessions ended elsewhere (also what a change of M-PIN does)', () => endAllSessions()],
    ['its user switched off', () => change('is_active = false'), 'is_active = true'],
    [
      'the right to look taken away',
      () => change(`lock_access = lock_access || '{"read":"0"}'`),
      `lock_access = lock_access || '{"read":"1"}'`,
    ],
    ['any other right changed', () => change(`user_access = user_access || '{"bulk_retailer":"1"}'`)],
  ])('%s', async (_name, act, mend) => {
    const { deviceId } = await world.enrolledPhone();
    const token = await createSession(db, shop);
    const streams = [];
    for (const process of [here, other, believing]) streams.push(await open(process, token, deviceId));
    expect(streams.map(({ reply }) => reply.status)).toEqual([200, 200, 200]);
    await sleep(600);
    expect(streams.map(({ isEnded }) => isEnded())).toEqual([false, false, false]);
    await act(token);
    const actedAtMs = performance.now();
    for (const { ended } of streams) expect((await ended) - actedAtMs).toBeLessThan(WITHIN_MS);
    if (mend !== undefined) await change(mend);
  });

  test('the streams of other sessions go on', async () => {
    const { deviceId } = await world.enrolledPhone();
    const [mine, theirs] = [await createSession(db, shop), await createSession(db, shop)];
    const [ending, staying] = [await open(here, mine, deviceId), await open(here, theirs, deviceId)];
    await here.http.call('logout', { token: mine, body: {} });
    await ending.ended;
    await sleep(WITHIN_MS);
    expect(staying.isEnded()).toBe(false);
    staying.close();
  });
});

test('a stream ends, and nothing else breaks, when nobody can say whether its session stands; with the database it comes back', async () => {
  const broken: unknown[] = [];
  const note = (reason: unknown) => void broken.push(reason);
  process.on('unhandledRejection', note);
  const there = await aProcess(TRUSTED_MS, cutOff(db));
  const { deviceId } = await world.enrolledPhone();
  const tokens = [await createSession(db, shop), await createSession(db, shop)];
  const streams = await Promise.all(tokens.map((token) => open(there, token, deviceId)));
  try {
    await sleep(600);
    expect(streams.map(({ isEnded }) => isEnded())).toEqual([false, false]);
    isAway = true;
    const lostAtMs = performance.now();
    const ends = Promise.all(streams.map(({ ended }) => ended));
    const late = sleep(2 * WITHIN_MS, [Number.POSITIVE_INFINITY]);
    for (const endedAtMs of await Promise.race([ends, late])) expect(endedAtMs - lostAtMs).toBeLessThan(WITHIN_MS);
    expect(broken).toEqual([]);
  } finally {
    isAway = false;
    process.off('unhandledRejection', note);
  }
  const again = await open(there, tokens[0]!, deviceId);
  expect(again.reply.status).toBe(200);
  again.close();
});

test('a stream opened after the rights changed shows nothing that only the rights before saw', async () => {
  const there = await aProcess(0);
  const mini = await createUser(db, { orgId: ORG, userType: 'miniretailer', parentUserId: shop.userId });
  const { deviceId, customerId } = await world.enrolledPhone();
  const token = await createSession(db, shop);
  const before = await open(there, token, deviceId);
  await db.asOwner(`update users set user_type = 'retailer', parent_user_id = null where user_id = $1`, [mini.userId]);
  const after = await open(there, token, deviceId);
  expect([before.isEnded(), after.reply.status]).toEqual([false, 200]);
  await before.ended;
  await sleep(300);
  const shown = after.events.length;
  // The phone goes to the shop that is none of this one's any more.
  await db.plant(['customers'], 'update customers set owner_user_id = $2 where customer_id = $1', [
    customerId,
    mini.userId,
  ]);
  await db.asOwner('update devices set model = $2 where device_id = $1', [deviceId, 'seen by its own shop alone']);
  world.waker.signal('changed', [deviceId]);
  await Promise.race([after.ended, sleep(WITHIN_MS)]);
  expect([after.isEnded(), after.events.slice(shown)]).toEqual([true, []]);
});

describe('many streams', () => {
  // Those of the test before.
  beforeEach(async () => {
    await endAllSessions();
    await sleep(WITHIN_MS);
  });

  test('a fifth of one session ends its first, and a user can not have more than there are for one', async () => {
    const { deviceId } = await world.enrolledPhone();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => createSession(db, shop)));
    const first: Awaited<ReturnType<typeof open>>[] = [];
    for (let n = 0; n <= STREAMS.perSession; n += 1) first.push(await open(here, sessions[0]!, deviceId));
    expect(await first[0]!.ended).toBeGreaterThan(0);
    expect(first.slice(1).map(({ isEnded }) => isEnded())).toEqual([false, false, false, false]);
    const rest = [];
    for (const session of sessions.slice(1, 4))
      for (let n = 0; n < STREAMS.perSession; n += 1) rest.push(await open(here, session, deviceId));
    expect(rest.every(({ reply }) => reply.status === 200)).toBe(true);
    const refused = await open(here, sessions[4]!, deviceId);
    expect([refused.reply.status, refused.reply.headers.get('retry-after')]).toEqual([429, '10']);
    await refused.ended;
    expect(refused.events.join('')).toContain('"code":"RATE_LIMITED"');
    rest[0]!.close();
    await expect.poll(async () => (await open(here, sessions[4]!, deviceId)).reply.status).toBe(200);
    for (const { close } of [...first, ...rest]) close();
  });

  test('are asked for in one statement, whatever their number', async () => {
    const { deviceId } = await world.enrolledPhone();
    const sessions = await Promise.all(Array.from({ length: 4 }, () => createSession(db, shop)));
    const streams = [];
    for (const session of sessions) for (let n = 0; n < 3; n += 1) streams.push(await open(here, session, deviceId));
    await sleep(500);
    counts.sessionStatements = 0;
    await sleep(2000);
    // It asks four times a second.
    expect(counts.sessionStatements).toBeGreaterThan(2);
    expect(counts.sessionStatements).toBeLessThanOrEqual(9);
    for (const { close } of streams) close();
  });

  test('woken a hundred times a second are read a few times, by few at once, and another shop is answered meanwhile', async () => {
    const phones = await Promise.all(Array.from({ length: 4 }, () => world.enrolledPhone()));
    const sessions = await Promise.all(Array.from({ length: 4 }, () => createSession(db, shop)));
    const streams = [];
    for (const { deviceId } of phones)
      for (const session of sessions) streams.push(await open(here, session, deviceId));
    expect(streams.filter(({ reply }) => reply.status === 200).length).toBe(STREAMS.perUser);
    await sleep(500);
    Object.assign(counts, { reads: 0, mostAtOnce: 0 });
    const neighbour = await createSession(db, shop);
    let asked = 0;
    const startedAtMs = performance.now();
    while (performance.now() - startedAtMs < 2000) {
      world.waker.signal(
        'changed',
        phones.map(({ deviceId }) => deviceId),
      );
      if (asked * 200 < performance.now() - startedAtMs) {
        asked += 1;
        const { status } = await other.http.call('getDevice', {
          token: neighbour,
          params: { device_id: phones[0]!.deviceId },
        });
        expect(status).toBe(200);
      }
      await sleep(10);
    }
    // Four phones, each read at most four times a second for all its streams, and the neighbour's own.
    const most = phones.length * Math.ceil((performance.now() - startedAtMs) / 250 + 2) + asked;
    expect(counts.reads).toBeLessThanOrEqual(most);
    expect(counts.mostAtOnce).toBeLessThanOrEqual(2 + 1);
    for (const { close } of streams) close();
  });
});
