import { NEEDS, missingWord } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { OverrideAsked } from '@kist/contract/overrides';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type Phone, lookAtPhones } from './facts.ts';
import * as store from './override-store.ts';
import { ringAsker, ringSecond } from './second-bell.ts';

type Waiting = Awaited<ReturnType<typeof store.waitingAsk.first>>;

/** Whether who asked could ask for it now: they may lock, and look after the customer. */
async function couldStillAsk(tx: Tx, { asked_by }: { asked_by: string }, { row }: Phone): Promise<boolean> {
  const { customerId: customer_id, ownerUserId: owner_user_id } = row;
  if (customer_id === null || owner_user_id === null) return false;
  const { actor, isActive } = await identity.actorOfUser(tx, { userId: asked_by });
  return (
    isActive && missingWord(actor, NEEDS.lock) === undefined && customers.canSee(actor, { customer_id, owner_user_id })
  );
}

/**
 * What waits about a phone that stands under this agreement, asked for by somebody who could ask for it now as well; of an agreement of before, or of a shop
 * that has it no more, nothing waits.
 */
export async function waitingFor(tx: Tx, phone: Phone): Promise<Waiting> {
  const found = await store.waitingAsk.first(tx, { device_id: phone.row.deviceId });
  if (!found || found.agreement_id !== phone.row.agreementId) return undefined;
  return (await couldStillAsk(tx, found, phone)) ? found : undefined;
}

/** Whether this person may be the second of two. @param ask undefined: nobody has asked */
export const mayAgree = async (tx: Tx, actor: Actor, ask: { asked_by: string } | undefined): Promise<boolean> =>
  identity.isSecond(actor, ask && (await identity.askedOfAnother(tx, ask.asked_by)), NEEDS.lock);

/** Asked, refused and asked again it would ring without end at everybody who could agree. @throws KistError RATE_LIMITED, with when it ends */
async function mustNotRingOn(tx: Tx, of: { agreement_id: string }): Promise<void> {
  const { asked, wait_s } = await store.askedLately.one(tx, of);
  if (asked >= LIMITS.overrideAsksPerDay)
    throw new KistError('RATE_LIMITED', {
      retryAfterS: Math.max(1, wait_s),
      internal: 'an override was asked for often',
    });
}

/**
 * An override that lacks a second person alone waits for one, for a day. Asked again by the same person it is the one of before.
 * @throws KistError RATE_LIMITED where it was asked for so often that day (LIMITS.overrideAsksPerDay)
 */
export async function keepAsk(tx: Tx, actor: Actor, phone: Phone, note: string): Promise<void> {
  const { deviceId: device_id, agreementId: agreement_id, ownerUserId: owner, customerId } = phone.row;
  if (agreement_id === null || owner === null) return;
  const waiting = await waitingFor(tx, phone);
  if (waiting) return;
  await mustNotRingOn(tx, { agreement_id });
  // What else is open there is over, or nobody's who could ask for it now.
  await store.endAsks.run(tx, { device_id });
  const ask_id = newId();
  await store.insertAsk.one(tx, { ask_id, device_id, agreement_id, note, asked_by: actor.userId });
  await audit.append(tx, { kind: 'device', id: device_id, actor, action: 'override_asked', data: { ask_id } });
  await ringSecond(tx, actor, { kind: 'override_asked', data: { ask_id }, customerId, owner, needs: NEEDS.lock });
}

/**
 * The second person's word, once: who asked hears what became of it.
 * @param said.note why not, in their words: kept with it, and out of the history, where no words are
 */
export async function settleAsk(
  tx: Tx,
  actor: Actor,
  ask: { ask_id: string; device_id: string; asked_by: string },
  said: { state: 'agreed' | 'refused'; customerId: string | null; note?: string | undefined },
): Promise<void> {
  const { ask_id, device_id, asked_by } = ask;
  const { state, customerId, note } = said;
  await store.decideAsk.run(tx, { ask_id, state, decided_by: actor.userId, refusal_note: note ?? null });
  const data = { ask_id, asked_by, ...(note !== undefined && { has_note: true }) };
  await audit.append(tx, { kind: 'device', id: device_id, actor, action: `override_${state}`, data });
  const rung = { ask_id, is_approved: Number(state === 'agreed') };
  await ringAsker(tx, asked_by, actor, { kind: 'override_decided', data: rung, customerId });
}

/**
 * What a shop sees of it on a customer's page: null where the rules of the agreement know no override, or it runs no more, and for the customer, whose
 * business the shop's talk is not.
 */
export async function overrideOf(
  tx: Tx,
  actor: Actor,
  deviceId: string,
): Promise<{ asked: OverrideAsked | null } | null> {
  if (actor.userType === 'customer') return null;
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (!phone?.policy.overrideAllowed || phone.row.state !== 'active') return null;
  const ask = await waitingFor(tx, phone);
  if (!ask) return { asked: null };
  const { ask_id, note, asked_by, asked_by_name, ends_at } = ask;
  return {
    asked: {
      ask_id,
      reason: note,
      asked_by: asked_by_name ?? '',
      is_own: asked_by === actor.userId,
      may_agree: await mayAgree(tx, actor, ask),
      ends_at: ends_at.toISOString(),
    },
  };
}
