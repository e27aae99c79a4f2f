import { NEEDS } from '@kist/contract/access';
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
import { type Phone, isHeldBy, lookAtPhones, seizePhones } from './facts.ts';
import { unlockAllButTheft } from './unlocking.ts';

/** What became of a phone that was let go. */
export interface Unclaimed {
  device_id: string;
  channel: 'NEVER_OPENED' | 'ENDS_WHEN_FREE';
  lock: 'LIFTED' | 'NONE';
  keys_returned: number;
  revision: number;
}

const CAUSES = ['debt', 'override', 'enrolment_test'] as const;
const PROTECTIONS = ['theft', 'customer_request'] as const;

/**
 * Lets go of a phone that was never set up, or whose agreement is over: what holds it comes off first, then it is released, its set-up code is dead and
 * a key that was set aside is back. A phone under a running agreement is not let go this way, and one that its owner reported stolen or lost stays held.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, STATE_CONFLICT (no phone, let go already, set up under a running agreement, or held for its owner)
 */
export async function unclaim(
  tx: Tx,
  deps: LockingDeps,
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
  if (!phone || !mayBeLetGo(phone)) throw new KistError('STATE_CONFLICT');
  const isHeld = await lift(tx, deps, actor, phone, note);
  const keys_returned = await wallet.giveBack(tx, actor, { customer_id, why: 'unclaimed' });
  const { revision } = await devices.release(tx, actor, deviceId);
  deps.waker.wake(tx, [deviceId]);
  await customers.release(tx, actor, { customer_id });
  const became = {
    channel: phone.row.enrolledAt ? ('ENDS_WHEN_FREE' as const) : ('NEVER_OPENED' as const),
    lock: isHeld ? ('LIFTED' as const) : ('NONE' as const),
    keys_returned,
    revision,
  };
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'device_unclaimed', data: became });
  return { device_id: deviceId, ...became };
}

function mayBeLetGo({ row }: Phone): boolean {
  if (row.releasedAt || PROTECTIONS.some((cause) => isHeldBy(row, cause))) return false;
  return row.enrolledAt === null || row.state !== 'active';
}

/** Every cause's lock and restriction ends as itself, with its verdict, before the phone is released. @returns whether anything held it */
async function lift(tx: Tx, deps: LockingDeps, actor: Actor, { row }: Phone, note: string): Promise<boolean> {
  if (!CAUSES.some((cause) => isHeldBy(row, cause))) return false;
  const decisions = await unlockAllButTheft(tx, [row.deviceId], { userId: actor.userId });
  await applyDecisions(tx, deps.waker, decisions, { actor, command: 'unlock', note });
  return true;
}
