import { beforeAll, expect, test } from 'vitest';
import { type TestApp, createSession, createShopApp, createUser, emmHeader } from '#test/http.ts';
import { authRoutes } from './routes/auth.ts';
import { lockingRoutes } from './routes/locking.ts';

let http: TestApp;
beforeAll(async () => {
  http = await createShopApp(authRoutes, (app) => lockingRoutes(app, { locking: {} as never }));
});

/** @returns the answer to a request as clients write one that has no fields: without a body, with an empty one, with a type and without. */
async function post(url: string, sent: { type?: string; payload?: string }, token?: string) {
  const reply = await http.app.fastify.inject({
    method: 'POST',
    url,
    ...(sent.payload === undefined ? {} : { payload: sent.payload }),
    headers: {
      'x-emm-auth-session': emmHeader(url),
      ...(sent.type && { 'content-type': sent.type }),
      ...(token && { authorization: `bearer ${token}` }),
    },
  });
  return { status: reply.statusCode, ...reply.json<{ code?: string; errors?: { path: string; code: string }[] }>() };
}
const EMPTY = [{}, { type: 'application/json' }, { type: 'application/json', payload: '' }] as const;

test.each(EMPTY)('a call without fields is served with %j, and logout logs out', async (sent) => {
  const token = await createSession(http.db, await createUser(http.db));
  expect(await post('/api/notifications/read', sent, token)).toMatchObject({ status: 200, data: { read: 0 } });
  expect(await post('/api/auth/logout', sent, token)).toMatchObject({ status: 200 });
  expect(await post('/api/auth/logout', sent, token)).toMatchObject({ status: 511, code: 'SESSION_REQUIRED' });
});

test.each(EMPTY)('a call with fields names what is missing in %j', async (sent) => {
  expect(await post('/api/auth/loginWithOtp', sent)).toMatchObject({
    status: 400,
    code: 'INVALID_INPUT',
    errors: [{ path: 'mobile', code: 'field.required' }],
  });
});
