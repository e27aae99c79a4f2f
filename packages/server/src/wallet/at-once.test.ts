import { expect, test } from 'vitest';
import * as customers from '#server/customers/customers.ts';
import { PLAN } from '@kist/contract/codes';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { giveKeys, makeOrganisation, makeRetailer } from '#test/factories.ts';
import * as wallet from './wallet.ts';

const ORG = 20;
const AT_ONCE = 25;

test('keys that come and keys that are taken wait for each other and never in a circle, however many at once', async () => {
  const db = await createTestDatabase();
  await makeOrganisation(db, ORG);
  const shop = await makeRetailer(db, ORG);
  await giveKeys(db, shop, { count: AT_ONCE });
  const of = { user_id: shop.userId, plan_type: PLAN.DPC };
  const begun = await db.transaction(ORG, async (tx) => {
    const ids: string[] = [];
    for (let n = 0; n < AT_ONCE; n += 1) {
      const { customer_id } = await customers.begin(tx, shop, { plan_id: 1, plan_type: PLAN.DPC });
      ids.push(customer_id);
    }
    return ids;
  });
  let tries = 0;
  await Promise.all(
    begun.flatMap((customer_id) => [
      db.operator.transaction(ORG, (tx) => {
        tries += 1;
        const grant = { userId: shop.userId, planType: PLAN.DPC, lot: 'paid', count: 1, effectKey: newId() } as const;
        return wallet.credit(tx, grant);
      }),
      db.transaction(ORG, (tx) => {
        tries += 1;
        return wallet.reserve(tx, shop, { ...of, customer_id });
      }),
    ]),
  );
  // A transaction that met another in a circle is tried again.
  expect(tries).toBe(2 * AT_ONCE);
  const [keys] = await db.read(ORG, (tx) => wallet.keysOf(tx, shop.userId));
  expect(keys).toMatchObject({ paid: AT_ONCE, reserved: AT_ONCE });
});
