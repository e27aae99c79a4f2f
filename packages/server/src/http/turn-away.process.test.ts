import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { createDeviceWorld, type DeviceWorld } from '#test/device-world.ts';
import { createTestApp, type TestApp } from '#test/http.ts';
import { createPhone } from '#test/phone.ts';
import { portOf, sendRaw, statusOf } from '#test/raw-http.ts';
import { agentRoutes } from './routes/agent.ts';
import { turnAwaySuspects } from './turn-away.ts';

let db: TestDatabase;
let world: DeviceWorld;
/** The product, and the same without what answers before the framework. */
let early: TestApp['app'];
let plain: TestApp['app'];
beforeAll(async () => {
  db = await createTestDatabase();
  world = await createDeviceWorld(db);
  const listening = async (isEarly: boolean) => {
    const { app } = await createTestApp({
      database: db,
      limitFactor: 1,
      register: (made) => {
        agentRoutes(made.fastify, world.agents, made.deps);
        if (isEarly) turnAwaySuspects(made, world.agents);
      },
    });
    await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    return app;
  };
  [early, plain] = [await listening(true), await listening(false)];
});
// Limits count by the minute: one that turned in the middle of a test would begin anew.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  await db.asOwner('delete from rate_limits');
  for (const { deps } of [early, plain]) for (let n = 0; n <= 60; n += 1) deps.limits.failures.failed('127.0.0.1', '');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const asked = (line: string, ...headers: string[]): string =>
  [line, 'Host: kist.test', ...headers, '', ''].join('\r\n');
const CHECKIN = 'POST /agent/v1/checkin HTTP/1.1';
const ask = (app: TestApp['app'], bytes: string, withinMs = 400) =>
  sendRaw(portOf(app.fastify.server), bytes, { withinMs });
const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1];
/** Of nobody, in the right form: its name is looked up. */
const inForm = (): string[] => {
  const created = Math.floor(Date.now() / 1000);
  const params = `created=${created};nonce="${'n'.repeat(22)}";keyid="20.${crypto.randomUUID()}";alg="ecdsa-p256-sha256"`;
  return [
    `Signature-Input: sig1=("@method" "@path" "content-digest");${params}`,
    `Signature: sig1=:${'A'.repeat(86)}==:`,
    `Content-Digest: sha-256=:${'A'.repeat(43)}=:`,
  ];
};

describe('whatever a suspect sends is answered as the framework answers it', () => {
  test.each([
    ['a check-in', CHECKIN, 429],
    ['a poll that is asked for', 'GET /agent/v1/poll HTTP/1.1', 429],
    ['a poll that is posted', 'POST /agent/v1/poll HTTP/1.1', 429],
    ['a dispute', 'POST /agent/v1/dispute HTTP/1.1', 429],
    ['an enrolment', 'POST /agent/v1/enrol HTTP/1.1', 429],
    ['an enrolment that is asked for', 'GET /agent/v1/enrol HTTP/1.1', 405],
    ['a query', 'POST /agent/v1/checkin?x=1 HTTP/1.1', 429],
    ['a path in another spelling', 'POST /agent/v1/check%69n HTTP/1.1', 429],
    ['a path with a slash in another spelling', 'POST /agent/v1%2Fcheckin HTTP/1.1', 404],
    ['a path in no spelling', 'POST /agent/v1/check%ZZn HTTP/1.1', 400],
    ['a path that was spelled twice', 'POST /agent/v1/check%2569n HTTP/1.1', 404],
    ['a fragment', 'POST /agent/v1/checkin#x HTTP/1.1', 429],
    ['a semicolon', 'POST /agent/v1/checkin;x HTTP/1.1', 404],
    ['another method', 'PUT /agent/v1/checkin HTTP/1.1', 405],
    ['a look at the headers', 'HEAD /agent/v1/poll HTTP/1.1', 405],
    ['a path that is none', 'POST /agent/v1/checkin/ HTTP/1.1', 404],
    ['the absolute form', 'POST http://elsewhere.test/agent/v1/checkin HTTP/1.1', 400],
    ['another host’s path', 'POST //agent/v1/checkin HTTP/1.1', 400],
    ['what is asked in nobody’s name', 'GET /agent/v1/key HTTP/1.1', 200],
  ])('%s', async (_what, line, status) => {
    const answers = [];
    for (const app of [plain, early]) {
      const answer = await ask(app, asked(line, 'Content-Length: 0', 'Connection: close'));
      answers.push([statusOf(answer), codeOf(answer), /^retry-after: /im.test(answer)]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[1]![0]).toBe(status);
  });

  test.each([
    ['a packed body', ['Content-Encoding: gzip', 'Content-Length: 0'], 415],
    ['a long name', [`Signature-Input: sig1=${'x'.repeat(8000)}`, 'Content-Length: 0'], 429],
    ['a name in the right form', ['Content-Length: 0'], 429],
    ['headers without an end', [`Signature: ${'x'.repeat(40_000)}`], 431],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 9'], 400],
    ['a length and pieces', ['Content-Length: 3', 'Transfer-Encoding: chunked'], 400],
  ])('%s', async (what, headers, status) => {
    const all = what.endsWith('form') ? [...inForm(), ...headers] : headers;
    for (const app of [plain, early]) expect(statusOf(await ask(app, asked(CHECKIN, ...all)))).toBe(status);
  });
});

/** A phone’s way to a server that listens: what answers before the framework answers on a socket only. */
const wayTo = ({ fastify }: TestApp['app']) => {
  const inject = async ({ method, url, headers, payload }: Record<string, string> & { headers: object }) => {
    const reply = await fetch(`http://127.0.0.1:${portOf(fastify.server)}${url}`, {
      method: method!,
      headers: { ...headers } as Record<string, string>,
      ...(payload !== undefined && { body: payload }),
    });
    const rawPayload = Buffer.from(await reply.arrayBuffer());
    return {
      statusCode: reply.status,
      headers: Object.fromEntries(reply.headers),
      rawPayload,
      payload: rawPayload.toString(),
    };
  };
  return { inject } as unknown as TestApp['app']['fastify'];
};

test('who has a phone’s name and not its key is known by the headers, and the phone itself is heard', async () => {
  const { phone } = await world.enrolledPhone();
  const liar = createPhone(wayTo(early), world.key.spki, phone.imei);
  const identify = vi.spyOn(world.agents, 'identify');
  for (const publicKey of [phone.publicKey, ''])
    expect((await liar.checkin({ keyid: phone.keyid, publicKey })).status).toBe(429);
  expect(identify).not.toHaveBeenCalled();
  const heard = await phone.through(wayTo(early)).checkin();
  expect([heard.status, heard.isSigned]).toEqual([200, true]);
  expect(identify).toHaveBeenCalledTimes(1);
});

describe('an enrolment of a suspect', () => {
  const madeUp = (org: string) => `${org}.${randomBytes(32).toString('base64url')}`;

  test('with a code that was made up is sent away unread, whatever the form of its name, and one that a shop made is taken in', async () => {
    const { deviceId, imei } = await world.register();
    const token = await world.token(deviceId);
    const phone = createPhone(wayTo(early), world.key.spki, imei);
    const enrol = vi.spyOn(world.agents, 'enrol');
    // An organisation of ours, one that there is not, none, and what is no code.
    for (const made of [madeUp('k'), madeUp('zzzz'), madeUp('zzzzzz'), madeUp('0'), 'k.short', 'x'.repeat(45)])
      expect((await phone.enrol(made)).status).toBe(429);
    // The code of one organisation in the name of another.
    expect((await phone.enrol(`l${token.slice(1)}`)).status).toBe(429);
    expect(enrol).not.toHaveBeenCalled();
    expect((await phone.enrol(token)).status).toBe(200);
    // The answer was lost.
    expect((await phone.enrol(token)).status).toBe(200);
    expect(enrol).toHaveBeenCalledTimes(2);
  });

  test('with a code from before names were kept is taken in, and those that ran out let nobody through', async () => {
    const { deviceId, imei } = await world.register();
    const token = await world.token(deviceId);
    const nameless = (set: string) => db.asOwner(`update enrolment_tokens set ${set} where device_id = $1`, [deviceId]);
    const phone = createPhone(wayTo(early), world.key.spki, imei);
    await nameless('name_sha256 = null');
    expect((await phone.enrol(token)).status).toBe(200);
    await nameless(`expires_at = kist_now() - interval '1 second'`);
    const enrol = vi.spyOn(world.agents, 'enrol');
    expect((await phone.enrol(madeUp('k'))).status).toBe(429);
    expect(enrol).not.toHaveBeenCalled();
  });
});

test.each([
  ['check%69n', 'POST /agent/v1/check%69n HTTP/1.1'],
  ['a first letter', 'POST /%61gent/v1/dispute HTTP/1.1'],
  ['what follows a #', 'POST /agent/v1/checkin#1 HTTP/1.1'],
  ['both', 'GET /agent/v1/pol%6C?x#1 HTTP/1.1'],
])('a path in another spelling makes nothing dearer: %s', async (_what, line) => {
  const identify = vi.spyOn(world.agents, 'identify');
  const isPhone = vi.spyOn(world.agents, 'isPhone');
  expect(statusOf(await ask(early, asked(line, ...inForm(), 'Content-Length: 0')))).toBe(429);
  expect(isPhone).toHaveBeenCalledTimes(1);
  expect(identify).not.toHaveBeenCalled();
});

test('an address that a suspect makes up is not believed of who is no proxy', async () => {
  const identify = vi.spyOn(world.agents, 'identify');
  for (const made of ['8.8.8.8', '127.0.0.1, 8.8.8.8', 'none', ''])
    expect(
      statusOf(
        await ask(early, asked(CHECKIN, `X-Forwarded-For: ${made}`, `Forwarded: for=${made}`, 'Content-Length: 0')),
      ),
    ).toBe(429);
  expect(identify).not.toHaveBeenCalled();
});

describe('on one connection', () => {
  const next = asked('GET /agent/v1/key HTTP/1.1');

  test('questions are answered in their order, and a body is never taken for a question', async () => {
    const hidden = asked(CHECKIN, `Content-Length: ${next.length}`) + next;
    expect(statusesOf(await ask(early, hidden))).toEqual([429]);
    expect(statusesOf(await ask(early, hidden + next + asked(CHECKIN, 'Content-Length: 5') + 'hello' + next))).toEqual([
      429, 200, 429, 200,
    ]);
  });

  test('who is looked up and who is not come out in their order', async () => {
    const isPhone = vi.spyOn(world.agents, 'isPhone');
    const all = [asked(CHECKIN, ...inForm(), 'Content-Length: 0'), next, asked(CHECKIN, 'Content-Length: 0'), next];
    expect(statusesOf(await ask(early, all.join('')))).toEqual([429, 200, 429, 200]);
    expect(isPhone).toHaveBeenCalledTimes(1);
  });

  test('half a body is answered at once and holds nothing up but its own connection', async () => {
    expect(statusesOf(await ask(early, `${asked(CHECKIN, 'Content-Length: 10')}hel`))).toEqual([429]);
    expect(statusesOf(await ask(early, `${asked(CHECKIN, 'Content-Length: 3')}hel${next}`))).toEqual([429, 200]);
  });

  test.each([
    ['more than a phone says', [`Content-Length: ${LIMITS.agentBodyBytes + 1}`]],
    ['a body of unknown length', ['Transfer-Encoding: chunked']],
  ])('%s is not waited for: the connection ends', async (_what, headers) => {
    const atMs = performance.now();
    const answer = await ask(early, asked(CHECKIN, ...headers), 4000);
    expect([statusesOf(answer), /connection: close/i.test(answer)]).toEqual([[429], true]);
    expect(performance.now() - atMs).toBeLessThan(3500);
  });
});

test('too many from one address is said with the wait of that, and is no failure to prove something', async () => {
  const failed = vi.spyOn(early.deps.limits.failures, 'failed');
  const refusal = new KistError('RATE_LIMITED', { retryAfterS: 7 });
  for (const made of [
    () => Promise.reject(refusal),
    () => {
      throw refusal;
    },
  ]) {
    vi.spyOn(early.deps.limits, 'address').mockImplementationOnce(made);
    const answer = await ask(early, asked(CHECKIN, 'Content-Length: 0'));
    expect([statusOf(answer), /retry-after: 7\r/i.test(answer), codeOf(answer)]).toEqual([429, true, 'RATE_LIMITED']);
  }
  expect(failed).not.toHaveBeenCalled();
});

test('where names cannot be looked up the framework says so', async () => {
  const away = new KistError('UNAVAILABLE', { retryAfterS: 1 });
  vi.spyOn(world.agents, 'isPhone').mockRejectedValue(away);
  vi.spyOn(world.agents, 'identify').mockRejectedValue(away);
  expect(statusOf(await ask(early, asked(CHECKIN, ...inForm(), 'Content-Length: 0')))).toBe(503);
});
