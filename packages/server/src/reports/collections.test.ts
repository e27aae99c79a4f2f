import { afterAll, beforeAll, expect, it } from 'vitest';
import { PAYMENT_METHODS } from '@kist/contract/payment-methods';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Ports } from '#server/platform/ports.ts';
import { makeBuyer, makeRetailer } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { collectionsOf } from './collections.ts';
import { createPages } from './customer-list.ts';
import { dashboard } from './dashboard.ts';

const DAY = '2026-03-12';
let world: LockWorld;
let mini: Actor;
let rival: Actor;
let sales: Sale[];
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-02-10T12:00:00');
  mini = await makeRetailer(world.db, ORG, world.shop);
  rival = await makeRetailer(world.db, ORG);
  sales = [
    await world.sell(),
    await world.sell(),
    await world.sell({ actor: mini }),
    await world.sell({ actor: rival }),
  ];
  for (const [at, sale] of sales.entries()) {
    await world.at(`${DAY}T1${at}:00:00`);
    await payBy(sale === sales[3] ? rival : world.shop, sale, 1, emi());
  }
  await world.at(`${DAY}T20:00:00`);
  await payBy(world.shop, sales[0]!, 2, 300_00);
});
afterAll(() => world.close());

const emi = () => sales[0]!.agreement.emi_paise;

async function payBy(actor: Actor, { agreement }: Sale, no: number, amount: number): Promise<void> {
  const { agreement_id } = agreement;
  const { instalmentIds } = await world.db.read(ORG, (tx) => account(tx, { agreement_id }));
  const instalment_id = instalmentIds.get(no)!;
  await world.inOrg((tx) => world.payments.record(tx, actor, { instalment_id, amount, method: 'CASH', reference: '' }));
}

const reports = createPages();
const read = <T>(work: (tx: Tx) => Promise<T>) => world.db.with({ reports } as Ports).read(ORG, work);
const of = (actor: Actor, query: object = {}) =>
  read((tx) => collectionsOf(tx, actor, { page: 1, page_size: 20, on: DAY as never, days: 1, ...query }));
const boardOf = (actor: Actor) => read((tx) => dashboard(tx, actor));
it('a day’s payments are those that the dashboard’s takings are the sum of, latest first, and no rival’s', async () => {
  const { list, total, paise, methods, from, to } = await of(world.shop);
  expect(list.map(({ customer_id, amount_paise }) => [customer_id, amount_paise])).toEqual([
    [sales[0]!.customerId, 300_00],
    [sales[2]!.customerId, emi()],
    [sales[1]!.customerId, emi()],
    [sales[0]!.customerId, emi()],
  ]);
  expect(list[0]).toMatchObject({
    method: 'CASH',
    receipt_no: expect.stringMatching(/\//),
    first_name: expect.stringMatching(/./),
  });
  expect({ total, paise, methods, from, to }).toEqual({
    total: 4,
    paise: 3 * emi() + 300_00,
    methods: [{ method: 'CASH', payments: 4, paise: 3 * emi() + 300_00 }],
    from: DAY,
    to: DAY,
  });
  const board = await boardOf(world.shop);
  expect(board.collections.find((day) => day.on === DAY)!.paise).toBe(paise);
  expect(board.today.collected_paise).toBe(paise);
  expect((await of(mini)).list.map(({ customer_id }) => customer_id)).toEqual([sales[2]!.customerId]);
});

it('what was paid down at a sale is in no figure of its day: neither list nor sum, nor anybody’s till', async () => {
  const on = '2026-02-10';
  const [down] = await world.db.asOwner<{ n: number }>(
    `select count(*)::int as n from payments where goes_to = 'down_payment' and state = 'posted' and paid_on = $1`,
    [on],
  );
  expect(down!.n).toBe(sales.length);
  expect(await of(world.shop, { on })).toMatchObject({ list: [], total: 0, paise: 0, methods: [], takers: [] });
});

it('is read page by page, every payment once', async () => {
  const ids: string[] = [];
  for (let page = 1; page <= 4; page += 1) {
    const { list, total } = await of(world.shop, { page, page_size: 1 });
    expect([list.length, total]).toEqual([1, 4]);
    ids.push(list[0]!.payment_id);
  }
  expect(ids).toEqual((await of(world.shop)).list.map(({ payment_id }) => payment_id));
  expect((await of(world.shop, { page: 5, page_size: 1 })).list).toEqual([]);
});

it('is narrowed by shop, customer and name, its sums with it', async () => {
  expect(await of(world.shop, { retailer_id: mini.userId })).toMatchObject({ total: 1, paise: emi() });
  expect(await of(world.shop, { customer_id: sales[0]!.customerId })).toMatchObject({
    total: 2,
    paise: emi() + 300_00,
  });
  expect(await of(world.shop, { search: 'nobody of this name' })).toMatchObject({ total: 0, paise: 0, methods: [] });
  await expect(of(world.shop, { retailer_id: rival.userId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('tells each way that money comes in apart', async () => {
  const { list } = await of(world.shop);
  for (const [at, method] of PAYMENT_METHODS.entries())
    await world.db.plant(['payments'], 'update payments set method = $1 where payment_id = $2', [
      method,
      list[at]!.payment_id,
    ]);
  expect((await of(world.shop)).methods).toEqual([
    { method: 'CASH', payments: 2, paise: emi() + 300_00 },
    { method: 'OTHER', payments: 1, paise: emi() },
    { method: 'UPI', payments: 1, paise: emi() },
  ]);
});

it('what was taken back is in neither list nor sum; another day has its own', async () => {
  const [last] = (await of(world.shop)).list;
  await world.inOrg((tx) => world.payments.reverse(tx, world.shop, last!.payment_id, 'A slip of the hand'));
  const after = await of(world.shop);
  expect([after.total, after.paise]).toEqual([3, 3 * emi()]);
  expect((await boardOf(world.shop)).today.collected_paise).toBe(after.paise);
  expect(await of(world.shop, { on: '2026-03-11' })).toMatchObject({
    total: 0,
    paise: 0,
    methods: [],
    from: '2026-03-11',
  });
  await world.at('2026-03-13T09:00:00');
  expect(await of(world.shop, { on: undefined })).toMatchObject({ total: 0, to: '2026-03-13' });
  const board = await boardOf(world.shop);
  const fortnight = await of(world.shop, { on: undefined, days: 14 });
  expect(fortnight).toMatchObject({ total: 3, from: '2026-02-28', to: '2026-03-13' });
  expect(fortnight.paise).toBe(board.collections.reduce((sum, day) => sum + day.paise, 0));
});

it('is told by who took it, whoever sold: a retailer’s till holds no cash of a mini-retailer’s, and a claim is of the shop that said yes', async () => {
  const on = '2026-03-14';
  await world.at(`${on}T11:00:00`);
  await payBy(world.shop, sales[1]!, 2, 200_00);
  await payBy(world.shop, sales[2]!, 2, 100_00);
  await payBy(mini, sales[2]!, 2, 500_00);
  const buyer = await makeBuyer(world.db, mini, sales[2]!.customerId);
  const payment_id = newId();
  const said = { payment_id, amount: 70_00, method: 'UPI', reference: '4123 4567 8901' } as const;
  await world.inOrg((tx) => world.payments.claim(tx, buyer, said));
  await world.inOrg((tx) => world.payments.answerClaim(tx, mini, { payment_id, is_received: true }));
  const named = { name: 'Sunita', shop_name: 'Sunita Mobile' };
  const byMini = { user_id: mini.userId, ...named, payments: 2, paise: 570_00, cash_paise: 500_00 };
  const byShop = { user_id: world.shop.userId, ...named };
  const all = await of(world.shop, { on });
  expect(all.takers).toEqual([byMini, { ...byShop, payments: 2, paise: 300_00, cash_paise: 300_00 }]);
  expect(all.takers.reduce((sum, { paise }) => sum + paise, 0)).toBe(all.paise);
  expect(all.list.find((one) => one.payment_id === payment_id)?.recorded_by).toBe(named.name);
  expect((await of(world.shop, { on, retailer_id: world.shop.userId })).takers).toEqual([
    { ...byShop, payments: 1, paise: 200_00, cash_paise: 200_00 },
  ]);
  expect((await of(mini, { on })).takers).toEqual([
    byMini,
    { ...byShop, payments: 1, paise: 100_00, cash_paise: 100_00 },
  ]);
});
