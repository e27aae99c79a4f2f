import { expect, test } from 'vitest';
import { PLAN } from '@kist/contract/codes';
import * as customers from '#server/customers/customers.ts';
import { createTestDatabase } from '#test/database.ts';
import { giveKeys, makeOrganisation, makeRetailer, setClock } from '#test/factories.ts';
import * as wallet from './wallet.ts';

const ORG = 20;

test('keys that were given go before those that were paid for, and one that comes back is of its lot again', async () => {
  const db = await createTestDatabase();
  await makeOrganisation(db, ORG);
  const shop = await makeRetailer(db, ORG);
  await giveKeys(db, shop, { lot: 'paid', count: 1 });
  await giveKeys(db, shop, { lot: 'granted', count: 1 });
  const left = async () => {
    const [keys] = await db.read(ORG, (tx) => wallet.keysOf(tx, shop.userId));
    const { paid, granted, reserved } = keys!;
    return { paid, granted, reserved };
  };
  const sell = () =>
    db.transaction(ORG, async (tx) => {
      const { customer_id } = await customers.begin(tx, shop, { plan_id: 1, plan_type: PLAN.DPC });
      await wallet.reserve(tx, shop, { user_id: shop.userId, plan_type: PLAN.DPC, customer_id });
      return customer_id;
    });
  const first = await sell();
  expect(await left()).toEqual({ paid: 1, granted: 0, reserved: 1 });
  await sell();
  expect(await left()).toEqual({ paid: 0, granted: 0, reserved: 2 });
  await db.transaction(ORG, (tx) => wallet.giveBack(tx, shop, { customer_id: first, why: 'draft_deleted' }));
  expect(await left()).toEqual({ paid: 0, granted: 1, reserved: 1 });
});

test('a key that nobody spends is set aside for seven days, and not an hour less', async () => {
  const db = await createTestDatabase();
  await makeOrganisation(db, ORG);
  const shop = await makeRetailer(db, ORG);
  await giveKeys(db, shop, { count: 1 });
  await setClock(db, '2026-03-01T12:00:00');
  await db.transaction(ORG, async (tx) => {
    const { customer_id } = await customers.begin(tx, shop, { plan_id: 1, plan_type: PLAN.DPC });
    await wallet.reserve(tx, shop, { user_id: shop.userId, plan_type: PLAN.DPC, customer_id });
  });
  const comeBack = async (at: string) => {
    await setClock(db, at);
    return db.transaction(ORG, (tx) => wallet.expire(tx, shop));
  };
  expect(await comeBack('2026-03-08T11:00:00')).toBe(0);
  expect(await comeBack('2026-03-08T12:01:00')).toBe(1);
});
