import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { ERROR_CODES } from '@kist/contract/errors';
import { createOrganisation, createSession, createTestApp, createUser, emmHeader, type TestApp } from '#test/http.ts';
import { authRoutes } from './routes/auth.ts';
import { organisationRoutes } from './routes/organisation.ts';
import { sessionRoutes } from './routes/sessions.ts';

const inputs = 10_000;
const atOnce = 100;
const seed = 20_261_120;

let it: TestApp;
let token: string;
beforeAll(async () => {
  it = await createTestApp({
    limitFactor: 1e6,
    register: (app) => {
      authRoutes(app);
      sessionRoutes(app);
      organisationRoutes(app);
    },
  });
  await createOrganisation(it.db, { orgId: 20 });
  token = await createSession(it.db, await createUser(it.db));
});

/** Sends every generated input and looks at every answer: ours, in the envelope, never a 5xx that says we did not foresee it. */
async function everyAnswerIsOurs<T>(
  arbitrary: fc.Arbitrary<T>,
  send: (input: T) => Promise<{ statusCode: number; payload: string }>,
  count = inputs,
): Promise<Set<number>> {
  const statuses = new Set<number>();
  const samples = fc.sample(arbitrary, { numRuns: count, seed });
  for (let start = 0; start < samples.length; start += atOnce) {
    const batch = samples.slice(start, start + atOnce);
    const replies = await Promise.all(batch.map(send));
    for (const [index, { statusCode, payload }] of replies.entries()) {
      statuses.add(statusCode);
      const body = JSON.parse(payload) as { status: number; response: string; code?: string };
      const isOurs =
        body.status === statusCode &&
        (body.response === 'success' || (ERROR_CODES as string[]).includes(body.code ?? ''));
      if (!isOurs || statusCode === 500 || statusCode === 503)
        expect.fail(`${statusCode} ${payload.slice(0, 300)} for ${fc.stringify(batch[index]).slice(0, 1000)}`);
    }
  }
  return statuses;
}

const junk = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\uD800',
    '__proto__',
    'constructor',
    '1e999',
    '-0',
    'null',
    '../../etc/passwd',
    "' or 1=1 --",
    '${7*7}',
    '%00',
    '\u202E',
  ),
);
const value = fc.oneof(
  junk,
  fc.jsonValue({ maxDepth: 4 }),
  fc.integer(),
  fc.double(),
  fc.constantFrom(true, null, [], {}),
);
const mobile = fc.oneof({ weight: 1, arbitrary: fc.constant('9876543210') }, { weight: 6, arbitrary: value });

describe('no generated request crashes the server or gets an answer we did not foresee:', () => {
  test('10,000 JSON bodies, from noise to nearly right ones', { timeout: 180_000 }, async () => {
    const field = fc.constantFrom(
      'mobile',
      'mpin',
      'device_id',
      'otp',
      'purpose',
      'customer_id',
      'session_id',
      'all_others',
      'reset_token',
      'current_mpin',
      '__proto__',
      'x',
    );
    const bodyText = fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(fc.tuple(field, fc.oneof(value, mobile)), { maxLength: 6 })
        .map(
          (entries) =>
            `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item) ?? 'null'}`).join(',')}}`,
        ),
      fc.tuple(fc.json(), fc.nat(80)).map(([text, cut]) => text.slice(0, cut)),
      fc.nat(2000).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
    );
    const target = fc.constantFrom(
      '/api/auth/loginWithOtp',
      '/api/auth/verifyOtpAuth',
      '/api/auth/resend-otp',
      '/api/auth/reset-password',
      '/api/auth/set-mpin',
      '/api/auth/send-otp-to-user',
      '/api/sessions/logout-my-session',
    );
    const contentType = fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'application/json; charset=utf-16',
          'text/json',
          'multipart/form-data',
          'application/octet-stream',
          ';',
          '',
        ),
      },
    );
    const statuses = await everyAnswerIsOurs(fc.tuple(target, bodyText, contentType), ([url, payload, type]) =>
      it.app.fastify.inject({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': type, 'x-emm-auth-session': emmHeader(url), authorization: `bearer ${token}` },
      }),
    );
    expect(statuses).toContain(400);
    // The session of the fuzzer survived: nothing of it was understood as a logout of itself.
    expect((await it.call('getAccessConfig', { token })).status).toBe(200);
  });

  test('10,000 sets of headers, the freshness value among them', { timeout: 180_000 }, async () => {
    const url = '/api/config/access-config';
    const hex = fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdefABCDEF:')), maxLength: 70 });
    const nearlyFresh = fc.tuple(fc.nat(64), fc.constantFrom('0', 'f', ':', 'g', '')).map(([at, char]) => {
      const header = emmHeader(url);
      return header.slice(0, at) + char + header.slice(at + 1);
    });
    const fresh = fc.integer({ min: -400_000, max: 400_000 }).map((offMs) => emmHeader(url, Date.now() + offMs));
    const anyTime = fc.oneof(fc.bigInt(), fc.double(), junk).map((at) => emmHeader(url, at as number));
    const text = fc.oneof(fc.string({ maxLength: 80 }), junk).map((raw) => raw.replace(/[^\x20-\x7e\x80-\xff]/g, '?'));
    const headers = fc.record(
      {
        'x-emm-auth-session': fc.oneof(hex, nearlyFresh, fresh, anyTime, text),
        authorization: fc.oneof(
          text,
          text.map((raw) => `bearer ${raw}`),
          fc.constant(`bearer ${token}`),
          fc.constant(`Bearer ${token.slice(0, 20)}`),
        ),
        'x-org': text,
        'x-language': text,
        'accept-language': text,
        cookie: text.map((raw) => `i18next=${raw}; ${raw}`),
        'x-forwarded-for': text,
        'x-request-id': text,
        'idempotency-key': text,
        'x-device-details': text,
        'accept-encoding': text,
        'content-type': text,
        host: fc.constantFrom('a', 'a:b', '[::1]', '..', ''),
      },
      { requiredKeys: [] },
    );
    const statuses = await everyAnswerIsOurs(headers, (given) =>
      it.app.fastify.inject({ method: 'GET', url, headers: given }),
    );
    expect(statuses).toEqual(new Set([200, 400, 404, 511]));
  });

  test('addresses and queries', { timeout: 180_000 }, async () => {
    const path = fc.oneof(
      fc.constantFrom(
        '/api/sessions/my-sessions',
        '/api/device/x',
        '/api/%',
        '/country/',
        '/upload/signature',
        // Not logout: without a body it is served, and the rest would be asked without a session.
        '/api/auth/set-mpin',
      ),
      fc.webPath().map((raw) => `/api${raw}`),
      fc.string({ unit: 'binary-ascii', maxLength: 40 }).map((raw) => `/api/${encodeURI(raw.toWellFormed())}`),
    );
    const query = fc.oneof(
      fc.constant(''),
      fc.webQueryParameters().map((raw) => `?${raw}`),
      fc.constantFrom('?page=1&page=2', '?__proto__=1', '?a[b]=1', '?%', '?=&&=', '?a=%ff'),
    );
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH');
    const statuses = await everyAnswerIsOurs(
      fc.tuple(method, path, query),
      ([verb, at, search]) =>
        it.app.fastify.inject({
          method: verb as 'GET',
          url: at + search,
          headers: { 'x-emm-auth-session': emmHeader(at + search), authorization: `bearer ${token}` },
        }),
      2000,
    );
    expect(statuses).toContain(404);
  });
});

test('noise on the socket ends that socket only', { timeout: 60_000 }, async () => {
  await it.app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = it.app.fastify.server.address() as AddressInfo;
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.constantFrom('GET', 'POST', 'TRACE', 'X'), junk, junk)
      .map(([method, path, header]) => Buffer.from(`${method} /${path} HTTP/1.1\r\nhost: a\r\n${header}\r\n\r\n`)),
    fc
      .nat(9999)
      .map((length) =>
        Buffer.from(
          `POST /api/auth/loginWithOtp HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
        ),
      ),
  );
  for (const bytes of fc.sample(noise, { numRuns: 500, seed })) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      socket.on('close', () => resolve());
    });
  }
  expect((await it.call('getAccessConfig', { token })).status).toBe(200);
});
