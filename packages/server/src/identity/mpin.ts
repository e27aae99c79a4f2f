import { KistError, type KistErrorOptions } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { audit } from '#server/audit/audit.ts';
import { hashSecret, verifySecret } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { Actor } from './actor.ts';
import {
  clearTries,
  hasMpin,
  lockedForS,
  reserveTryOfUser,
  reserveTryOnDevice,
  saveMpin,
  trustDevice,
  untrustDevices,
  type MpinTry,
} from './mpin-store.ts';
import { afterWrongMpin, isTrivialMpin } from './rules.ts';
import { lockUser, type User } from './store.ts';

type By = { mobile: string; deviceHash: Buffer } | { userId: string };

/**
 * Tries an M-PIN. The try is counted in a transaction of its own before the slow hash runs, outside any.
 * @returns the user's id when it is right; undefined when this user has no M-PIN here (unknown mobile, device never verified)
 * @throws KistError MPIN_INVALID with the tries left, MPIN_LOCKED with the seconds to wait
 */
export async function tryMpin(
  db: Database,
  orgId: number,
  pepper: Uint8Array,
  by: By,
  mpin: string,
): Promise<string | undefined> {
  const reserved = await db.transaction(orgId, async (tx) => {
    const found =
      'userId' in by ? await reserveTryOfUser(tx, by.userId) : await reserveTryOnDevice(tx, by.mobile, by.deviceHash);
    return found ?? { lockedForS: await lockedForS(tx, by) };
  });
  if ('lockedForS' in reserved) {
    if (reserved.lockedForS === undefined) return undefined;
    throw new KistError('MPIN_LOCKED', { retryAfterS: reserved.lockedForS });
  }
  if (await verifySecret(reserved.mpinHash, mpin, pepper)) return reserved.userId;
  throw await wrong(db, orgId, reserved);
}

async function wrong(db: Database, orgId: number, { userId, failed }: MpinTry): Promise<KistError> {
  const { isLocked, isUntrusted, triesLeft } = afterWrongMpin(failed);
  if (isLocked) {
    await db.transaction(orgId, async (tx) => {
      const user = await lockUser(tx, { userId });
      if (!user) return;
      if (isUntrusted) {
        await untrustDevices(tx, userId);
        await clearTries(tx, userId);
      }
      await audit.append(tx, {
        kind: 'user',
        id: userId,
        actor: user,
        action: isUntrusted ? 'devices_untrusted' : 'mpin_locked',
        data: { failed },
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
 * Sets the first M-PIN of a signed-in user, or changes it with the current one; the device becomes trusted.
 * @throws KistError MPIN_TOO_SIMPLE, MPIN_INVALID, MPIN_LOCKED, INVALID_INPUT when there is one already and none was given
 */
export async function setMpin(
  db: Database,
  pepper: Uint8Array,
  actor: Actor,
  change: { mpin: string; currentMpin?: string; deviceHash: Buffer },
): Promise<void> {
  const { orgId, userId } = actor;
  const isChange = await db.read(orgId, (tx) => hasMpin(tx, userId));
  if (isChange) {
    if (change.currentMpin === undefined) throw new KistError('INVALID_INPUT', missing('current_mpin'));
    await tryMpin(db, orgId, pepper, { userId }, change.currentMpin);
  }
  const mpinHash = await hashSecret(change.mpin, pepper);
  await db.transaction(orgId, async (tx) => {
    const user = await lockUser(tx, { userId });
    // Two first settings at once: the second one has to know the first one's M-PIN.
    if (!user || (user.mpinHash !== null && !isChange)) throw new KistError('STATE_CONFLICT');
    refuseTrivial(change.mpin, user);
    await storeMpin(tx, user, mpinHash, change.deviceHash);
    await audit.append(tx, { kind: 'user', id: userId, actor, action: isChange ? 'mpin_changed' : 'mpin_set' });
  });
}

export async function storeMpin(tx: Tx, user: User, mpinHash: string, deviceHash: Buffer | null): Promise<void> {
  await saveMpin(tx, user.userId, mpinHash);
  if (deviceHash) await trustDevice(tx, user.userId, deviceHash);
}

const missing = (path: string): KistErrorOptions => ({ fields: [{ path, key: 'field.required' }] });
