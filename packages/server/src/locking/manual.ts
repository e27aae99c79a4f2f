import { KistError } from '@kist/contract/errors';
import { LOCK_REASONS, type LockReason, type Verdict } from '@kist/contract/lock-policy';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import { assertCan, assertOffered, mayAsk, notOffered } from '#server/commands/offered.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { applyDecisions, recordRefusals } from './apply.ts';
import { judge, manualLevel } from './decide.ts';
import type { LockingDeps } from './deps.ts';
import { type Phone, causeOf, lookAtPhones, seizePhones, stillTheirs, takePhoneOf } from './facts.ts';
import { REPORT_KIND, unlock } from './unlocking.ts';
import { assertMayLock, assertMayPreview, assertMayUnlock } from './policy.ts';
import { releaseIfPaid } from './release.ts';
import { keepAsk, mayAgree, settleAsk, waitingFor } from './override-asks.ts';
import { insertReport } from './protection-store.ts';
import { lockNotices } from './tell.ts';

export interface Order {
  reason: LockReason;
  note?: string | undefined;
}

/** An order that is on its way to the phone. */
export interface Ordered {
  commandId: string;
  state: 'QUEUED';
  revision: number;
  verdict: Verdict;
}
/** The gate's no. It stands in the history: the transaction is to commit, the caller gets POLICY_REFUSED with the verdict. */
export interface Refused {
  refused: Verdict;
}

/** A phone in use that this person is offered the lock for, and that can be locked. @throws KistError FEATURE_NOT_OFFERED, UNSUPPORTED_ON_DEVICE, STATE_CONFLICT */
export async function mustTakeLocks(
  tx: Tx,
  actor: Actor,
  phone: { deviceId: string; enrolledAt: Date | null; releasedAt: Date | null },
): Promise<void> {
  await assertOffered(tx, actor, phone.deviceId, 'lock');
  await assertCan(tx, phone.deviceId, 'lock');
  mustBeInUse(phone);
}

/** @throws KistError STATE_CONFLICT */
function mustBeInUse({ enrolledAt, releasedAt }: { enrolledAt: Date | null; releasedAt: Date | null }): void {
  if (!enrolledAt || releasedAt) throw new KistError('STATE_CONFLICT');
}

/**
 * @param lockReason of a lock: whether this person may, and is offered it for the phone, is said before whether the phone is there to be locked
 * @throws KistError NOT_FOUND, STATE_CONFLICT (no phone, not enrolled, released); of a lock FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED, UNSUPPORTED_ON_DEVICE
 */
async function phoneOf(tx: Tx, actor: Actor, customerId: string, lockReason?: LockReason): Promise<string> {
  const customer = await customers.authorize(tx, actor, { customer_id: customerId });
  if (lockReason) assertMayLock(actor, lockReason);
  const device = await devices.deviceOfCustomer(tx, customer.customer_id);
  if (!device) throw new KistError('STATE_CONFLICT');
  if (lockReason) await mustTakeLocks(tx, actor, device);
  else mustBeInUse(device);
  return device.deviceId;
}

const only = (phones: readonly Phone[]): Phone => {
  const [phone] = phones;
  if (!phone) throw new KistError('NOT_FOUND');
  return phone;
};

/**
 * An override is the word of two: the first asks and is refused for want of a second, which waits a day; another person who agrees, or asks for the same, is
 * that second.
 */
async function askOfAnother(tx: Tx, actor: Actor, phone: Phone, reason: LockReason) {
  const ask = reason === 'ORG_OVERRIDE' ? await waitingFor(tx, phone) : undefined;
  return (await mayAgree(tx, actor, ask)) ? ask : undefined;
}

/** Section 6 before the gate: a shop asks only for what it is offered. @throws KistError FEATURE_NOT_OFFERED */
function assertLockOffered(actor: Actor, { place }: Phone): void {
  if (!mayAsk(actor, 'lock', place)) throw notOffered('lock', place.cell);
}

/**
 * What the gate would say to a lock now. Orders and keeps nothing.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED, STATE_CONFLICT (the customer has no phone)
 */
export async function previewLock(tx: Tx, actor: Actor, customerId: string, order: Order): Promise<Verdict> {
  assertMayPreview(actor, order.reason);
  const customer = await customers.authorize(tx, actor, { customer_id: customerId });
  const device = await devices.deviceOfCustomer(tx, customer.customer_id);
  if (!device) throw new KistError('STATE_CONFLICT');
  const phone = only(await lookAtPhones(tx, [device.deviceId]));
  assertLockOffered(actor, phone);
  const level = manualLevel(phone, order.reason);
  const hasSecond = (await askOfAnother(tx, actor, phone, order.reason)) !== undefined;
  return judge(phone, { reason: order.reason, level, trigger: 'manual', note: order.note, hasSecond }).verdict;
}

/**
 * The owner's word that the phone is lost or shall be held; the shop's word is kept beside it and counts for nothing.
 * @throws KistError NOT_FOUND, STATE_CONFLICT (no phone in use)
 */
export async function recordReport(
  tx: Tx,
  actor: Actor,
  customerId: string,
  report: { kind: 'theft' | 'request'; note: string },
): Promise<void> {
  const deviceId = await phoneOf(tx, actor, customerId);
  const by = actor.userType === 'customer' ? 'customer' : 'shop';
  await insertReport.run(tx, {
    report_id: newId(),
    device_id: deviceId,
    kind: report.kind,
    reported_by: by,
    actor_user_id: actor.userId,
    note: report.note,
    code_mobile: null,
    code_otp_id: null,
  });
  const data = { kind: report.kind === 'theft' ? 'theft' : 'lost', by };
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'lost_reported', data });
}

/**
 * A person asks for a lock. A customer who asks for the own phone thereby reports it.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED, STATE_CONFLICT
 */
export async function requestLock(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  customerId: string,
  { reason, note }: Order,
): Promise<Ordered | Refused> {
  const deviceId = await phoneOf(tx, actor, customerId, reason);
  const kind = REPORT_KIND[reason];
  if (actor.userType === 'customer' && kind) await recordReport(tx, actor, customerId, { kind, note: note ?? '' });
  const phone = await takePhoneOf(tx, actor, deviceId);
  // Asked again of the phone as it stands now that nobody else can change it.
  assertLockOffered(actor, phone);
  return lockTaken(tx, deps, actor, phone, { reason, note });
}

/** The lock of a phone that this transaction has taken, for who may ask for it: as the gate says, told to the customer. */
export async function lockTaken(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  phone: Phone,
  { reason, note }: Order,
): Promise<Ordered | Refused> {
  const level = manualLevel(phone, reason);
  const ask = await askOfAnother(tx, actor, phone, reason);
  const hasSecond = ask !== undefined;
  const { facts, verdict } = judge(phone, { reason, level, trigger: 'manual', note, hasSecond });
  if (!verdict.allowed) {
    await recordRefusals(tx, [{ phone, reason, verdict, facts }], { actor, note });
    if (verdict.rule === 'OVERRIDE_NEEDS_SECOND') await keepAsk(tx, actor, phone, note ?? '');
    return { refused: verdict };
  }
  if (ask) await settleAsk(tx, actor, ask, { state: 'agreed', customerId: phone.row.customerId });
  const changes = [{ cause: causeOf(reason), reason, level, verdict, facts }];
  const [applied] = await applyDecisions(tx, deps.waker, [{ phone, changes }], { actor, command: 'lock', note });
  const template = LOCK_REASONS[reason].basis === 'debt' ? {} : { template: 'held' as const };
  await deps.notices.send(tx, lockNotices([{ phone, applied: applied!, ...template }]));
  return { commandId: applied!.commandId!, state: 'QUEUED', revision: applied!.revision, verdict };
}

/**
 * A person frees a phone; the gate never stands in the way. See `lift` for what comes off.
 * @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, STATE_CONFLICT
 */
export async function requestUnlock(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  customerId: string,
  { reason, note }: Order,
): Promise<Ordered> {
  const deviceId = await phoneOf(tx, actor, customerId);
  assertMayUnlock(actor, reason);
  const [decision] = await unlock(tx, await seizePhones(tx, [deviceId]), reason, { userId: actor.userId, note });
  if (!decision) throw new KistError('NOT_FOUND');
  stillTheirs(actor, decision.phone);
  const [applied] = await applyDecisions(tx, deps.waker, [decision], { actor, command: 'unlock', note });
  await deps.notices.send(tx, lockNotices([{ phone: decision.phone, applied: applied! }]));
  const isCompleted = decision.phone.row.state === 'completed';
  const released = isCompleted ? await releaseIfPaid(tx, deps, actor, deviceId) : null;
  const revision = released ?? applied!.revision;
  return { commandId: applied!.commandId!, state: 'QUEUED', revision, verdict: decision.changes[0]!.verdict };
}
