import { Agent, get } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createOrganisation, createTestApp, emmHeader, type TestApp } from '#test/http.ts';
import { portOf, requestText, sendRaw, statusOf } from '#test/raw-http.ts';
import { authRoutes } from './routes/auth.ts';
import { agentRoutes } from './routes/agent.ts';
import { healthRoutes } from './routes/health.ts';
import { hookRoutes } from './routes/hooks.ts';
import { registerOpenApiRoute } from './routes/openapi.ts';
import { organisationRoutes } from './routes/organisation.ts';
import { createDeviceWorld } from '#test/device-world.ts';
import { createTestDatabase } from '#test/database.ts';
import { MOST_AT_ONCE } from './pipelines.ts';

const LOGIN = '/api/auth/loginWithOtp';
let it: TestApp;
let port: number;
beforeAll(async () => {
  const db = await createTestDatabase();
  const world = await createDeviceWorld(db);
  it = await createTestApp({
    database: db,
    register: (app) => {
      authRoutes(app);
      organisationRoutes(app);
      healthRoutes(app);
      registerOpenApiRoute(app);
      hookRoutes(app.fastify, { db: app.deps.db, notices: {} as never, smsSecrets: ['a secret of this test'] });
      agentRoutes(app.fastify, world.agents, app.deps);
    },
  });
  await createOrganisation(db, { orgId: 22 });
  await it.app.fastify.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(it.app.fastify.server);
});

const fresh = (path: string) => `X-EMM-Auth-Session: ${emmHeader(path)}`;
const post = (body: string | Buffer, ...headers: string[]) =>
  sendRaw(
    port,
    Buffer.concat([
      Buffer.from(requestText(`POST ${LOGIN} HTTP/1.1`, fresh(LOGIN), 'Content-Type: application/json', ...headers)),
      Buffer.from(body),
    ]),
    { withinMs: 3000 },
  );

describe('a body is what its headers say, once', () => {
  test.each(['gzip', 'deflate', 'br', 'compress', 'gzip, gzip', 'x-unknown'])(
    'compressed (%s) is refused unread',
    async (encoding) => {
      const body = gzipSync(Buffer.alloc(1_000_000));
      for (const path of [LOGIN, '/agent/v1/checkin', '/hooks/sms', '/nothing']) {
        const reply = await it.app.fastify.inject({
          method: 'POST',
          url: path,
          payload: body,
          headers: {
            'content-encoding': encoding,
            'content-type': 'application/json',
            'x-emm-auth-session': emmHeader(path),
          },
        });
        expect([path, reply.statusCode, reply.json<{ code: string }>().code]).toEqual([
          path,
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        ]);
      }
    },
  );

  test.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 44']],
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 4']],
    ['chunks hidden by case and spaces', ['Content-Length: 4', 'Transfer-Encoding:  CHUNKED']],
    ['chunks twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
    ['an unknown coding', ['Transfer-Encoding: xchunked']],
    ['a length that is none', ['Content-Length: +4']],
    ['a negative length', ['Content-Length: -4']],
    ['a folded header', ['X-A: b', ' c: d', 'Content-Length: 2']],
    ['a space before the colon', ['Content-Length : 2']],
    ['a bare line feed', ['X-A: b\nContent-Length: 9']],
    ['a null in a header', ['X-A: b\0c']],
  ])('%s is refused, and what follows is not taken for another request', async (_name, headers) => {
    const answer = await post(`0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: kist.test\r\n\r\n`, ...headers);
    expect(statusOf(answer)).toBe(400);
    expect(answer).not.toContain('alive');
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  test('many questions in one breath: as many are answered as may be open, and no more', async () => {
    const one = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    expect(await sendRaw(port, one.repeat(MOST_AT_ONCE - 1) + last)).toMatch(
      new RegExp(`^(HTTP/1.1 200[^]*){${MOST_AT_ONCE}}$`),
    );
    const answers = (await sendRaw(port, one.repeat(40)).catch(() => '')).match(/HTTP\/1\.1 200/g) ?? [];
    expect(answers.length).toBeLessThanOrEqual(MOST_AT_ONCE);
  });

  test('one question after the other is answered on the same connection, however many they are', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () =>
      new Promise((resolve, reject) => {
        get({ port, host: '127.0.0.1', path: '/healthz', agent }, (answer) => {
          const { statusCode, socket } = answer;
          const came = [statusCode, socket.localPort];
          answer.resume().once('end', () => resolve(came));
        }).once('error', reject);
      });
    const first = await ask();
    for (let n = 0; n < 2 * MOST_AT_ONCE; n += 1) expect(await ask()).toEqual(first);
    agent.destroy();
  });

  test('headers beyond 16 KB, two hosts, no host, another version', async () => {
    expect(statusOf(await post('{}', `X-Long: ${'x'.repeat(20_000)}`))).toBe(431);
    expect(statusOf(await post('{}', ...Array.from({ length: 3000 }, (_, n) => `X-${n}: y`)))).toBe(431);
    expect(statusOf(await sendRaw(port, 'GET /healthz HTTP/1.1\r\n\r\n'))).toBe(400);
    expect(statusOf(await sendRaw(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'))).toBe(400);
    expect(statusOf(await sendRaw(port, 'GET /healthz HTTP/1.1\r\nhost: x\r\nHOST: y\r\n\r\n'))).toBe(400);
    expect(statusOf(await sendRaw(port, 'GET /healthz HTTP/3.0\r\nHost: x\r\n\r\n'))).toBe(400);
    expect(statusOf(await sendRaw(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))).toBe(400);
    expect(statusOf(await sendRaw(port, requestText('GET /healthz HTTP/1.1', 'Upgrade: websocket')))).toBeLessThan(500);
    expect(await sendRaw(port, requestText('CONNECT 127.0.0.1:22 HTTP/1.1'))).not.toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('names that every object has', () => {
  test.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__proto__[x]',
    'constructor.prototype.x',
  ])('%s as a parameter, a header, a form field or a path is a name like any other', async (name) => {
    const encoded = encodeURIComponent(name);
    for (const path of [
      `/api/organizations/get_org_app_config?${encoded}=1`,
      `/api/organizations/get_org_app_config?${encoded}=1&${encoded}=2`,
      `/${encoded}`,
      `/api/${encoded}`,
      `/locales/${encoded}`,
      `/agent/v1/${encoded}`,
    ]) {
      const reply = await it.app.fastify.inject({
        url: path,
        headers: {
          'x-emm-auth-session': emmHeader(path),
          'x-org': name,
          'x-language': name,
          [`x-${name.replaceAll(/\W/g, '')}`]: '1',
        },
      });
      expect([path, [400, 404].includes(reply.statusCode)]).toEqual([path, true]);
    }
    expect(({} as Record<string, unknown>)['x'] ?? ({} as Record<string, unknown>)['1']).toBeUndefined();
  });
});

test('every method on every address gets an answer of ours, and none a fault', async () => {
  const paths = [
    '/',
    '/healthz',
    '/readyz',
    '/metrics',
    '/api/openapi.json',
    LOGIN,
    '/agent/v1/checkin',
    '/agent/v1/key',
    '/agent/v1/poll',
    '/hooks/sms',
    '/country/x',
    '/upload/x',
    '/lab',
    '/demo/outbox',
    '/locales/en.json',
    '/api/device/commands/lock',
  ];
  for (const path of paths)
    for (const method of [
      'GET',
      'HEAD',
      'OPTIONS',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'TRACE',
      'PROPFIND',
      'SEARCH',
      'LOCK',
    ]) {
      const answer = await sendRaw(port, requestText(`${method} ${path} HTTP/1.1`, 'Content-Length: 0'));
      const status = statusOf(answer);
      expect([method, path, status, status >= 200 && status < 500]).toEqual([method, path, status, true]);
      if (method === 'HEAD') expect(answer.split('\r\n\r\n')[1]).toBe('');
      // What a request said comes back in no header and no body.
      if (method === 'TRACE') expect(answer).not.toContain('kist.test');
    }
}, 60_000);
