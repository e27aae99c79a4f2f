import * as agreements from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import * as sales from '#server/sales/sales.ts';
import { type LockWorld, ORG, type Sale } from './lock-world.ts';

/** A sale on a day of its own, its cancellation, and what the books say. @param world asked at each act: it is made when the tests begin */
export function cancellingActs(world: () => LockWorld) {
  const cancelIn = (tx: Tx, { customerId: customer_id }: Sale, by: Actor = world().shop) =>
    sales.cancelAgreement(tx, by, { customer_id, reason: 'given back' }, world().locking.letGoOfCancelled);
  return {
    sell: async (given: Parameters<LockWorld['sell']>[0] = {}): Promise<Sale> => {
      await world().forgetDays();
      await world().at('2026-02-11T12:00:00');
      return world().sell(given);
    },
    cancelIn,
    cancel: (sale: Sale, by?: Actor) => world().inOrg((tx) => cancelIn(tx, sale, by)),
    stateOf: async ({ agreement: { agreement_id } }: Sale) =>
      (await world().db.read(ORG, (tx) => agreements.account(tx, { agreement_id }))).agreement.state,
    faults: async () => (await world().db.read(ORG, (tx) => checkBooks(tx))).differences,
  };
}
