import { type EnrolReply, type EnrolRequest, type Grade, type ProvisioningQr, tokenName } from '@kist/contract/agent';
import { provisioningName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import { SYSTEM_USER_ID } from '#server/identity/identity.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId, newToken } from '#server/platform/ids.ts';
import {
  bearersElsewhere,
  enrolmentOf,
  hashOf,
  insertEvent,
  insertToken,
  lockToken,
  replaceEnrolment,
  reservation,
  reserve,
  tokensNamed,
  useToken,
} from './enrolment-store.ts';
import { isAdvisory, isSamePhone } from './rules.ts';
import { type DeviceRow, findDevice } from './store.ts';

/** What became of an enrolment, for the slices that act on it in the same transaction. */
export interface Enrolled {
  deviceId: string;
  customerId: string;
  enrolmentId: string;
  provisioningType: number;
  /** False: the same phone again, after it was erased. */
  isFirst: boolean;
  /** The level last reported by the live enrolment that this one took the place of; null when there was none. */
  replacedLevel: number | null;
  /** False: another vendor's channel is, and nothing follows from this one. */
  inCharge: boolean;
  at: Date;
  /** Who made the token. */
  createdBy: string;
}
export type OnEnrolled = (tx: Tx, enrolled: Enrolled) => Promise<void>;

/** A phone that bears the numbers of this device is being set up as another one. */
export type OnElsewhere = (tx: Tx, deviceId: string) => Promise<void>;

/** A phone that proved its key, as commands/adapter.ts has it. */
export interface ProvenClaim {
  orgId: number;
  vendor: string;
  spki: Buffer;
  /** How far its key is vouched for. Who has no token is not looked at so closely. */
  grade: () => Grade;
  body: EnrolRequest;
  /** What to refuse it with once the token is known to exist: who has none is told nothing. */
  stale: KistError | undefined;
}

/** What the phone's camera reads of a token, as its vendor writes it. */
export type OfferOf = (token: string, orgId: number) => ProvisioningQr;

export interface IssuedToken {
  token: string;
  expiresAt: Date;
  qr: ProvisioningQr;
}

const SYSTEM_AUDIT: AuditActor = { userId: SYSTEM_USER_ID, userType: 'system' };

/** `<organisation, base 36>.<256 random bits>`: tells where to look, nothing else. Only its hash is stored. */
export async function issueToken(
  tx: Tx,
  phone: { deviceId: string; customerId: string; createdBy: string },
  offerOf: OfferOf,
): Promise<IssuedToken> {
  if (tx.orgId === undefined) throw new TypeError('a token belongs to an organisation');
  const token = `${tx.orgId.toString(36)}.${newToken()}`;
  const expiresAt = await insertToken(tx, {
    ...phone,
    hash: hashOf(token),
    nameHash: hashOf(tokenName(token)),
    ttlS: LIMITS.enrolmentTokenTtlS,
  });
  return { token, expiresAt, qr: offerOf(token, tx.orgId) };
}

/** Whether there may be a token of each of these names, in their order: what is asked of it, and whether it is good, says its hash alone. */
export async function areTokenNames(
  { devicePool }: Pick<Database, 'devicePool'>,
  asked: readonly { orgId: number; name: string }[],
): Promise<boolean[]> {
  const rows = await tokensNamed.all(devicePool, {
    org_ids: asked.map(({ orgId }) => orgId),
    name_hashes: asked.map(({ name }) => hashOf(name)),
  });
  const found = new Set(rows.map(({ n }) => n));
  return asked.map((_one, at) => found.has(at + 1));
}

/**
 * Takes a phone in that has proved its key. A phone whose answer was lost may ask again with the same token and key and is told the same.
 * @throws KistError AGENT_UNKNOWN (no such token), ENROLMENT_TOKEN_USED, ENROLMENT_TOKEN_EXPIRED,
 * ENROLMENT_PHONE_MISMATCH (another IMEI, serial or agent than the agreement's, or another phone's key), STATE_CONFLICT (the phone was released)
 */
export async function enrol(
  db: Pick<Database, 'transaction'>,
  onEnrolled: OnEnrolled,
  onElsewhere: OnElsewhere,
  claim: ProvenClaim,
): Promise<Omit<EnrolReply, 'keyid' | 'server_key_spki' | 'server_key_id'> & { enrolmentId: string }> {
  const tell = (tx: Tx) => tellElsewhere(tx, claim, onElsewhere);
  try {
    return await db.transaction(claim.orgId, async (tx) => {
      const { enrolmentId, deviceId, isStrong, at } = await enrolInside(tx, claim, onEnrolled);
      await tell(tx);
      return {
        enrolmentId,
        device_id: deviceId,
        server_time: at.toISOString(),
        lock_strength: isStrong ? 'enforced' : 'advisory',
      };
    });
  } catch (error) {
    // What was refused left no trace; that it was tried is told all the same.
    if (error instanceof KistError && error.code === 'ENROLMENT_PHONE_MISMATCH')
      await db.transaction(claim.orgId, tell);
    throw error;
  }
}

/** Tells of each other enrolled device of the organisation whose number the phone at hand bears. */
async function tellElsewhere(tx: Tx, { body }: ProvenClaim, onElsewhere: OnElsewhere): Promise<void> {
  if (body.imei.length === 0) return;
  const others = await bearersElsewhere.all(tx, { imeis: body.imei, token_hash: hashOf(body.token) });
  for (const { device_id } of others) await onElsewhere(tx, device_id);
}

async function enrolInside(tx: Tx, { vendor, spki, grade, body, stale }: ProvenClaim, onEnrolled: OnEnrolled) {
  const tokenHash = hashOf(body.token);
  const token = await lockToken.first(tx, { token_hash: tokenHash });
  const device = token && (await findDevice(tx, token.device_id, true));
  if (!token || !device) throw new KistError('AGENT_UNKNOWN');
  if (stale) throw stale;
  const { device_id: deviceId, customer_id: customerId, created_by: createdBy } = token;
  const isStrong = !isAdvisory(device.provisioningType) && body.is_owner !== false;
  if (token.is_used) {
    const made = await enrolmentOf.first(tx, { device_id: deviceId, token_hash: tokenHash, spki });
    if (made && device.enrolledAt)
      return { enrolmentId: made.enrolment_id, deviceId, isStrong: isStrong && made.in_charge, at: device.enrolledAt };
    throw new KistError('ENROLMENT_TOKEN_USED');
  }
  if (token.is_expired) throw new KistError('ENROLMENT_TOKEN_EXPIRED');
  if (device.releasedAt) throw new KistError('STATE_CONFLICT');
  if (!isSamePhone(provisioningName(device.provisioningType), device, body))
    throw new KistError('ENROLMENT_PHONE_MISMATCH');

  await useToken.run(tx, { token_hash: tokenHash });
  const { agent, agent_version, is_owner, android_api, brand, model, imei, serial } = body;
  const enrolled = await begin(tx, {
    token: { deviceId, customerId, createdBy, hash: tokenHash },
    device,
    by: { vendor, handle: null, spki, grade: grade() },
    isStrong,
    facts: { agent, agent_version, is_owner, android_api, brand, model, imei_read: imei.length },
    serial: serial === '' ? null : serial,
    bootCount: body.boot_count,
    elapsedMs: body.elapsed_ms,
  });
  if (enrolled.inCharge) await onEnrolled(tx, enrolled);
  return { enrolmentId: enrolled.enrolmentId, deviceId, isStrong: isStrong && enrolled.inCharge, at: enrolled.at };
}

interface Beginning {
  token: { deviceId: string; customerId: string; createdBy: string; hash: Buffer };
  device: DeviceRow;
  /** What the channel is known by: a key of the phone's own, or a vendor's name of it. */
  by: { vendor: string; handle: string | null; spki: Buffer | null; grade: Grade };
  isStrong: boolean;
  facts: Record<string, unknown>;
  serial: string | null;
  bootCount: number;
  elapsedMs: number;
}

/** Binds the phone to what it is known by, with its entry in the phone's history and in the audit log. */
async function begin(tx: Tx, { token, device, by, ...begin }: Beginning): Promise<Enrolled> {
  const { deviceId, customerId, createdBy, hash: tokenHash } = token;
  const { grade } = by;
  const enrolmentId = newId();
  const begun = await replaceEnrolment(tx, { enrolmentId, deviceId, tokenHash, ...by, ...begin });
  if (!begun) throw new KistError('ENROLMENT_PHONE_MISMATCH', { internal: 'the key is another phone’s' });
  const isFirst = device.enrolledAt === null;
  const kind = begun.inCharge ? (isFirst ? 'enrolled' : 'enrolled_again') : 'channel_beside';
  await insertEvent(tx, { eventId: newId(), deviceId, kind, data: { grade } });
  await audit.append(tx, {
    kind: 'device',
    id: deviceId,
    actor: SYSTEM_AUDIT,
    action: `device_${kind}`,
    data: { enrolment_id: enrolmentId, customer_id: customerId, grade },
  });
  const { provisioningType } = device;
  return { deviceId, customerId, enrolmentId, provisioningType, isFirst, ...begun, createdBy };
}

/** A vendor keeps a phone for us until it is switched on: as long as a boxed phone may lie on a counter. */
const RESERVED_TTL_S = 60 * 24 * 3600;

/**
 * The vendor was asked for this phone and calls it `handle`; the channel begins when it says that the phone was switched on.
 * @throws KistError NOT_FOUND, STATE_CONFLICT (nobody's phone, or one that was let go)
 */
export async function reserveAt(
  tx: Tx,
  actor: AuditActor,
  phone: { deviceId: string; vendor: string; handle: string },
): Promise<void> {
  const device = await findDevice(tx, phone.deviceId, true);
  if (!device) throw new KistError('NOT_FOUND');
  if (!device.customerId || device.releasedAt) throw new KistError('STATE_CONFLICT');
  await reserve.run(tx, {
    token_hash: hashOf(newToken()),
    customer_id: device.customerId,
    device_id: device.deviceId,
    created_by: actor.userId,
    vendor: phone.vendor,
    handle: phone.handle,
    ttl_s: RESERVED_TTL_S,
  });
  await audit.append(tx, {
    kind: 'device',
    id: phone.deviceId,
    actor,
    action: 'phone_reserved',
    data: { vendor: phone.vendor },
  });
}

/** A phone that was reserved was switched on. @returns false when nobody waits for this name. @throws KistError STATE_CONFLICT (let go meanwhile) */
export async function enrolReserved(
  tx: Tx,
  onEnrolled: OnEnrolled,
  { vendor, handle }: { vendor: string; handle: string },
): Promise<boolean> {
  const waiting = await reservation.first(tx, { vendor, handle });
  const device = waiting && (await findDevice(tx, waiting.device_id, true));
  if (!waiting || !device) return false;
  if (device.releasedAt) throw new KistError('STATE_CONFLICT');
  await useToken.run(tx, { token_hash: waiting.token_hash });
  const enrolled = await begin(tx, {
    token: {
      deviceId: device.deviceId,
      customerId: waiting.customer_id,
      createdBy: waiting.created_by,
      hash: waiting.token_hash,
    },
    device,
    by: { vendor, handle, spki: null, grade: 'none' },
    isStrong: !isAdvisory(device.provisioningType),
    facts: { vendor },
    serial: null,
    bootCount: 0,
    elapsedMs: 0,
  });
  if (enrolled.inCharge) await onEnrolled(tx, enrolled);
  return true;
}
