import { LIMITS } from '@kist/contract/limits';
import type { Language, Purpose, UserType } from '@kist/contract/codes';
import type { AccessConfig, UserAccess } from '@kist/contract/organisation';
import type { Tx } from '#server/platform/database.ts';
import type { Asker } from './askers.ts';
import type { SentOtps } from './rules.ts';

export interface User {
  userId: string;
  userType: UserType;
  parentUserId: string | null;
  customerId: string | null;
  mobile: string;
  firstName: string;
  lastName: string;
  shopName: string;
  language: Language;
  birthOn: string | null;
  access: UserAccess;
  lockAccess: AccessConfig;
  mpinHash: string | null;
}

const USER = `user_id as "userId", user_type as "userType", parent_user_id as "parentUserId", customer_id as "customerId", mobile,
  first_name as "firstName", last_name as "lastName", shop_name as "shopName", language, birth_on as "birthOn",
  user_access as access, lock_access as "lockAccess", mpin_hash as "mpinHash"`;

/** An active user; held until the transaction ends, so that its sign-ins and its audit chain follow one another. */
export async function lockUser(tx: Tx, by: { mobile: string } | { userId: string }): Promise<User | undefined> {
  const [column, value] = 'mobile' in by ? ['mobile', by.mobile] : ['user_id', by.userId];
  const { rows } = await tx.query<User>(
    `select ${USER} from users where org_id = kist_org() and ${column} = $1 and is_active for no key update`,
    [value],
    `identity.user.${column}`,
  );
  return rows[0];
}

export async function readUser(tx: Tx, userId: string): Promise<User | undefined> {
  const { rows } = await tx.query<User>(
    `select ${USER} from users where org_id = kist_org() and user_id = $1`,
    [userId],
    'identity.read_user',
  );
  return rows[0];
}

/** A device known for this mobile's user, and the addresses of the user's latest sign-ins: by what a request may be more than a stranger's. */
export async function knownWays(
  tx: Tx,
  mobile: string,
  deviceHash: Buffer | null,
): Promise<{ isTrusted: boolean; addresses: string[] }> {
  const { rows } = await tx.query<{ isTrusted: boolean; addresses: string[] }>(
    `select exists (select from trusted_devices d where d.org_id = u.org_id and d.user_id = u.user_id and d.device_hash = $2) as "isTrusted",
       array(select s.ip from sessions s where s.org_id = u.org_id and s.user_id = u.user_id order by s.created_at desc limit 20) as addresses
     from users u where u.org_id = kist_org() and u.mobile = $1 and u.is_active`,
    [mobile, deviceHash],
    'identity.known_ways',
  );
  return rows[0] ?? { isTrusted: false, addresses: [] };
}

export interface OtpKey {
  mobileHash: Buffer;
  purpose: Purpose;
  customerId: string | null;
  /** Who may present it: the device that asked, or the network of one that names no device; null for step-up codes, which a session ordered. */
  deviceHash: Buffer | null;
}
export interface OtpRow {
  otpId: string;
  codeHash: Buffer;
  isConsumed: boolean;
  isExpired: boolean;
  tries: number;
  requestedBy: string | null;
}

/** The newest code for exactly this mobile, purpose, customer and device: a stranger's request never replaces one's own code. */
export async function lockOtp(
  tx: Tx,
  { mobileHash, purpose, customerId, deviceHash }: OtpKey,
): Promise<OtpRow | undefined> {
  const { rows } = await tx.query<OtpRow>(
    `select otp_id as "otpId", code_hash as "codeHash", consumed_at is not null as "isConsumed", expires_at <= now() as "isExpired", tries,
       requested_by as "requestedBy"
     from otps where org_id = kist_org() and mobile_hash = $1 and purpose = $2 and customer_id is not distinct from $3::uuid
       and device_hash is not distinct from $4::bytea
     order by created_at desc, otp_id desc limit 1 for update`,
    [mobileHash, purpose, customerId, deviceHash],
    'identity.lock_otp',
  );
  return rows[0];
}

/** Who, if anybody, asked in a session for a step-up code for this customer within the last day. */
export async function stepUpRequester(
  tx: Tx,
  { mobileHash, purpose, customerId }: Omit<OtpKey, 'deviceHash'>,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ requestedBy: string }>(
    `select requested_by as "requestedBy" from otps where org_id = kist_org() and mobile_hash = $1 and purpose = $2
       and customer_id is not distinct from $3::uuid and requested_by is not null and created_at > now() - interval '1 day'
     order by created_at desc limit 1`,
    [mobileHash, purpose, customerId],
    'identity.step_up_requester',
  );
  return rows[0]?.requestedBy;
}

/** One after the other for each mobile: two requests at once can not both be the fifth. */
export async function holdMobile(tx: Tx, mobileHash: Buffer): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('otp:' || kist_org() || ':' || encode($1::bytea, 'hex'), 0))`,
    [mobileHash],
    'identity.hold_mobile',
  );
}

/** What was sent about a mobile in the last 24 hours and not used, by one asker, its site and all of its lane. */
export async function sentOtps(
  tx: Tx,
  mobileHash: Buffer,
  { lane, key, site = null }: Omit<Asker, 'site'> & { site?: Buffer | null },
  purpose: Purpose,
): Promise<SentOtps> {
  const { rows } = await tx.query<SentOtps>(
    `select count(*) filter (where asker = $3)::int as "byAsker", count(*) filter (where site = $5)::int as "bySite", count(*)::int as "byLane",
       extract(epoch from now() - max(created_at) filter (where asker = $3 and purpose = $4))::float8 as "sinceLastS",
       coalesce(extract(epoch from min(created_at) filter (where asker = $3) + interval '1 day' - now()), 0)::float8 as "askerWaitsS",
       coalesce(extract(epoch from min(created_at) filter (where site = $5) + interval '1 day' - now()), 0)::float8 as "siteWaitsS",
       coalesce(extract(epoch from min(created_at) + interval '1 day' - now()), 0)::float8 as "laneWaitsS"
     from otps where org_id = kist_org() and mobile_hash = $1 and lane = $2 and consumed_at is null and created_at > now() - interval '1 day'`,
    [mobileHash, lane, key, purpose, site],
    'identity.sent_otps',
  );
  return rows[0]!;
}

export async function insertOtp(
  tx: Tx,
  otp: OtpKey & { otpId: string; codeHash: Buffer; requestedBy: string | null; asker: Asker },
): Promise<void> {
  await tx.query(
    `insert into otps (org_id, otp_id, mobile_hash, purpose, customer_id, requested_by, device_hash, code_hash, lane, asker, site, created_at, expires_at)
     values (kist_org(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now(), now() + make_interval(secs => $11))`,
    [
      otp.otpId,
      otp.mobileHash,
      otp.purpose,
      otp.customerId,
      otp.requestedBy,
      otp.deviceHash,
      otp.codeHash,
      otp.asker.lane,
      otp.asker.key,
      otp.asker.site ?? null,
      LIMITS.otpTtlS,
    ],
    'identity.insert_otp',
  );
}

/** Marks a code as used, or counts a wrong try. */
export async function settleOtp(tx: Tx, otpId: string, outcome: 'consumed' | 'wrong'): Promise<void> {
  const change = outcome === 'consumed' ? 'consumed_at = now()' : 'tries = tries + 1';
  await tx.query(
    `update otps set ${change} where org_id = kist_org() and otp_id = $1`,
    [otpId],
    `identity.otp_${outcome}`,
  );
}

export async function insertProof(
  tx: Tx,
  proof: {
    hash: Buffer;
    kind: 'RESET' | 'UNINSTALL' | 'BYPASS_CODE';
    userId: string;
    customerId: string | null;
    ttlS: number;
  },
): Promise<void> {
  await tx.query(
    `insert into proof_tokens (org_id, token_hash, kind, user_id, customer_id, created_at, expires_at)
     values (kist_org(), $1, $2, $3, $4, now(), now() + make_interval(secs => $5))`,
    [proof.hash, proof.kind, proof.userId, proof.customerId, proof.ttlS],
    'identity.insert_proof',
  );
}

/** Uses a proof up. @returns whose it was; undefined when it is unknown, used, expired or of another kind. */
export async function useProof(
  tx: Tx,
  hash: Buffer,
  kind: 'RESET' | 'UNINSTALL' | 'BYPASS_CODE',
): Promise<{ userId: string; customerId: string | null } | undefined> {
  const { rows } = await tx.query<{ userId: string; customerId: string | null }>(
    `update proof_tokens set used_at = now() where org_id = kist_org() and token_hash = $1 and kind = $2 and used_at is null and expires_at > now()
     returning user_id as "userId", customer_id as "customerId"`,
    [hash, kind],
    'identity.use_proof',
  );
  return rows[0];
}

/** Ends every proof of a user that waits to be used: what was proved with the old M-PIN, or beside it, opens nothing after a new one. */
export async function voidProofs(tx: Tx, userId: string): Promise<void> {
  await tx.query(
    `update proof_tokens set used_at = now() where org_id = kist_org() and user_id = $1 and used_at is null and expires_at > now()`,
    [userId],
    'identity.void_proofs',
  );
}

/** @returns how many rows went */
export async function deleteExpired(tx: Tx, days: { otps: number; proofs: number; sessions: number }): Promise<number> {
  const otps = await tx.query(
    `delete from otps where org_id = kist_org() and created_at < now() - make_interval(days => $1)`,
    [days.otps],
  );
  const proofs = await tx.query(
    `delete from proof_tokens where org_id = kist_org() and expires_at < now() - make_interval(days => $1)`,
    [days.proofs],
  );
  const sessions = await tx.query(
    `delete from sessions where org_id = kist_org() and least(expires_at, coalesce(revoked_at, expires_at)) < now() - make_interval(days => $1)`,
    [days.sessions],
  );
  return (otps.rowCount ?? 0) + (proofs.rowCount ?? 0) + (sessions.rowCount ?? 0);
}
