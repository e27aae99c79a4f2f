import type { DeviceView, LockView, SecuritySignal } from '@kist/contract/customers';
import { LIMITS } from '@kist/contract/limits';
import * as organisations from '#server/organisations/organisations.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './store.ts';

/** What guards a phone, judged by its own word and by what was proved when it was set up. */
export const signalsOf = (device: DeviceView, lock: LockView, simChangedAt: Date | null): SecuritySignal[] => [
  { signal: 'contact', is_safe: device.is_online && lock.silent_since === null, at: device.last_seen_at },
  { signal: 'agent', is_safe: lock.strength === 'enforced', at: device.enrolled_at },
  // The number alone makes nothing applied: a phone may name it and do otherwise.
  {
    signal: 'orders',
    is_safe: device.reported_revision >= device.desired_revision && lock.pending === null,
    at: lock.confirmed_at,
  },
  { signal: 'sim', is_safe: simChangedAt === null, at: simChangedAt?.toISOString() ?? null },
];

/** @returns null where the organisation's anti-hacking layout shows none, or of a phone that is not under lock (not set up yet, or released) */
export async function securityOf(
  tx: Tx,
  seen: { device: DeviceView; lock: LockView } | null,
): Promise<SecuritySignal[] | null> {
  if (!seen?.device.enrolled_at || seen.device.released_at || !(await organisations.asksForSecuritySteps(tx)))
    return null;
  const { at } = await store.simChangedAt.one(tx, { device_id: seen.device.device_id, days: LIMITS.simChangedDays });
  return signalsOf(seen.device, seen.lock, at);
}
