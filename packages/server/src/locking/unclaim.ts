import { type SoldPhone, mayBeLetGo } from '@kist/contract/letting-go';
import { NEEDS } from '@kist/contract/access';
import { OWED_CAUSES, OWNERS_CAUSES } from '@kist/contract/agent';
import { KistError } from '@kist/contract/errors';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { applyDecisions } from './apply.ts';
import type { LockingDeps } from './deps.ts';
import { answerAll } from './disputes.ts';
import { type Phone, isHeldBy, lookAtPhones, seizePhones } from './facts.ts';
import { liftHolds } from './objection-store.ts';
import { endCures } from './store.ts';
import { unlockAllButTheft } from './unlocking.ts';

type Deps = Pick<LockingDeps, 'waker'>;

/** What became of a phone that was let go. */
export interface Unclaimed {
  device_id: string;
  channel: 'NEVER_OPENED' | 'ENDS_WHEN_FREE';
  lock: 'LIFTED' | 'NONE';
  keys_returned: number;
  revision: number;
}

/**
 * Lets go of a phone that was never set up, or whose agreement is over: what holds it comes off first, then it is released, its set-up code is dead and
 * a key that was set aside is back. A phone under a running agreement is not let go this way, and one that its owner reported stolen or lost stays held.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, STATE_CONFLICT (no phone, let go already, set up under a running agreement, or held for its owner)
 */
export async function unclaim(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  { customerId, note }: { customerId: string; note: string },
): Promise<Unclaimed> {
  const customer = await customers.authorizeToChange(tx, actor, { customer_id: customerId });
  identity.requires(actor, NEEDS.activate);
  if (actor.userType === 'customer') throw new KistError('FEATURE_NOT_ALLOWED');
  const { customer_id } = customer;
  const device = await devices.deviceOfCustomer(tx, customer_id);
  if (!device) throw new KistError('STATE_CONFLICT');
  const { deviceId } = device;
  await seizePhones(tx, [deviceId]);
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (!phone || !mayBeLetGo(standingOf(phone))) throw new KistError('STATE_CONFLICT');
  const keys_returned = await wallet.giveBack(tx, actor, { customer_id, why: 'unclaimed' });
  const became = { ...(await setFree(tx, deps, actor, phone, note)), keys_returned };
  await customers.release(tx, actor, { customer_id });
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'device_unclaimed', data: became });
  return { device_id: deviceId, ...became };
}

/** What became of the phone of an agreement that was cancelled, and of what was said against locking it. */
export interface LetGo {
  /** `NONE`: there is none, or it was let go before. */
  channel: Unclaimed['channel'] | 'NONE';
  lock: Unclaimed['lock'];
  keys_returned: number;
  disputes_answered: number;
  holds_lifted: number;
}

/**
 * The agreement was cancelled by this transaction: complaints that wait for the shop are answered with the reason, holds end, and its phone is let go as `unclaim` lets one go.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED; STATE_CONFLICT while the phone is held for its owner
 */
export async function letGoOfCancelled(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { agreement_id, customer_id, note }: { agreement_id: string; customer_id: string; note: string },
): Promise<LetGo> {
  const disputes = await answerAll(tx, deps, actor, { agreement_id, text: note });
  const { n: holds } = await liftHolds.one(tx, { agreement_id, lifted_by: actor.userId, note });
  const ended = { disputes_answered: disputes, holds_lifted: holds };
  if (disputes + holds > 0)
    await audit.append(tx, { kind: 'agreement', id: agreement_id, actor, action: 'objections_ended', data: ended });
  const device = await devices.deviceOfCustomer(tx, customer_id);
  if (!device || device.releasedAt) {
    const keys_returned = await wallet.giveBack(tx, actor, { customer_id, why: 'unclaimed' });
    return { channel: 'NONE', lock: 'NONE', keys_returned, ...ended };
  }
  const { channel, lock, keys_returned } = await unclaim(tx, deps, actor, { customerId: customer_id, note });
  return { channel, lock, keys_returned, ...ended };
}

/** What becomes of the phone in whose place another comes. */
export interface Exchanged {
  channel: LetGo['channel'];
  lock: Unclaimed['lock'];
  /** False: nobody ever set it up. */
  was_set_up: boolean;
  /** When a phone was first set up under the agreement. */
  first_enrolled_at: Date | null;
}

/**
 * The phone of a running agreement goes, for another comes in its place: what holds it comes off first, then it is released and told. The clock of an unlock that
 * it never confirmed ends.
 * @param device_id the phone that the agreement names
 * @throws KistError STATE_CONFLICT while it is held for its owner, or its owner misses it: who has it is not the shop
 */
export async function letGoOfExchanged(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  { device_id, note }: { device_id: string; note: string },
): Promise<Exchanged> {
  await seizePhones(tx, [device_id]);
  const phone = await phoneToExchange(tx, device_id);
  const { row } = phone;
  if (isMissed(phone)) throw new KistError('STATE_CONFLICT', { details: { refused: 'HELD_FOR_OWNER' } });
  await endCures.run(tx, { device_id });
  const known = { was_set_up: row.enrolledAt !== null, first_enrolled_at: row.firstEnrolledAt };
  if (row.releasedAt) return { channel: 'NONE', lock: 'NONE', ...known };
  const { channel, lock } = await setFree(tx, deps, actor, phone, note);
  return { channel, lock, ...known };
}

/** What an exchange would find, changing nothing. */
export async function previewLetGo(
  tx: Tx,
  { device_id }: { device_id: string },
): Promise<Exchanged & { isHeldForOwner: boolean }> {
  const phone = await phoneToExchange(tx, device_id);
  const { row } = phone;
  return {
    channel: row.releasedAt ? 'NONE' : channelOf(phone),
    lock: OWED_CAUSES.some((cause) => isHeldBy(row, cause)) ? 'LIFTED' : 'NONE',
    was_set_up: row.enrolledAt !== null,
    first_enrolled_at: row.firstEnrolledAt,
    isHeldForOwner: isMissed(phone),
  };
}

async function phoneToExchange(tx: Tx, device_id: string): Promise<Phone> {
  const [phone] = await lookAtPhones(tx, [device_id]);
  if (!phone) throw new KistError('STATE_CONFLICT');
  return phone;
}

const isKept = ({ row }: Phone): boolean => OWNERS_CAUSES.some((cause) => isHeldBy(row, cause));
/** Held for its owner, or reported though nothing holds it (yet). */
const standingOf = (phone: Phone): SoldPhone => ({
  isReleased: phone.row.releasedAt !== null,
  isMissed: isMissed(phone),
  isEnrolled: phone.row.enrolledAt !== null,
  isRunning: phone.row.state === 'active',
});
const isMissed = (phone: Phone): boolean => isKept(phone) || (phone.row.reports ?? []).length > 0;
const channelOf = ({ row }: Phone): Unclaimed['channel'] => (row.enrolledAt ? 'ENDS_WHEN_FREE' : 'NEVER_OPENED');

/** Everything comes off first, then it is released, its numbers are free and its set-up code is dead. */
async function setFree(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  phone: Phone,
  note: string,
): Promise<Pick<Unclaimed, 'channel' | 'lock' | 'revision'>> {
  const { deviceId } = phone.row;
  const isHeld = await lift(tx, deps, actor, phone, note);
  const { revision } = await devices.release(tx, actor, deviceId);
  deps.waker.wake(tx, [deviceId]);
  return { channel: channelOf(phone), lock: isHeld ? 'LIFTED' : 'NONE', revision };
}

/** Every cause's lock and restriction ends as itself, with its verdict, before the phone is released. @returns whether anything held it */
async function lift(tx: Tx, deps: Deps, actor: Actor, { row }: Phone, note: string): Promise<boolean> {
  if (!OWED_CAUSES.some((cause) => isHeldBy(row, cause))) return false;
  const decisions = await unlockAllButTheft(tx, [row.deviceId], { userId: actor.userId });
  await applyDecisions(tx, deps.waker, decisions, { actor, command: 'unlock', note });
  return true;
}
