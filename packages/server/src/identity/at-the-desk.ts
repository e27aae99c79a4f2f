import type { Tx } from '#server/platform/database.ts';
import type { Actor } from './actor.ts';
import { personOfMobile } from './people-store.ts';
import { actorOfUser } from './sessions.ts';

/**
 * Whoever signs in under a mobile number (+91…), the administrators among them, as they may act by now; undefined: nobody, or somebody who was suspended.
 * For whoever runs the installation alone, who writes down what a person at the desk says.
 */
export async function actorOfMobile(tx: Tx, mobile: string): Promise<Actor | undefined> {
  const found = await personOfMobile.first(tx, { mobile });
  if (!found) return undefined;
  const { actor, isActive } = await actorOfUser(tx, { userId: found.user_id });
  return isActive ? actor : undefined;
}
