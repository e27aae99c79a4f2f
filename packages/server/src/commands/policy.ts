import type { Actor } from '#server/identity/identity.ts';

/** A bulk order is seen, and a large one agreed to or not, by who gave it, the retailer above a mini-retailer, and the administrator, who answers for the organisation. */
export const canDecideBatch = (actor: Actor, requestedBy: string): boolean =>
  actor.userType === 'admin' || actor.userType === 'system' || actor.visibleOwnerIds.includes(requestedBy);
