import { KistError } from '@kist/contract/errors';
import * as audit from '#server/audit/audit.ts';
import * as agreements from '#server/agreements/agreements.ts';
import * as customers from '#server/customers/customers.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { LockingDeps } from './deps.ts';
import { factsChanged } from './dues.ts';
import { lookAtPhones } from './facts.ts';
import { assertMayCloseDispute } from './policy.ts';
import { findDispute, insertDispute, markDisputeClosed } from './store.ts';
import { tellShop } from './tell.ts';

interface Opening {
  agreementId: string;
  deviceId: string;
  text: string;
  channel: 'phone' | 'app' | 'shop';
}

/** The ladder stops where it is, on the server and in a new lease; the level in force stays, paying still opens at once. */
async function open(tx: Tx, deps: LockingDeps, actor: Actor, dispute: Opening): Promise<string | null> {
  const disputeId = newId();
  const { agreementId, text, channel } = dispute;
  if (!(await insertDispute(tx, { disputeId, agreementId, text, channel }))) return null;
  const data = { dispute_id: disputeId, channel };
  await audit.append(tx, { kind: 'agreement', id: agreementId, actor, action: 'dispute_opened', data });
  await factsChanged(tx, deps, [dispute.deviceId]);
  const [phone] = await lookAtPhones(tx, [dispute.deviceId]);
  if (phone) await tellShop(tx, [{ phone, kind: 'dispute_opened', data }]);
  return disputeId;
}

/**
 * The customer, or the shop in the customer's name, says that it is wrong.
 * @throws KistError NOT_FOUND, STATE_CONFLICT (there is no agreement), DISPUTE_ALREADY_OPEN
 */
export async function openDispute(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  given: { customerId: string; text: string },
): Promise<{ dispute_id: string }> {
  const customer = await customers.authorize(tx, actor, { customer_id: given.customerId });
  const agreement = await agreements.ofCustomerToChange(tx, { customer_id: customer.customer_id });
  if (agreement?.state !== 'active') throw new KistError('STATE_CONFLICT');
  const id = await open(tx, deps, actor, {
    agreementId: agreement.agreement_id,
    deviceId: agreement.device_id,
    text: given.text,
    channel: actor.userType === 'customer' ? 'app' : 'shop',
  });
  if (id === null) throw new KistError('DISPUTE_ALREADY_OPEN');
  return { dispute_id: id };
}

/** From the locked phone itself; pressing the button twice is one dispute. */
export async function openFromPhone(
  tx: Tx,
  deps: LockingDeps,
  given: { deviceId: string; text: string },
): Promise<void> {
  const agreement = await agreements.ofDevice(tx, { device_id: given.deviceId });
  if (agreement?.state !== 'active') return;
  const { agreement_id: agreementId } = agreement;
  await open(tx, deps, SYSTEM(tx.orgId ?? 0), { agreementId, ...given, channel: 'phone' });
}

/**
 * Closes a dispute with its outcome; the ladder goes on by the gate from the level in force.
 * @throws KistError NOT_FOUND, FORBIDDEN, FEATURE_NOT_ALLOWED, STATE_CONFLICT (closed already)
 */
export async function closeDispute(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  given: { disputeId: string; outcome: string },
): Promise<{ dispute_id: string }> {
  const found = await findDispute(tx, given.disputeId);
  if (!found) throw new KistError('NOT_FOUND');
  await customers.authorize(tx, actor, { customer_id: found.customerId });
  assertMayCloseDispute(actor);
  // The agreement first, as everywhere; then the dispute, read again under its lock.
  await agreements.ofCustomerToChange(tx, { customer_id: found.customerId });
  if ((await findDispute(tx, given.disputeId, true))?.closedAt) throw new KistError('STATE_CONFLICT');
  await markDisputeClosed(tx, found.disputeId, actor.userId, given.outcome);
  const data = { dispute_id: found.disputeId };
  await audit.append(tx, { kind: 'agreement', id: found.agreementId, actor, action: 'dispute_closed', data });
  await factsChanged(tx, deps, [found.deviceId]);
  return data;
}
