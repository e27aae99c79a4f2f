import { type Need, missingWord } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import type { Actor } from './actor.ts';

/**
 * The door of every service that a shop user comes through: http asks the same for the whole call, but a job, a stream or the next route must not get
 * around it.
 * @throws KistError FEATURE_NOT_ALLOWED naming the access word that is missing
 */
export function requires(actor: Actor, needs: readonly Need[]): void {
  const word = missingWord(actor, needs);
  if (word !== undefined) throw new KistError('FEATURE_NOT_ALLOWED', { details: { access: word } });
}
