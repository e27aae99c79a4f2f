import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#test/http.ts';
import { AREAS } from './area.ts';
import { organisationRoutes } from './routes/organisation.ts';
import { inlineHashes } from './security-headers.ts';

const theme = "document.documentElement.className = 'dark'";
const page = `<!doctype html><html><head><style>body{margin:0}</style><script>${theme}</script><script type="module" src="/assets/app-1a2b.js"></script></head><body></body></html>`;
const script = `export const words = ${JSON.stringify('word '.repeat(2000))}`;
/** Long enough that how well it is packed shows. */
const bundle = Array.from(
  { length: 3000 },
  (_, no) => `export const part${no % 97} = (a, b) => a.row(${(no * 7919) % 1009}) ?? b;`,
).join('\n');
const words = {
  en: '{"errors":{"NOT_FOUND":"Nothing is here."}}',
  hn: '{"errors":{"NOT_FOUND":"यहाँ कुछ नहीं है। </script>"}}',
};
const built = mkdtempSync(path.join(tmpdir(), 'kist-web-'));
afterAll(() => rmSync(built, { recursive: true }));

let it: TestApp;
beforeAll(async () => {
  for (const [file, text] of Object.entries({
    'index.html': page,
    'sw.js': 'self',
    'assets/app-1a2b.js': script,
    'assets/app.js.map': '{}',
    'assets/bundle-3c4d.js': bundle,
    'locales/en.json': words.en,
    'locales/hn.json': words.hn,
    'icons/icon.svg': '<svg/>',
  })) {
    mkdirSync(path.dirname(path.join(built, file)), { recursive: true });
    writeFileSync(path.join(built, file), text);
  }
  it = await createTestApp({
    settings: { webDir: built, localesDir: path.join(built, 'locales') },
    register: organisationRoutes,
  });
});
/** What the app's own worker, and its server while it is built, leave to this server. */
const leftToServer = (): string[] => {
  const source = readFileSync(path.join(import.meta.dirname, '../../../web/src/offline/server-paths.ts'), 'utf8');
  const [, list = ''] = /SERVER_PATHS = \[([^\]]*)\]/.exec(source) ?? [];
  return [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
};
const get = (url: string, headers: InjectOptions['headers'] = {}) =>
  it.app.fastify.inject({ method: 'GET', url, headers });

describe('the built app', () => {
  test('its page answers every navigation and is asked for again each time', async () => {
    for (const url of ['/', '/index.html', '/customers', '/customers/0190-x?tab=1', '/login']) {
      const reply = await get(url, { accept: 'text/html' });
      expect([
        url,
        reply.statusCode,
        reply.body,
        reply.headers['cache-control'],
        reply.headers['content-type'],
      ]).toEqual([url, 200, page, 'no-cache', 'text/html; charset=utf-8']);
    }
    expect((await get('/sw.js')).headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/javascript; charset=utf-8',
    });
  });

  test('a language before the path is taken off: pages and files are the same without it', async () => {
    for (const language of ['en', 'hn', 'mr', 'gj', 'sp', 'bd', 'kn', 'tg', 'tm', 'pp'])
      for (const url of ['', '/', '/customer-list', '/customer-details/0190-x?tab=1'])
        expect((await get(`/${language}${url}`, { accept: 'text/html' })).body).toBe(page);
    expect((await get('/hn/assets/app-1a2b.js')).body).toBe(script);
    expect((await get('/hn/locales/en.json')).statusCode).toBe(200);
    for (const url of ['/hn/api/customer', '/hn/country/x', '/hn/locales/xx.json']) {
      const reply = await get(url, { accept: 'text/html' });
      expect([url, reply.json<{ code: string }>().code]).toEqual([url, 'NOT_FOUND']);
    }
    // No language: a page like any other.
    expect((await get('/hnx/api', { accept: 'text/html' })).body).toBe(page);
  });

  test('a page that is opened brings the words of its language as data; one that a worker keeps, and one in a language that has no file, does not', async () => {
    const opened = (url: string, headers: InjectOptions['headers'] = {}) =>
      get(url, { accept: 'text/html', 'sec-fetch-dest': 'document', ...headers });
    const brought = (language: string, words: string) =>
      page.replace(
        '</body>',
        `<script type="application/json" id="words" data-of="${language}">${words}</script></body>`,
      );
    // No end of a script in what is said ends it.
    const hindi = '{"errors":{"NOT_FOUND":"यहाँ कुछ नहीं है। \\u003c/script>"}}';
    expect((await opened('/customers')).body).toBe(brought('en', words.en));
    expect((await opened('/hn/customers')).body).toBe(brought('hn', hindi));
    expect((await opened('/en/customers', { cookie: 'a=b; i18next=hn' })).body).toBe(brought('hn', hindi));
    expect((await opened('/', { cookie: 'i18next=fr' })).body).toBe(brought('en', words.en));
    expect((await opened('/', { cookie: 'i18next=kn' })).body).toBe(page);
    const kept = await get('/index.html', { 'sec-fetch-dest': 'empty', cookie: 'i18next=hn' });
    expect([kept.body, kept.headers['vary']]).toEqual([page, 'accept-encoding, x-org, cookie, sec-fetch-dest']);
    // What may run is the same on all of them.
    expect((await opened('/hn/customers')).headers['content-security-policy']).toBe(
      kept.headers['content-security-policy'],
    );
  });

  test('an address of programs, a missing file or a change never gets the page', async () => {
    for (const url of [
      '/api/x',
      '/api',
      '/%61pi/x',
      '/API/x',
      '/country/x',
      '/upload/x',
      '/files/20/x',
      '/agent/v1/x',
      '/demo/clock',
      '/lab',
      '/assets/gone.js',
      '/locales/xx.json',
      '/gone.png',
      '/assets/app.js.map',
    ]) {
      const reply = await get(url, { accept: 'text/html' });
      expect([url, reply.statusCode, reply.json<{ code: string; message: string }>()]).toEqual([
        url,
        404,
        expect.objectContaining({ code: 'NOT_FOUND', message: 'Nothing is here.' }),
      ]);
    }
    expect(
      (await it.app.fastify.inject({ method: 'POST', url: '/customers', headers: { accept: 'text/html' } })).statusCode,
    ).toBe(404);
    expect((await get('/customers', { accept: 'application/json' })).statusCode).toBe(404);
    // What begins with two slashes names another machine, as a browser reads it.
    expect((await get('//api/x')).statusCode).toBe(400);
    for (const url of ['/..%2f..%2fetc/passwd.txt', '/assets/../../package.json', '/assets/%2e%2e/index.html.bak'])
      expect((await get(url)).statusCode).toBe(404);
  });

  test('hashed files stay for ever, locales as long as their address names their content', async () => {
    const forEver = 'public, max-age=31536000, immutable';
    expect((await get('/assets/app-1a2b.js')).headers['cache-control']).toBe(forEver);
    const version = createHash('sha256').update(words.en).digest('hex').slice(0, 6);
    expect((await get(`/locales/en.json?v=${version}`)).headers['cache-control']).toBe(forEver);
    expect((await get(`/hn/locales/en.json?v=${version}`)).headers['cache-control']).toBe(forEver);
    // As which version it is asked for by a page of before: what is there now is not that one.
    for (const other of ['0a1b2c', version.slice(1), `${version}0`, '', 'ANYTHING', `0&v=${version}`])
      expect([other, (await get(`/locales/en.json?v=${other}`)).headers['cache-control']]).toEqual([other, 'no-cache']);
    expect((await get(`/locales/hn.json?v=${version}`)).headers['cache-control']).toBe('no-cache');
    expect((await get('/?v=1')).headers['cache-control']).toBe('no-cache');
    const plain = await get('/locales/en.json');
    expect([plain.headers['cache-control'], plain.headers['content-type']]).toEqual([
      'no-cache',
      'application/json; charset=utf-8',
    ]);
    const again = await get('/locales/en.json', { 'if-none-match': String(plain.headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('the page that is built asks for each file of words by the version that is kept', () => {
    const config = readFileSync(path.join(import.meta.dirname, '../../../web/vite.config.ts'), 'utf8');
    expect(config).toContain("createHash('sha256').update(text).digest('hex').slice(0, 6)");
  });

  test('text goes out compressed as the browser accepts', async () => {
    const br = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, deflate, br' });
    const gz = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, br;q=0' });
    const plain = await get('/assets/app-1a2b.js');
    expect([br.headers['content-encoding'], gz.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(
      ['br', 'gzip', undefined],
    );
    expect([brotliDecompressSync(br.rawPayload).toString(), gunzipSync(gz.rawPayload).toString(), plain.body]).toEqual([
      script,
      script,
      script,
    ]);
    expect(new Set([br, gz, plain].map(({ headers }) => headers['etag']))).toHaveProperty('size', 3);
    expect(br.headers['vary']).toBe('accept-encoding');
    const head = await it.app.fastify.inject({ method: 'HEAD', url: '/assets/app-1a2b.js' });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(script)),
    ]);
  });

  test('what is the same for everybody is packed better from the second time on, and says the same', async () => {
    const packed = () => get('/assets/bundle-3c4d.js', { 'accept-encoding': 'br' });
    const first = await packed();
    expect(brotliDecompressSync(first.rawPayload).toString()).toBe(bundle);
    await expect.poll(async () => (await packed()).rawPayload.length).toBeLessThan(first.rawPayload.length);
    const second = await packed();
    expect(brotliDecompressSync(second.rawPayload).toString()).toBe(bundle);
    expect(second.headers['etag']).toBe(first.headers['etag']);
  });

  test('only exactly its own inline blocks may run', async () => {
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']);
    const [hash = ''] = inlineHashes(page, 'script');
    expect(hash).toMatch(/^'sha256-[A-Za-z0-9+/]{43}='$/);
    expect(inlineHashes(page, 'script')).toHaveLength(1);
    expect(policy).toContain(`script-src 'self' 'wasm-unsafe-eval' ${hash};`);
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect(policy).toMatch(/object-src 'none';base-uri 'none'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin', 'x-frame-options': 'DENY' });
    expect(policy).toContain("connect-src 'self';");
    // A worker lives under the policy of its own script.
    expect((await get('/assets/app-1a2b.js')).headers['content-security-policy']).toBe(policy);
    expect(inlineHashes(page.replace('dark', 'evil'), 'script')[0]).not.toBe(hash);
  });

  test('stands for no address of the server, here or in the app’s worker', async () => {
    expect(leftToServer().toSorted()).toEqual([...AREAS.keys()].toSorted());
    for (const name of AREAS.keys())
      expect([name, (await get(`/${name}/x/y`, { accept: 'text/html' })).body === page]).toEqual([name, false]);
  });

  test.each([
    ['{"baseUrl":"https://api.example.in"}', "connect-src 'self' https://api.example.in;"],
    ['{"baseUrl":""}', "connect-src 'self';"],
    ['{"baseUrl":"https://api.example.in; script-src *"}', "connect-src 'self';"],
    ['no JSON', "connect-src 'self';"],
  ])('calls the server that kist-config.json names, and no other: %s', async (text, expected) => {
    writeFileSync(path.join(built, 'kist-config.json'), text);
    const restarted = await createTestApp({ database: it.db, settings: { webDir: built } });
    const { headers } = await restarted.app.fastify.inject({ method: 'GET', url: '/' });
    expect(headers['content-security-policy']).toContain(expected);
    rmSync(path.join(built, 'kist-config.json'));
  });
});
