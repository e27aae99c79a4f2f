import type { ShopType, UserType } from '@kist/contract/codes';
import type { Actor } from './actor.ts';

/** What the rules need of somebody who sells. */
export interface Placed {
  user_id: string;
  user_type: UserType;
  parent_user_id: string | null;
}

const isShop = ({ user_type }: Placed): boolean => user_type === 'retailer' || user_type === 'miniretailer';

/** Oneself, and the shops below: a retailer's mini-retailers, an admin's whole organisation. Nobody sees the shop above or beside. */
export const canSeePerson = (actor: Actor, person: Placed): boolean =>
  person.user_id === actor.userId || canManage(actor, person);

/** Whose access, mobile and being let in at all this one decides. Never one's own. */
export function canManage(actor: Actor, person: Placed): boolean {
  if (!isShop(person) || person.user_id === actor.userId) return false;
  if (actor.userType === 'system' || actor.userType === 'admin') return true;
  return actor.userType === 'retailer' && person.parent_user_id === actor.userId;
}

/** Whose word it is that an address is somebody's own: the organisation's, and never a shop's for itself or for one below it. */
export const canVouch = (actor: Actor): boolean => actor.userType === 'system' || actor.userType === 'admin';

/** @param mayAddRetailers whether the caller's own row says so */
export function canAdd(actor: Actor, type: ShopType, mayAddRetailers: boolean): boolean {
  if (actor.userType === 'system' || actor.userType === 'admin') return true;
  return actor.userType === 'retailer' && (type === 'miniretailer' || mayAddRetailers);
}

/**
 * Words given to somebody: a shop gives none that it has not, but for bulk orders to its mini-retailer, which alone is asked for that word; a retailer beside
 * it would have the higher number of locks by it, which is the organisation's to approve.
 * @returns those that it may not give
 */
export function wordsBeyond(
  actor: Actor,
  type: UserType,
  given: Readonly<Record<string, string | undefined>>,
): string[] {
  if (actor.userType === 'system' || actor.userType === 'admin') return [];
  const own: Readonly<Record<string, string>> = { ...actor.access, ...actor.lockAccess };
  const isFree = (word: string) => word === 'bulk_retailer' && type === 'miniretailer';
  return Object.entries(given).flatMap(([word, value]) =>
    value === '1' && own[word] !== '1' && !isFree(word) ? [word] : [],
  );
}

/** The account that somebody works on: the shop's own; a mini-retailer works on its retailer's. */
export const accountOf = ({ user_id, parent_user_id }: Omit<Placed, 'user_type'>): string => parent_user_id ?? user_id;
