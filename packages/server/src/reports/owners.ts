import { KistError } from '@kist/contract/errors';
import type { Actor } from '#server/identity/identity.ts';

/** @throws KistError NOT_FOUND for a shop that is not the caller's and not below it, the same as for none at all. */
export function ownersIn(actor: Actor, retailerId: string | undefined): readonly string[] {
  if (retailerId === undefined) return actor.visibleOwnerIds;
  if (!actor.visibleOwnerIds.includes(retailerId)) throw new KistError('NOT_FOUND');
  return [retailerId];
}
