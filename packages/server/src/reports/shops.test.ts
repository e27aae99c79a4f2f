import { beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '@kist/contract/endpoints';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Ports } from '#server/platform/ports.ts';
import { transferCustomers } from '#server/sales/sales.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { createPages, shopDetails, shopList, shopProfile } from './reports.ts';

const ORG = 20;
const db = await createTestDatabase();
const payments = quietPayments();
const lists = db.with({ ...db.ports, reports: createPages() } as Ports);
let shop: Actor;
let mini: Actor;
beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  mini = await makeRetailer(db, ORG, shop);
});

const collected = async (of: Actor) => {
  const { figures } = await db.read(ORG, (tx) => shopProfile(tx, shop, { user_id: of.userId }));
  const { customers, collected_today_paise: today, collected_month_paise: month } = figures!;
  return { customers, today, month };
};

test('what a shop collected is what it took itself, and stays with it when its customers pass on', async () => {
  const sale = await db.transaction(ORG, (tx) => makeSale(tx, mini));
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, sale.agreement));
  const pay = (by: Actor, amount: number) =>
    db.transaction(ORG, (tx) =>
      payments.record(tx, by, { instalment_id: instalmentIds.get(1)!, amount, method: 'CASH', reference: '' }),
    );
  await pay(mini, 300_00);
  await pay(shop, 70_00);
  const own = {
    mini: { customers: 1, today: 300_00, month: 300_00 },
    shop: { customers: 0, today: 70_00, month: 70_00 },
  };
  expect({ mini: await collected(mini), shop: await collected(shop) }).toEqual(own);
  await db.transaction(ORG, (tx) =>
    transferCustomers(
      tx,
      shop,
      { from_user_id: mini.userId, to_user_id: shop.userId, reason: 'another counter', dry_run: false },
      async () => undefined,
    ),
  );
  expect({ mini: await collected(mini), shop: await collected(shop) }).toEqual({
    mini: { ...own.mini, customers: 0 },
    shop: { ...own.shop, customers: 1 },
  });
});

test('a receipt that was taken back is no money that a shop collected: neither in the list of shops nor in its profile, today or this month', async () => {
  const till = await makeRetailer(db, ORG, shop);
  const sale = await db.transaction(ORG, (tx) => makeSale(tx, till));
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, sale.agreement));
  const take = (amount: number) =>
    db.transaction(ORG, (tx) =>
      payments.record(tx, till, { instalment_id: instalmentIds.get(1)!, amount, method: 'CASH', reference: '' }),
    );
  const inList = async () => {
    const asked = ENDPOINTS.listUsers.query.parse({});
    const { list } = await lists.read(ORG, (tx) => shopList(tx, shop, asked));
    const row = list.find(({ user_id }) => user_id === till.userId)!;
    return { customers: row.customers, today: row.collected_today_paise, month: row.collected_month_paise };
  };
  await take(300_00);
  const { payment_id } = await take(50_00);
  for (const read of [inList, () => collected(till)])
    expect(await read()).toEqual({ customers: 1, today: 350_00, month: 350_00 });
  await db.transaction(ORG, (tx) => payments.reverse(tx, till, payment_id, 'counted twice'));
  for (const read of [inList, () => collected(till)])
    expect(await read()).toEqual({ customers: 1, today: 300_00, month: 300_00 });
});

test('whose mini-retailer one is, is told to the retailer above and not to oneself', async () => {
  const above = (by: Actor) =>
    db.read(ORG, async (tx) => {
      const who = { user_id: mini.userId };
      return [(await shopDetails(tx, by, who)).parent_user_id, (await shopProfile(tx, by, who)).parent_user_id];
    });
  expect(await above(shop)).toEqual([shop.userId, shop.userId]);
  expect(await above(mini)).toEqual([null, null]);
});
