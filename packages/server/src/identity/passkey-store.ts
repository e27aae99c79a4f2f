import { as, bytea, int4, int8, jsonb, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { DeviceNote } from './session-store.ts';

const kind = as<'add' | 'enter'>()(text);
const question = { device_hash: bytea, kind, challenge_hash: bytea, origin: text, ttl_s: int4 };

const ASK = `
  insert into passkey_challenges (org_id, user_id, device_hash, kind, challenge_hash, origin, expires_at)
  select $1, u.user_id, d.device_hash, $kind, $challenge_hash, $origin, now() + make_interval(secs => $ttl_s)
  from users u join trusted_devices d on d.org_id = u.org_id and d.user_id = u.user_id
  where u.org_id = $1 and u.is_active and u.mpin_hash is not null and d.device_hash = $device_hash`;
const ASKED = `
  on conflict (org_id, user_id, device_hash, kind) do update
    set challenge_hash = excluded.challenge_hash, origin = excluded.origin, expires_at = excluded.expires_at
  returning user_id`;

/** A question to a device; it takes the place of the one before. No row where the device is not trusted by this user, or no M-PIN is set that the key would stand beside. */
export const askUser = statement({
  name: 'identity.ask_user_of_passkey',
  takes: { ...question, user_id: uuid },
  gives: { user_id: uuid },
  text: `${ASK} and u.user_id = $user_id ${ASKED}`,
});

/** The same before anybody signed in. */
export const askMobile = statement({
  name: 'identity.ask_mobile_of_passkey',
  takes: { ...question, mobile: text },
  gives: { user_id: uuid },
  text: `${ASK} and u.mobile = $mobile and u.number_yielded_at is null ${ASKED}`,
});

const answer = { device_hash: bytea, kind, challenge_hash: bytea };
const TAKE = `
  delete from passkey_challenges c using users u
  where c.org_id = $1 and u.org_id = c.org_id and u.user_id = c.user_id and u.is_active
    and c.device_hash = $device_hash and c.kind = $kind and c.challenge_hash = $challenge_hash and c.expires_at > now()`;
const TAKEN = 'returning c.user_id, c.origin';

/** Uses a question up; no row when it was never asked of this user on this device, was answered, or is too old. */
export const takeOfUser = statement({
  name: 'identity.take_passkey_question_of_user',
  takes: { ...answer, user_id: uuid },
  gives: { user_id: uuid, origin: text },
  text: `${TAKE} and u.user_id = $user_id ${TAKEN}`,
});

export const takeOfMobile = statement({
  name: 'identity.take_passkey_question_of_mobile',
  takes: { ...answer, mobile: text },
  gives: { user_id: uuid, origin: text },
  text: `${TAKE} and u.mobile = $mobile and u.number_yielded_at is null ${TAKEN}`,
});

/** What this device may be asked for on pages of this name. */
export const credentialsOf = statement({
  name: 'identity.credentials_of_device',
  takes: { user_id: uuid, device_hash: bytea, rp_id: text },
  gives: { credential_id: bytea },
  text: `
    select credential_id from passkeys
    where org_id = $1 and user_id = $user_id and device_hash = $device_hash and rp_id = $rp_id`,
});

/** A device has one, the newest. No row where the credential is another's, or the device is not trusted any more. */
export const savePasskey = statement({
  name: 'identity.save_passkey',
  takes: {
    user_id: uuid,
    device_hash: bytea,
    passkey_id: uuid,
    credential_id: bytea,
    public_key: bytea,
    rp_id: text,
    sign_count: int8,
    device: jsonb<DeviceNote>(),
  },
  gives: { passkey_id: uuid },
  text: `
    insert into passkeys (org_id, user_id, device_hash, passkey_id, credential_id, public_key, rp_id, sign_count, device)
    select $1, d.user_id, d.device_hash, $passkey_id, $credential_id, $public_key, $rp_id, $sign_count, $device
    from trusted_devices d where d.org_id = $1 and d.user_id = $user_id and d.device_hash = $device_hash
      and not exists (select from passkeys p where p.org_id = $1 and p.credential_id = $credential_id
        and (p.user_id, p.device_hash) is distinct from (d.user_id, d.device_hash))
    on conflict (org_id, user_id, device_hash) do update set passkey_id = excluded.passkey_id, credential_id = excluded.credential_id,
      public_key = excluded.public_key, rp_id = excluded.rp_id, sign_count = excluded.sign_count, device = excluded.device,
      created_at = now(), last_used_at = now()
    returning passkey_id`,
});

/** Held until the transaction ends: two signatures with one count follow one another. */
export const lockPasskey = statement({
  name: 'identity.lock_passkey',
  takes: { user_id: uuid, device_hash: bytea, credential_id: bytea },
  gives: { passkey_id: uuid, public_key: bytea, sign_count: int8 },
  text: `
    select passkey_id, public_key, sign_count from passkeys
    where org_id = $1 and user_id = $user_id and device_hash = $device_hash and credential_id = $credential_id for no key update`,
});

export const countSignature = statement({
  name: 'identity.count_signature',
  takes: { passkey_id: uuid, sign_count: int8 },
  text: 'update passkeys set sign_count = $sign_count, last_used_at = now() where org_id = $1 and passkey_id = $passkey_id',
});

/** Dated as sessions are: by the product's clock. */
export const passkeysOf = statement({
  name: 'identity.passkeys_of',
  takes: { user_id: uuid },
  gives: { passkey_id: uuid, device: jsonb<Partial<DeviceNote>>(), created_at: timestamptz, last_used_at: timestamptz },
  text: `
    select passkey_id, device, created_at + (kist_now() - now()) as created_at, last_used_at + (kist_now() - now()) as last_used_at
    from passkeys where org_id = $1 and user_id = $user_id order by passkeys.last_used_at desc, passkey_id limit 100`,
});

export const removePasskey = statement({
  name: 'identity.remove_passkey',
  takes: { user_id: uuid, passkey_id: uuid },
  gives: { passkey_id: uuid },
  text: `
    delete from passkeys where org_id = $1 and user_id = $user_id and passkey_id = $passkey_id returning passkey_id`,
});

/** All of a user's: whoever needed a new M-PIN may have lost more than it. */
export const removePasskeys = statement({
  name: 'identity.remove_passkeys',
  takes: { user_id: uuid },
  gives: { passkey_id: uuid },
  text: 'delete from passkeys where org_id = $1 and user_id = $user_id returning passkey_id',
});
