import type { Pool } from 'pg';
import { LIMITS } from '@kist/contract/limits';
import type { Language, UserType } from '@kist/contract/codes';
import type { AccessConfig, UserAccess } from '@kist/contract/organisation';
import type { Tx } from '#server/platform/database.ts';
import { tokenHash } from './tokens.ts';

export interface SessionLookup {
  orgId: number;
  token: string;
}
export interface SessionRow {
  orgId: number;
  /** Of the organisation, in the same snapshot: while it stands, this row is what another look-up would find. */
  epoch: number;
  /** Until the session ends by itself: unused for too long, or too old. */
  leftMs: number;
  sessionId: string;
  userId: string;
  userType: UserType;
  customerId: string | null;
  childIds: string[];
  access: UserAccess;
  lockAccess: AccessConfig;
  language: Language;
}

/** A session that is open: neither ended, nor unused for too long, nor too old (rows of before the absolute end may say a later one). */
const OPEN = `revoked_at is null and expires_at > now() and created_at > now() - make_interval(days => ${LIMITS.sessionAbsoluteDays})`;

/** `last_seen_at` and the idle end move at most once a minute: a busy session is one row version a minute, not one a request. */
const FIND = `
  with asked as (
    select * from unnest($1::int[], $2::bytea[]) with ordinality as t(org_id, token_hash, n)
  ), found as (
    select a.n, s.org_id, s.session_id, s.user_id, s.last_seen_at,
      least(s.expires_at, s.created_at + make_interval(days => $4)) as ends_at
    from asked a join sessions s on s.org_id = a.org_id and s.token_hash = a.token_hash
    where ${OPEN}
  ), stale as (
    select s.org_id, s.session_id from sessions s join found f using (org_id, session_id)
    where f.last_seen_at < now() - interval '1 minute' for update of s skip locked
  ), touched as (
    update sessions s set last_seen_at = now(),
      expires_at = greatest(s.expires_at, least(now() + make_interval(days => $3), s.created_at + make_interval(days => $4)))
    from stale where s.org_id = stale.org_id and s.session_id = stale.session_id
  )
  select f.n, f.org_id as "orgId", f.session_id as "sessionId", u.user_id as "userId", u.user_type as "userType", u.customer_id as "customerId",
    u.user_access as access, u.lock_access as "lockAccess", u.language,
    coalesce((select e.epoch from session_epochs e where e.org_id = f.org_id), 0)::float8 as epoch,
    (extract(epoch from f.ends_at - now()) * 1000)::float8 as "leftMs",
    case when u.user_type = 'retailer' then array(
      select c.user_id from users c where c.org_id = u.org_id and c.parent_user_id = u.user_id) else '{}' end as "childIds"
  from found f join users u on u.org_id = f.org_id and u.user_id = f.user_id where u.is_active`;

/**
 * Looks all tokens up in one statement, as the machine role, each by its organisation and hash. A token asked several times (an app that opens reads
 * five things at once) is looked up once.
 * @returns in the order asked
 */
export async function findSessions(
  devicePool: Pool,
  asked: readonly SessionLookup[],
): Promise<(SessionRow | undefined)[]> {
  const unique = new Map(asked.map((lookup) => [lookup.token, lookup]));
  const lookups = [...unique.values()];
  const { rows } = await devicePool.query<SessionRow & { n: number }>({
    name: 'identity.find_sessions',
    text: FIND,
    values: [
      lookups.map(({ orgId }) => orgId),
      lookups.map(({ token }) => tokenHash(token)),
      LIMITS.sessionIdleDays,
      LIMITS.sessionAbsoluteDays,
    ],
  });
  const found = new Map<string | undefined, SessionRow>(rows.map((row) => [lookups[row.n - 1]?.token, row]));
  return asked.map(({ token }) => found.get(token));
}

/** @returns each organisation's epoch; none where nothing has changed yet */
export async function sessionEpochs(devicePool: Pool, orgIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await devicePool.query<{ orgId: number; epoch: number }>({
    name: 'identity.session_epochs',
    text: 'select org_id as "orgId", epoch::float8 as epoch from session_epochs where org_id = any($1::int[])',
    values: [orgIds],
  });
  return new Map(rows.map(({ orgId, epoch }) => [orgId, epoch]));
}

export interface DeviceNote {
  browser: string;
  platform: string;
  device: string;
}

export async function insertSession(
  tx: Tx,
  session: { sessionId: string; userId: string; tokenHash: Buffer; device: DeviceNote; ip: string },
): Promise<void> {
  await tx.query(
    `insert into sessions (org_id, session_id, user_id, token_hash, device, ip, created_at, last_seen_at, expires_at)
     values (kist_org(), $1, $2, $3, $4::jsonb, $5, now(), now(), now() + make_interval(days => $6))`,
    [
      session.sessionId,
      session.userId,
      session.tokenHash,
      JSON.stringify(session.device),
      session.ip,
      Math.min(LIMITS.sessionIdleDays, LIMITS.sessionAbsoluteDays),
    ],
    'identity.insert_session',
  );
}

export interface OpenSession {
  sessionId: string;
  device: Partial<DeviceNote>;
  ip: string;
  createdAt: Date;
  lastSeenAt: Date;
}

export async function openSessions(tx: Tx, userId: string): Promise<OpenSession[]> {
  const { rows } = await tx.query<OpenSession>(
    `select session_id as "sessionId", device, ip, created_at as "createdAt", last_seen_at as "lastSeenAt"
     from sessions where org_id = kist_org() and user_id = $1 and ${OPEN} order by created_at desc, session_id desc limit 100`,
    [userId],
    'identity.open_sessions',
  );
  return rows;
}

/**
 * Ends sessions of a user: one, all, or all but one.
 * @returns the ids that were open
 */
export async function revokeSessions(
  tx: Tx,
  userId: string,
  which: { only: string } | { except?: string },
): Promise<string[]> {
  const [condition, id] =
    'only' in which ? ['session_id = $2', which.only] : ['session_id is distinct from $2::uuid', which.except ?? null];
  const { rows } = await tx.query<{ sessionId: string }>(
    `update sessions set revoked_at = now() where org_id = kist_org() and user_id = $1 and ${condition} and ${OPEN}
     returning session_id as "sessionId"`,
    [userId, id],
    `identity.revoke_${'only' in which ? 'one' : 'others'}`,
  );
  return rows.map(({ sessionId }) => sessionId);
}
