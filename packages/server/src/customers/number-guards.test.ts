import { beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';

/** What stands between a shop with a hand on its database and a customer's word, whichever of its accounts it asks with. */
const ORG = 20;
const db = await createTestDatabase();
let customer: string;
beforeAll(async () => {
  await makeOrganisation(db, ORG);
  const shop = await makeRetailer(db, ORG);
  customer = (await db.transaction(ORG, (tx) => makeSale(tx, shop))).customerId;
  await db.plant(['customers'], 'update customers set is_draft = false where customer_id = $1', [customer]);
});
const asServer = (sql: string) => db.transaction(ORG, (tx) => tx.query(sql, [customer]));
const ASKERS = { 'the server': asServer, 'the owner of the tables': (sql: string) => db.asOwner(sql, [customer]) };

it.each(Object.entries(ASKERS))('%s makes no draft of a sale again', async (_who, ask) => {
  await expect(ask('update customers set is_draft = true where customer_id = $1')).rejects.toThrow(
    'a sale is no draft again',
  );
});
