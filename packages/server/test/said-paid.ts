import type { Actor } from '#server/identity/identity.ts';
import { refusePhoneClaim } from '#server/locking/locking.ts';
import type { LockWorld, Sale } from './lock-world.ts';

/** At noon of 12 March, sold so that its first EMI was due two days ago. */
export async function dueTwoDaysAgo(world: LockWorld): Promise<Sale> {
  await world.at('2026-03-12T12:00:00');
  return world.sell({ deliveredOn: '2026-02-10' });
}

/** "I have paid", pressed on the phone at a moment, is heard now. */
export const sayPaid = (world: LockWorld, sale: Sale, at = '2026-03-12T11:59:00') =>
  world.tell(sale, { kind: 'payment_claimed', at });

/** The shop's no to what was said. */
export const refuseClaim = (
  world: LockWorld,
  claim_id: string,
  by: Actor = world.shop,
  reason = 'Nothing came in',
): Promise<unknown> => world.inOrg((tx) => refusePhoneClaim(tx, by, { claim_id, reason }));
