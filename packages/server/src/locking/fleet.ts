import { SYSTEM } from '#server/identity/actor.ts';
import type { Tx } from '#server/platform/database.ts';
import { applyDecisions } from './apply.ts';
import type { LockingDeps } from './deps.ts';
import { seizePhones } from './facts.ts';
import { heldForMoney } from './ladder-store.ts';
import { lift } from './lifting.ts';

/**
 * Frees every phone of the organisation that is held for money, in one transaction that needs the database and nothing else: no queue, no message, no
 * vendor. Locks at their owners' request stay. The ladder of what is still unpaid rests to the end of tomorrow: time to find out what went wrong.
 * @returns how many phones
 */
export async function unlockFleet(tx: Tx, deps: Pick<LockingDeps, 'waker'>): Promise<number> {
  const actor = SYSTEM(tx.orgId ?? 0);
  const decisions = await lift(tx, await seizePhones(tx, await heldForMoney(tx)), 'EMI_OVERDUE', actor);
  await applyDecisions(tx, deps.waker, decisions, { actor, command: 'unlock', note: 'fleet unlock' });
  return decisions.length;
}
