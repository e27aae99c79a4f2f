import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FEATURES } from '@kist/contract/features';
import { SYSTEM } from '#server/identity/identity.ts';
import { makeRetailer } from '#test/factories.ts';
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

test('the phone is told what its message is and of which instalment, so that it drops what is paid', async () => {
  await many();
  const said = await world.db.asOwner(
    `select c.args from commands c join agreements a on a.device_id = c.device_id where c.type = 'emi_alert' and c.args ->> 'due_on' = a.oldest_due_on::text`,
  );
  expect(said).toMatchObject([{ args: { kind: 'alert' } }, { args: { kind: 'alert' } }]);
});

test('the server’s own reminders are not the shop’s: they reach a locked phone', async () => {
  await setLevel(4)();
  expect((await one(SYSTEM(ORG))).sent).toEqual(['sms', 'phone']);
  expect(await ordersOf(sale)).toBe(1);
  await setLevel(0)();
});

test('before anything is sent, the very words are shown by language and way, and who is left out and why', async () => {
  const third = await world.sell();
  const paid = await world.sell();
  await world.inOrg((tx) => world.locking.openDispute(tx, world.shop, { customerId: third.customerId, text: 'paid' }));
  await world.db.plant(['customers'], `update customers set language = 'hn' where customer_id = $1`, [
    other.customerId,
  ]);
  await world.db.plant(['agreements'], 'update agreements set oldest_due_on = null where agreement_id = $1', [
    paid.agreement.agreement_id,
  ]);
  const ids = [sale, other, third, paid].map(({ customerId }) => customerId);
  const preview = () => world.db.read(ORG, (tx) => world.notices.previewAlerts(tx, world.shop, ids));
  const first = await preview();
  expect(first).toMatchObject({ total: 4, reminded: 2 });
  expect(first.texts.map(({ language, sms, phone }) => [language, sms, phone])).toEqual([
    ['en', 1, 1],
    ['hn', 1, 1],
  ]);
  expect(first.left_out.map(({ code, count }) => [code, count])).toEqual([
    ['DISPUTED', 1],
    ['STATE_CONFLICT', 1],
  ]);
  expect(await world.db.asOwner(`select from notices where kind = 'alert'`)).toHaveLength(0);

  const result = await world.inOrg((tx) => world.notices.sendAlerts(tx, world.shop, ids));
  expect(result).toMatchObject({ reminded: 2, refused: 2 });
  const sent = await world.db.asOwner<{ body: string }>(
    `select distinct body from notices where kind = 'alert' and channel = 'sms'`,
  );
  expect(sent.map(({ body }) => body).toSorted()).toEqual(first.texts.map(({ text }) => text).toSorted());

  const [throttled] = (await preview()).left_out.filter(({ code }) => code === 'REMINDED_ALREADY');
  expect(throttled).toMatchObject({ count: 2, customers: [{ again_at: result.next_allowed_at }, {}] });
  expect(throttled!.customers[0]!.name).not.toBe('');
  // The person who reminds one customer does so by their own decision, a complaint or not.
  expect(await world.inOrg((tx) => world.notices.sendAlert(tx, world.shop, third.customerId))).toMatchObject({
    reminded: 1,
  });
});

test('whoever is overdue the longest stands for the others, then whose name comes first, however they were found', async () => {
  const [late, zeenat, asha] = [await world.sell(), await world.sell(), await world.sell()];
  const dueOn = ({ agreement }: Sale, on: string) =>
    world.db.plant(['agreements'], 'update agreements set oldest_due_on = $2 where agreement_id = $1', [
      agreement.agreement_id,
      on,
    ]);
  const named: [Sale, string][] = [
    [late, 'Yamuna'],
    [zeenat, 'Zeenat'],
    [asha, 'Asha'],
  ];
  for (const [sold, name] of named) {
    await world.db.plant(['customers'], `update customers set first_name = $2, last_name = '' where customer_id = $1`, [
      sold.customerId,
      name,
    ]);
    await dueOn(sold, '2026-03-02');
  }
  const ids = [zeenat, asha, late].map(({ customerId }) => customerId);
  const preview = (some: readonly string[]) =>
    world.db.read(ORG, (tx) => world.notices.previewAlerts(tx, world.shop, some));
  expect((await preview(ids)).texts.map(({ name }) => name)).toEqual(['Asha']);
  expect(await preview(ids.toReversed())).toEqual(await preview(ids));
  await dueOn(late, '2026-02-02');
  expect((await preview(ids)).texts.map(({ name }) => name)).toEqual(['Yamuna']);
  for (const customerId of ids)
    await world.inOrg((tx) => world.locking.openDispute(tx, world.shop, { customerId, text: 'paid' }));
  const [left] = (await preview(ids)).left_out;
  expect(left!.customers.map(({ name }) => name)).toEqual(['Asha', 'Yamuna', 'Zeenat']);
});

test('another shop reminds none of these customers, and sees nothing of what they would be told', async () => {
  const stranger = await makeRetailer(world.db, ORG);
  const ids = [sale.customerId, other.customerId];
  expect(await world.inOrg((tx) => world.notices.sendAlerts(tx, stranger, ids))).toMatchObject({
    reminded: 0,
    refusals: ids.map((customer_id) => ({ customer_id, code: 'STATE_CONFLICT' })),
  });
  await expect(one(stranger)).rejects.toThrow('NOT_FOUND');
  expect(await world.db.read(ORG, (tx) => world.notices.previewAlerts(tx, stranger, ids))).toMatchObject({ texts: [] });
  expect(await world.db.asOwner(`select from notices where kind = 'alert'`)).toHaveLength(0);
});
