import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import type { Verdict } from '@kist/contract/lock-policy';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import type { LockingDeps } from './deps.ts';
import { stillTheirs, takePhones } from './facts.ts';
import { lockTaken, mustTakeLocks } from './manual.ts';
import { settleAsk, waitingFor } from './override-asks.ts';
import * as store from './override-store.ts';

/** The second person's word. */
export interface OverrideWord {
  ask_id: string;
  is_agreed: boolean;
  /** Why not. */
  note?: string | undefined;
}

/** What became of an override that waited; the order that a yes brought. */
export interface OverrideDecided {
  ask_id: string;
  state: 'agreed' | 'refused';
  command_id: string | null;
  revision: number | null;
}

/** The administrator sees no customer, and answers for the organisation, whose decision an override is. @throws KistError NOT_FOUND */
async function takenFor(tx: Tx, actor: Actor, { device_id, customer_id }: { device_id: string; customer_id: string }) {
  if (actor.userType !== 'admin') await customers.authorize(tx, actor, { customer_id });
  const [phone] = await takePhones(tx, [device_id]);
  if (actor.userType !== 'admin') return stillTheirs(actor, phone);
  if (!phone) throw new KistError('NOT_FOUND');
  return phone;
}

/**
 * The second person's word on an override that waits; no is also who asked for it thinking better of it, and nobody else's. A yes is judged by the gate as of now: what it
 * refuses is on record, and the ask goes on waiting.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, SECOND_PERSON_REQUIRED, STATE_CONFLICT when it is decided or ended, FEATURE_NOT_OFFERED, UNSUPPORTED_ON_DEVICE
 */
export async function decideOverride(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { ask_id, is_agreed, note }: OverrideWord,
): Promise<OverrideDecided | { refused: Verdict }> {
  identity.requires(actor, NEEDS.lock);
  const found = await store.findAsk.first(tx, { ask_id });
  if (!found) throw new KistError('NOT_FOUND');
  const phone = await takenFor(tx, actor, found);
  // Read under the phone's lock: two people at once must not both decide.
  const ask = await waitingFor(tx, phone);
  if (ask?.ask_id !== ask_id) throw new KistError('STATE_CONFLICT');
  const asked = await identity.askedOfAnother(tx, ask.asked_by);
  if (!is_agreed) {
    // A third person's no would undo what two decide.
    if (ask.asked_by !== actor.userId) identity.mustBeSecond(actor, asked, NEEDS.lock);
    await settleAsk(tx, actor, ask, { state: 'refused', customerId: phone.row.customerId, note });
    return { ask_id, state: 'refused', command_id: null, revision: null };
  }
  identity.mustBeSecond(actor, asked, NEEDS.lock);
  await mustTakeLocks(tx, actor, phone.row);
  const done = await lockTaken(tx, deps, actor, phone, { reason: 'ORG_OVERRIDE', note: ask.note });
  if ('refused' in done) return done;
  return { ask_id, state: 'agreed', command_id: done.commandId, revision: done.revision };
}
