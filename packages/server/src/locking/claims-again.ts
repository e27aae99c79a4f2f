import type { Agreement } from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as store from './phone-claim-store.ts';

/**
 * Money was taken back that had answered "I have paid", and no other money answers it: the word waits for the shop again. What ended stays ended, so it is a new
 * one, from now on, with a line of its own. Before the phone's facts are read.
 * @param agreement as it is after the posting, its row taken by this transaction
 */
export async function phoneClaimWaitsAgain(
  tx: Tx,
  actor: Actor,
  { agreement_id, state }: Agreement,
  payment_id: string,
): Promise<void> {
  if (state !== 'active') return;
  const before = await store.unansweredAgain.first(tx, { agreement_id });
  if (!before) return;
  const claim_id = newId();
  const { customer_id } = before;
  if ((await store.insertPhoneClaim.run(tx, { claim_id, agreement_id, customer_id })) === 0) return;
  const data = { claim_id, before: before.claim_id, payment_id };
  await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'phone_claim_waits_again', data });
}
