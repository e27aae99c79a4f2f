import type { LostKind } from '@kist/contract/lost-kinds';
import type { CustomerProfile } from '@kist/contract/customers';
import { KistError } from '@kist/contract/errors';
import type { LockLevel, LockReason } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { applyDecisions } from './apply.ts';
import { freed } from './decide.ts';
import type { LockingDeps } from './deps.ts';
import { lookAtPhones, seizePhones } from './facts.ts';
import { type Ordered, type Refused, requestLock } from './manual.ts';
import { type LiftedAs, closeRequests, closeThefts, ownReports } from './protection-store.ts';
import { releaseIfPaid } from './release.ts';
import { lockNotices, tellShop } from './tell.ts';

/** The owner's two words about the own phone: what each is called in the reports, and which lock stands on it. Neither is ever a debt's. */
const WORDS: Record<LostKind, { report: 'theft' | 'request'; reason: LockReason }> = {
  theft: { report: 'theft', reason: 'THEFT_REPORTED' },
  lost: { report: 'request', reason: 'CUSTOMER_REQUEST' },
};

/** `level`: what other causes leave the phone on. */
export interface Lifted {
  revision: number;
  level: LockLevel;
}

/** The owner's phone. Only the owner's: whoever sells it cannot speak for who lost it. @throws KistError FORBIDDEN, NOT_FOUND, STATE_CONFLICT (no phone) */
async function ownPhone(tx: Tx, actor: Actor, customerId: string): Promise<string> {
  if (actor.userType !== 'customer') throw new KistError('FORBIDDEN');
  const customer = await customers.authorize(tx, actor, { customer_id: customerId });
  const device = await devices.deviceOfCustomer(tx, customer.customer_id);
  if (!device) throw new KistError('STATE_CONFLICT');
  return device.deviceId;
}

export const isOpen = async (tx: Tx, deviceId: string, kind: LostKind): Promise<boolean> =>
  (await ownReports.all(tx, { device_id: deviceId })).some((one) => one.kind === WORDS[kind].report);

/**
 * The owner says that the phone was stolen, or is lost: it is held at once, shown as lost, and can be found. The shop hears of it.
 * @throws KistError FORBIDDEN (not the owner), NOT_FOUND, STATE_CONFLICT (no phone in use, or said already)
 */
export async function reportLost(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  given: { customerId: string; kind: LostKind; note: string },
): Promise<Ordered | Refused> {
  const deviceId = await ownPhone(tx, actor, given.customerId);
  // Two presses at once are one report: the second waits here and sees the first.
  await seizePhones(tx, [deviceId]);
  if (await isOpen(tx, deviceId, given.kind)) throw new KistError('STATE_CONFLICT');
  const { reason } = WORDS[given.kind];
  const ordered = await requestLock(tx, deps, actor, given.customerId, { reason, note: given.note });
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (phone) await tellShop(tx, [{ phone, kind: 'lost_reported', data: { kind: given.kind } }], 'same');
  return ordered;
}

/**
 * The owner takes such a word back: what stood on it goes, and nothing else. A phone that is held for a debt stays held for it.
 * @returns the level that other causes leave it on
 * @throws KistError FORBIDDEN (not the owner), NOT_FOUND, STATE_CONFLICT (nothing of that kind was said)
 */
export async function withdrawLost(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  given: { customerId: string; kind: LostKind },
): Promise<Lifted> {
  const deviceId = await ownPhone(tx, actor, given.customerId);
  await seizePhones(tx, [deviceId]);
  if (!(await isOpen(tx, deviceId, given.kind))) throw new KistError('STATE_CONFLICT');
  const { reason, report } = WORDS[given.kind];
  if (report === 'theft') await closeTheft(tx, actor, deviceId, { as: 'customer' });
  else await closeRequests.run(tx, { device_ids: [deviceId] });
  return lift(tx, deps, actor, deviceId, { kind: given.kind, reason });
}

/** What stood on a word that was taken back goes, and nothing else. */
export async function lift(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  deviceId: string,
  { kind, reason }: { kind: LostKind; reason: LockReason },
): Promise<Lifted> {
  const [phone] = await lookAtPhones(tx, [deviceId]);
  if (!phone) throw new KistError('STATE_CONFLICT');
  const decision = { phone, changes: [freed(phone, reason, 'manual')] };
  const [applied] = await applyDecisions(tx, deps.waker, [decision], { actor });
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'lost_withdrawn', data: { kind } });
  await deps.notices.send(tx, lockNotices([{ phone, applied: applied! }]));
  const isCompleted = phone.row.state === 'completed';
  const released = isCompleted ? await releaseIfPaid(tx, deps, actor, deviceId) : null;
  return { revision: released ?? applied!.revision, level: applied!.to };
}

/** The end of a word of theft, with in whose part it was said, for the history and the night. */
export async function closeTheft(
  tx: Tx,
  actor: Actor,
  deviceId: string,
  { as, reason = '', otpId = null }: { as: LiftedAs; reason?: string; otpId?: string | null },
): Promise<void> {
  const closed_by = actor.userId;
  await closeThefts.run(tx, { device_id: deviceId, closed_as: as, closed_by, reason, closed_otp_id: otpId });
  // The reason stands with the report alone, whose words go when the customer is erased: this line stays for good.
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'theft_lifted', data: { as } });
}

/** What its owner says of a phone now. */
export async function lostReports(tx: Tx, deviceId: string): Promise<CustomerProfile['lost_reports']> {
  const rows = await ownReports.all(tx, { device_id: deviceId });
  return rows.map(({ kind, reported_at, reported_by }) => ({
    kind: kind === 'theft' ? 'theft' : 'lost',
    at: reported_at.toISOString(),
    by: reported_by,
  }));
}
