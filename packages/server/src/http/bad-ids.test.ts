import { beforeAll, expect, test } from 'vitest';
import { type TestApp, createSession, createShopApp, createUser } from '#test/http.ts';
import { route } from './route.ts';

/** Every place with an id is tried in ownership.sweep.test.ts; here is what is beside it. */
let http: TestApp;
let token: string;
beforeAll(async () => {
  http = await createShopApp((app) => {
    for (const name of ['getEmiDetails', 'registerCustomer'] as const)
      route(app, name, async () => {
        throw new Error('reached');
      });
  });
  token = await createSession(http.db, await createUser(http.db));
});

test.each([[12], ['abc'], [' 12 ']])(
  'what names something and is no id names nothing here: %j',
  async (customer_id) => {
    expect(await http.call('getEmiDetails', { token, rawBody: { customer_id } })).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    });
  },
);

test.each<[object, readonly string[]]>([
  [{}, ['customer_id']],
  [{ customer_id: '' }, ['customer_id']],
  [{ customer_id: null }, ['customer_id']],
  [{ customer_id: ['abc'] }, ['customer_id']],
  [{ customer_id: 'abc', nobody_knows: 1 }, ['customer_id', 'nobody_knows']],
])('a missing or empty id, and one beside another mistake, is a mistake of the form: %j', async (rawBody, paths) => {
  const { code, errors } = await http.call('getEmiDetails', { token, rawBody });
  expect([code, errors?.map(({ path }) => path)]).toEqual(['INVALID_INPUT', paths]);
});

test('the number of a plan is a choice of the form: a wrong one is a mistake there', async () => {
  expect(await http.call('registerCustomer', { token, rawBody: { plan_id: 'abc', draft: true } })).toMatchObject({
    code: 'INVALID_INPUT',
    errors: [{ path: 'plan_id' }],
  });
});
