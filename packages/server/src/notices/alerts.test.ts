import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FEATURES } from '@kist/contract/features';
import { SYSTEM } from '#server/identity/identity.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
/** Stands where section 6 offers `emi_alert`, and is taken out of it by the cases below. */
let sale: Sale;
let other: Sale;

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-12T12:00:00');
  sale = await world.sell();
  other = await world.sell();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.db.plant(['notices'], `delete from notices where kind = 'alert'`);
  await world.db.plant(['commands'], 'delete from commands');
});

const ordersOf = async ({ deviceId }: Sale) =>
  (await world.db.asOwner(`select from commands where device_id = $1 and type = 'emi_alert'`, [deviceId])).length;
const one = (actor = world.shop) => world.inOrg((tx) => world.notices.sendAlert(tx, actor, sale.customerId));
const many = () => world.inOrg((tx) => world.notices.sendAlerts(tx, world.shop, [sale.customerId, other.customerId]));

const setStatus = (status: number) => () =>
  world.db.plant(['customers'], 'update customers set status = $2 where customer_id = $1', [sale.customerId, status]);
const setLevel = (level: number) => () =>
  world.db.asOwner('update device_reports set lock_level = $2 where device_id = $1', [sale.deviceId, level]);
const setList = (list: readonly string[] | undefined) => () =>
  world.db.asOwner('update organisations set allowed_features = $1', [JSON.stringify(list ? { DPC: list } : {})]);

test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
  ['whose agent was removed (status 3)', setStatus(3), setStatus(1)],
  ['whose phone was released (status 2)', setStatus(2), setStatus(1)],
  ['whose phone is locked', setLevel(4), setLevel(0)],
])('a shop reminds a customer %s by text message alone, singly and among many', async (_who, place, undo) => {
  await place();
  try {
    expect((await one()).sent).toEqual(['sms']);
    expect(await ordersOf(sale)).toBe(0);
    await world.db.plant(['notices'], `delete from notices where kind = 'alert'`);
    expect(await many()).toMatchObject({ reminded: 2, refused: 0, sent: ['sms', 'phone'] });
    expect([await ordersOf(sale), await ordersOf(other)]).toEqual([0, 1]);
  } finally {
    await undo();
  }
});

test('an organisation whose own list leaves emi_alert out reminds by text message alone', async () => {
  await setList(FEATURES.filter((feature) => feature !== 'emi_alert'))();
  expect((await one()).sent).toEqual(['sms']);
  await world.db.plant(['notices'], `delete from notices where kind = 'alert'`);
  expect((await many()).sent).toEqual(['sms']);
  expect([await ordersOf(sale), await ordersOf(other)]).toEqual([0, 0]);
  await setList(undefined)();
  await world.db.plant(['notices'], `delete from notices where kind = 'alert'`);
  expect((await many()).sent).toEqual(['sms', 'phone']);
});

test('the server’s own reminders are not the shop’s: they reach a locked phone', async () => {
  await setLevel(4)();
  expect((await one(SYSTEM(ORG))).sent).toEqual(['sms', 'phone']);
  expect(await ordersOf(sale)).toBe(1);
  await setLevel(0)();
});
