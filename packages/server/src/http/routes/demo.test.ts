import type { FastifyInstance } from 'fastify';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEMO_AGENT_PATH } from '@kist/contract/linked-phone';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOSTILE_JSON, HOSTILE_QUERY } from '#test/hostile.ts';
import { createTestApp, type TestApp } from '#test/http.ts';
import { demoPhoneRoutes } from '#server/demo/demo-phones.ts';
import { advanceMs, demoRoutes, type DemoClock } from './demo.ts';

let it: TestApp;
let lab: Server;
let nowMs = Date.parse('2026-01-10T06:00:00Z');
const steps: number[] = [];
const clock: DemoClock = {
  read: async () => ({ now: new Date(nowMs), businessOn: '2026-01-10', shiftMs: 0 }),
  advance: async (byMs) => {
    steps.push(byMs);
    nowMs += byMs;
  },
};

beforeAll(async () => {
  // Plays the simulator at the other end of a real connection.
  lab = createServer((request, response) => {
    if (request.url?.startsWith('/lab/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(request.url === '/lab/missing' ? 404 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          body,
          token: request.headers.authorization ?? null,
        }),
      );
    });
  });
  await new Promise<void>((resolve) => void lab.listen(0, '127.0.0.1', resolve));
  const labUrl = `http://127.0.0.1:${(lab.address() as AddressInfo).port}`;
  const hosts = ['demo.example'];
  it = await createTestApp({
    register: (app) => {
      const more = (scope: FastifyInstance) => demoPhoneRoutes(scope, it?.db as never, {} as never);
      demoRoutes(app, { clock, labUrl, hosts, more });
    },
  });
});
afterAll(() => {
  lab.closeAllConnections();
  lab.close();
});

test('the agent lies where links and QRs of a demo say', async () => {
  const answer = await it.app.fastify.inject({ method: 'GET', url: DEMO_AGENT_PATH, headers: { host: 'localhost' } });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/vnd.android.package-archive']);
  expect(answer.rawPayload.length).toBeGreaterThan(0);
});

const clockCall = (payload: object) => it.app.fastify.inject({ method: 'POST', url: '/demo/clock', payload });

describe('what a demo shows is shown under this machine’s names and its public one only', () => {
  const ask = (url: string, host: string) => it.app.fastify.inject({ method: 'GET', url, headers: { host } });
  const shown = [
    '/demo/outbox',
    '/demo/clock',
    '/demo/phones',
    '/demo/phones/490154203237518/owner',
    '/lab',
    '/lab/anything',
  ];

  test.each(shown)('%s', async (url) => {
    for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', '[']) {
      const reply = await ask(url, host);
      expect([reply.statusCode, reply.json<{ code: string }>().code], host).toEqual([404, 'NOT_FOUND']);
    }
    for (const host of [
      'localhost',
      'LOCALHOST:3000',
      '127.0.0.1:3000',
      '[::1]:3000',
      'demo.example',
      'Demo.Example:80',
    ])
      expect((await ask(url, host)).statusCode, host).not.toBe(404);
  });
});

describe('the demo clock', () => {
  test('moves forward by days, minutes and to a time of the day in India, and says where it is', async () => {
    expect((await it.app.fastify.inject({ method: 'GET', url: '/demo/clock' })).json()).toEqual({
      now: '2026-01-10T06:00:00.000Z',
      business_on: '2026-01-10',
      shift_ms: 0,
    });
    expect((await clockCall({ advance_days: 2, set_time: '10:00' })).json()).toMatchObject({
      now: '2026-01-12T04:30:00.000Z',
    });
    expect((await clockCall({ advance_minutes: 90 })).json()).toMatchObject({ now: '2026-01-12T06:00:00.000Z' });
    expect((await clockCall({})).statusCode).toBe(200);
    expect(steps).toEqual([2 * 86_400_000 - 90 * 60_000, 90 * 60_000]);
  });

  test('does not leave the calendar that people may name days of', async () => {
    const startedMs = nowMs;
    nowMs = Date.parse('2099-06-01T06:00:00Z');
    const reply = await clockCall({ advance_days: 300 });
    nowMs = startedMs;
    expect([reply.statusCode, reply.json<{ errors: { path: string }[] }>().errors[0]?.path]).toEqual([
      400,
      'advance_days',
    ]);
  });

  test('takes nothing else in any field, nor does the outbox', async () => {
    const before = nowMs;
    for (const field of ['advance_days', 'advance_minutes', 'set_time'])
      for (const raw of HOSTILE_JSON.filter((text) => !/^-?0$/.test(text))) {
        const reply = await it.app.fastify.inject({
          method: 'POST',
          url: '/demo/clock',
          payload: `{"${field}":${raw}}`,
          headers: { 'content-type': 'application/json' },
        });
        const { code } = reply.json<{ code: string }>();
        expect([field, raw.slice(0, 60), reply.statusCode, code]).toEqual([field, raw.slice(0, 60), 400, code]);
        expect(['INVALID_INPUT', 'INVALID_JSON']).toContain(code);
      }
    for (const raw of HOSTILE_QUERY) {
      const reply = await it.app.fastify.inject({ method: 'GET', url: `/demo/outbox?mobile=${raw}` });
      expect([raw, reply.statusCode]).toEqual([raw, 400]);
    }
    expect(nowMs).toBe(before);
  });

  test('never moves back', async () => {
    const before = nowMs;
    for (const payload of [
      { set_time: '00:00' },
      { advance_days: -1 },
      { advance_minutes: 0.5 },
      { advance_days: 1e9 },
      { set_time: '25:00' },
      { backwards: true },
    ])
      expect((await clockCall(payload)).statusCode).toBe(400);
    expect(nowMs).toBe(before);
  });

  test('the wanted time is reached on the day the other steps lead to', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.nat(400),
        fc.nat(23),
        fc.nat(59),
        (atMs, days, hours, minutes) => {
          const text = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
          const reached = new Date(
            atMs + advanceMs(new Date(atMs), { advance_days: days, set_time: text }) + 5.5 * 3_600_000,
          );
          expect(reached.toISOString().slice(11, 16)).toBe(text);
          expect(Math.floor((atMs + 5.5 * 3_600_000) / 86_400_000) + days).toBe(
            Math.floor(reached.getTime() / 86_400_000),
          );
        },
      ),
    );
  });
});

describe('the way to the simulator', () => {
  test('passes bodies, paths and failures through, but no session token', async () => {
    const reply = await it.app.fastify.inject({
      method: 'POST',
      url: '/lab/phones/1/switch?x=1',
      payload: '{"network":false}',
      headers: { 'content-type': 'application/json', authorization: 'bearer secret' },
    });
    expect(reply.json()).toEqual({
      method: 'POST',
      url: '/lab/phones/1/switch?x=1',
      body: '{"network":false}',
      token: null,
    });
    expect((await it.app.fastify.inject({ method: 'GET', url: '/lab' })).json()).toMatchObject({ url: '/lab' });
    expect((await it.app.fastify.inject({ method: 'GET', url: '/lab/missing' })).statusCode).toBe(404);
    expect(
      (await it.app.fastify.inject({ method: 'GET', url: '/demo/outbox?mobile=9000000001' })).json(),
    ).toMatchObject({ url: '/sms/outbox?mobile=%2B919000000001' });
  });

  test('lets events flow as they come', async () => {
    await it.app.fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = it.app.fastify.server.address() as AddressInfo;
    const gone = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/lab/events`, { signal: gone.signal });
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect([response.headers.get('content-type'), Buffer.from(value ?? []).toString()]).toEqual([
      'text/event-stream',
      'data: first\n\n',
    ]);
    gone.abort();
  });

  test('says UNAVAILABLE while the simulator is away', async () => {
    const away = await createTestApp({
      database: it.db,
      register: (app) => demoRoutes(app, { clock, labUrl: 'http://127.0.0.1:9', hosts: [] }),
    });
    const reply = await away.app.fastify.inject({ method: 'GET', url: '/lab' });
    expect([reply.statusCode, reply.json<{ code: string }>().code, reply.headers['retry-after']]).toEqual([
      503,
      'UNAVAILABLE',
      '1',
    ]);
  });
});
