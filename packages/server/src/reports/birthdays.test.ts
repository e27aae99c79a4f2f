import { beforeAll, expect, test } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import * as customers from '#server/customers/customers.ts';
import { type LockWorld, createLockWorld } from '#test/lock-world.ts';
import { dashboard } from './dashboard.ts';

let world: LockWorld;
const born = async (birth_on: string, fields: { language?: string; first_name?: string } = {}) => {
  const { customerId } = await world.sell();
  await world.inOrg(async (tx) => {
    const customer = await customers.authorize(tx, world.shop, { customer_id: customerId });
    await customers.change(tx, world.shop, { customer, fields: { birth_on, ...fields } });
  });
  return customerId;
};
const on = async (day: string) => {
  await world.at(`${day}T12:00:00`);
  return (await world.db.read(20, (tx) => dashboard(tx, world.shop))).birthdays;
};
const idsOn = async (day: string) => (await on(day)).map(({ customer_id }) => customer_id).toSorted();

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-02-10T12:00:00');
});

test('Home names who has their birthday today, of the own shop, and nobody of another day or of a draft', async () => {
  const today = await born('1990-03-05');
  await born('1990-03-06');
  const draft = await born('1991-03-05');
  await world.db.plant(['customers'], 'update customers set is_draft = true where customer_id = $1', [draft]);
  expect(await idsOn('2026-03-05')).toEqual([today]);
  expect(await idsOn('2026-03-04')).toEqual([]);
  const other = { ...world.shop, visibleOwnerIds: [] };
  expect((await world.db.read(20, (tx) => dashboard(tx, other))).birthdays).toEqual([]);
});

test('who was born on a 29 February is wished on the 28th in other years, and another date of birth moves the day', async () => {
  await world.at('2026-02-10T12:00:00');
  const leap = await born('1992-02-29');
  expect(await idsOn('2026-02-28')).toEqual([leap]);
  expect(await idsOn('2028-02-28')).toEqual([]);
  expect(await idsOn('2028-02-29')).toEqual([leap]);
  await world.inOrg(async (tx) => {
    const customer = await customers.authorize(tx, world.shop, { customer_id: leap });
    await customers.change(tx, world.shop, { customer, fields: { birth_on: '1992-07-01' } });
  });
  expect(await idsOn('2028-02-29')).toEqual([]);
  expect(await idsOn('2026-07-01')).toEqual([leap]);
});

test('the wish is in the customer’s language, from the shop by its name', async () => {
  await world.db.asOwner('update users set shop_name = $2 where user_id = $1', [world.shop.userId, 'Asha Mobiles']);
  await world.at('2026-02-10T12:00:00');
  for (const language of LANGUAGES) await born('1980-04-04', { language, first_name: `Asha ${language}` });
  const wishes = await on('2026-04-04');
  expect(wishes).toHaveLength(LANGUAGES.length);
  expect(new Set(wishes.map(({ greeting }) => greeting.replaceAll(/Asha ..|Asha Mobiles/g, ''))).size).toBe(10);
  for (const { first_name, greeting } of wishes) {
    expect(greeting).toContain(first_name);
    expect(greeting).toContain('Asha Mobiles');
  }
});
