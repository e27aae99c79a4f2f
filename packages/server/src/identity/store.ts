import { LIMITS } from '@kist/contract/limits';
import type { Language, Purpose, UserType } from '@kist/contract/codes';
import type { AccessConfig, UserAccess } from '@kist/contract/organisation';
import type { Tx } from '#server/platform/database.ts';

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

export interface OtpKey {
  mobile: string;
  purpose: Purpose;
  customerId: string | null;
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
  { mobile, purpose, customerId, deviceHash }: OtpKey,
): Promise<OtpRow | undefined> {
  const { rows } = await tx.query<OtpRow>(
    `select otp_id as "otpId", code_hash as "codeHash", consumed_at is not null as "isConsumed", expires_at <= now() as "isExpired", tries,
       requested_by as "requestedBy"
     from otps where org_id = kist_org() and mobile = $1 and purpose = $2 and customer_id is not distinct from $3::uuid
       and device_hash is not distinct from $4::bytea
     order by created_at desc, otp_id desc limit 1 for update`,
    [mobile, purpose, customerId, deviceHash],
    'identity.lock_otp',
  );
  return rows[0];
}

/** Who, if anybody, asked in a session for a step-up code for this customer within the last day. */
export async function stepUpRequester(
  tx: Tx,
  mobile: string,
  purpose: Purpose,
  customerId: string | null,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ requestedBy: string }>(
    `select requested_by as "requestedBy" from otps where org_id = kist_org() and mobile = $1 and purpose = $2
       and customer_id is not distinct from $3::uuid and requested_by is not null and created_at > now() - interval '1 day'
     order by created_at desc limit 1`,
    [mobile, purpose, customerId],
    'identity.step_up_requester',
  );
  return rows[0]?.requestedBy;
}

/** One after the other for each mobile: two requests at once can not both be the fifth. */
export async function holdMobile(tx: Tx, mobile: string): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('otp:' || kist_org() || ':' || $1, 0))`,
    [mobile],
    'identity.hold_mobile',
  );
}

export async function sentOtps(
  tx: Tx,
  mobile: string,
  purpose: Purpose,
): Promise<{ count: number; sinceLastS: number | null; oldestLeavesInS: number | null }> {
  const { rows } = await tx.query<{ count: number; sinceLastS: number | null; oldestLeavesInS: number | null }>(
    `select count(*)::int as count,
       extract(epoch from now() - max(created_at) filter (where purpose = $2))::float8 as "sinceLastS",
       extract(epoch from min(created_at) + interval '1 day' - now())::float8 as "oldestLeavesInS"
     from otps where org_id = kist_org() and mobile = $1 and consumed_at is null and created_at > now() - interval '1 day'`,
    [mobile, purpose],
    'identity.sent_otps',
  );
  return rows[0] ?? { count: 0, sinceLastS: null, oldestLeavesInS: null };
}

export async function insertOtp(
  tx: Tx,
  otp: OtpKey & { otpId: string; codeHash: Buffer; requestedBy: string | null },
): Promise<void> {
  await tx.query(
    `insert into otps (org_id, otp_id, mobile, purpose, customer_id, requested_by, device_hash, code_hash, created_at, expires_at)
     values (kist_org(), $1, $2, $3, $4, $5, $6, $7, now(), now() + make_interval(secs => $8))`,
    [otp.otpId, otp.mobile, otp.purpose, otp.customerId, otp.requestedBy, otp.deviceHash, otp.codeHash, LIMITS.otpTtlS],
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
