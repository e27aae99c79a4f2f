import { beforeAll, describe, expect, test } from 'vitest';
import { PATHS } from '@kist/contract/paths';
import { createOrganisation, createTestApp, emmHeader, type TestApp } from '#test/http.ts';
import { organisationRoutes } from './routes/organisation.ts';

const PAGE = 'https://shop.example.in';
const { path } = PATHS.getUserAccess;
let open: TestApp;
let closed: TestApp;
beforeAll(async () => {
  open = await createTestApp({ settings: { webOrigins: [PAGE] }, register: organisationRoutes });
  closed = await createTestApp({ database: open.db, register: organisationRoutes });
  await createOrganisation(open.db, { orgId: 20 });
});
const asked = async (it: TestApp, method: 'GET' | 'OPTIONS', origin: string | undefined) => {
  const reply = await it.app.fastify.inject({
    method,
    url: path,
    headers: {
      'x-emm-auth-session': emmHeader(path),
      ...(origin && { origin }),
      ...(method === 'OPTIONS' && { 'access-control-request-method': 'GET' }),
    },
  });
  return { status: reply.statusCode, allowed: reply.headers['access-control-allow-origin'], headers: reply.headers };
};

describe('a page of the app that is served from elsewhere', () => {
  test('may call this server when it is named, and read its refusals and its clock', async () => {
    const before = await asked(open, 'OPTIONS', PAGE);
    expect(before).toMatchObject({ status: 204, allowed: PAGE });
    expect(before.headers['access-control-allow-headers']).toMatch(
      /authorization.*idempotency-key.*x-emm-auth-session/,
    );
    const refused = await asked(open, 'GET', PAGE);
    expect(refused).toMatchObject({ status: 511, allowed: PAGE });
    expect(refused.headers['access-control-expose-headers']).toMatch(/retry-after.*x-server-time/);
    expect(refused.headers['access-control-allow-credentials']).toBeUndefined();
  });
  test.each([undefined, 'https://evil.example', `${PAGE}.evil.example`, 'http://shop.example.in', 'null'])(
    'may not when it is another (%s)',
    async (origin) => {
      expect((await asked(open, 'OPTIONS', origin)).allowed).toBeUndefined();
      expect((await asked(open, 'GET', origin)).allowed).toBeUndefined();
    },
  );
  test('may not where none is named', async () => {
    expect((await asked(closed, 'GET', PAGE)).allowed).toBeUndefined();
    expect((await asked(closed, 'OPTIONS', PAGE)).status).toBe(405);
  });
});
