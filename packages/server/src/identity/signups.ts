import type { z } from 'zod';
import type { Language } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import type { peopleEndpoints } from '@kist/contract/people';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Actor } from './actor.ts';
import { addPerson } from './people.ts';
import * as store from './people-store.ts';

/** What is asked, in the language in which it was: the answer comes in it. */
type Request = z.output<typeof peopleEndpoints.signupRequest.body> & { language: Language };

/** Open requests of one organisation: strangers fill no table. */
const MOST_OPEN = 500;
const LISTED = 500;

/**
 * Somebody without an account asks for one. Whoever asks again says nothing anew: nobody has proved whose the number is, and the first words stay.
 * @throws KistError RATE_LIMITED while more are open than anybody could read
 */
export async function requestSignup(tx: Tx, request: Request): Promise<void> {
  const { email, note, ...asked } = request;
  // Read by whoever decides; a shop's address is written down with the shop.
  const said = [note, email].filter(Boolean).join('\n');
  const kept = await store.upsertSignup.first(tx, { request_id: newId(), ...asked, note: said, most: MOST_OPEN });
  if (!kept)
    throw new KistError('RATE_LIMITED', { retryAfterS: 3600, internal: 'too many open requests for an account' });
}

/** Requests of one state, oldest first, 500 at most. */
export const signups = (tx: Tx, { state }: { state: store.SignupRow['state'] }): Promise<store.SignupRow[]> =>
  store.signups.all(tx, { state, limit: LISTED });

async function open(tx: Tx, request_id: string): Promise<store.SignupRow> {
  const row = await store.holdSignup.first(tx, { request_id });
  if (!row) throw new KistError('NOT_FOUND');
  if (row.state !== 'open') throw new KistError('STATE_CONFLICT', { internal: `it was ${row.state} already` });
  return row;
}

/** Makes the retailer that was asked for. @returns its user id. @throws KistError NOT_FOUND, STATE_CONFLICT, MOBILE_TAKEN */
export async function approveSignup(tx: Tx, actor: Actor, { request_id }: { request_id: string }): Promise<string> {
  const { mobile, first_name, last_name, shop_name, city, pincode, language } = await open(tx, request_id);
  const user_id = await addPerson(tx, actor, {
    user_type: 'retailer',
    mobile,
    first_name,
    last_name,
    shop_name,
    language: language ?? 'en',
    address: { line1: '', city, state: '', pincode },
  });
  await decide(tx, actor, { request_id, state: 'approved', reason: '', user_id });
  return user_id;
}

/** A request that was approved or refused; undefined while it is open. */
export const decidedSignup = (tx: Tx, request_id: string): Promise<store.SignupRow | undefined> =>
  store.decidedSignup.first(tx, { request_id });

/** Whether whoever asked is to hear of the decision: of refusals a number does once a day, for anybody can ask with anybody's number. */
export const isSignupTold = async (tx: Tx, request_id: string): Promise<boolean> =>
  (await store.isSignupTold.first(tx, { request_id }))?.is_told ?? false;

/** @throws KistError NOT_FOUND, STATE_CONFLICT */
export async function refuseSignup(
  tx: Tx,
  actor: Actor,
  { request_id, reason }: { request_id: string; reason: string },
): Promise<void> {
  await open(tx, request_id);
  await decide(tx, actor, { request_id, state: 'refused', reason, user_id: null });
}

async function decide(tx: Tx, actor: Actor, decision: Parameters<typeof store.decideSignup.run>[1]): Promise<void> {
  await store.decideSignup.run(tx, decision);
  const { request_id, state, user_id } = decision;
  await audit.append(tx, {
    kind: 'organisation',
    id: String(tx.orgId),
    actor,
    action: `signup_${state}`,
    data: { request_id, user_id },
  });
}
