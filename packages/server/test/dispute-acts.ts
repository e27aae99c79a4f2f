import type { Actor } from '#server/identity/identity.ts';
import { type LockWorld, type Sale, customerOf } from './lock-world.ts';

/** What customer, shop and organisation say in a dispute. @param world asked at each act: it is made when the tests begin */
export function disputeActs(world: () => LockWorld) {
  const admin = (): Actor => ({ ...world().shop, userType: 'admin', visibleOwnerIds: [] });
  const ownerOf = (sale: Sale) => customerOf(world(), sale);
  return {
    ownerOf,
    open: (sale: Sale, by = ownerOf(sale), instalmentId?: string) =>
      world().inOrg((tx) =>
        world().locking.openDispute(tx, by, { customerId: sale.customerId, instalmentId, text: 'I paid in cash.' }),
      ),
    answer: (disputeId: string, by = world().shop) =>
      world().inOrg((tx) => world().locking.closeDispute(tx, by, { disputeId, outcome: 'No payment found.' })),
    uphold: (disputeId: string, by = world().shop) =>
      world().inOrg((tx) =>
        world().locking.closeDispute(tx, by, { disputeId, outcome: 'You had paid it.', isUpheld: true }),
      ),
    further: (disputeId: string, by: Actor) =>
      world().inOrg((tx) => world().locking.escalateDispute(tx, by, { disputeId, text: 'Ask my brother.' })),
    decide: (disputeId: string, holds: boolean, by = admin()) =>
      world().inOrg((tx) =>
        world().locking.decideDispute(tx, by, { disputeId, holds, reason: 'The receipts were looked at.' }),
      ),
  };
}
