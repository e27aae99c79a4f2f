import { KistError, type KistErrorOptions } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import * as audit from '#server/audit/audit.ts';
import { hashSecret, verifySecret } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { Actor } from './actor.ts';
import {
  lockedForS,
  reserveTryOfUser,
  reserveTryOnDevice,
  saveMpin,
  trustDevice,
  untrustDevices,
  type MpinTry,
} from './mpin-store.ts';
import { afterWrongMpin, isTrivialMpin } from './rules.ts';
import { revokeSessions } from './session-store.ts';
import { lockUser, readUser, voidProofs, type User } from './store.ts';

/** By mobile on a trusted device (sign-in), or in a session (change). Both count in the one count of the user. */
type By = { mobile: string; deviceHash: Buffer } | { userId: string; sessionId: string | undefined };

/**
 * Tries an M-PIN. The try is counted in a transaction of its own before the slow hash runs, outside any.
 * @returns whose it is, and the hash it fits, when it is right; undefined when this user has no M-PIN here (unknown mobile, device never verified)
 * @throws KistError MPIN_INVALID with the tries left, MPIN_LOCKED with the seconds to wait
 */
export async function tryMpin(
  db: Database,
  orgId: number,
  pepper: Uint8Array,
  by: By,
  mpin: string,
): Promise<{ userId: string; mpinHash: string } | undefined> {
  const reserved = await db.transaction(orgId, async (tx) => {
    const found =
      'userId' in by ? await reserveTryOfUser(tx, by.userId) : await reserveTryOnDevice(tx, by.mobile, by.deviceHash);
    return found ?? { lockedForS: await lockedForS(tx, by) };
  });
  if ('lockedForS' in reserved) {
    if (reserved.lockedForS === undefined) return undefined;
    throw new KistError('MPIN_LOCKED', { retryAfterS: reserved.lockedForS });
  }
  if (await verifySecret(reserved.mpinHash, mpin, pepper)) return reserved;
  throw await wrong(db, orgId, reserved, 'userId' in by ? by.sessionId : undefined);
}

/**
 * The lock of a fifth try stands since the try was counted, and nothing here takes it off: a right M-PIN after it, or a code, begins a new count.
 * @param sessionId of a change; guessing in it ends it, as guessing on a device ends that device's trust
 */
async function wrong(
  db: Database,
  orgId: number,
  { userId, failed }: MpinTry,
  sessionId: string | undefined,
): Promise<KistError> {
  const { isLocked, isUntrusted, triesLeft } = afterWrongMpin(failed);
  if (isLocked) {
    await db.transaction(orgId, async (tx) => {
      const user = await lockUser(tx, { userId });
      if (!user) return;
      if (isUntrusted) {
        await untrustDevices(tx, userId);
        if (sessionId !== undefined) await revokeSessions(tx, userId, { only: sessionId });
      }
      await audit.append(tx, {
        kind: 'user',
        id: userId,
        actor: user,
        action: isUntrusted ? 'devices_untrusted' : 'mpin_locked',
        data: { failed, ...(isUntrusted && sessionId !== undefined && { session_ended: sessionId }) },
      });
    });
    return new KistError('MPIN_LOCKED', { retryAfterS: LIMITS.mpinLockS });
  }
  return new KistError('MPIN_INVALID', { params: { tries_left: triesLeft }, details: { tries_left: triesLeft } });
}

/** @throws KistError MPIN_TOO_SIMPLE */
export function refuseTrivial(mpin: string, user: User): void {
  if (isTrivialMpin(mpin, user)) throw new KistError('MPIN_TOO_SIMPLE');
}

/**
 * Sets the first M-PIN of a signed-in user, or changes it with the current one; the device becomes trusted, if it has a secret id. A change ends every other session and takes
 * the trust from every other device: who changes it may know that somebody else has the old one.
 * @returns how many sessions ended
 * @throws KistError MPIN_TOO_SIMPLE, MPIN_INVALID, MPIN_LOCKED, INVALID_INPUT when there is one already and none was given, STATE_CONFLICT
 */
export async function setMpin(
  db: Database,
  pepper: Uint8Array,
  actor: Actor,
  change: { mpin: string; currentMpin?: string; deviceHash: Buffer | null },
): Promise<number> {
  const { orgId, userId, sessionId } = actor;
  const before = await db.read(orgId, (tx) => readUser(tx, userId));
  if (!before) throw new KistError('STATE_CONFLICT');
  const isChange = before.mpinHash !== null;
  if (isChange && change.currentMpin === undefined) throw new KistError('INVALID_INPUT', missing('current_mpin'));
  // Before the current one is tried: a refusal of the new one is no try.
  refuseTrivial(change.mpin, before);
  if (change.currentMpin !== undefined) await tryMpin(db, orgId, pepper, { userId, sessionId }, change.currentMpin);
  const mpinHash = await hashSecret(change.mpin, pepper);
  return db.transaction(orgId, async (tx) => {
    const user = await lockUser(tx, { userId });
    // Two at once: the second one has to know the first one's M-PIN.
    if (user?.mpinHash !== before.mpinHash) throw new KistError('STATE_CONFLICT');
    await storeMpin(tx, user, mpinHash, change.deviceHash);
    if (!isChange) {
      await audit.append(tx, { kind: 'user', id: userId, actor, action: 'mpin_set' });
      return 0;
    }
    await untrustDevices(tx, userId, change.deviceHash ?? undefined);
    await voidProofs(tx, userId);
    const ended = await revokeSessions(tx, userId, { except: sessionId });
    const data = { sessions_ended: ended.length };
    await audit.append(tx, { kind: 'user', id: userId, actor, action: 'mpin_changed', data });
    return ended.length;
  });
}

export async function storeMpin(tx: Tx, user: User, mpinHash: string, deviceHash: Buffer | null): Promise<void> {
  await saveMpin(tx, user.userId, mpinHash);
  if (deviceHash) await trustDevice(tx, user.userId, deviceHash);
}

const missing = (path: string): KistErrorOptions => ({ fields: [{ path, key: 'field.required' }] });
