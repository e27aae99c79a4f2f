import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { Database, Tx } from '#server/platform/database.ts';
import { type RateRule, type RateVerdict, hit, peek } from '#server/platform/rate-limit.ts';
import type { Actor } from './actor.ts';
import * as people from './people.ts';
import { holdPerson } from './people-store.ts';

type NewPerson = Parameters<typeof people.addPerson>[2];
type PersonChange = Pick<Parameters<typeof people.updatePerson>[2], 'user_id' | 'mobile'>;

/**
 * Whether a number signs in already is told to whoever writes one down, and a number that is taken may be another shop's customer's: a shop tries few in a
 * day. Only a retailer writes numbers of others down; an admin sees the whole organisation.
 */
const ruleOf = ({ orgId, userId }: Actor): RateRule => ({
  name: 'people.numbers',
  subject: `${orgId} ${userId}`,
  limit: LIMITS.numbersTriedPerDay,
  windowS: 86_400,
});

/** @throws KistError RATE_LIMITED */
function judge({ allowed, retryAfterS }: RateVerdict): void {
  if (!allowed) throw new KistError('RATE_LIMITED', { retryAfterS, internal: 'too many numbers tried by one shop' });
}

/** `addPerson`, where a number that is taken counts, whatever becomes of the transaction. @throws KistError RATE_LIMITED, and what `addPerson` throws */
export async function addPersonInBudget(db: Database, tx: Tx, actor: Actor, given: NewPerson): Promise<string> {
  if (actor.userType !== 'retailer') return people.addPerson(tx, actor, given);
  // One after the other: of many at once each would find the budget as the first did.
  await holdPerson.first(tx, { user_id: actor.userId });
  judge(await peek(db.devicePool, ruleOf(actor)));
  try {
    return await people.addPerson(tx, actor, given);
  } catch (error) {
    if (error instanceof KistError && error.code === 'MOBILE_TAKEN') await hit(db.devicePool, [ruleOf(actor)]);
    throw error;
  }
}

/**
 * Before a person is changed: another number counts, taken or not, for one row would do to try them all.
 * @throws KistError RATE_LIMITED; NOT_FOUND
 */
export async function countNumber(
  db: Database,
  tx: Tx,
  actor: Actor,
  { user_id, mobile }: PersonChange,
): Promise<void> {
  if (actor.userType !== 'retailer' || mobile === undefined) return;
  const row = await people.person(tx, actor, user_id);
  if (row.mobile !== mobile) judge(await hit(db.devicePool, [ruleOf(actor)]));
}
