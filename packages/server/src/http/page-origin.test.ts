import type { FastifyRequest } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { rememberOrganisations } from '#server/organisations/organisations.ts';
import { createTestDatabase } from '#test/database.ts';
import { createOrganisation } from '#test/http.ts';
import type { App } from './app-types.ts';
import { loginPage, pageOrigin } from './page-origin.ts';

const ORG = 20;
const bare = await createTestDatabase();
const db = bare.with({ ...bare.ports, organisations: rememberOrganisations() });
beforeAll(async () => {
  await createOrganisation(db, { orgId: ORG, slug: 'mine', host: 'shop.example.in' });
  await createOrganisation(db, { orgId: 21, slug: 'theirs', host: 'theirs.example.in' });
});

/** Whether a page of this origin may ask for a fingerprint's key. */
async function isOurs(origin: string | undefined, mode: 'demo' | 'production'): Promise<boolean> {
  const settings = { mode, publicUrl: 'https://kist.example.in/app', webOrigins: ['https://desk.example.in'] };
  const app = { deps: { db, settings } } as unknown as App;
  const request = { headers: { ...(origin !== undefined && { origin }) } } as FastifyRequest;
  const found = await pageOrigin(app, request, ORG).catch((error: { code?: string }) => error.code);
  if (found !== 'PASSKEY_REFUSED') expect(found).toBe(origin);
  return found === origin;
}

test.each([
  ['https://kist.example.in', true],
  ['https://desk.example.in', true],
  ['https://shop.example.in', true],
  ['https://shop.example.in.', true],
  ['https://shop.example.in..', false],
  // Whoever can answer for a name without encryption is anybody on the way.
  ['http://shop.example.in', false],
  ['http://kist.example.in', false],
  ['https://other.example.in', false],
  ['https://kist.example.in/app', false],
  ['null', false],
  [undefined, false],
  ['http://localhost:3210', false],
])('in production %s: %s', async (origin, expected) => {
  expect(await isOurs(origin, 'production')).toBe(expected);
});

test('this very machine counts in a demo alone', async () => {
  expect(await isOurs('http://localhost:3210', 'demo')).toBe(true);
  expect(await isOurs('http://192.168.1.7:3210', 'demo')).toBe(false);
});

test('a login comes back to the host’s name as it is kept, however it is written in the request', async () => {
  const app = {
    deps: { db, settings: { mode: 'production', publicUrl: 'https://kist.example.in' } },
  } as unknown as App;
  const back = (hostname: string) => loginPage(app, { headers: {}, hostname } as FastifyRequest, ORG);
  for (const hostname of ['shop.example.in', 'Shop.Example.in.'])
    expect(await back(hostname)).toBe('https://shop.example.in/login');
  for (const hostname of ['shop.example.in..', 'other.example.in.'])
    expect(await back(hostname)).toBe('https://kist.example.in/login');
});

test('the host of another organisation is no page of this one: no key is asked for there, and no login comes back to it', async () => {
  expect(await isOurs('https://theirs.example.in', 'production')).toBe(false);
  const app = {
    deps: { db, settings: { mode: 'production', publicUrl: 'https://kist.example.in' } },
  } as unknown as App;
  const asked = (headers: object) =>
    loginPage(app, { headers, hostname: 'theirs.example.in' } as unknown as FastifyRequest, ORG);
  expect(await asked({})).toBe('https://kist.example.in/login');
  await expect(asked({ origin: 'https://theirs.example.in' })).rejects.toMatchObject({ code: 'OIDC_REFUSED' });
});
