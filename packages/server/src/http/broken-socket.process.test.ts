import type { Server } from 'node:http';
import { type Socket, connect } from 'node:net';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOrganisation, createTestApp, emmHeader } from '#test/http.ts';
import { portOf, statusOf } from '#test/raw-http.ts';
import { authRoutes } from './routes/auth.ts';
import { healthRoutes } from './routes/health.ts';
import { ARRIVAL } from './broken-socket.ts';
import { MOST_AT_ONCE } from './pipelines.ts';

const ARRIVAL_MS = { headersMs: 600, wholeMs: 1200, stillMs: 2000 };
/** Node's look at its connections, a thirtieth of the first, and a busy machine. */
const LATE_MS = 500;
/** How long this process, which is both sides, did not get to run: each of its waits may be late by that. */
let delays: IntervalHistogram;
beforeEach(() => {
  delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
});
afterEach(() => delays.disable());
const lateMs = () => LATE_MS + 2 * (delays.max / 1e6);

let port: number;
let server: Server;
beforeAll(async () => {
  const { app, db } = await createTestApp({
    settings: { arrival: ARRIVAL_MS },
    register: (made) => {
      authRoutes(made);
      healthRoutes(made);
      // More than the two machines' buffers hold.
      made.fastify.get('/large', () => 'x'.repeat(4_000_000));
    },
  });
  await createOrganisation(db, { orgId: 20 });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  server = app.fastify.server;
  port = portOf(server);
});

/** Sends the first part at once and then a byte at a time, and never stops by itself. @returns what came back, and when the server had enough */
function trickle(first: string, rest: string): Promise<{ answer: string; tookMs: number }> {
  return new Promise((resolve) => {
    const startedAtMs = performance.now();
    // Our end stays open whatever the server does with its own.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(first));
    let answer = '';
    let at = 0;
    const timer = setInterval(() => rest !== '' && socket.write(rest[at++ % rest.length]!), 40);
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    const done = () => {
      clearInterval(timer);
      socket.destroy();
      resolve({ answer, tookMs: performance.now() - startedAtMs });
    };
    // Closed for good, though we go on writing; who writes nothing sees the last word only.
    socket.once('close', done);
    if (rest === '') socket.once('end', done);
  });
}

const path = '/api/auth/loginWithOtp';
const post = (extra: string) =>
  `POST ${path} HTTP/1.1\r\nHost: kist.test\r\nContent-Type: application/json\r\nX-EMM-Auth-Session: ${emmHeader(path)}\r\n${extra}`;

describe('what trickles in is closed at the time documented', () => {
  test.each([
    ['headers', post(''), 'x-a: b\r\n', ARRIVAL_MS.headersMs],
    ['nothing at all', '', '', ARRIVAL_MS.headersMs],
    ['a body', post('Content-Length: 100000\r\n\r\n{'), ' ', ARRIVAL_MS.wholeMs],
    ['a body in chunks', post('Transfer-Encoding: chunked\r\n\r\n'), '1\r\n \r\n', ARRIVAL_MS.wholeMs],
    [
      'a body nobody asked for',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n',
      '',
      ARRIVAL_MS.wholeMs,
    ],
  ])('%s', async (_name, first, rest, dueMs) => {
    const { answer, tookMs } = await trickle(first, rest);
    expect(tookMs).toBeGreaterThan(dueMs - 50);
    expect(tookMs).toBeLessThan(dueMs + lateMs());
    if (statusOf(answer) === 200) return;
    expect(statusOf(answer)).toBe(408);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  });

  test('as the runbook says: 15 s for headers, 30 s for all of it, 60 s without a byte either way', () => {
    expect(ARRIVAL).toEqual({ headersMs: 15_000, wholeMs: 30_000, stillMs: 60_000 });
  });
});

test('who asks for much and takes nothing is let go', async () => {
  const asked = connect({ port, host: '127.0.0.1' });
  asked.on('error', () => undefined).pause();
  const tookMs = new Promise<number>((resolve) => {
    server.once('connection', (socket: Socket) => {
      const startedAtMs = performance.now();
      socket.once('close', () => resolve(performance.now() - startedAtMs));
    });
  });
  asked.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(MOST_AT_ONCE));
  expect(await tookMs).toBeGreaterThan(ARRIVAL_MS.stillMs - 50);
  // Node waits once more where bytes left since it looked, and the buffers between fill when they do.
  expect(await tookMs).toBeLessThan(4 * ARRIVAL_MS.stillMs + lateMs());
  asked.destroy();
});
