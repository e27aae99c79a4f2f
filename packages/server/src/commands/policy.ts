import { COMMANDS, type CommandType } from '@kist/contract/commands';
import type { Actor } from '#server/identity/actor.ts';

/** Who may order what: locks by the lock access, everything else by the feature access of the user. */
export function canOrder(actor: Actor, type: CommandType): boolean {
  const { feature } = COMMANDS[type];
  if (feature === 'lock') return actor.access.lock_unlock === '1' && actor.lockAccess.lock === '1';
  if (feature === 'unlock') return actor.access.lock_unlock === '1' && actor.lockAccess.unlock === '1';
  return actor.access.feature_access === '1';
}

/** A bulk order is seen by who gave it, and by the retailer above a mini-retailer. */
export const canSeeBatch = (actor: Actor, requestedBy: string): boolean =>
  actor.userType === 'system' || actor.visibleOwnerIds.includes(requestedBy);

/** A mini-retailer orders many phones at once only where its retailer allowed it. */
export const canOrderMany = (actor: Actor): boolean =>
  actor.userType !== 'miniretailer' || actor.access.bulk_retailer === '1';
