import { NEEDS } from '@kist/contract/access';
import type { IsoDate } from '@kist/contract/dates';
import type { PhoneClaim } from '@kist/contract/phone-claims';
import { KistError } from '@kist/contract/errors';
import type { Agreement } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { renewLeases } from './dues.ts';
import { takePhones } from './facts.ts';
import * as store from './phone-claim-store.ts';

/**
 * "I have paid" on the phone, which names no sum: kept until a payment comes or the agreement is cancelled (which the database sees to), it is said with a sum,
 * or the shop answers no. One at a time, and none where nothing is due: the phone's word stays in its history. One that was said before the last payment came
 * into the books is answered by that. A phone whose clock is behind loses a line on the shop's list by that, and nothing else. Money that is taken back is no
 * answer (`claims-again.ts`).
 */
export async function keepPhoneClaim(
  tx: Tx,
  { agreement_id }: Agreement,
  said: { saidAt: Date; receivedAt: Date },
): Promise<void> {
  // Under the agreement's lock: a payment that comes at the same time is seen, or ends what is kept here.
  const opened = await agreements.accountToChange(tx, { agreement_id });
  if (opened.agreement.state !== 'active' || !isAnythingDue(opened, await today(tx))) return;
  const { posted_at } = await store.lastPostedAt.one(tx, { agreement_id });
  const isPaid = posted_at !== null && (said.saidAt < posted_at || said.receivedAt < posted_at);
  // Said again and again, by a clock that stands: that payment is the answer to one of them already.
  if (isPaid && ((await store.lastPhoneClaim.first(tx, { agreement_id }))?.ended_at ?? posted_at) > posted_at) return;
  const claim_id = newId();
  const { customer_id } = opened.agreement;
  if ((await store.insertPhoneClaim.run(tx, { claim_id, agreement_id, customer_id })) === 0) return;
  const actor = SYSTEM(tx.orgId ?? 0);
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement_id,
    actor,
    action: 'phone_claim_said',
    data: { claim_id },
  });
  if (isPaid) await store.payPhoneClaim.run(tx, { claim_id });
}

function isAnythingDue(opened: agreements.OpenAccount, on: IsoDate): boolean {
  const { overdue_paise, dueTodayPaise, penal_left_paise } = agreements.dues(opened, on);
  return overdue_paise > 0 || dueTodayPaise > 0 || penal_left_paise > 0;
}

/** The same word with a sum: that one is answered. */
export async function phoneClaimTold(tx: Tx, { agreement_id }: { agreement_id: string }): Promise<void> {
  await store.tellPhoneClaim.run(tx, { agreement_id });
}

/** What was said last, while it waits for an answer, and the shop's no, until a payment came into the books after it; of a running agreement. */
export async function phoneClaimOf(
  tx: Tx,
  { agreement_id, state }: Pick<Agreement, 'agreement_id' | 'state'>,
): Promise<PhoneClaim | null> {
  if (state !== 'active') return null;
  const said = await store.lastPhoneClaim.first(tx, { agreement_id });
  if (said?.state !== 'open' && said?.state !== 'refused') return null;
  if (said.ended_at) {
    const { posted_at } = await store.lastPostedAt.one(tx, { agreement_id });
    if (posted_at && posted_at > said.ended_at) return null;
  }
  return { claim_id: said.claim_id, said_at: said.said_at.toISOString(), refuse_reason: said.reason };
}

/**
 * The shop's no to what was said on the phone; its yes is the payment itself, which ends what was said.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, STATE_CONFLICT when it is answered, paid or over
 */
export async function refusePhoneClaim(
  tx: Tx,
  actor: Actor,
  { claim_id, reason }: { claim_id: string; reason: string },
): Promise<{ claim_id: string; state: 'refused' }> {
  identity.requires(actor, NEEDS.collect);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
  const found = await store.findPhoneClaim.first(tx, { claim_id });
  if (!found) throw new KistError('NOT_FOUND');
  const { agreement_id, customer_id } = found;
  await customers.authorize(tx, actor, { customer_id });
  // Under the agreement's lock: a payment that comes at the same time goes first or finds it answered; the customer may have passed on meanwhile.
  const { agreement } = await agreements.accountToChange(tx, { agreement_id });
  await customers.authorize(tx, actor, { customer_id });
  // Nobody is erased while an agreement of theirs runs: with it held, no word is written about somebody who is being erased.
  if (agreement.state !== 'active') throw new KistError('STATE_CONFLICT');
  if ((await store.refusePhoneClaim.run(tx, { claim_id, answered_by: actor.userId, reason })) === 0)
    throw new KistError('STATE_CONFLICT');
  await audit.append(tx, {
    kind: 'agreement',
    id: agreement_id,
    actor,
    action: 'phone_claim_refused',
    data: { claim_id },
  });
  // The phone's own screen says it too, by its lease.
  const phones = await takePhones(tx, [agreement.device_id]);
  await renewLeases(
    tx,
    phones.filter(({ row }) => row.releasedAt === null),
  );
  return { claim_id, state: 'refused' };
}
