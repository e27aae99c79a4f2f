import { beforeEach } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import { faultsOf } from '#server/ledger/self-check.ts';
import { GUARDED } from './books.ts';
import { createTestDatabase } from './database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock } from './factories.ts';
import { type Forged, forgedPayment } from './forged-payment.ts';
import { quietPayments } from './quiet-payments.ts';

/**
 * For each test a sale of six EMIs of ₹2,674, nothing paid but ₹500 of the first, and what somebody could write of it who has the server's own account: a payment
 * of one paisa of the first row's principal whole, with journal, row, move and number that go together.
 */
export async function useForging(orgId: number) {
  const db = await createTestDatabase();
  await makeOrganisation(db, orgId);
  const shop = await makeRetailer(db, orgId);
  const payments = quietPayments();
  const pay = async (row: number, amount: number) => {
    const { instalmentIds } = await db.read(orgId, (tx) => account(tx, world.sale.agreement));
    const given = { instalment_id: instalmentIds.get(row)!, amount, method: 'CASH', reference: '' } as const;
    return db.transaction(orgId, (tx) => payments.record(tx, shop, given));
  };
  const statements = (forged: Forged = {}) => forgedPayment(orgId, world.sale.agreement, shop.userId, forged);
  /** What the check of the books finds in the organisation. */
  const faults = () => db.read(orgId, (tx) => faultsOf(tx, null));
  const world = {
    db,
    shop,
    payments,
    /** The test's own; another may be put in its place. */
    sale: undefined as unknown as Awaited<ReturnType<typeof makeSale>>,
    pay,
    statements,
    faults,
    /** Writes it, after `more`. @param by whose account; the server's own where left out */
    forge: (forged: Forged, more: readonly string[] = [], by: Pick<typeof db, 'transaction'> = db) =>
      by.transaction(orgId, async (tx) => {
        for (const sql of [...more, ...statements(forged)]) await tx.query(sql);
      }),
    /** Writes it past the guards. @returns what the check finds by it */
    planted: async (sqls: readonly string[]): Promise<string[]> => {
      const before = await faults();
      await db.plant([...GUARDED, 'payment_moves'], sqls.join(';'));
      return (await faults()).filter((one) => !before.includes(one));
    },
  };
  beforeEach(async () => {
    await setClock(db, '2026-05-10T11:00:00');
    world.sale = await db.transaction(orgId, (tx) => makeSale(tx, shop));
    await pay(1, 500_00);
  });
  return world;
}
