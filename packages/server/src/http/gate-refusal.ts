import { NEEDS, missingWord } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import type { Verdict } from '@kist/contract/lock-policy';
import type { Actor } from '#server/identity/identity.ts';
import { CommittedRefusal } from './committed-refusal.ts';

/**
 * The gate's no, which stands in the history: POLICY_REFUSED with `details.verdict`. Who may order but not read what is owed hears the rule alone: days past
 * due, days of notices and moments from which it would hold tell of the money.
 */
export function gateRefusal(actor: Actor, verdict: Verdict): CommittedRefusal {
  const details = missingWord(actor, NEEDS.read) === undefined ? { verdict } : { rule: verdict.rule };
  return new CommittedRefusal(new KistError('POLICY_REFUSED', { details }));
}
