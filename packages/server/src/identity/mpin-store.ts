import { LIMITS } from '@kist/contract/limits';
import type { Tx } from '#server/platform/database.ts';

export interface MpinTry {
  userId: string;
  mpinHash: string;
  /** Wrong tries in a row if this one is wrong too. */
  failed: number;
}

const RESERVE = `update users u set mpin_failed = mpin_failed + 1,
    mpin_locked_until = case when (mpin_failed + 1) % $1 = 0 then now() + make_interval(secs => $2) end
  where u.org_id = kist_org() and u.is_active and u.mpin_hash is not null and (u.mpin_locked_until is null or u.mpin_locked_until <= now())`;
const TRY = `returning u.user_id as "userId", u.mpin_hash as "mpinHash", u.mpin_failed as failed`;
const TRUSTED = `exists (select from trusted_devices d where d.org_id = u.org_id and d.user_id = u.user_id and d.device_hash = $4)`;

/**
 * Counts a try before the M-PIN is looked at (and locks at the fifth), so that guesses sent at once are counted like guesses sent
 * one by one. A right one clears the count.
 */
export async function reserveTryOnDevice(tx: Tx, mobile: string, deviceHash: Buffer): Promise<MpinTry | undefined> {
  const { rows } = await tx.query<MpinTry>(
    `${RESERVE} and u.mobile = $3 and ${TRUSTED} ${TRY}`,
    [LIMITS.mpinTries, LIMITS.mpinLockS, mobile, deviceHash],
    'identity.reserve_try_on_device',
  );
  return rows[0];
}

/** The same for a user who is signed in and changes the M-PIN. */
export async function reserveTryOfUser(tx: Tx, userId: string): Promise<MpinTry | undefined> {
  const { rows } = await tx.query<MpinTry>(
    `${RESERVE} and u.user_id = $3 ${TRY}`,
    [LIMITS.mpinTries, LIMITS.mpinLockS, userId],
    'identity.reserve_try_of_user',
  );
  return rows[0];
}

/** @returns seconds until the lock ends; undefined when it is not locked, or not known on this device. */
export async function lockedForS(
  tx: Tx,
  by: { mobile: string; deviceHash: Buffer } | { userId: string },
): Promise<number | undefined> {
  const [where, values] =
    'userId' in by
      ? [`u.user_id = $1`, [by.userId]]
      : [
          `u.mobile = $1 and exists (select from trusted_devices d where d.org_id = u.org_id and d.user_id = u.user_id and d.device_hash = $2)`,
          [by.mobile, by.deviceHash],
        ];
  const { rows } = await tx.query<{ seconds: number }>(
    `select extract(epoch from u.mpin_locked_until - now())::float8 as seconds from users u
     where u.org_id = kist_org() and u.is_active and u.mpin_hash is not null and u.mpin_locked_until > now() and ${where}`,
    values,
  );
  return rows[0]?.seconds;
}

export async function clearTries(tx: Tx, userId: string): Promise<void> {
  await tx.query(
    `update users set mpin_failed = 0, mpin_locked_until = null where org_id = kist_org() and user_id = $1`,
    [userId],
    'identity.clear_tries',
  );
}

export async function saveMpin(tx: Tx, userId: string, mpinHash: string): Promise<void> {
  await tx.query(
    `update users set mpin_hash = $2, mpin_set_at = now(), mpin_failed = 0, mpin_locked_until = null where org_id = kist_org() and user_id = $1`,
    [userId, mpinHash],
    'identity.save_mpin',
  );
}

/** A person has a few devices; the one unused for longest makes room. */
const trustedDevices = 5;

export async function trustDevice(tx: Tx, userId: string, deviceHash: Buffer): Promise<void> {
  await tx.query(
    `insert into trusted_devices (org_id, user_id, device_hash) values (kist_org(), $1, $2)
     on conflict (org_id, user_id, device_hash) do update set last_used_at = now()`,
    [userId, deviceHash],
    'identity.trust_device',
  );
  await tx.query(
    `delete from trusted_devices where org_id = kist_org() and user_id = $1 and device_hash in (
       select device_hash from trusted_devices where org_id = kist_org() and user_id = $1 order by last_used_at desc, device_hash offset $2)`,
    [userId, trustedDevices],
    'identity.trim_devices',
  );
}

/** @param except the device that stays trusted */
export async function untrustDevices(tx: Tx, userId: string, except?: Buffer): Promise<void> {
  await tx.query(
    `delete from trusted_devices where org_id = kist_org() and user_id = $1 and device_hash is distinct from $2::bytea`,
    [userId, except ?? null],
    'identity.untrust_devices',
  );
}
