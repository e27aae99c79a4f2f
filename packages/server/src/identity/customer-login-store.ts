import type { Language, UserType } from '@kist/contract/codes';
import type { AccessConfig, UserAccess } from '@kist/contract/organisation';
import { as, bool, int4, jsonb, listOf, nullable, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Whoever signs in with a number, let in or not; held until the transaction ends. `is_quiet`: nothing was heard of the number for so many days. */
export const holdNumber = statement({
  name: 'identity.hold_number',
  takes: { mobile: text, quiet_days: int4 },
  gives: {
    user_id: uuid,
    user_type: as<UserType>()(text),
    is_active: bool,
    first_name: text,
    last_name: text,
    is_quiet: bool,
    is_proved: bool,
    customer_ids: listOf(uuid),
  },
  text: `
    select u.user_id, u.user_type, u.is_active, u.first_name, u.last_name,
      coalesce(greatest(u.number_proved_at,
        (select max(l.since) from customer_logins l where l.org_id = $1 and l.user_id = u.user_id),
        (select max(s.last_seen_at) from sessions s where s.org_id = $1 and s.user_id = u.user_id))
        < kist_now() - make_interval(days => $quiet_days), true) as is_quiet,
      u.number_proved_at is not null as is_proved,
      array(select l.customer_id from customer_logins l where l.org_id = $1 and l.user_id = u.user_id order by l.customer_id) as customer_ids
    from users u where u.org_id = $1 and u.mobile = $mobile and u.number_yielded_at is null for no key update`,
});

export const insertCustomerUser = statement({
  name: 'identity.insert_customer_user',
  takes: {
    user_id: uuid,
    mobile: text,
    first_name: text,
    last_name: text,
    language: as<Language>()(text),
    user_access: jsonb<UserAccess>(),
    lock_access: jsonb<AccessConfig>(),
  },
  gives: { user_id: uuid },
  text: `
    insert into users (org_id, user_id, user_type, mobile, first_name, last_name, language, user_access, lock_access, created_at)
    values ($1, $user_id, 'customer', $mobile, $first_name, $last_name, $language, $user_access, $lock_access, kist_now())
    on conflict (org_id, mobile) where number_yielded_at is null do nothing returning user_id`,
});

/** The number is no shop's any more: nobody of one ever told a code from it. */
export const yieldNumber = statement({
  name: 'identity.yield_number',
  takes: { user_id: uuid },
  text: 'update users set number_yielded_at = kist_now() where org_id = $1 and user_id = $user_id and number_proved_at is null',
});

/** Lets in again, under the name by which the number was sold to last. */
export const letCustomerIn = statement({
  name: 'identity.let_customer_in',
  takes: { user_id: uuid, first_name: text, last_name: text },
  text: `
    update users set is_active = true, first_name = $first_name, last_name = $last_name, updated_at = kist_now()
    where org_id = $1 and user_id = $user_id and user_type = 'customer'`,
});

export const linkCustomer = statement({
  name: 'identity.link_customer',
  takes: { customer_id: uuid, user_id: uuid },
  text: `
    insert into customer_logins (org_id, customer_id, user_id, since) values ($1, $customer_id, $user_id, kist_now())
    on conflict (org_id, customer_id) do update set user_id = excluded.user_id, since = excluded.since`,
});

/** Whose login a customer had. */
export const unlinkCustomer = statement({
  name: 'identity.unlink_customer',
  takes: { customer_id: uuid },
  gives: { user_id: uuid },
  text: 'delete from customer_logins where org_id = $1 and customer_id = $customer_id returning user_id',
});

export const unlinkAll = statement({
  name: 'identity.unlink_all',
  takes: { user_id: uuid },
  gives: { customer_id: uuid },
  text: 'delete from customer_logins where org_id = $1 and user_id = $user_id returning customer_id',
});

/** One who opens nothing any more signs in no more. No row while something is left to open. */
export const shutCustomerOut = statement({
  name: 'identity.shut_customer_out',
  takes: { user_id: uuid },
  gives: { user_id: uuid },
  text: `
    update users u set is_active = false, updated_at = kist_now()
    where u.org_id = $1 and u.user_id = $user_id and u.user_type = 'customer'
      and not exists (select from customer_logins l where l.org_id = $1 and l.user_id = $user_id)
    returning user_id`,
});

/** Who signed in with the number of a customer, and opens nothing any more, is nobody's name any more. */
export const eraseCustomerUsers = statement({
  name: 'identity.erase_customer_users',
  takes: { user_id: nullable(uuid), mobile: text },
  gives: { user_id: uuid },
  text: `
    update users u set mobile = 'erased:' || user_id::text, first_name = '—', last_name = '', email = null, birth_on = null, address = '{}', updated_at = kist_now()
    where u.org_id = $1 and u.user_type = 'customer' and not u.is_active and (u.user_id = $user_id or u.mobile = $mobile)
      and not exists (select from customer_logins l where l.org_id = $1 and l.user_id = u.user_id)
    returning u.user_id`,
});

export const loginOfCustomer = statement({
  name: 'identity.login_of_customer',
  takes: { customer_id: uuid },
  gives: { user_id: uuid },
  text: 'select user_id from customer_logins where org_id = $1 and customer_id = $customer_id',
});
