import { type Need, missingWord } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { requires } from './access.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Actor } from './actor.ts';
import { headOf } from './sessions.ts';

/** What one person asked for and another has to agree to. */
interface AskedOfAnother {
  /** Where it was read: of no organisation it is nobody's. */
  orgId: number | undefined;
  /** Who asked. */
  askedBy: string;
  /** Whose shop that is, and who agrees to nothing of it: the retailer who asked, or who made the mini-retailer that did. */
  shop: string;
}

/** Something that somebody asked for, as the law of the second person takes it. */
export const askedOfAnother = async (tx: Tx, userId: string): Promise<AskedOfAnother> => ({
  orgId: tx.orgId,
  askedBy: userId,
  shop: await headOf(tx, { userId }),
});

/** Who may be asked at all: a mini-retailer is made by its retailer, and would be the same person twice; the server is nobody. */
const answersForAShop = ({ userType }: Pick<Actor, 'userType'>): boolean =>
  userType === 'retailer' || userType === 'admin';

/**
 * The law of the second person: it was asked first, in the same organisation, by somebody else whom they did not make, and who agrees answers for a shop of
 * its own or for the organisation and may do by now what is agreed to. A retailer and its mini-retailer are one, whichever of them asks.
 * @param asked undefined: nobody has asked
 * @param needs what it takes to do what was asked for
 */
export const isSecond = (actor: Actor, asked: AskedOfAnother | undefined, needs: readonly Need[]): boolean =>
  isAnother(actor, asked) && missingWord(actor, needs) === undefined;

/** As `isSecond`, and says what is missing. @throws KistError SECOND_PERSON_REQUIRED, FEATURE_NOT_ALLOWED */
export function mustBeSecond(actor: Actor, asked: AskedOfAnother | undefined, needs: readonly Need[]): void {
  if (!isAnother(actor, asked)) throw new KistError('SECOND_PERSON_REQUIRED');
  requires(actor, needs);
}

const isAnother = (actor: Actor, asked: AskedOfAnother | undefined): boolean =>
  asked !== undefined &&
  asked.orgId === actor.orgId &&
  asked.askedBy !== actor.userId &&
  asked.shop !== actor.userId &&
  answersForAShop(actor);
