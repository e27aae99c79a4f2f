import { KistError, type KistErrorOptions } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import * as audit from '#server/audit/audit.ts';
import { hashSecret, verifySecret } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { type Actor, userActor } from './actor.ts';
import { deviceHash } from './askers.ts';
import { countFailure } from './failure-watch.ts';
import * as store from './mpin-store.ts';
import { afterWrongMpin, isTrivialMpin } from './rules.ts';
import { nameDevice, revokeOtherSessions, revokeSession } from './session-store.ts';
import { birthsOfLogin, lockUser, readUser, voidProofs, type User } from './store.ts';

/** By mobile on a trusted device (sign-in), or in a session (change). Both count in the one count of the user. */
type By = { mobile: string; device_hash: Buffer } | { user_id: string; session_id: string | undefined };

const TRY_LIMITS = { tries: LIMITS.mpinTries, lock_s: LIMITS.mpinLockS };

/**
 * Tries an M-PIN. The try is counted in a transaction of its own before the slow hash runs, outside any.
 * @returns whose it is, and the hash it fits, when it is right; undefined when this user has no M-PIN here (unknown mobile, device never verified)
 * @throws KistError MPIN_INVALID with the tries left, MPIN_LOCKED with the seconds to wait
 */
export async function tryMpin(db: Database, orgId: number, by: By, mpin: string): Promise<store.MpinTry | undefined> {
  const { tried, locked } = await db.transaction(orgId, (tx) => countTry(tx, by));
  if (!tried && !locked) return undefined;
  const isRight = tried && (await verifySecret(tried.mpin_hash, mpin, db.ports.identity.pepper));
  if (isRight) return tried;
  countFailure(db.ports, 'mpin', 'user_id' in by ? by.user_id : by.mobile);
  if (tried) throw await afterWrong(db, orgId, tried, 'user_id' in by ? by.session_id : undefined);
  throw new KistError('MPIN_LOCKED', locked && { retryAfterS: locked.locked_s });
}

async function countTry(tx: Tx, by: By): Promise<{ tried?: store.MpinTry; locked?: { locked_s: number } | undefined }> {
  const isUser = 'user_id' in by;
  const tried = await (isUser
    ? store.countTryOfUser.first(tx, { ...TRY_LIMITS, user_id: by.user_id })
    : store.countTryOnDevice.first(tx, { ...TRY_LIMITS, ...by }));
  if (tried) return { tried };
  return { locked: await (isUser ? store.lockOfUser.first(tx, by) : store.lockOnDevice.first(tx, by)) };
}

/**
 * The lock of a fifth try stands since the try was counted, and nothing here takes it off: a right M-PIN after it, or a code, begins a new count.
 * @param session_id of a change; guessing in it ends it, as guessing on a device ends that device's trust
 */
async function afterWrong(
  db: Database,
  orgId: number,
  { user_id, mpin_failed }: store.MpinTry,
  session_id: string | undefined,
): Promise<KistError> {
  const { isLocked, isUntrusted, triesLeft } = afterWrongMpin(mpin_failed);
  if (!isLocked)
    return new KistError('MPIN_INVALID', { params: { tries_left: triesLeft }, details: { tries_left: triesLeft } });
  await db.transaction(orgId, async (tx) => {
    const user = await lockUser.first(tx, { user_id });
    if (!user) return;
    if (isUntrusted) {
      await store.untrustDevices.run(tx, { user_id, except: null });
      if (session_id !== undefined) await revokeSession.run(tx, { user_id, session_id });
    }
    await audit.append(tx, {
      kind: 'user',
      id: user_id,
      actor: userActor(user),
      action: isUntrusted ? 'devices_untrusted' : 'mpin_locked',
      data: { failed: mpin_failed, ...(isUntrusted && session_id !== undefined && { session_ended: session_id }) },
    });
  });
  return new KistError('MPIN_LOCKED', { retryAfterS: LIMITS.mpinLockS });
}

/** @throws KistError MPIN_TOO_SIMPLE */
export async function refuseTrivial(tx: Tx, mpin: string, user: User): Promise<void> {
  const births = user.user_type === 'customer' ? await birthsOfLogin.all(tx, user) : [];
  const days = births.map(({ birth_on }) => birth_on);
  if (isTrivialMpin(mpin, user, days))
    throw new KistError('MPIN_TOO_SIMPLE', { fields: [{ path: 'mpin', key: 'errors.MPIN_TOO_SIMPLE' }] });
}

/**
 * The first M-PIN of somebody who signs in by a code and brings it along; the device has its trust by the code.
 * @throws KistError MPIN_TOO_SIMPLE; INVALID_INPUT where there is one: a change asks for the current one
 */
export async function setFirstMpin(
  tx: Tx,
  actor: audit.AuditActor,
  { user, mpin, mpin_hash }: { user: User; mpin: string; mpin_hash: string },
): Promise<void> {
  if (user.mpin_hash !== null)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'mpin', key: 'field.invalid' }] });
  await refuseTrivial(tx, mpin, user);
  await store.saveMpin.run(tx, { user_id: user.user_id, mpin_hash });
  await audit.append(tx, { kind: 'user', id: user.user_id, actor, action: 'mpin_set' });
}

/**
 * Sets the first M-PIN of a signed-in user, or changes it with the current one; the device becomes trusted, if it has a secret id. A change ends every other session and takes
 * the trust from every other device: who changes it may know that somebody else has the old one.
 * @returns how many sessions ended
 * @throws KistError MPIN_TOO_SIMPLE, MPIN_INVALID, MPIN_LOCKED, INVALID_INPUT when there is one already and none was given, STATE_CONFLICT
 */
export async function setMpin(
  db: Database,
  actor: Actor,
  {
    mpin,
    current_mpin,
    device_id,
  }: { mpin: string; current_mpin?: string | undefined; device_id?: string | undefined },
): Promise<number> {
  const { orgId, userId: user_id, sessionId: session_id } = actor;
  const before = await db.read(orgId, (tx) => readUser.first(tx, { user_id }));
  if (!before) throw new KistError('STATE_CONFLICT');
  const isChange = before.mpin_hash !== null;
  if (isChange && current_mpin === undefined) throw new KistError('INVALID_INPUT', missing('current_mpin'));
  // Before the current one is tried: a refusal of the new one is no try.
  await db.read(orgId, (tx) => refuseTrivial(tx, mpin, before));
  if (current_mpin !== undefined) await tryMpin(db, orgId, { user_id, session_id }, current_mpin);
  const mpin_hash = await hashSecret(mpin, db.ports.identity.pepper);
  const device_hash = deviceHash(device_id);
  return db.transaction(orgId, async (tx) => {
    const user = await lockUser.first(tx, { user_id });
    // Two at once: the second one has to know the first one's M-PIN.
    if (!user || user.mpin_hash !== before.mpin_hash) throw new KistError('STATE_CONFLICT');
    await storeMpin(tx, { user_id, mpin_hash, device_hash });
    if (device_hash && session_id !== undefined) await nameDevice.run(tx, { user_id, session_id, device_hash });
    if (!isChange) {
      await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'mpin_set' });
      return 0;
    }
    await store.untrustDevices.run(tx, { user_id, except: device_hash });
    await voidProofs.run(tx, { user_id });
    const sessions_ended = await revokeOtherSessions.run(tx, { user_id, except: session_id ?? null });
    await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'mpin_changed', data: { sessions_ended } });
    return sessions_ended;
  });
}

/** A new M-PIN, and trust for the device it was typed on, if that has a secret id. */
export async function storeMpin(
  tx: Tx,
  { user_id, mpin_hash, device_hash }: { user_id: string; mpin_hash: string; device_hash: Buffer | null },
): Promise<void> {
  await store.saveMpin.run(tx, { user_id, mpin_hash });
  if (device_hash) await trustDevice(tx, { user_id, device_hash });
}

/** A person has a few devices; the one unused for longest makes room. */
const TRUSTED_DEVICES = 5;

/** Whoever holds this device may sign in with the M-PIN alone. */
export async function trustDevice(tx: Tx, device: { user_id: string; device_hash: Buffer }): Promise<void> {
  await store.trustDevice.run(tx, device);
  await store.keepNewestDevices.run(tx, { user_id: device.user_id, kept: TRUSTED_DEVICES });
}

const missing = (path: string): KistErrorOptions => ({ fields: [{ path, key: 'field.required' }] });
