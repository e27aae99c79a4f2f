import { OWNERS_CAUSES } from '@kist/contract/agent';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import type { LockingDeps } from './deps.ts';
import { type Phone, isHeldBy, lookAtPhones } from './facts.ts';
import { endRestrictions } from './taking-store.ts';

/**
 * Lets a phone go when its agreement is completed: restrictions lifted for good, numbers free for another agreement. A phone that its owner reported
 * stolen stays held; it is let go when that lock is lifted.
 * @returns the revision that frees it; null when it is not to be let go (yet), or was before
 */
export async function releaseIfPaid(
  tx: Tx,
  deps: Pick<LockingDeps, 'waker' | 'onReleased'>,
  actor: Actor,
  deviceId: string,
): Promise<number | null> {
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (!phone || phone.row.state !== 'completed' || phone.row.releasedAt || !phone.row.agreementId) return null;
  if (phone.row.agreementDeviceId !== deviceId) return null;
  const isProtected = OWNERS_CAUSES.some((cause) => isHeldBy(phone.row, cause));
  if (isProtected) return null;
  const { revision } = await devices.release(tx, actor, deviceId);
  await endRestrictions(
    tx,
    (phone.row.restrictions ?? []).map(({ taken, cause }) => ({ device_id: deviceId, taken, cause })),
  );
  deps.waker.wake(tx, [deviceId]);
  await deps.onReleased(tx, actor, {
    agreement_id: phone.row.agreementId,
    customer_id: phone.row.customerId ?? '',
    device_id: deviceId,
  });
  return revision;
}

/** As releaseIfPaid, for phones that something was just lifted from: a paid-off one that nothing holds any more is let go, whoever lifted it. */
export async function releasePaid(
  tx: Tx,
  deps: Pick<LockingDeps, 'waker' | 'onReleased'>,
  actor: Actor,
  phones: readonly { phone: Phone }[],
): Promise<void> {
  for (const { phone } of phones)
    if (phone.row.state === 'completed') await releaseIfPaid(tx, deps, actor, phone.row.deviceId);
}
