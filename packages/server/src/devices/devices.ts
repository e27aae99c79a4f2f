import { NEEDS } from '@kist/contract/access';
import { LOCK_STATUS, PROVISIONING_NAMES, planName, provisioningName } from '@kist/contract/codes';
import type { DeviceView, LockView } from '@kist/contract/customers';
import { KistError } from '@kist/contract/errors';
import { type AllowedFeatures, type FeatureCell, featuresFor, statusInMatrix } from '@kist/contract/features';
import { isOrdered } from '@kist/contract/offered';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { setDesired } from './desired.ts';
import { type IssuedToken, type OfferOf, issueToken } from './enrolment.ts';
import { endEnrolment, endOne, hasLiveEnrolment, insertEvent } from './enrolment-store.ts';
import { FREE_POLICY, ONLINE_WITHIN_S, type PhoneIds, isAdvisory, lockView } from './rules.ts';
import {
  type CellRow,
  type DeviceRow,
  type ViewRow,
  findCells,
  findDevice,
  findDeviceOfCustomer,
  findLockFacts,
  findView,
  insertDevice,
  lockDesired,
  markReleased,
  modelOf,
} from './store.ts';

export interface PhoneFacts {
  imei1?: string | null;
  imei2?: string | null;
  serial?: string | null;
  brand: string;
  model: string;
  provisioningType: number;
}

const INSTALLED = 1;

const ids = ({ imei1, imei2, serial }: PhoneFacts): PhoneIds => ({
  imei1: imei1 || null,
  imei2: imei2 || null,
  serial: serial || null,
});

/** What phones whose IMEI begins with these eight digits were registered as before; undefined when there was none. @throws KistError FEATURE_NOT_ALLOWED */
export function phoneModel(tx: Tx, actor: Actor, { tac }: { tac: string }) {
  identity.requires(actor, NEEDS.activate);
  // Digits sort as text: the next number of eight digits ends them.
  return modelOf.first(tx, { from: tac, below: String(Number(tac) + 1).padStart(tac.length, '0') });
}

/**
 * Registers a phone, free and not enrolled.
 * @throws KistError DUPLICATE_IMEI when a phone in use has one of its numbers
 */
export async function create(tx: Tx, actor: Actor, phone: PhoneFacts & { customerId: string | null }): Promise<string> {
  const deviceId = newId();
  const { customerId, provisioningType, brand, model } = phone;
  const row = { deviceId, customerId, provisioningType, brand, model, ...ids(phone) };
  if (!(await insertDevice(tx, row, FREE_POLICY, !isAdvisory(provisioningType)))) throw new KistError('DUPLICATE_IMEI');
  await audit.append(tx, {
    kind: 'device',
    id: deviceId,
    actor,
    action: 'device_registered',
    data: { customer_id: customerId, provisioning_type: provisioningType },
  });
  return deviceId;
}

/** @param lock queue up with other changes of this phone. @throws KistError NOT_FOUND */
export async function get(tx: Tx, deviceId: string, lock = false): Promise<DeviceRow> {
  const device = await findDevice(tx, deviceId, lock);
  if (!device) throw new KistError('NOT_FOUND');
  return device;
}

/** The customer's phone in use, else the last one released. Undefined when there never was one. */
export const deviceOfCustomer = (tx: Tx, customerId: string): Promise<DeviceRow | undefined> =>
  findDeviceOfCustomer(tx, customerId);

/** Whether phones of a type run our agent, which a code brings onto them. */
export const hasAgent = (provisioningType: number): boolean => {
  const name = provisioningName(provisioningType);
  return name === 'DPC' || name === 'LINKFL';
};

/**
 * Whether this phone is set up for its customer now. What was uninstalled, or begins anew after that (statuses 3 and 0), is not, though the row still
 * knows when it was enrolled first.
 */
export const isSetUp = async (tx: Tx, device: DeviceRow, customerStatus: number): Promise<boolean> =>
  customerStatus === INSTALLED &&
  device.enrolledAt !== null &&
  device.releasedAt === null &&
  (await hasLiveEnrolment(tx, device.deviceId));

/**
 * A fresh one-time code for the phone; the one before it dies.
 * The enrolment that stands is not touched: it ends when the phone sets itself up with this code.
 * @throws KistError NOT_FOUND, STATE_CONFLICT (no customer, released, or a type without agent)
 */
export async function freshToken(tx: Tx, actor: Actor, deviceId: string, offerOf: OfferOf): Promise<IssuedToken> {
  identity.requires(actor, NEEDS.activate);
  const device = await get(tx, deviceId, true);
  if (!device.customerId || device.releasedAt || !hasAgent(device.provisioningType))
    throw new KistError('STATE_CONFLICT');
  const issued = await issueToken(tx, { deviceId, customerId: device.customerId, createdBy: actor.userId }, offerOf);
  await audit.append(tx, {
    kind: 'device',
    id: deviceId,
    actor,
    action: 'enrolment_token_issued',
    data: { expires_at: issued.expiresAt.toISOString() },
  });
  return issued;
}

/**
 * Lets a phone go for good: every restriction off in one new revision, its numbers free for another agreement. The enrolment lives on
 * until the phone has fetched that revision; `forget` ends it.
 */
export async function release(tx: Tx, actor: Actor, deviceId: string): Promise<{ revision: number }> {
  const { lock, toggles, wallpaper_text: wallpaperText } = FREE_POLICY;
  const desired = await setDesired(tx, deviceId, { lock, toggles, wallpaperText, released: true });
  await markReleased(tx, deviceId);
  await insertEvent(tx, { eventId: newId(), deviceId, kind: 'released', data: { revision: desired.revision } });
  await audit.append(tx, {
    kind: 'device',
    id: deviceId,
    actor,
    action: 'device_released',
    data: { revision: desired.revision },
  });
  return desired;
}

/** A vendor knows the phone no more: this channel of it is over. @returns false when it was over already */
export async function endChannel(
  tx: Tx,
  actor: Actor,
  { enrolmentId, deviceId, why }: { enrolmentId: string; deviceId: string; why: string },
): Promise<boolean> {
  if ((await endOne.run(tx, { enrolment_id: enrolmentId })) === 0) return false;
  await insertEvent(tx, { eventId: newId(), deviceId, kind: 'channel_gone', data: {} });
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'channel_gone', data: { why } });
  return true;
}

/** Ends the enrolment: the phone's key opens nothing from now on. */
export async function forget(tx: Tx, actor: Actor, deviceId: string): Promise<void> {
  await endEnrolment(tx, deviceId);
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'enrolment_ended', data: {} });
}

/**
 * Takes the desired rows of these phones for this transaction, in a fixed order. Whoever decides a lock or an unlock from other facts
 * takes the row first and reads the facts then, so a payment that commits meanwhile is seen and its unlock never overwritten.
 */
export const takeDesired = (tx: Tx, deviceIds: readonly string[]): Promise<void> => lockDesired(tx, deviceIds);

/** @throws KistError NOT_FOUND */
export async function view(
  tx: Tx,
  deviceId: string,
  allowed: AllowedFeatures = {},
): Promise<{ device: DeviceView; lock: LockView }> {
  const row = await findView(tx, deviceId);
  if (!row) throw new KistError('NOT_FOUND');
  const lock = lockView(row);
  return { device: deviceView(row, lock, allowed), lock };
}

/** Where these phones stand in the feature matrix; a phone without row is absent. */
export async function featureCells(tx: Tx, deviceIds: readonly string[]): Promise<Map<string, FeatureCell>> {
  const rows = await findCells(tx, deviceIds);
  return new Map(rows.map((row) => [row.deviceId, cellOf(row, lockView(row))]));
}

/** Where the phone stands in the feature matrix. @throws KistError NOT_FOUND */
export async function featureCell(tx: Tx, deviceId: string): Promise<FeatureCell> {
  const found = (await featureCells(tx, [deviceId])).get(deviceId);
  if (!found) throw new KistError('NOT_FOUND');
  return found;
}

/** Lock state of many phones at once; a phone without row is absent. */
export async function lockViews(tx: Tx, deviceIds: readonly string[]): Promise<Map<string, LockView>> {
  const rows = await findLockFacts(tx, deviceIds);
  return new Map(rows.map((row) => [row.deviceId, lockView(row)]));
}

const cellOf = (row: CellRow, lock: LockView): FeatureCell => ({
  provisioning: provisioningName(row.provisioningType) ?? PROVISIONING_NAMES[0]!,
  lockState: lock.lock_status === LOCK_STATUS.locked ? 'locked' : 'unlocked',
  // A phone of nobody is offered nothing.
  status: statusInMatrix(row.customerStatus ?? 0, row.agreementState),
  plan: planName(row.planType ?? 0) ?? 'DPC',
});

/** Of a phone that was never set up, or is its owner's again: there is nobody to order it of. */
const NOTHING: ReturnType<typeof featuresFor> = { toggles: [], actions: [] };

/** `features`: what can be ordered of it now. */
function deviceView(row: ViewRow, lock: LockView, allowed: AllowedFeatures): DeviceView {
  const cell = cellOf(row, lock);
  const features = row.enrolledAt && !row.releasedAt ? featuresFor(cell, allowed[cell.provisioning]) : NOTHING;
  return {
    device_id: row.deviceId,
    provisioning_type: row.provisioningType,
    brand: row.brand,
    model: row.model,
    imei1: row.imei1,
    imei2: row.imei2,
    serial: row.serial,
    enrolled_at: iso(row.enrolledAt),
    released_at: iso(row.releasedAt),
    is_online: row.lastSeenAt !== null && row.now.getTime() - row.lastSeenAt.getTime() <= ONLINE_WITHIN_S * 1000,
    last_seen_at: iso(row.lastSeenAt),
    battery: row.battery,
    agent_version: row.agentVersion,
    grade: row.grade,
    sims: row.sims.map(({ slot, operator, iccid }) => ({ slot, operator, iccid_tail: iccid.slice(-4) })),
    location: row.location,
    desired_revision: row.desiredRevision,
    reported_revision: row.reportedRevision,
    toggles: row.toggles,
    features: { toggles: features.toggles.filter(isOrdered), actions: features.actions.filter(isOrdered) },
  };
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export { MAX_LEAP, revisionToTake } from './rules.ts';
export { createMany, type NewPhone, numbersInUse } from './many.ts';
export { forgetEvents } from './retention-store.ts';
