import type { z } from 'zod';
import type { EnrolRequest, ProvisioningQr, enrolReplySchema } from '@kist/contract/agent';
import { provisioningName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { INT4_MAX, LIMITS } from '@kist/contract/limits';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import { SYSTEM_USER_ID } from '#server/identity/identity.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId, newToken } from '#server/platform/ids.ts';
import { gradeOf } from './attestation.ts';
import { type Claim, verifyClaim } from './agent-signature.ts';
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
import { type ServerKey, publicKeyFrom } from './server-key.ts';
import { type DeviceRow, findDevice } from './store.ts';

export type EnrolReply = z.infer<typeof enrolReplySchema>;

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

/** What a factory-fresh phone needs to fetch and trust the agent. */
export interface AgentProgram {
  /** Where phones reach this server, e.g. https://kist.example. */
  serverUrl: string;
  component: string;
  packageUrl: string;
  /** URL-safe base64 SHA-256 of the signing certificate: stays the same over updates. */
  signatureChecksum: string;
}

export interface IssuedToken {
  token: string;
  expiresAt: Date;
  qr: ProvisioningQr;
}

const SYSTEM_AUDIT: AuditActor = { userId: SYSTEM_USER_ID, userType: 'system' };
const TOKEN = /^([0-9a-z]{1,6})\.([A-Za-z0-9_-]{43})$/;

/** `<organisation, base 36>.<256 random bits>`: tells where to look, nothing else. Only its hash is stored. */
export async function issueToken(
  tx: Tx,
  phone: { deviceId: string; customerId: string; createdBy: string },
  key: ServerKey,
  program: AgentProgram,
): Promise<IssuedToken> {
  if (tx.orgId === undefined) throw new TypeError('a token belongs to an organisation');
  const token = `${tx.orgId.toString(36)}.${newToken()}`;
  const expiresAt = await insertToken(tx, { ...phone, hash: hashOf(token), ttlS: LIMITS.enrolmentTokenTtlS });
  return { token, expiresAt, qr: provisioningQr(token, tx.orgId, key, program) };
}

/** What the phone's camera reads: where the agent is, and what it needs to enrol. */
export function provisioningQr(token: string, orgId: number, key: ServerKey, program: AgentProgram): ProvisioningQr {
  return {
    'android.app.extra.PROVISIONING_DEVICE_ADMIN_COMPONENT_NAME': program.component,
    'android.app.extra.PROVISIONING_DEVICE_ADMIN_PACKAGE_DOWNLOAD_LOCATION': program.packageUrl,
    'android.app.extra.PROVISIONING_DEVICE_ADMIN_SIGNATURE_CHECKSUM': program.signatureChecksum,
    'android.app.extra.PROVISIONING_LEAVE_ALL_SYSTEM_APPS_ENABLED': true,
    'android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE': {
      'kist.server': program.serverUrl,
      'kist.token': token,
      'kist.key_id': key.keyId,
      'kist.org': String(orgId),
    },
  };
}

/**
 * Takes a phone in. The request is signed with the key it brings, so whoever holds the token also holds that key. A phone whose answer
 * was lost may ask again with the same token and key and is told the same.
 * @param stale what to refuse it with once the token is known to exist: who has none is told nothing
 * @throws KistError AGENT_SIGNATURE_INVALID, AGENT_UNKNOWN (no such token), ENROLMENT_TOKEN_USED, ENROLMENT_TOKEN_EXPIRED,
 * ENROLMENT_PHONE_MISMATCH (another IMEI, serial or agent than the agreement's, or another phone's key), STATE_CONFLICT (the phone was released)
 */
export async function enrol(
  db: Pick<Database, 'transaction'>,
  key: ServerKey,
  onEnrolled: OnEnrolled,
  claim: Claim,
  body: EnrolRequest,
  stale: KistError | undefined,
): Promise<EnrolReply> {
  const spki = Buffer.from(body.public_key_spki, 'base64url');
  const publicKey = publicKeyFrom(spki);
  if (!publicKey) throw new KistError('AGENT_SIGNATURE_INVALID', { internal: 'not a P-256 key' });
  if (claim.keyid !== body.token.slice(0, 16))
    throw new KistError('AGENT_SIGNATURE_INVALID', { internal: 'keyid is not the token' });
  verifyClaim(claim, publicKey);
  const orgId = Number.parseInt(TOKEN.exec(body.token)?.[1] ?? '', 36);
  if (!(orgId > 0 && orgId <= INT4_MAX)) throw new KistError('AGENT_UNKNOWN');

  return db.transaction(orgId, async (tx) => {
    const { enrolmentId, deviceId, isStrong, at } = await enrolInside(tx, spki, body, onEnrolled, stale);
    return {
      keyid: `${orgId}.${enrolmentId}`,
      device_id: deviceId,
      server_time: at.toISOString(),
      server_key_spki: key.spki,
      server_key_id: key.keyId,
      lock_strength: isStrong ? 'enforced' : 'advisory',
    };
  });
}

async function enrolInside(
  tx: Tx,
  spki: Buffer,
  body: EnrolRequest,
  onEnrolled: OnEnrolled,
  stale: KistError | undefined,
) {
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
  const enrolled = await begin(tx, { token, device, spki, tokenHash, isStrong, body });
  await onEnrolled(tx, enrolled);
  return { enrolmentId: enrolled.enrolmentId, deviceId, isStrong, at: enrolled.at };
}

interface Beginning {
  token: NonNullable<Awaited<ReturnType<typeof lockToken>>>;
  device: DeviceRow;
  spki: Buffer;
  tokenHash: Buffer;
  isStrong: boolean;
  body: EnrolRequest;
}

/** Binds the phone to the key it brought, with its entry in the phone's history and in the audit log. */
async function begin(tx: Tx, { token, device, spki, tokenHash, isStrong, body }: Beginning): Promise<Enrolled> {
  const { deviceId, customerId, createdBy } = token;
  const enrolmentId = newId();
  const grade = gradeOf(spki, body.attestation);
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
