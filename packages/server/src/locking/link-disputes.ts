import { KistError } from '@kist/contract/errors';
import * as agreements from '#server/agreements/agreements.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './dispute-store.ts';
import { isHeard, mayBeWrong, type Moved, move, open } from './disputes.ts';
import type { LockingDeps } from './deps.ts';
import { mayEscalate } from './rules/disputes.ts';

/** Words that came by the signed link of an agreement's notices. Whoever has it speaks in the customer's part, and all that can come of it is that a phone stays as it is. */
export interface SaidByLink {
  agreementId: string;
  text: string;
  /** Where the request came from, for the record. */
  ip?: string;
}

const actorOf = (tx: Tx, { ip }: SaidByLink): Actor => ({ ...SYSTEM(tx.orgId ?? 0), ...(ip !== undefined && { ip }) });

/** The link's agreement, taken for this transaction. @throws KistError STATE_CONFLICT: it was cancelled, or its customer has another by now */
async function heard(tx: Tx, { agreementId }: SaidByLink): Promise<agreements.Agreement> {
  const { agreement } = await agreements.account(tx, { agreement_id: agreementId });
  const taken = await agreements.ofCustomerToChange(tx, { customer_id: agreement.customer_id });
  if (taken?.agreement_id !== agreementId || !isHeard(taken)) throw new KistError('STATE_CONFLICT');
  return taken;
}

/**
 * An EMI that is not paid yet, or that the phone was locked for, is wrong, says who has the link: the customer's own word, heard twice for each EMI like one from
 * the app. Sent twice it is one.
 * @throws KistError STATE_CONFLICT (there is nothing to complain of), DISPUTE_DECIDED
 */
export async function openByLink(
  tx: Tx,
  deps: LockingDeps,
  said: SaidByLink & { instalmentNo: number },
): Promise<Moved> {
  const { instalmentNo, text } = said;
  const agreement = await heard(tx, said);
  if (!(await mayBeWrong(tx, agreement, instalmentNo))) throw new KistError('STATE_CONFLICT');
  const opening = { agreement, instalmentNo, text, channel: 'link', by: 'customer' } as const;
  const came = await open(tx, deps, actorOf(tx, said), opening);
  return 'moved' in came ? came.moved : { dispute_id: came.already.disputeId, state: came.already.state };
}

/** Takes an answer to a complaint of this very agreement further, within its days. @throws KistError NOT_FOUND, STATE_CONFLICT */
export async function escalateByLink(
  tx: Tx,
  deps: LockingDeps,
  said: SaidByLink & { disputeId: string },
): Promise<Moved> {
  const { disputeId, text } = said;
  const { agreement_id } = await heard(tx, said);
  const found = await store.findDispute.first(tx, { dispute_id: disputeId });
  if (found?.agreement_id !== agreement_id) throw new KistError('NOT_FOUND');
  const { state, state_since } = found;
  if (!mayEscalate({ state, sinceMs: state_since.getTime() }, (await now(tx)).getTime()))
    throw new KistError('STATE_CONFLICT');
  const further = { from: state, to: 'escalated', by: 'customer', text, channel: 'link' } as const;
  return move(tx, deps, actorOf(tx, said), disputeId, further);
}
