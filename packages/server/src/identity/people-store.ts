import type { Language, SignupState, UserType } from '@kist/contract/codes';
import type { AccessConfig, UserAccess } from '@kist/contract/organisation';
import {
  as,
  bool,
  date,
  int4,
  jsonb,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const address = jsonb<{ line1?: string; city?: string; state?: string; pincode?: string }>();
const person = {
  user_id: uuid,
  user_type: as<UserType>()(text),
  parent_user_id: nullable(uuid),
  first_name: text,
  last_name: text,
  shop_name: text,
  mobile: text,
  email: nullable(text),
  upi_id: nullable(text),
  birth_on: nullable(date),
  language: as<Language>()(text),
  address,
  is_active: bool,
  suspended_at: nullable(timestamptz),
  suspend_reason: nullable(text),
  created_at: timestamptz,
  user_access: jsonb<UserAccess>(),
  lock_access: jsonb<AccessConfig>(),
  may_add_retailers: bool,
};
export type PersonRow = RowOf<typeof person>;
const PERSON = Object.keys(person).join(', ');
const FIND = `select ${PERSON} from users where org_id = $1 and user_id = $user_id`;

export const findPerson = statement({
  name: 'identity.find_person',
  takes: { user_id: uuid },
  gives: person,
  text: FIND,
});

export const personOfMobile = statement({
  name: 'identity.person_of_mobile',
  takes: { mobile: text },
  gives: person,
  text: `select ${PERSON} from users where org_id = $1 and mobile = $mobile and number_yielded_at is null`,
});

/** Held until the transaction ends: two changes of one person follow one another. */
export const holdPerson = statement({
  name: 'identity.hold_person',
  takes: { user_id: uuid },
  gives: person,
  text: `${FIND} for no key update`,
});

const written = {
  first_name: text,
  last_name: text,
  shop_name: text,
  mobile: text,
  email: nullable(text),
  upi_id: nullable(text),
  birth_on: nullable(date),
  language: as<Language>()(text),
  address,
  user_access: jsonb<UserAccess>(),
  lock_access: jsonb<AccessConfig>(),
  may_add_retailers: bool,
};
export type PersonFields = RowOf<typeof written>;

/** No row where somebody of the organisation signs in with this mobile already. */
export const insertPerson = statement({
  name: 'identity.insert_person',
  takes: { user_id: uuid, user_type: as<UserType>()(text), parent_user_id: nullable(uuid), ...written, vouches: bool },
  gives: { user_id: uuid },
  text: `
    insert into users (org_id, user_id, user_type, parent_user_id, first_name, last_name, shop_name, mobile, email, upi_id, birth_on, language, address,
      user_access, lock_access, may_add_retailers, is_email_vouched, created_at)
    values ($1, $user_id, $user_type, $parent_user_id, $first_name, $last_name, $shop_name, $mobile, $email, $upi_id, $birth_on, $language, $address,
      $user_access, $lock_access, $may_add_retailers, $vouches, kist_now())
    on conflict (org_id, mobile) where number_yielded_at is null do nothing returning user_id`,
});

/** All that may be written of a person; whether the address is vouched for, which another one is not by itself. No row where somebody else signs in with this mobile. */
export const updatePerson = statement({
  name: 'identity.update_person',
  takes: { user_id: uuid, ...written, vouches: bool },
  gives: { user_id: uuid },
  text: `
    update users u set first_name = $first_name, last_name = $last_name, shop_name = $shop_name, mobile = $mobile, email = $email, upi_id = $upi_id,
      birth_on = $birth_on, language = $language, address = $address, user_access = $user_access, lock_access = $lock_access,
      may_add_retailers = $may_add_retailers, is_email_vouched = $vouches or u.is_email_vouched and u.email is not distinct from $email, updated_at = kist_now()
    where u.org_id = $1 and u.user_id = $user_id
      and (u.mobile = $mobile or not exists (select from users o
        where o.org_id = $1 and o.mobile = $mobile and o.number_yielded_at is null))
    returning user_id`,
});

/** Nobody below a shop may do what the shop may not: words that it lost are lost below. */
export const capBelow = statement({
  name: 'identity.cap_below',
  takes: { user_id: uuid, user_access: jsonb<Partial<UserAccess>>(), lock_access: jsonb<Partial<AccessConfig>>() },
  gives: { user_id: uuid },
  text: `
    update users set user_access = user_access || $user_access, lock_access = lock_access || $lock_access
    where org_id = $1 and parent_user_id = $user_id
      and (user_access || $user_access, lock_access || $lock_access) is distinct from (user_access, lock_access)
    returning user_id`,
});

/** The number signs in anew, by a code: what was proved under the old one counts no more. */
export const forgetSignIn = statement({
  name: 'identity.forget_sign_in',
  takes: { user_id: uuid },
  text: 'update users set mpin_hash = null, mpin_set_at = null, mpin_failed = 0, mpin_locked_until = null where org_id = $1 and user_id = $user_id',
});

/** A shop and those below it that were let in until now. */
export const suspend = statement({
  name: 'identity.suspend',
  takes: { user_id: uuid, by: uuid, reason: text },
  gives: { user_id: uuid },
  text: `
    update users set is_active = false, suspended_at = kist_now(), suspended_by = $by, suspend_reason = $reason,
      suspended_with = case when user_id <> $user_id then $user_id end
    where org_id = $1 and (user_id = $user_id or parent_user_id = $user_id) and is_active
    returning user_id`,
});

/** A shop and those that were suspended along with it; one that was suspended by itself stays so. */
export const activate = statement({
  name: 'identity.activate',
  takes: { user_id: uuid },
  gives: { user_id: uuid },
  text: `
    update users set is_active = true, suspended_at = null, suspended_by = null, suspend_reason = null, suspended_with = null
    where org_id = $1 and (user_id = $user_id or suspended_with = $user_id) and not is_active
    returning user_id`,
});

const request = {
  request_id: uuid,
  mobile: text,
  first_name: text,
  last_name: text,
  shop_name: text,
  city: text,
  pincode: text,
  note: text,
  requested_at: timestamptz,
  state: as<SignupState>()(text),
  reason: text,
  language: nullable(as<Language>()(text)),
};
export type SignupRow = RowOf<typeof request>;
const REQUEST = Object.keys(request).join(', ');

/** One open request a mobile, as it was said first: nobody rewrites another's (the update changes nothing, and tells that it stands). Where `most` are open, no more are taken. */
export const upsertSignup = statement({
  name: 'identity.upsert_signup',
  takes: {
    request_id: uuid,
    mobile: text,
    first_name: text,
    last_name: text,
    shop_name: text,
    city: text,
    pincode: text,
    note: text,
    language: as<Language>()(text),
    most: int4,
  },
  gives: { request_id: uuid },
  text: `
    insert into signup_requests (org_id, request_id, mobile, first_name, last_name, shop_name, city, pincode, note, language, requested_at)
    select $1, $request_id, $mobile, $first_name, $last_name, $shop_name, $city, $pincode, $note, $language, kist_now()
    where (select count(*) from (select from signup_requests where org_id = $1 and state = 'open' limit $most) few) < $most
    on conflict (org_id, mobile) where state = 'open' do update set state = signup_requests.state
    returning request_id`,
});

/** What was answered was asked before: by when it was asked the index finds it. */
export const forgetSignups = statement({
  name: 'identity.forget_signups',
  takes: { days: int4, decided_days: int4 },
  text: `
    delete from signup_requests where org_id = $1 and state = 'open' and requested_at < kist_now() - make_interval(days => $days)
      or org_id = $1 and state in ('approved', 'refused') and requested_at < kist_now() - make_interval(days => $decided_days)
      and decided_at < kist_now() - make_interval(days => $decided_days)`,
});

export const signups = statement({
  name: 'identity.signups',
  takes: { state: text, limit: int4 },
  gives: request,
  text: `select ${REQUEST} from signup_requests where org_id = $1 and state = $state order by requested_at, request_id limit $limit`,
});

export const holdSignup = statement({
  name: 'identity.hold_signup',
  takes: { request_id: uuid },
  gives: request,
  text: `select ${REQUEST} from signup_requests where org_id = $1 and request_id = $request_id for update`,
});

export const decidedSignup = statement({
  name: 'identity.decided_signup',
  takes: { request_id: uuid },
  gives: request,
  text: `select ${REQUEST} from signup_requests where org_id = $1 and request_id = $request_id and state <> 'open'`,
});

/** Whether whoever asked hears of what was decided. */
export const isSignupTold = statement({
  name: 'identity.is_signup_told',
  takes: { request_id: uuid },
  gives: { is_told: bool },
  text: `select told_at is not null as is_told from signup_requests where org_id = $1 and request_id = $request_id and state <> 'open'`,
});

/**
 * Each number hears of refusals once a day. A number has one open request, and gets the next only when that one's decision is committed: no two are decided at
 * once.
 */
export const decideSignup = statement({
  name: 'identity.decide_signup',
  takes: { request_id: uuid, state: text, reason: text, user_id: nullable(uuid) },
  text: `
    update signup_requests r set state = $state, reason = $reason, user_id = $user_id, decided_at = kist_now(),
      told_at = case when $state = 'refused' and exists (
        select from signup_requests b
        where b.org_id = $1 and b.mobile = r.mobile and b.state = 'refused' and b.told_at > kist_now() - interval '1 day') then null else kist_now() end
    where r.org_id = $1 and r.request_id = $request_id and r.state = 'open'`,
});
