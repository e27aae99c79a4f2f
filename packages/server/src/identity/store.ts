import type { Language, UserType } from '@kist/contract/codes';
import type { AccessConfig, UserAccess } from '@kist/contract/organisation';
import {
  as,
  bool,
  bytea,
  date,
  int4,
  jsonb,
  known,
  listOf,
  nullable,
  type RowOf,
  text,
  uuid,
} from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const user = {
  user_id: uuid,
  user_type: as<UserType>()(text),
  parent_user_id: nullable(uuid),
  mobile: text,
  first_name: text,
  last_name: text,
  shop_name: text,
  language: as<Language>()(text),
  birth_on: nullable(date),
  user_access: jsonb<UserAccess>(),
  lock_access: jsonb<AccessConfig>(),
  mpin_hash: nullable(text),
};
export type User = RowOf<typeof user>;
const USER = Object.keys(user).join(', ');

/** An active user; held until the transaction ends, so that its sign-ins and its audit chain follow one another. */
export const lockUser = statement({
  name: 'identity.lock_user',
  takes: { user_id: uuid },
  gives: user,
  text: `select ${USER} from users where org_id = $1 and user_id = $user_id and is_active for no key update`,
});

/** The same by the number that signs in. */
export const lockUserOfMobile = statement({
  name: 'identity.lock_user_of_mobile',
  takes: { mobile: text },
  gives: user,
  text: `select ${USER} from users where org_id = $1 and mobile = $mobile and number_yielded_at is null and is_active for no key update`,
});

export const readUser = statement({
  name: 'identity.read_user',
  takes: { user_id: uuid },
  gives: user,
  text: `select ${USER} from users where org_id = $1 and user_id = $user_id`,
});

/** Birthdays of the customers whom a login opens; others with its number are not this person, and their birthdays are not told by a refusal. */
export const birthsOfLogin = statement({
  name: 'identity.births_of_login',
  takes: { user_id: uuid },
  gives: { birth_on: known(date) },
  text: `
    select distinct b.birth_on from customer_logins l join customer_births_view b on b.org_id = l.org_id and b.customer_id = l.customer_id
    where l.org_id = $1 and l.user_id = $user_id`,
});

/** Whether a device is trusted by this mobile's user, and the addresses of the user's latest sign-ins: by these a request may be more than a stranger's. */
export const earlierSignIns = statement({
  name: 'identity.earlier_sign_ins',
  takes: { mobile: text, device_hash: nullable(bytea) },
  gives: { is_trusted: bool, addresses: listOf(text) },
  text: `
    select exists (select from trusted_devices d where d.org_id = u.org_id and d.user_id = u.user_id and d.device_hash = $device_hash) as is_trusted,
      array(select s.ip from sessions s where s.org_id = u.org_id and s.user_id = u.user_id order by s.created_at desc limit 20) as addresses
    from users u where u.org_id = $1 and u.mobile = $mobile and u.number_yielded_at is null and u.is_active`,
});

const proofKind = as<'RESET' | 'UNINSTALL' | 'BYPASS_CODE'>()(text);

export const insertProof = statement({
  name: 'identity.insert_proof',
  takes: { token_hash: bytea, kind: proofKind, user_id: uuid, customer_id: nullable(uuid), ttl_s: int4 },
  text: `
    insert into proof_tokens (org_id, token_hash, kind, user_id, customer_id, created_at, expires_at)
    values ($1, $token_hash, $kind, $user_id, $customer_id, now(), now() + make_interval(secs => $ttl_s))`,
});

/** Uses a proof up: whose it was; no row when it is unknown, used, expired or of another kind. */
export const useProof = statement({
  name: 'identity.use_proof',
  takes: { token_hash: bytea, kind: proofKind },
  gives: { user_id: uuid, customer_id: nullable(uuid) },
  text: `
    update proof_tokens set used_at = now()
    where org_id = $1 and token_hash = $token_hash and kind = $kind and used_at is null and expires_at > now()
    returning user_id, customer_id`,
});

/** Ends every proof of a user that waits to be used: what was proved with the old M-PIN, or beside it, opens nothing after a new one. */
export const voidProofs = statement({
  name: 'identity.void_proofs',
  takes: { user_id: uuid },
  text: `
    update proof_tokens set used_at = now()
    where org_id = $1 and user_id = $user_id and used_at is null and expires_at > now()`,
});

export const forgetProofs = statement({
  name: 'identity.forget_proofs',
  takes: { days: int4 },
  text: 'delete from proof_tokens where org_id = $1 and expires_at < now() - make_interval(days => $days)',
});

/** Whether somebody of a shop, who may be suspended, has logged in with a number by a code sent to it. One that was only written down says nothing. */
export const ofStaff = statement({
  name: 'identity.of_staff',
  takes: { mobile: text },
  gives: { is_of_staff: bool },
  text: `select exists (select from users where org_id = $1 and mobile = $mobile and user_type <> 'customer' and number_proved_at is not null) as is_of_staff`,
});

/** The retailer of a shop: oneself, or the one above a mini-retailer. */
export const shopOf = statement({
  name: 'identity.shop_of',
  takes: { user_id: uuid },
  gives: { shop_user_id: uuid },
  text: 'select coalesce(parent_user_id, user_id) as shop_user_id from users where org_id = $1 and user_id = $user_id',
});

/** A code that came to this user's number was told: it is theirs. */
export const proveNumber = statement({
  name: 'identity.prove_number',
  takes: { user_id: uuid },
  text: 'update users set number_proved_at = kist_now() where org_id = $1 and user_id = $user_id',
});

/** Shops by their mobile numbers, those alone that may sell. */
export const shopsByMobile = statement({
  name: 'identity.shops_by_mobile',
  takes: { mobiles: listOf(text) },
  gives: { user_id: uuid, mobile: text },
  text: `
    select user_id, mobile from users
    where org_id = $1 and mobile = any($mobiles) and number_yielded_at is null and is_active and user_type in ('retailer', 'miniretailer')`,
});
