import { NEEDS } from '@kist/contract/access';
import { type Channels, type PhoneChannel, capabilityAmong } from '@kist/contract/capabilities';
import { CUSTOMER_STATUS, LOCK_STATUS, PROVISIONING_NAMES, planName, provisioningName } from '@kist/contract/codes';
import { COMMANDS, COMMAND_TYPES } from '@kist/contract/commands';
import type { DeviceView, LockView } from '@kist/contract/customers';
import { KistError } from '@kist/contract/errors';
import {
  type AllowedFeatures,
  type Feature,
  type FeatureCell,
  featuresFor,
  statusInMatrix,
} from '@kist/contract/features';
import { isGivingBack, isOrdered } from '@kist/contract/offered';
import type { Pool } from 'pg';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as audit from '#server/audit/audit.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as anywhere from './anywhere-store.ts';
import { setDesired } from './desired.ts';
import { type IssuedToken, type OfferOf, issueToken } from './enrolment.ts';
import {
  endEnrolment,
  endOne,
  countLiveChannels,
  hasLiveEnrolment,
  insertEvent,
  isListenedTo,
  lastSeenOf,
  succeed,
} from './enrolment-store.ts';
import { devicesOfCustomer, forgetTraces } from './retention-store.ts';
import { FREE_POLICY, ONLINE_WITHIN_S, type PhoneIds, isAdvisory, lockView } from './rules.ts';
import {
  type CellRow,
  type ChannelRow,
  type DeviceRow,
  type ViewRow,
  channelsOf,
  findCells,
  findDevice,
  findDeviceOfCustomer,
  findLockFacts,
  findView,
  insertDevice,
  lockDesired,
  markReleased,
  modelOf,
  takeSilences as takeSilent,
} from './store.ts';

export interface PhoneFacts {
  imei1?: string | null;
  imei2?: string | null;
  serial?: string | null;
  brand: string;
  model: string;
  provisioningType: number;
}

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

/** Whether a phone bears a number of another. */
export const isSameNumber = (one: PhoneIds, { imei1, imei2, serial }: Partial<PhoneFacts>): boolean =>
  [imei1, imei2].some((imei) => imei && (imei === one.imei1 || imei === one.imei2)) ||
  Boolean(serial && serial === one.serial);

/** @param lock queue up with other changes of this phone. @throws KistError NOT_FOUND */
export async function get(tx: Tx, deviceId: string, lock = false): Promise<DeviceRow> {
  const device = await findDevice(tx, deviceId, lock);
  if (!device) throw new KistError('NOT_FOUND');
  return device;
}

/** When a phone last said anything; null: never. */
export const lastSeen = async (tx: Tx, deviceId: string): Promise<Date | null> =>
  (await lastSeenOf.first(tx, { device_id: deviceId }))?.last_seen_at ?? null;

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
  customerStatus === CUSTOMER_STATUS.install &&
  device.enrolledAt !== null &&
  device.releasedAt === null &&
  (await hasLiveEnrolment.one(tx, { device_id: device.deviceId })).is_live;

/** By how many channels the phone is reached. */
export const liveChannels = async (tx: Tx, deviceId: string): Promise<number> =>
  (await countLiveChannels.one(tx, { device_id: deviceId })).count;

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
  // What it was allowed to do alone ends too: it may hear this and nothing afterwards.
  const lease = { valid_until: (await now(tx)).toISOString(), reminders: [], notices: [], ladder: [], screen: null };
  const desired = await setDesired(tx, deviceId, { lock, toggles, wallpaperText, released: true, lease });
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

/** A vendor knows the phone no more: this channel of it is over, and one that stood beside it takes charge. @returns false when it was over already */
export async function endChannel(
  tx: Tx,
  actor: Actor,
  { enrolmentId, deviceId, why }: { enrolmentId: string; deviceId: string; why: string },
): Promise<boolean> {
  if ((await endOne.run(tx, { enrolment_id: enrolmentId })) === 0) return false;
  await insertEvent(tx, { eventId: newId(), deviceId, kind: 'channel_gone', data: {} });
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'channel_gone', data: { why } });
  const device = await get(tx, deviceId, true);
  const heir = await succeed(tx, deviceId, !isAdvisory(device.provisioningType));
  if (heir) await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'channel_took_charge', data: heir });
  return true;
}

/** Whoever holds a phone may say that its lock is wrong, also with the key of before it enrolled again. */
export const isHeard = async (tx: Tx, enrolmentId: string): Promise<boolean> =>
  (await isListenedTo.one(tx, { enrolment_id: enrolmentId })).is_heard;

/** Ends the enrolment: the phone's key opens nothing from now on. */
export async function forget(tx: Tx, actor: Actor, deviceId: string): Promise<void> {
  await endEnrolment.run(tx, { device_id: deviceId });
  await audit.append(tx, { kind: 'device', id: deviceId, actor, action: 'enrolment_ended', data: {} });
}

/**
 * Takes the desired rows of these phones for this transaction, in a fixed order. Whoever decides a lock or an unlock from other facts
 * takes the row first and reads the facts then, so a payment that commits meanwhile is seen and its unlock never overwritten.
 */
export const takeDesired = (tx: Tx, deviceIds: readonly string[]): Promise<void> => lockDesired(tx, deviceIds);

/** Those of these phones that are silent for longer than they may, each once a silence: it counts as told of from here on. */
export const takeSilences = async (tx: Tx, deviceIds: readonly string[]): Promise<string[]> =>
  (await takeSilent.all(tx, { device_ids: deviceIds })).map(({ device_id }) => device_id);

/** @throws KistError NOT_FOUND */
export async function view(
  tx: Tx,
  deviceId: string,
  allowed: AllowedFeatures = {},
): Promise<{ device: DeviceView; lock: LockView }> {
  const row = await findView(tx, deviceId);
  if (!row) throw new KistError('NOT_FOUND');
  const lock = lockView(row);
  return { device: deviceView(row, lock, { allowed, ways: await channels(tx, deviceId) }), lock };
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

const phoneChannel = ({ provisioningType, ...rest }: ChannelRow): PhoneChannel => ({
  provisioning: provisioningName(provisioningType) ?? PROVISIONING_NAMES[0]!,
  vendor: rest.vendor,
  grade: rest.grade,
  saysDigest: rest.saysDigest,
  agentVersion: rest.agentVersion,
  androidApi: rest.androidApi,
  isOwner: rest.isOwner,
});

/** What is known of this phone and the ways to it, by which what it can do is judged; that in charge is the first. @throws KistError NOT_FOUND */
export async function channels(tx: Tx, deviceId: string): Promise<Channels> {
  const [first, ...rest] = (await channelsOf.all(tx, { device_id: deviceId })).map(phoneChannel);
  if (!first) throw new KistError('NOT_FOUND');
  return [first, ...rest];
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

/** Of the features offered, what this very phone cannot do, and why: what takes something counts, the way back is never closed. */
function cannotOf(offered: readonly Feature[], ways: Channels): DeviceView['features']['cannot'] {
  const found: DeviceView['features']['cannot'] = {};
  for (const type of COMMAND_TYPES) {
    const { feature } = COMMANDS[type];
    if (isGivingBack(type) || !offered.includes(feature)) continue;
    const capability = capabilityAmong(type, ways);
    if (capability.strength === 'no') found[feature] = { why: capability.why, needs: capability.needs };
  }
  return found;
}

/** `features`: what can be ordered of it now, through the ways to it. */
function deviceView(
  row: ViewRow,
  lock: LockView,
  { allowed, ways }: { allowed: AllowedFeatures; ways: Channels },
): DeviceView {
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
    features: {
      toggles: features.toggles.filter(isOrdered),
      actions: features.actions.filter(isOrdered),
      cannot: cannotOf([...features.toggles, ...features.actions], ways),
    },
  };
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Whether a phone with this number stands under an agreement, or is kept for its owner, in any of these organisations. @param pool of kist_device */
export const isImeiHeld = async (pool: Pool, asked: { org_ids: number[]; imei: string }): Promise<boolean> =>
  (await anywhere.isImeiHeld.one(pool, asked)).is_held;

export { MAX_LEAP, revisionToTake } from './rules.ts';
export { documentDigestSql } from './store.ts';
export { createMany, type NewPhone, numbersInUse } from './many.ts';
/** What the phones of an erased customer said goes. */
export async function forgetTracesOf(tx: Tx, { customer_id }: { customer_id: string }): Promise<void> {
  for (const { device_id } of await devicesOfCustomer.all(tx, { customer_id }))
    await forgetTraces.run(tx, { device_id });
}

export { channelsKept, eventsKept, phonesKept } from './kept-store.ts';
export { forgetEvents } from './retention-store.ts';
