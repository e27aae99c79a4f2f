import type { z } from 'zod';
import { KistError } from '@kist/contract/errors';
import type { authEndpoints, SessionGrant } from '@kist/contract/auth';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { microBatch } from '#server/platform/micro-batch.ts';
import type { Actor } from './actor.ts';
import { createSessionEpochs } from './session-epochs.ts';
import {
  findSessions,
  insertSession,
  openSessions,
  revokeSessions,
  sessionEpochs,
  type DeviceNote,
  type SessionLookup,
  type SessionRow,
} from './session-store.ts';
import type { User } from './store.ts';
import { newOrgToken, orgOfToken, tokenHash } from './tokens.ts';

type SessionList = z.input<typeof authEndpoints.mySessions.reply>;

/** Some 1 KB each. */
const SESSIONS_KEPT = 20_000;
/** Then a session is looked up again whatever the epoch says: the look-up is what notes that it is in use. */
const KEPT_MS = 30_000;

export interface Sessions {
  /**
   * @param isChanging whether the request changes something: then nothing older than the request itself counts
   * @returns who the token speaks for; undefined when it is unknown, expired or revoked, or its user was switched off
   */
  authenticate(token: string, ip: string, isChanging: boolean): Promise<Actor | undefined>;
  /** A changing request of this organisation has ended: the next request sees what it did. */
  changed(orgId: number): void;
}

/**
 * Finds who a token speaks for. A session that this process has looked up lately is asked no more than its organisation's epoch, which rises with whatever a
 * look-up could find changed. So a revoked session is dead at its next request in the process that revoked it and, for whatever changes something, in every
 * process; reads follow there within `TRUSTED_MS`. Requests that arrive while a statement runs share the next one.
 * @param trustedMs 0: every request asks
 */
export function createSessions(db: Pick<Database, 'devicePool'>, trustedMs?: number): Sessions {
  // One at a time: under load larger statements win more than two that overlap.
  const find = microBatch((asked: SessionLookup[]) => findSessions(db.devicePool, asked), { inFlight: 1 });
  const epochs = createSessionEpochs((orgIds) => sessionEpochs(db.devicePool, orgIds), trustedMs);
  const kept = new BoundedMap<string, { row: SessionRow; untilMs: number }>(SESSIONS_KEPT);
  return {
    async authenticate(token, ip, isChanging) {
      const known = kept.peek(token);
      if (known && performance.now() < known.untilMs) {
        const { row } = known;
        const epoch = isChanging ? await epochs.now(row.orgId) : await epochs.recent(row.orgId);
        if (epoch === row.epoch) return actorOf(row, ip);
      }
      const orgId = orgOfToken(token);
      if (orgId === undefined) return undefined;
      const askedMs = performance.now();
      const row = await find({ orgId, token });
      if (row) kept.set(token, { row, untilMs: askedMs + Math.min(KEPT_MS, row.leftMs) });
      else kept.delete(token);
      return row && actorOf(row, ip);
    },
    changed: (orgId) => epochs.changed(orgId),
  };
}

const ownsCustomers = (userType: SessionRow['userType']): boolean =>
  userType === 'retailer' || userType === 'miniretailer';

const actorOf = (row: SessionRow, ip: string): Actor => ({
  orgId: row.orgId,
  userId: row.userId,
  userType: row.userType,
  sessionId: row.sessionId,
  visibleOwnerIds: ownsCustomers(row.userType) ? [row.userId, ...row.childIds] : [],
  ...(row.userType === 'customer' && row.customerId ? { customerId: row.customerId } : {}),
  access: row.access,
  lockAccess: row.lockAccess,
  language: row.language,
  ip,
});

/** Opens a session for a user whose row the caller holds (`lockUser`). @returns the grant; its token exists nowhere else. */
export async function openSession(
  tx: Tx,
  orgId: number,
  user: User,
  from: { ip: string; client: DeviceNote },
  how: 'otp' | 'mpin' | 'reset',
): Promise<SessionGrant> {
  const token = newOrgToken(orgId);
  const sessionId = newId();
  await insertSession(tx, {
    sessionId,
    userId: user.userId,
    tokenHash: tokenHash(token),
    device: from.client,
    ip: from.ip,
  });
  const actor: AuditActor = { userId: user.userId, userType: user.userType, sessionId, ip: from.ip };
  await audit.append(tx, { kind: 'user', id: user.userId, actor, action: 'signed_in', data: { how } });
  return {
    token,
    // The account is the shop; a mini-retailer works on its retailer's.
    account_id: user.parentUserId ?? user.userId,
    user_id: user.userId,
    user_type: user.userType,
    org_id: orgId,
    first_name: user.firstName,
    shop_name: user.shopName,
    mpin_set: user.mpinHash !== null,
  };
}

export async function listSessions(tx: Tx, actor: Actor): Promise<SessionList> {
  const sessions = await openSessions(tx, actor.userId);
  return sessions.map(({ sessionId, device, ip, createdAt, lastSeenAt }) => ({
    session_id: sessionId,
    is_current: sessionId === actor.sessionId,
    browser: device.browser ?? '',
    platform: device.platform ?? '',
    device: device.device ?? '',
    place: ip,
    created_at: createdAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
  }));
}

/**
 * Ends own sessions.
 * @param which one session, every other one, or every one
 * @returns how many ended
 * @throws KistError NOT_FOUND when the one session is not an open one of this user
 */
export async function endSessions(tx: Tx, actor: Actor, which: { only: string } | 'others' | 'all'): Promise<number> {
  const scope = typeof which === 'object' ? which : { except: which === 'others' ? actor.sessionId : undefined };
  const ended = await revokeSessions(tx, actor.userId, scope);
  if (typeof which === 'object' && ended.length === 0) throw new KistError('NOT_FOUND');
  if (ended.length > 0)
    await audit.append(tx, {
      kind: 'user',
      id: actor.userId,
      actor,
      action: 'sessions_ended',
      data: { session_ids: ended },
    });
  return ended.length;
}
