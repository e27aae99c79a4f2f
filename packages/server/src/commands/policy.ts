import type { Actor } from '#server/identity/identity.ts';

/** A bulk order is seen by who gave it, and by the retailer above a mini-retailer. */
export const canSeeBatch = (actor: Actor, requestedBy: string): boolean =>
  actor.userType === 'system' || actor.visibleOwnerIds.includes(requestedBy);

/** A second person is somebody above, or beside in the same shop; the administrator answers for the organisation and sees no customer. */
export const canDecideBatch = (actor: Actor, requestedBy: string): boolean =>
  actor.userType === 'admin' || canSeeBatch(actor, requestedBy);
