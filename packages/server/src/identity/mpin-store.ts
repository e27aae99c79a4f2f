import { bytea, float8, int4, int8, known, nullable, type RowOf, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const limits = { tries: int4, lock_s: int4 };
const tried = {
  user_id: uuid,
  mpin_hash: known(text),
  /** Wrong tries in a row if this one is wrong too. */
  mpin_failed: int4,
};
export type MpinTry = RowOf<typeof tried>;

const COUNT_TRY = `
  update users u set mpin_failed = mpin_failed + 1,
    mpin_locked_until = case when (mpin_failed + 1) % $tries = 0 then now() + make_interval(secs => $lock_s) end
  where u.org_id = $1 and u.is_active and u.mpin_hash is not null and (u.mpin_locked_until is null or u.mpin_locked_until <= now())`;
const TRIED = 'returning u.user_id, u.mpin_hash, u.mpin_failed';
const IS_TRUSTED =
  'exists (select from trusted_devices d where d.org_id = u.org_id and d.user_id = u.user_id and d.device_hash = $device_hash)';

/**
 * Counts a try before the M-PIN is looked at (and locks at the fifth), so that guesses sent at once are counted like guesses sent
 * one by one. A right one clears the count. No row when it is locked, or not known on this device.
 */
export const countTryOnDevice = statement({
  name: 'identity.count_try_on_device',
  takes: { ...limits, mobile: text, device_hash: bytea },
  gives: tried,
  text: `${COUNT_TRY} and u.mobile = $mobile and u.number_yielded_at is null and ${IS_TRUSTED} ${TRIED}`,
});

/** The same for a user who is signed in and changes the M-PIN. */
export const countTryOfUser = statement({
  name: 'identity.count_try_of_user',
  takes: { ...limits, user_id: uuid },
  gives: tried,
  text: `${COUNT_TRY} and u.user_id = $user_id ${TRIED}`,
});

const LOCKED = `
  select extract(epoch from u.mpin_locked_until - now())::float8 as locked_s from users u
  where u.org_id = $1 and u.is_active and u.mpin_hash is not null and u.mpin_locked_until > now()`;

/** For how long the M-PIN is locked yet; no row when it is not, or is not known on this device. */
export const lockOnDevice = statement({
  name: 'identity.lock_on_device',
  takes: { mobile: text, device_hash: bytea },
  gives: { locked_s: float8 },
  text: `${LOCKED} and u.mobile = $mobile and u.number_yielded_at is null and ${IS_TRUSTED}`,
});

/** The same for a user who is signed in. */
export const lockOfUser = statement({
  name: 'identity.lock_of_user',
  takes: { user_id: uuid },
  gives: { locked_s: float8 },
  text: `${LOCKED} and u.user_id = $user_id`,
});

export const clearTries = statement({
  name: 'identity.clear_tries',
  takes: { user_id: uuid },
  text: 'update users set mpin_failed = 0, mpin_locked_until = null where org_id = $1 and user_id = $user_id',
});

export const saveMpin = statement({
  name: 'identity.save_mpin',
  takes: { user_id: uuid, mpin_hash: text },
  text: `
    update users set mpin_hash = $mpin_hash, mpin_set_at = now(), mpin_failed = 0, mpin_locked_until = null
    where org_id = $1 and user_id = $user_id`,
});

export const trustDevice = statement({
  name: 'identity.trust_device',
  takes: { user_id: uuid, device_hash: bytea },
  text: `
    insert into trusted_devices (org_id, user_id, device_hash) values ($1, $user_id, $device_hash)
    on conflict (org_id, user_id, device_hash) do update set last_used_at = now()`,
});

/** A trusted device is used again; no row when it has lost its trust meanwhile. */
export const useDevice = statement({
  name: 'identity.use_device',
  takes: { user_id: uuid, device_hash: bytea },
  gives: { device_hash: bytea },
  text: `
    update trusted_devices set last_used_at = now() where org_id = $1 and user_id = $user_id and device_hash = $device_hash
    returning device_hash`,
});

/** The one unused for longest makes room. */
export const keepNewestDevices = statement({
  name: 'identity.keep_newest_devices',
  takes: { user_id: uuid, kept: int8 },
  text: `
    delete from trusted_devices where org_id = $1 and user_id = $user_id and device_hash in (
      select device_hash from trusted_devices where org_id = $1 and user_id = $user_id order by last_used_at desc, device_hash offset $kept)`,
});

/** Takes the trust from one device of a user. */
export const untrustDevice = statement({
  name: 'identity.untrust_device',
  takes: { user_id: uuid, device_hash: bytea },
  text: 'delete from trusted_devices where org_id = $1 and user_id = $user_id and device_hash = $device_hash',
});

/** Takes the trust from every device of a user but one. */
export const untrustDevices = statement({
  name: 'identity.untrust_devices',
  takes: { user_id: uuid, except: nullable(bytea) },
  text: 'delete from trusted_devices where org_id = $1 and user_id = $user_id and device_hash is distinct from $except',
});
