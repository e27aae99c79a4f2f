import type { z } from 'zod';
import { KistError } from '@kist/contract/errors';
import type { authEndpoints, SessionGrant } from '@kist/contract/auth';
import { LIMITS } from '@kist/contract/limits';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import { hmacSha256 } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type Actor, SYSTEM, type Visitor } from './actor.ts';
import { untrustDevice, untrustDevices } from './mpin-store.ts';
import { accountOf } from './people-policy.ts';
import * as store from './session-store.ts';
import { lockUser, shopOf, type User } from './store.ts';
import { newOrgToken, orgOfToken, tokenHash } from './tokens.ts';

type SessionList = z.input<typeof authEndpoints.mySessions.reply>;

/**
 * Finds who a token speaks for.
 * @param request.isChanging whether the request changes something: then nothing older than the request itself counts
 * @returns undefined when it is unknown, expired or revoked, or its user was switched off
 */
export async function authenticate(
  db: Pick<Database, 'ports'>,
  { token, ip, isChanging }: { token: string; ip: string; isChanging: boolean },
): Promise<Actor | undefined> {
  const row = await db.ports.identity.sessions.find(token, isChanging);
  return row && actorOf(row, ip);
}

/** One of a process is looked for at a time: tokens that were made up take nothing from the shops. */
let isLooking = false;

/**
 * What is said to whoever comes with a token that speaks for nobody: why it does so no more, if it ever did; nothing while another one is looked for. Nobody learns
 * by it of a session that is not theirs, for nobody guesses a token.
 */
export async function sessionRequired(db: Pick<Database, 'read'>, token: string): Promise<KistError> {
  const orgId = orgOfToken(token);
  if (orgId === undefined || isLooking) return new KistError('SESSION_REQUIRED');
  isLooking = true;
  try {
    const ended = await db.read(orgId, (tx) => store.whyEnded.first(tx, { token_hash: tokenHash(token) }));
    return new KistError('SESSION_REQUIRED', ended && { details: { why: ended.why } });
  } finally {
    isLooking = false;
  }
}

/** A changing request of this organisation has ended: the next request sees what it did. */
export const changed = (db: Pick<Database, 'ports'>, orgId: number): void => db.ports.identity.sessions.changed(orgId);

const ownsCustomers = (userType: User['user_type']): boolean => userType === 'retailer' || userType === 'miniretailer';

const actorOf = (row: store.SessionRow, ip: string): Actor => ({
  orgId: row.org_id,
  userId: row.user_id,
  userType: row.user_type,
  sessionId: row.session_id,
  visibleOwnerIds: ownsCustomers(row.user_type) ? [row.user_id, ...row.child_ids] : [],
  ...(row.user_type === 'customer' && { customerIds: row.customer_ids }),
  access: row.user_access,
  lockAccess: row.lock_access,
  language: row.language,
  ip,
});

/**
 * Who asked for something that is carried out later, with what they may do and see by now.
 * @param asked the session they asked in, for the audit
 */
export async function actorOfUser(
  tx: Tx,
  asked: { userId: string; sessionId?: string; ip?: string },
): Promise<{ actor: Actor; isActive: boolean }> {
  const orgId = tx.orgId ?? 0;
  const row = await store.findAsker.first(tx, { user_id: asked.userId });
  if (!row) return { actor: { ...SYSTEM(orgId), ...asked, visibleOwnerIds: [] }, isActive: false };
  const { user_type: userType, user_access: access, lock_access: lockAccess, language, is_active: isActive } = row;
  const visibleOwnerIds = ownsCustomers(userType) ? [asked.userId, ...row.child_ids] : [];
  return { actor: { ...asked, orgId, userType, visibleOwnerIds, access, lockAccess, language }, isActive };
}

/** Whose session it is, with what they may do and see by now. @returns undefined when it is over, or its user was switched off */
export async function actorOfSession(
  tx: Tx,
  { sessionId, ip }: { sessionId: string; ip: string },
): Promise<Actor | undefined> {
  const session = await store.findOpenSession.first(tx, { session_id: sessionId });
  if (!session) return undefined;
  const { actor, isActive } = await actorOfUser(tx, { userId: session.user_id, sessionId, ip });
  if (!isActive) return undefined;
  return actor.userType === 'customer' ? { ...actor, customerIds: session.customer_ids } : actor;
}

/** @returns whose shop it is: the actor's own id, or that of the retailer above a mini-retailer */
export const headOf = async (tx: Tx, { userId }: Pick<Actor, 'userId'>): Promise<string> =>
  (await shopOf.first(tx, { user_id: userId }))?.shop_user_id ?? userId;

/**
 * The same actor with what they may do and see by now: for what took its time between two transactions.
 * @throws KistError SESSION_REQUIRED when the session is over, or its user was switched off meanwhile
 */
export async function asOfNow(tx: Tx, actor: Actor): Promise<Actor> {
  const { sessionId, ip = '' } = actor;
  if (sessionId === undefined) return actor;
  const now = await actorOfSession(tx, { sessionId, ip });
  if (!now) throw new KistError('SESSION_REQUIRED');
  return now;
}

/**
 * Opens a session for a user whose row the caller holds (`lockUser`).
 * @param entered.device_hash the device it is on: it loses its trust when the session is logged out from elsewhere
 * @returns the grant; its token exists nowhere else
 */
export async function openSession(
  tx: Tx,
  user: User,
  { orgId, ip, client }: Visitor,
  { how, device_hash }: { how: 'otp' | 'mpin' | 'reset' | 'passkey' | 'oidc'; device_hash: Buffer | null },
): Promise<SessionGrant> {
  const { user_id, user_type } = user;
  const token = newOrgToken(orgId);
  const session_id = newId();
  await store.insertSession.run(tx, {
    session_id,
    user_id,
    token_hash: tokenHash(token),
    device: client,
    device_hash,
    ip,
    days: Math.min(LIMITS.sessionIdleDays, LIMITS.sessionAbsoluteDays),
  });
  const actor: AuditActor = { userId: user_id, userType: user_type, sessionId: session_id, ip };
  await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'signed_in', data: { how } });
  return {
    token,
    seal_key: hmacSha256(tx.ports.identity.pepper, 'outbox', String(orgId), user_id).toString('base64url'),
    account_id: accountOf({ ...user, user_id }),
    user_id,
    user_type,
    org_id: orgId,
    first_name: user.first_name,
    shop_name: user.shop_name,
    mpin_set: user.mpin_hash !== null,
  };
}

/** Where the actor is signed in, newest first. */
export async function listSessions(tx: Tx, actor: Actor): Promise<SessionList> {
  const sessions = await store.openSessions.all(tx, { user_id: actor.userId });
  return sessions.map(({ session_id, device, ip, created_at, last_seen_at }) => ({
    session_id,
    is_current: session_id === actor.sessionId,
    browser: device.browser ?? '',
    platform: device.platform ?? '',
    device: device.device ?? '',
    place: ip,
    created_at: created_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
  }));
}

/**
 * Ends own sessions. A device that is logged out from elsewhere loses its trust as well: who has it in hand may know the M-PIN. All others do, also those where
 * no session is open any more; the device in hand keeps its trust.
 * @param which one session, every other one, or every one
 * @returns how many ended
 * @throws KistError NOT_FOUND when the one session is not an open one of this user
 */
export async function endSessions(tx: Tx, actor: Actor, which: { only: string } | 'others' | 'all'): Promise<number> {
  const { userId: user_id } = actor;
  // Held, so that a sign-in by M-PIN comes wholly before or finds its device without trust.
  await lockUser.first(tx, { user_id });
  const ended = await (typeof which === 'object'
    ? store.revokeSession.all(tx, { user_id, session_id: which.only })
    : store.revokeOtherSessions.all(tx, {
        user_id,
        except: which === 'others' ? (actor.sessionId ?? null) : null,
      }));
  if (typeof which === 'object' && ended.length === 0) throw new KistError('NOT_FOUND');
  const devices_untrusted = await untrust(tx, actor, typeof which === 'object' ? ended[0] : 'others');
  if (ended.length + devices_untrusted > 0)
    await audit.append(tx, {
      kind: 'user',
      id: user_id,
      actor,
      action: 'sessions_ended',
      data: { session_ids: ended.map(({ session_id }) => session_id), devices_untrusted },
    });
  return ended.length;
}

/** Of one session that does not say where it was, every other device: a code too many is asked for rather than one too few. @returns how many lost their trust */
async function untrust(
  tx: Tx,
  { userId: user_id, sessionId }: Actor,
  ended: { session_id: string; device_hash: Buffer | null } | 'others' | undefined,
): Promise<number> {
  if (ended === undefined || (ended !== 'others' && ended.session_id === sessionId)) return 0;
  const own =
    sessionId === undefined ? undefined : await store.deviceOfSession.first(tx, { user_id, session_id: sessionId });
  const except = own?.device_hash ?? null;
  if (ended === 'others' || ended.device_hash === null) return untrustDevices.run(tx, { user_id, except });
  const { device_hash } = ended;
  return except?.equals(device_hash) ? 0 : untrustDevice.run(tx, { user_id, device_hash });
}

/** @returns minutes that this person's session has been open; undefined: they act outside of one */
export async function sessionMinutes(tx: Tx, { sessionId }: Pick<Actor, 'sessionId'>): Promise<number | undefined> {
  if (sessionId === undefined) return undefined;
  return (await store.sessionAge.first(tx, { session_id: sessionId }))?.minutes;
}
