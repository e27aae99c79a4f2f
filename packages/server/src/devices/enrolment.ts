import type { EnrolReply, EnrolRequest, Grade, ProvisioningQr } from '@kist/contract/agent';
import { provisioningName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import { SYSTEM_USER_ID } from '#server/identity/identity.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId, newToken } from '#server/platform/ids.ts';
import {
  findEnrolmentOf,
  hashOf,
  insertEvent,
  insertToken,
  lockToken,
  replaceEnrolment,
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
  at: Date;
  /** Who made the token. */
  createdBy: string;
}
export type OnEnrolled = (tx: Tx, enrolled: Enrolled) => Promise<void>;

/** A phone that proved its key, as commands/adapter.ts has it. */
export interface ProvenClaim {
  orgId: number;
  spki: Buffer;
  /** How far its key is vouched for. */
  grade: Grade;
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
  const expiresAt = await insertToken(tx, { ...phone, hash: hashOf(token), ttlS: LIMITS.enrolmentTokenTtlS });
  return { token, expiresAt, qr: offerOf(token, tx.orgId) };
}

/**
 * Takes a phone in that has proved its key. A phone whose answer was lost may ask again with the same token and key and is told the same.
 * @throws KistError AGENT_UNKNOWN (no such token), ENROLMENT_TOKEN_USED, ENROLMENT_TOKEN_EXPIRED,
 * ENROLMENT_PHONE_MISMATCH (another IMEI, serial or agent than the agreement's, or another phone's key), STATE_CONFLICT (the phone was released)
 */
export async function enrol(
  db: Pick<Database, 'transaction'>,
  onEnrolled: OnEnrolled,
  claim: ProvenClaim,
): Promise<Omit<EnrolReply, 'server_key_spki' | 'server_key_id'>> {
  return db.transaction(claim.orgId, async (tx) => {
    const { enrolmentId, deviceId, isStrong, at } = await enrolInside(tx, claim, onEnrolled);
    return {
      keyid: `${claim.orgId}.${enrolmentId}`,
      device_id: deviceId,
      server_time: at.toISOString(),
      lock_strength: isStrong ? 'enforced' : 'advisory',
    };
  });
}

async function enrolInside(tx: Tx, { spki, grade, body, stale }: ProvenClaim, onEnrolled: OnEnrolled) {
  const tokenHash = hashOf(body.token);
  const token = await lockToken(tx, tokenHash);
  const device = token && (await findDevice(tx, token.deviceId, true));
  if (!token || !device) throw new KistError('AGENT_UNKNOWN');
  if (stale) throw stale;
  const { deviceId } = token;
  const isStrong = !isAdvisory(device.provisioningType);
  if (token.isUsed) {
    const enrolmentId = await findEnrolmentOf(tx, deviceId, tokenHash, spki);
    if (enrolmentId && device.enrolledAt) return { enrolmentId, deviceId, isStrong, at: device.enrolledAt };
    throw new KistError('ENROLMENT_TOKEN_USED');
  }
  if (token.isExpired) throw new KistError('ENROLMENT_TOKEN_EXPIRED');
  if (device.releasedAt) throw new KistError('STATE_CONFLICT');
  if (!isSamePhone(provisioningName(device.provisioningType), device, body))
    throw new KistError('ENROLMENT_PHONE_MISMATCH');

  await useToken(tx, tokenHash);
  const enrolled = await begin(tx, { token, device, spki, grade, tokenHash, isStrong, body });
  await onEnrolled(tx, enrolled);
  return { enrolmentId: enrolled.enrolmentId, deviceId, isStrong, at: enrolled.at };
}

interface Beginning {
  token: NonNullable<Awaited<ReturnType<typeof lockToken>>>;
  device: DeviceRow;
  spki: Buffer;
  grade: Grade;
  tokenHash: Buffer;
  isStrong: boolean;
  body: EnrolRequest;
}

/** Binds the phone to the key it brought, with its entry in the phone's history and in the audit log. */
async function begin(tx: Tx, { token, device, spki, grade, tokenHash, isStrong, body }: Beginning): Promise<Enrolled> {
  const { deviceId, customerId, createdBy } = token;
  const enrolmentId = newId();
  const isFirst = device.enrolledAt === null;
  const begun = await replaceEnrolment(tx, {
    enrolmentId,
    deviceId,
    spki,
    tokenHash,
    grade,
    isStrong,
    facts: {
      agent: body.agent,
      agent_version: body.agent_version,
      brand: body.brand,
      model: body.model,
      imei_read: body.imei.length,
    },
    serial: body.serial === '' ? null : body.serial,
    bootCount: body.boot_count,
    elapsedMs: body.elapsed_ms,
  });
  if (!begun) throw new KistError('ENROLMENT_PHONE_MISMATCH', { internal: 'the key is another phone’s' });
  await insertEvent(tx, { eventId: newId(), deviceId, kind: isFirst ? 'enrolled' : 'enrolled_again', data: { grade } });
  await audit.append(tx, {
    kind: 'device',
    id: deviceId,
    actor: SYSTEM_AUDIT,
    action: isFirst ? 'device_enrolled' : 'device_enrolled_again',
    data: { enrolment_id: enrolmentId, customer_id: customerId, grade },
  });
  const { provisioningType } = device;
  return { deviceId, customerId, enrolmentId, provisioningType, isFirst, ...begun, createdBy };
}
