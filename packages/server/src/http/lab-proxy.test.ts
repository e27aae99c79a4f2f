import { createServer, type Server } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/http.ts';
import { portOf, requestText, sendRaw, statusOf } from '#test/raw-http.ts';
import { labUrlOf } from './lab-proxy.ts';
import { demoRoutes } from './routes/demo.ts';
import { healthRoutes } from './routes/health.ts';

const SECRET = 'what only this machine may read';
/** Stands for whatever else listens on this machine: a database, a cloud's metadata. */
const asked: { victim: string[]; lab: string[] } = { victim: [], lab: [] };
let victim: Server;
let lab: Server;
let it: TestApp;
let port: number;

const listen = (server: Server) => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const REDIRECTS: Record<string, () => string> = {
  '/lab/away': () => `http://127.0.0.1:${portOf(victim)}/secret`,
  '/lab/away-short': () => `//127.0.0.1:${portOf(victim)}/secret`,
  '/lab/sideways': () => '/sms/outbox',
  '/lab/climbing': () => '/lab/../sms/outbox',
  '/lab/inside': () => '../lab/phones?x=1',
};

beforeAll(async () => {
  victim = createServer((request, response) => {
    asked.victim.push(request.url ?? '');
    response.end(SECRET);
  });
  lab = createServer((request, response) => {
    asked.lab.push(request.url ?? '');
    const to = REDIRECTS[request.url ?? '']?.();
    if (to !== undefined) response.writeHead(302, { location: to });
    response.end(request.url?.startsWith('/sms') ? SECRET : 'the lab');
  });
  await Promise.all([listen(victim), listen(lab)]);
  it = await createTestApp({
    register: (app) => {
      healthRoutes(app);
      demoRoutes(app, {
        clock: { read: async () => ({ now: new Date(), businessOn: '', shiftMs: 0 }), advance: async () => undefined },
        labUrl: `http://127.0.0.1:${portOf(lab)}`,
        hosts: ['kist.test'],
      });
    },
  });
  await it.app.fastify.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(it.app.fastify.server);
});
afterAll(() => {
  victim.close();
  lab.close();
});
beforeEach(() => {
  asked.victim = [];
  asked.lab = [];
});

const get = (target: string) => sendRaw(port, requestText(`GET ${target} HTTP/1.1`));

describe('nobody makes this server speak to anything but the lab', () => {
  const elsewhere = () => `127.0.0.1:${portOf(victim)}`;
  test.each<[string, () => string]>([
    ['an absolute address', () => `http://${elsewhere()}/lab/secret`],
    ['an absolute address without the lab in it', () => `http://${elsewhere()}/secret`],
    ['an absolute address in capitals', () => `HTTP://${elsewhere()}/lab`],
    ['an absolute address with a user', () => `http://lab@${elsewhere()}/lab/x`],
    ['a secure absolute address', () => `https://${elsewhere()}/lab/x`],
    ['another scheme', () => `file:///lab/x`],
    ['a host without a scheme', () => `//${elsewhere()}/lab/secret`],
    ['three slashes', () => `///${elsewhere()}/lab/secret`],
    ['a backslash host', () => `/\\${elsewhere()}/lab/secret`],
    ['a backslash instead of a slash', () => `/lab\\..\\sms/outbox`],
    ['dots', () => '/lab/../sms/outbox'],
    ['dots at the end', () => '/lab/x/../../sms/outbox'],
    ['a single dot', () => '/lab/./x'],
    ['encoded dots', () => '/lab/%2e%2e/sms/outbox'],
    ['half encoded dots', () => '/lab/.%2E/sms/outbox'],
    ['doubly encoded dots', () => '/lab/%252e%252e/sms/outbox'],
    ['encoded slashes', () => '/lab/..%2fsms%2foutbox'],
    ['encoded backslashes', () => '/lab/..%5csms%5coutbox'],
    ['an encoded lab', () => '/%6cab/../sms/outbox'],
    ['another beginning', () => `/lab@${elsewhere()}/`],
    ['a port', () => `/lab:${portOf(victim)}/`],
    ['a null', () => '/lab/%00'],
    ['a tab, which URL parsers drop', () => '/lab/.%09./sms/outbox'],
    ['a broken encoding', () => '/lab/%zz'],
    ['a fragment', () => `/lab/#@${elsewhere()}/`],
    ['the gateway itself', () => '/sms/outbox'],
  ])('%s', async (_name, target) => {
    const answer = await get(target());
    expect([400, 404]).toContain(statusOf(answer));
    expect(answer).not.toContain(SECRET);
    expect(asked.victim).toEqual([]);
    expect(asked.lab).toEqual([]);
  });

  test('redirects are neither followed nor sent on, but within the lab', async () => {
    for (const target of ['/lab/away', '/lab/away-short', '/lab/sideways', '/lab/climbing']) {
      const answer = await get(target);
      expect([target, statusOf(answer), /^location:/im.test(answer)]).toEqual([target, 302, false]);
      expect(answer).not.toContain(SECRET);
    }
    expect(asked.victim).toEqual([]);
    expect(asked.lab.filter((url) => url.startsWith('/sms'))).toEqual([]);
    expect(await get('/lab/inside')).toMatch(/^location: \/lab\/phones\?x=1\r$/m);
  });

  test('whatever the target is, what is asked for lies at the lab and below its path', () => {
    const piece = fc.constantFrom(
      'lab',
      '..',
      '.',
      '%2e',
      '%2f',
      '%5c',
      '\\',
      '//',
      '@',
      ':',
      '?',
      '#',
      'http:',
      'x',
      '%',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 8 }), (parts) => {
        for (const target of [`/lab/${parts.join('/')}`, `/lab${parts.join('')}`, parts.join('/')]) {
          const url = labUrlOf('http://lab.test:4000', target);
          if (url) expect([url.origin, /^\/lab(\/|$)/.test(url.pathname)]).toEqual(['http://lab.test:4000', true]);
        }
      }),
      { numRuns: 2000 },
    );
    expect(labUrlOf('http://lab.test:4000', '/lab/phones/1?x=%2F..#')).toBeUndefined();
    expect(labUrlOf('http://lab.test:4000', '/lab/phones/a%20b?x=%2F..')?.href).toBe(
      'http://lab.test:4000/lab/phones/a%20b?x=%2F..',
    );
  });
});

test('the whole server knows paths only: another form of target is refused on every address', async () => {
  for (const target of [
    'http://kist.test/healthz',
    `http://127.0.0.1:${port}/healthz`,
    '//kist.test/healthz',
    '/\\kist.test/healthz',
    'healthz',
    '*',
  ]) {
    const answer = await sendRaw(port, requestText(`${target === '*' ? 'OPTIONS' : 'GET'} ${target} HTTP/1.1`));
    expect([target, statusOf(answer)]).toEqual([target, 400]);
    expect(answer).toContain('"code":"INVALID_INPUT"');
  }
  expect(statusOf(await get('/healthz'))).toBe(200);
});
