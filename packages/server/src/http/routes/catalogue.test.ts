import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLAN, PLAN_NAMES } from '@kist/contract/codes';
import { PHONE_BRANDS } from '@kist/contract/phone-brands';
import * as catalogue from '#server/catalogue/catalogue.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { registerEverything } from '#server/serve.ts';
import { createTestDatabase } from '#test/database.ts';
import { giveKeys, makeOrganisation } from '#test/factories.ts';
import { type TestApp, createSession, createTestApp, createUser } from '#test/http.ts';
import { type TestServices, createServices } from '#test/services.ts';

let services: TestServices;
let http: TestApp;
let token: string;
let elsewhere: string;

beforeAll(async () => {
  services = createServices(await createTestDatabase());
  const { db } = services;
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
  // One of each type, and one that is reached in another way than its type says.
  await db.transaction(20, async (tx) => {
    for (const [at, name] of PLAN_NAMES.entries())
      await catalogue.offer(tx, SYSTEM(20), { plan_id: 50 + at, plan_type: PLAN[name], name: `Plan ${name}` });
    await catalogue.changePlan(tx, SYSTEM(20), { plan_id: 50, app_type: 3 });
    await catalogue.changePlan(tx, SYSTEM(20), { plan_id: 51, is_active: false });
    await catalogue.setKeyPrice(tx, SYSTEM(20), { planType: PLAN.DPC, pricePaise: 15_000 });
    const csv =
      'tac,brand,model\n35391801,Redmi,13C\n35391802,REDMI,Note 13\n35391803,Aaaphone,One\n35391804,Redmi,13C';
    await catalogue.importModels(tx, SYSTEM(20), csv, { isDry: false });
  });
  await db.asOwner('update plans set provisioning_type = 1 where org_id = 20 and plan_id = 50');
  http = await createTestApp({ database: db, register: (app) => registerEverything(app, services, undefined) });
  const shop = await createUser(db);
  await giveKeys(db, shop, { count: 4 });
  token = await createSession(db, shop);
  elsewhere = await createSession(db, await createUser(db, { orgId: 21 }));
});
afterAll(() => services.waker.close());

const products = async (query = {}, by = token) => (await http.call('getProducts', { token: by, query })).data;
const only = (name: string) => products({ search: `plan ${name.toLowerCase()}` });

describe('products and plans', () => {
  test('are of all eleven types, on sale or not, each with how its phones are reached', async () => {
    const all = (await products()).filter(({ id }) => id >= 50);
    expect(all.map(({ plan_type }) => plan_type)).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 12, 13]);
    const ways = ['AMAPI', 'LINKFL', 'APPLE', null, null, 'LINKFL', null, null, 'DPC', null, null];
    expect(all.map(({ provisioning }) => provisioning)).toEqual(ways);
    // AMAPI does not run here, and the second is withdrawn.
    expect(all.filter(({ is_on_sale }) => is_on_sale)).toEqual([]);
    expect((await products({ plan_id: 1 }))[0]).toMatchObject({
      is_on_sale: true,
      provisioning: 'DPC',
      provisioning_type: 0,
    });
  });

  test('are narrowed by what is asked, and are the organisation’s alone', async () => {
    // By their own app type; those without one by their type.
    expect(await products({ app_type: 3, plan_id: 50 })).toMatchObject([{ id: 50, price_paise: 15_000, is_emi: true }]);
    for (const app_type of [0, 3, 9])
      expect((await products({ app_type })).map(({ id }) => id)).toEqual(
        (await products({})).filter((one) => (one.app_type ?? one.plan_type) === app_type).map(({ id }) => id),
      );
    expect((await products({ app_type: 0 })).map(({ id }) => id)).toContain(1);
    expect((await products({ app_type: 0 })).map(({ id }) => id)).not.toContain(50);
    expect(await products({ product_id: 54, plan_id: 55 })).toEqual([]);
    expect((await products({ product_id: '54', search: '' })).map(({ id }) => id)).toEqual([54]);
    expect(await only('FAMILYCARE')).toMatchObject([
      { plan_type_name: 'FAMILYCARE', is_emi: false, price_paise: null },
    ]);
    expect((await products({}, elsewhere)).some(({ id }) => id >= 50)).toBe(false);
  });

  test('one is read by its number, with the shop’s own keys; another organisation’s is none', async () => {
    const read = (plan_id: number | string, by = token) => http.call('readPlanById', { token: by, body: { plan_id } });
    expect((await read(1)).data).toMatchObject({ plan_id: 1, plan_type_name: 'DPC', keys_left: 4 });
    expect((await read('50')).data).toMatchObject({ app_type: 3, provisioning_type: 1, provisioning: 'AMAPI' });
    expect((await read(51)).data).toMatchObject({ is_on_sale: false });
    const asked = (body: object) => http.call('readPlanById', { token, body: body as never });
    expect((await asked({ product_id: '50' })).data).toMatchObject({ plan_id: 50 });
    expect((await asked({ plan_id: 51, product_id: 50 })).data).toMatchObject({ plan_id: 51 });
    expect((await asked({ product_id: 'x' })).code).toBe('INVALID_INPUT');
    expect((await read(50, elsewhere)).code).toBe('NOT_FOUND');
    expect((await read(4000)).code).toBe('NOT_FOUND');
  });

  test('a shop’s list says the type of app too', async () => {
    const { data } = await http.call('listPlans', { token });
    expect(data[0]).toMatchObject({ plan_id: 1, app_type: null });
    const narrowed = async (app_type: number) =>
      (await http.call('listPlans', { token, query: { app_type } })).data.map(({ plan_id }) => plan_id);
    for (const app_type of [0, 3, 77])
      expect(await narrowed(app_type)).toEqual(
        data.filter((plan) => (plan.app_type ?? plan.plan_type) === app_type).map(({ plan_id }) => plan_id),
      );
  });
});

describe('brands', () => {
  const brands = async (query = {}, by = token) => (await http.call('getBrands', { token: by, query })).data;

  test('are those that most sell and those of the organisation’s table, each once', async () => {
    expect((await brands()).map(({ name }) => name)).toEqual([...PHONE_BRANDS, 'Aaaphone']);
    expect((await brands({}, elsewhere)).map(({ name }) => name)).toEqual([...PHONE_BRANDS]);
    expect(await brands({ search: 'AAP' })).toEqual([{ name: 'Aaaphone', models: [] }]);
  });

  test('bring the models that the table has, however it spells the maker', async () => {
    expect(await brands({ brand: 'redmi' })).toEqual([{ name: 'Redmi', models: ['13C', 'Note 13'] }]);
    expect(await brands({ brand: 'Redmi', search: 'note' })).toEqual([{ name: 'Redmi', models: ['Note 13'] }]);
    expect(await brands({ brand: 'Redmi' }, elsewhere)).toEqual([{ name: 'Redmi', models: [] }]);
    expect(await brands({ brand: 'Nobody' })).toEqual([]);
  });
});

describe('places', () => {
  const cities = async (query = {}) => (await http.call('getCities', { query })).data;

  test('countries and states are the world’s, by ISO code', async () => {
    const { data, headers } = await http.call('getCountries', {});
    expect(data).toHaveLength(249);
    expect(data).toContainEqual({ code: 'IN', name: 'India' });
    expect(headers['cache-control']).toBe('private, max-age=86400');
    const states = async (country: string) => (await http.call('getStates', { query: { country } })).data;
    expect(await states('np')).not.toHaveLength(0);
    for (const name of ['India', 'INDIA', ' india ']) expect(await states(name)).toEqual(await states('IN'));
    // 28 states and 8 union territories.
    expect(await states('IN')).toHaveLength(36);
    expect((await http.call('getStates', {})).data).toEqual(await states('IN'));
    const none = await http.call('getStates', { query: { country: 'ZZ' } });
    expect([none.code, none.headers['cache-control']]).toEqual(['NOT_FOUND', 'no-store']);
  });

  test('India is whole: every state has cities, every PIN code one city', async () => {
    const all = await cities();
    const states = (await http.call('getStates', {})).data.map(({ code }) => code);
    expect([...new Set(all.map(({ state }) => state))].toSorted()).toEqual(states.toSorted());
    const codes = all.flatMap(({ pincodes }) => pincodes);
    expect([codes.length, new Set(codes).size]).toEqual([19_159, 19_159]);
    expect(codes.every((code) => /^[1-9]\d{5}$/.test(code))).toBe(true);
  });

  test('its towns are there beside the districts, each in its state and once', async () => {
    const all = await cities();
    expect(all.filter(({ pincodes }) => pincodes.length === 0).length).toBeGreaterThan(6_000);
    const sameName = ({ state, name }: (typeof all)[number]) =>
      `${state} ${name.toLowerCase().replaceAll(/[^a-z]/g, '')}`;
    expect(new Set(all.map(sameName)).size).toBe(all.length);
    const statesOf = (town: string) => all.filter(({ name }) => name === town).map(({ state }) => state);
    const where = {
      MH: ['Pimpri-Chinchwad', 'Kalyan', 'Ulhasnagar', 'Navi Mumbai', 'Bhiwandi'],
      KA: ['Hubballi', 'Belagavi', 'Mangaluru'],
      TG: ['Secunderabad'],
      CT: ['Bhilai'],
      OR: ['Rourkela'],
      UT: ['Haldwani', 'Rishikesh'],
      LA: ['Padam'],
      DH: ['Silvassa'],
      HR: ['Gurugram'],
      UP: ['Noida'],
      WB: ['Siliguri'],
      AN: ['Port Blair'],
      PB: ['Kotkapura'],
    };
    for (const [state, towns] of Object.entries(where))
      for (const town of towns) expect(statesOf(town), town).toEqual([state]);
  });

  test('a city is found by its PIN code, its state and its name', async () => {
    expect(await cities({ pincode: '411001' })).toMatchObject([{ name: 'Pune', state: 'MH' }]);
    expect(await cities({ pincode: '194101' })).toMatchObject([{ name: 'Leh', state: 'LA' }]);
    expect(await cities({ pincode: '999999' })).toEqual([]);
    for (const state of ['ga', 'Goa', 'GOA'])
      expect((await cities({ country: 'india', state })).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['North Goa', 'Panjim', 'South Goa']),
      );
    expect(await cities({ state: 'MH', search: 'nash' })).toMatchObject([{ name: 'Nashik' }]);
    expect(await cities({ country: 'NP' })).toEqual([]);
    expect((await http.call('getCities', { query: { state: 'ZZ' } })).code).toBe('NOT_FOUND');
  });
});
