import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Locking } from '#server/locking/locking.ts';
import type { Database, Tx } from '#server/platform/database.ts';

/**
 * Whom a held phone names is its shop, or the organisation while that is suspended. What happens to a shop and what its customers' phones say are one
 * transaction, whoever changes it.
 */
type Told = Locking['contactsChanged'];

type Change = Omit<Parameters<typeof identity.updatePerson>[2], 'user_id'> & {
  user_id?: string;
  account_id?: string;
  status?: 'active' | 'suspended' | undefined;
  reason?: string | undefined;
};

/** What of a shop its customers' phones show: a held one says whom to call and to pay. */
const ON_PHONES: ReadonlySet<string> = new Set(['mobile', 'shop_name', 'first_name', 'last_name', 'upi_id']);

/** Why a shop is suspended of which only the status was written. */
const BY_STATUS = 'Suspended by its status';

/**
 * As `identity.updatePerson`, of oneself or a shop below; a number counts towards those that one may try in a day; whom to call and to pay is on the phones at once.
 * A status other than the shop's suspends it or lets it in again.
 * @throws KistError RATE_LIMITED, and what `updatePerson`, `suspendPerson` and `activatePerson` throw
 */
export async function changeShop(
  { db, contactsChanged }: { db: Database; contactsChanged: Told },
  tx: Tx,
  actor: Actor,
  { account_id, status, reason = BY_STATUS, ...asked }: Change,
): ReturnType<typeof identity.updatePerson> {
  const { user_id, is_active } = await identity.personNamed(tx, actor, { user_id: asked.user_id, account_id });
  const change = { ...asked, user_id };
  await identity.countNumber(db, tx, actor, change);
  // First: it holds the retailer above before the shop, as whoever changes people does.
  const isOther = status !== undefined && is_active !== (status === 'active');
  if (isOther && status === 'active') await activateShop(tx, actor, { user_id }, contactsChanged);
  if (isOther && status === 'suspended') await suspendShop(tx, actor, { user_id, reason }, contactsChanged);
  const done = await identity.updatePerson(tx, actor, change);
  if (done.changed.some((name) => ON_PHONES.has(name))) await contactsChanged(tx, [done.user_id]);
  return isOther ? { ...done, changed: [...done.changed, 'status'] } : done;
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
