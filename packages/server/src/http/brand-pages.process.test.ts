import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brandVars } from '@kist/contract/brand';
import { LANGUAGES } from '@kist/contract/codes';
import { contrast, parseHex } from '@kist/contract/contrast';
import { localesDir } from '#server/compose.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { readPng } from '#server/platform/png.ts';
import { type TestApp, createOrganisation, createTestApp } from '#test/http.ts';
import { inlineHashes } from './security-headers.ts';

const script = 'var brand = document.querySelector("meta[name=brand]").content';
const page = `<!doctype html><html><head><meta name="brand" content=""><link rel="icon" href="/icons/icon.svg"><link rel="manifest" href="/manifest.webmanifest"><title>EMI</title><script>${script}</script></head></html>`;
const built = mkdtempSync(path.join(tmpdir(), 'kist-brand-'));
const icons = path.join(localesDir, '../icons');
const mostPixels = 512 * 512;
const plain = readPng(readFileSync(path.join(icons, 'icon-192.png')), mostPixels);

let it: TestApp;
beforeAll(async () => {
  writeFileSync(path.join(built, 'index.html'), page);
  writeFileSync(
    path.join(built, 'manifest.webmanifest'),
    JSON.stringify({ id: '/', name: 'EMI ledger', short_name: 'EMI', icons: [{ src: '/icons/icon.svg' }] }),
  );
  cpSync(icons, path.join(built, 'icons'), { recursive: true });
  it = await createTestApp({ settings: { webDir: built } });
  await createOrganisation(it.db, { orgId: 20 });
  await createOrganisation(it.db, { orgId: 31, slug: 'sharma', host: 'sharma.example' });
  await it.db.asOwner(
    `update organisations set org_name = 'Sharma Telecom', ai_name = $1, theme = '{"accent": "#0b7a4b"}' where org_id = 31`,
    ['Sharma "Asha" <3'],
  );
});
afterAll(() => rmSync(built, { recursive: true }));

const get = async (url: string, headers: Record<string, string> = {}) =>
  it.app.fastify.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } });
const sharma = { host: 'sharma.example' };
const brandOf = (html: string) =>
  JSON.parse(/name="brand" content="([^"]*)"/.exec(html)![1]!.replaceAll('&quot;', '"').replaceAll('&lt;', '<'));

test('the page has the name and colours of the host’s organisation before anything runs, and its policy stays right', async () => {
  const reply = await get('/customer-list', sharma);
  expect(reply.body).toContain('<title>Sharma &quot;Asha&quot; &lt;3</title>');
  expect(brandOf(reply.body)).toEqual({
    name: 'Sharma "Asha" <3',
    layout: 'classic',
    languages: [...LANGUAGES],
    logo: null,
    isDemo: true,
    light: brandVars('#0b7a4b', 'light'),
    dark: brandVars('#0b7a4b', 'dark'),
  });
  const policy = String(reply.headers['content-security-policy']);
  for (const hash of inlineHashes(reply.body, 'script')) expect(policy).toContain(hash);
  expect(reply.headers['vary']).toContain('x-org, cookie');
  // Whatever organisation is named besides.
  for (const named of [await get('/?org=org-20', sharma), await get('/', { ...sharma, 'x-org': 'org-20' })])
    expect(named.body).toContain('<title>Sharma');
  const other = await get('/customer-list');
  expect(other.body).toContain('<title>org-20</title>');
  expect(other.headers['etag']).not.toBe(reply.headers['etag']);
  const again = await get('/', { ...sharma, 'if-none-match': String(reply.headers['etag']) });
  expect(again.statusCode).toBe(304);
});

test('what a cookie may have chosen is kept by no cache that others share', async () => {
  for (const file of ['/', '/icons/icon-192.png', '/icons/icon.svg', '/manifest.webmanifest']) {
    const { headers } = await get(file, { cookie: 'org=sharma' });
    expect(headers['vary'], file).toBe('accept-encoding, x-org, cookie, sec-fetch-dest');
    expect(headers['cache-control'], file).not.toContain('public');
  }
});

test('a slug in the header or the address stands for a host, and goes on into the page’s own addresses', async () => {
  expect((await get('/', { 'x-org': 'sharma' })).body).toContain('Sharma');
  const { body } = await get('/hn/login?org=sharma');
  expect(body).toContain('<title>Sharma');
  expect(body).toContain('href="/manifest.webmanifest?org=sharma"');
  expect(body).toContain('href="/icons/icon.svg?org=sharma"');
  // What a page kept of it: the next address says nothing more.
  const kept = (await get('/login', { cookie: 'theme=dark; org=sharma' })).body;
  expect(kept).toContain('<title>Sharma');
  expect(kept).toContain('href="/manifest.webmanifest?org=sharma"');
  expect((await get('/login', { cookie: 'notorg=sharma; org=nobody' })).body).toContain('<title>org-20</title>');
  expect((await get('/?org=nobody')).body).toContain('<title>org-20</title>');
  expect((await get('/?org=nobody')).body).toContain('href="/manifest.webmanifest"');
});

test('on the home screen it is the organisation: name, colour and icons', async () => {
  const manifest = (await get('/manifest.webmanifest', sharma)).json<Record<string, unknown>>();
  expect(manifest).toMatchObject({ id: '/', name: 'Sharma "Asha" <3', short_name: 'Sharma', theme_color: '#0b7a4b' });
  expect(JSON.stringify(manifest)).not.toMatch(/kist/i);
  const bySlug = (await get('/manifest.webmanifest?org=sharma')).json<{ icons: { src: string }[] }>();
  expect(bySlug.icons).toEqual([{ src: '/icons/icon.svg?org=sharma' }]);
  expect((await get('/icons/icon.svg', sharma)).body).toContain('fill="#0b7a4b"');
  expect((await get('/icons/icon.svg')).body).toContain('fill="#3538a6"');

  const icon = readPng((await get('/icons/icon-192.png', sharma)).rawPayload, mostPixels);
  expect([icon.width, icon.height]).toEqual([192, 192]);
  expect([...icon.data.subarray(0, 3)]).toEqual(parseHex('#0b7a4b'));
  // The sheet, its stitching and the sign on it are the house's.
  const at = (x: number, y: number) => 4 * (y * 192 + x);
  for (const place of [at(70, 130), at(61, 100), at(100, 67)])
    expect(icon.data.subarray(place, place + 3)).toEqual(plain.data.subarray(place, place + 3));
  // No pixel of the old ground is left, not even mixed into the sheet's edge.
  for (let place = 0; place < icon.data.length; place += 4)
    expect(icon.data[place + 2]! > icon.data[place + 1]! + 40).toBe(false);
  expect((await get('/icons/icon-192.png')).rawPayload.length).toBeGreaterThan(0);
});

test('the logo of an organisation is its icon, whoever asks by which address; others keep theirs', async () => {
  const data = new Uint8Array(512 * 512 * 4).fill(255);
  for (let at = 0; at < data.length; at += 4) data.set([10, 120, 200], at);
  await it.db.operator.transaction(31, (tx) =>
    organisations.setLogo(tx, SYSTEM(31), { width: 512, height: 512, data }),
  );
  const logo = async () => {
    const { logo: told } = brandOf((await get('/', sharma)).body.replaceAll('&amp;', '&'));
    return told as string | null;
  };
  await expect.poll(logo, { timeout: 15_000, interval: 500 }).toMatch(/^\/icons\/icon-192\.png\?org=sharma&v=/);
  for (const [url, headers] of [
    ['/icons/icon-192.png', sharma],
    ['/icons/icon-192.png', { 'x-org': 'sharma' }],
    [(await logo())!, {}],
  ] as const) {
    const reply = await get(url, headers);
    expect(reply.headers['content-type']).toBe('image/png');
    const { width, data: shown } = readPng(reply.rawPayload, mostPixels);
    expect([width, ...shown.subarray(0, 3)]).toEqual([192, 10, 120, 200]);
  }
  expect(readPng((await get('/icons/icon-512.png', sharma)).rawPayload, mostPixels).width).toBe(512);
  // Kept for a day as this logo, and not as one that this process does not know yet.
  const keptFor = async (url: string) => (await get(url, sharma)).headers['cache-control'];
  expect(await keptFor((await logo())!)).toBe('private, max-age=86400');
  expect(await keptFor('/icons/icon-192.png?v=0123456789ab')).toBe('no-cache');
  const manifest = (await get('/manifest.webmanifest', sharma)).json<{ icons: { src: string }[] }>();
  expect(manifest.icons).toEqual([]);
  const other = readPng((await get('/icons/icon-192.png')).rawPayload, mostPixels);
  // The house's sheet, on the organisation's own ground.
  expect(other.data.subarray(4 * (130 * 192 + 70), 4 * (130 * 192 + 70) + 3)).toEqual(
    plain.data.subarray(4 * (130 * 192 + 70), 4 * (130 * 192 + 70) + 3),
  );
});

test('a name appears on the page within ten seconds of its change, and no colour makes text unreadable', async () => {
  for (const accent of ['#ffffff', '#000000', '#ffdd00'])
    for (const mode of ['light', 'dark'] as const) {
      const vars = brandVars(accent, mode);
      expect(contrast(parseHex(vars['--accent']), parseHex(vars['--accent-fg']))).toBeGreaterThanOrEqual(4.5);
    }
  await it.db.asOwner(`update organisations set ai_name = '' where org_id = 31`);
  const before = (await get('/', sharma)).body;
  expect(before).toContain('Asha');
  await expect
    .poll(async () => (await get('/', sharma)).body, { timeout: 15_000, interval: 500 })
    .toContain('<title>Sharma Telecom</title>');
});
