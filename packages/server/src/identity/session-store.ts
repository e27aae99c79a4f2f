import { LIMITS } from '@kist/contract/limits';
import type { Language, UserType } from '@kist/contract/codes';
import type { AccessConfig, UserAccess } from '@kist/contract/organisation';
import {
  as,
  bool,
  bytea,
  float8,
  int4,
  int8,
  jsonb,
  known,
  listOf,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { crossingStatement, statement } from '#server/platform/statement.ts';

/** A session that is open: neither ended, nor unused for too long, nor too old (rows of before the absolute end may say a later one). */
const OPEN = `revoked_at is null and expires_at > now() and created_at > now() - make_interval(days => ${LIMITS.sessionAbsoluteDays})`;

const found = {
  /** The place among those asked for, from 1 on. */
  n: int8,
  org_id: int4,
  /** Of the organisation, in the same snapshot: while it stands, this row is what another look-up would find. */
  epoch: float8,
  /** Until the session ends by itself: unused for too long, or too old. */
  left_ms: float8,
  session_id: uuid,
  user_id: uuid,
  user_type: as<UserType>()(text),
  customer_ids: listOf(uuid),
  child_ids: listOf(uuid),
  user_access: jsonb<UserAccess>(),
  lock_access: jsonb<AccessConfig>(),
  language: as<Language>()(text),
};
export type SessionRow = RowOf<typeof found>;

/**
 * Looks all sessions up in one statement, each by its organisation and the hash of its token.
 * `last_seen_at` and the idle end move at most once a minute: a busy session is one row version a minute, not one a request.
 */
export const findSessions = crossingStatement({
  name: 'identity.find_sessions',
  takes: { org_ids: listOf(int4), token_hashes: listOf(bytea), idle_days: int4, absolute_days: int4 },
  gives: found,
  text: `
    with asked as (
      select * from unnest($org_ids, $token_hashes) with ordinality as t(org_id, token_hash, n)
    ), found as (
      select a.n, s.org_id, s.session_id, s.user_id, s.last_seen_at,
        least(s.expires_at, s.created_at + make_interval(days => $absolute_days)) as ends_at
      from asked a join sessions s on s.org_id = a.org_id and s.token_hash = a.token_hash
      where ${OPEN}
    ), stale as (
      select s.org_id, s.session_id from sessions s join found f using (org_id, session_id)
      where f.last_seen_at < now() - interval '1 minute' for update of s skip locked
    ), touched as (
      update sessions s set last_seen_at = now(),
        expires_at = greatest(s.expires_at, least(now() + make_interval(days => $idle_days), s.created_at + make_interval(days => $absolute_days)))
      from stale where s.org_id = stale.org_id and s.session_id = stale.session_id
    )
    select f.n, f.org_id, f.session_id, u.user_id, u.user_type, u.user_access, u.lock_access, u.language,
      coalesce((select e.epoch from session_epochs e where e.org_id = f.org_id), 0)::float8 as epoch,
      (extract(epoch from f.ends_at - now()) * 1000)::float8 as left_ms,
      case when u.user_type = 'retailer' then array(
        select c.user_id from users c where c.org_id = u.org_id and c.parent_user_id = u.user_id) else '{}' end as child_ids,
      case when u.user_type = 'customer' then array(
        select l.customer_id from customer_logins l where l.org_id = u.org_id and l.user_id = u.user_id order by l.since desc, l.customer_id) else '{}' end as customer_ids
    from found f join users u on u.org_id = f.org_id and u.user_id = f.user_id where u.is_active`,
});

/** A user as whoever acts for it needs it, without a session of theirs. */
export const findAsker = statement({
  name: 'identity.find_asker',
  takes: { user_id: uuid },
  gives: {
    user_type: as<UserType>()(text),
    child_ids: listOf(uuid),
    user_access: jsonb<UserAccess>(),
    lock_access: jsonb<AccessConfig>(),
    language: as<Language>()(text),
    is_active: bool,
  },
  text: `
    select u.user_type, u.user_access, u.lock_access, u.language, u.is_active,
      case when u.user_type = 'retailer' then array(
        select c.user_id from users c where c.org_id = $1 and c.parent_user_id = u.user_id) else '{}' end as child_ids
    from users u where u.org_id = $1 and u.user_id = $user_id`,
});

/** Whose an open session is. */
export const findOpenSession = statement({
  name: 'identity.find_open_session',
  takes: { session_id: uuid },
  gives: { user_id: uuid, customer_ids: listOf(uuid) },
  text: `
    select s.user_id, array(
      select l.customer_id from customer_logins l where l.org_id = $1 and l.user_id = s.user_id order by l.since desc, l.customer_id) as customer_ids
    from sessions s join users u on u.org_id = s.org_id and u.user_id = s.user_id
    where s.org_id = $1 and s.session_id = $session_id and s.revoked_at is null and s.expires_at > now()
      and s.created_at > now() - make_interval(days => ${LIMITS.sessionAbsoluteDays})`,
});

/** How long a session has been open: of the machine's clock, which no demo moves. */
export const sessionAge = statement({
  name: 'identity.session_age',
  takes: { session_id: uuid },
  gives: { minutes: float8 },
  text: `select (extract(epoch from now() - created_at) / 60)::float8 as minutes from sessions where org_id = $1 and session_id = $session_id`,
});

/** Why a session opens nothing any more: its shop was suspended, it was ended, or its time is over. Of a customer's user that was shut nothing is said: nobody suspends customers. No row for a token that never was one, or is forgotten. */
export const whyEnded = statement({
  name: 'identity.why_ended',
  takes: { token_hash: bytea },
  gives: { why: known(as<'suspended' | 'logged_out' | 'expired'>()(text)) },
  text: `
    select case when not u.is_active and u.user_type <> 'customer' then 'suspended' when s.revoked_at is not null then 'logged_out' else 'expired' end as why
    from sessions s join users u on u.org_id = s.org_id and u.user_id = s.user_id where s.org_id = $1 and s.token_hash = $token_hash`,
});

/** Each organisation's epoch; no row where nothing has changed yet. */
export const sessionEpochs = crossingStatement({
  name: 'identity.session_epochs',
  takes: { org_ids: listOf(int4) },
  gives: { org_id: int4, epoch: float8 },
  text: 'select org_id, epoch::float8 as epoch from session_epochs where org_id = any($org_ids)',
});

export interface DeviceNote {
  browser: string;
  platform: string;
  device: string;
}

export const insertSession = statement({
  name: 'identity.insert_session',
  takes: {
    session_id: uuid,
    user_id: uuid,
    token_hash: bytea,
    device: jsonb<DeviceNote>(),
    device_hash: nullable(bytea),
    ip: text,
    days: int4,
  },
  text: `
    insert into sessions (org_id, session_id, user_id, token_hash, device, device_hash, ip, created_at, last_seen_at, expires_at)
    values ($1, $session_id, $user_id, $token_hash, $device, $device_hash, $ip, now(), now(), now() + make_interval(days => $days))`,
});

/** The open sessions of a user, newest first. They live in real time; when that was is told by the product's clock, as everything that a screen dates. */
export const openSessions = statement({
  name: 'identity.open_sessions',
  takes: { user_id: uuid },
  gives: {
    session_id: uuid,
    device: jsonb<Partial<DeviceNote>>(),
    ip: text,
    created_at: timestamptz,
    last_seen_at: timestamptz,
  },
  text: `
    select session_id, device, ip, created_at + (kist_now() - now()) as created_at, last_seen_at + (kist_now() - now()) as last_seen_at
    from sessions where org_id = $1 and user_id = $user_id and ${OPEN} order by sessions.created_at desc, session_id desc limit 100`,
});

/**
 * The device that a session is on; null where it named none that only it can know. One of before sessions knew their device is on the one that was trusted or
 * used by the very transaction that opened it; where the device did something since that moved its time on, that cannot be told any more.
 */
export const deviceOfSession = statement({
  name: 'identity.device_of_session',
  takes: { user_id: uuid, session_id: uuid },
  gives: { device_hash: nullable(bytea) },
  text: `
    select coalesce(s.device_hash, (
      select (array_agg(d.device_hash))[1] from trusted_devices d
      where d.org_id = $1 and d.user_id = s.user_id and s.created_at in (d.created_at, d.last_used_at) having count(*) = 1)) as device_hash
    from sessions s where s.org_id = $1 and s.user_id = $user_id and s.session_id = $session_id`,
});

/** A session whose device became known after it was opened. */
export const nameDevice = statement({
  name: 'identity.name_device',
  takes: { user_id: uuid, session_id: uuid, device_hash: bytea },
  text: 'update sessions set device_hash = $device_hash where org_id = $1 and user_id = $user_id and session_id = $session_id',
});

/** Ends one session of a user; no row when it was not open. */
export const revokeSession = statement({
  name: 'identity.revoke_session',
  takes: { user_id: uuid, session_id: uuid },
  gives: { session_id: uuid, device_hash: nullable(bytea) },
  text: `
    update sessions set revoked_at = now() where org_id = $1 and user_id = $user_id and session_id = $session_id and ${OPEN}
    returning session_id, device_hash`,
});

/** Ends all sessions of a user but one: those that were open. */
export const revokeOtherSessions = statement({
  name: 'identity.revoke_other_sessions',
  takes: { user_id: uuid, except: nullable(uuid) },
  gives: { session_id: uuid, device_hash: nullable(bytea) },
  text: `
    update sessions set revoked_at = now() where org_id = $1 and user_id = $user_id and session_id is distinct from $except and ${OPEN}
    returning session_id, device_hash`,
});

export const forgetSessions = statement({
  name: 'identity.forget_sessions',
  takes: { days: int4 },
  text: `
    delete from sessions
    where org_id = $1 and least(expires_at, coalesce(revoked_at, expires_at)) < now() - make_interval(days => $days)`,
});
