import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Locking } from '#server/locking/locking.ts';
import type { Tx } from '#server/platform/database.ts';

/**
 * Whom a held phone names is its shop, or the organisation while that is suspended. What happens to a shop and what its customers' phones say are one
 * transaction, whoever changes it.
 */
type Told = Locking['contactsChanged'];

/** As `identity.updatePerson`; a new number is on the phones. */
export async function changeShop(
  tx: Tx,
  actor: Actor,
  asked: Parameters<typeof identity.updatePerson>[2],
  contactsChanged: Told,
): ReturnType<typeof identity.updatePerson> {
  const done = await identity.updatePerson(tx, actor, asked);
  if (done.changed.includes('mobile')) await contactsChanged(tx, [done.user_id]);
  return done;
}

/** As `identity.suspendPerson`. @returns who is suspended now, by id */
export async function suspendShop(
  tx: Tx,
  actor: Actor,
  asked: Parameters<typeof identity.suspendPerson>[2],
  contactsChanged: Told,
): Promise<readonly string[]> {
  const suspended = await identity.suspendPerson(tx, actor, asked);
  await contactsChanged(tx, suspended);
  return suspended;
}

/** As `identity.activatePerson`. @returns who signs in again, by id */
export async function activateShop(
  tx: Tx,
  actor: Actor,
  asked: Parameters<typeof identity.activatePerson>[2],
  contactsChanged: Told,
): Promise<readonly string[]> {
  const activated = await identity.activatePerson(tx, actor, asked);
  await contactsChanged(tx, activated);
  return activated;
}
