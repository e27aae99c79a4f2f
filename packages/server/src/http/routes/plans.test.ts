import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import * as catalogue from '#server/catalogue/catalogue.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { registerEverything } from '#server/serve.ts';
import { createTestDatabase } from '#test/database.ts';
import { giveKeys, makeOrganisation } from '#test/factories.ts';
import { createSession, createTestApp, createUser, type TestApp, type TestUser } from '#test/http.ts';
import { createServices, type TestServices } from '#test/services.ts';

let services: TestServices;
let http: TestApp;
let shop: TestUser;
let neighbour: TestUser;
let elsewhere: TestUser;

beforeAll(async () => {
  services = createServices(await createTestDatabase());
  const { db } = services;
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
  await db.asOwner(`update plans set name = 'Elsewhere' where org_id = 21`);
  http = await createTestApp({ database: db, register: (app) => registerEverything(app, services, undefined) });
  [shop, neighbour, elsewhere] = [await createUser(db), await createUser(db), await createUser(db, { orgId: 21 })];
  for (const [user, lot, count] of [
    [shop, 'paid', 5],
    [shop, 'granted', 2],
    [neighbour, 'paid', 70],
    [elsewhere, 'paid', 900],
  ] as const)
    await giveKeys(db, user, { lot, count });
});
afterAll(() => services.waker.close());

const session = (user: TestUser) => createSession(services.db, user);
const phonePlan = {
  plan_id: 1,
  plan_type: PLAN.DPC,
  name: 'EMI phone',
  app_type: null,
  provisioning_type: 0,
  is_emi: true,
  last_sold_at: null,
  last_terms: null,
  presets: [],
};

const linkPlan = {
  ...phonePlan,
  plan_id: 2,
  plan_type: PLAN.LINKFL,
  name: 'EMI link',
  provisioning_type: 2,
  keys_left: 0,
};

describe('plans and keys', () => {
  test('a shop sees what can be delivered, with its own keys: neither its neighbour’s nor another organisation’s', async () => {
    const plans = async (user: TestUser) => (await http.call('listPlans', { token: await session(user) })).data;
    const keys = async (user: TestUser) => (await http.call('getKeys', { token: await session(user) })).data;
    expect(await plans(shop)).toEqual([{ ...phonePlan, keys_left: 7 }, linkPlan]);
    const prices = [
      [20, 9900],
      [21, 4400],
    ] as const;
    for (const [orgId, pricePaise] of prices)
      await services.db.transaction(orgId, (tx) =>
        catalogue.setKeyPrice(tx, SYSTEM(orgId), { planType: PLAN.DPC, pricePaise }),
      );
    expect(await keys(shop)).toEqual([
      { plan_type: PLAN.DPC, name: 'DPC', paid: 5, granted: 2, reserved: 0, price_paise: 9900 },
    ]);
    expect(await plans(neighbour)).toEqual([{ ...phonePlan, keys_left: 70 }, linkPlan]);
    expect(await plans(elsewhere)).toEqual([
      { ...phonePlan, name: 'Elsewhere', keys_left: 900 },
      { ...linkPlan, name: 'Elsewhere' },
    ]);
    const fresh = await createUser(services.db);
    expect([await plans(fresh), await keys(fresh)]).toEqual([[{ ...phonePlan, keys_left: 0 }, linkPlan], []]);
  });

  test('are for shops whose access says so, and for nobody without a session', async () => {
    const barred = await createUser(services.db, { lockAccess: { read: '0' }, access: { active_deactive: '0' } });
    const customer = await createUser(services.db, { userType: 'customer' });
    for (const name of ['listPlans', 'getKeys'] as const) {
      const replies = [
        await http.call(name, { token: await session(barred) }),
        await http.call(name, { token: await session(customer) }),
        await http.call(name),
        await http.call(name, { token: await session(shop), query: { x: '1' } as never }),
      ];
      expect(replies.map(({ status, code }) => [status, code])).toEqual([
        [403, 'FEATURE_NOT_ALLOWED'],
        [403, 'FORBIDDEN'],
        [511, 'SESSION_REQUIRED'],
        [400, 'INVALID_INPUT'],
      ]);
    }
  });
});
