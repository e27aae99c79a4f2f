import type { UserType } from '@kist/contract/codes';
import { as, bool, known, nullable, type RowOf, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const declared = {
  user_type: as<Extract<UserType, 'admin' | 'retailer'>>()(text),
  mobile: text,
  first_name: text,
  /** null: as it is, none of a new one. */
  last_name: nullable(text),
  shop_name: text,
  upi_id: nullable(text),
};
/** Somebody who works in an organisation, as whoever runs the installation declares them; the mobile number is who they are. */
export type DeclaredUser = RowOf<typeof declared>;

/** Where the administrators who sign in here are written to. */
export const adminEmails = statement({
  name: 'identity.admin_emails',
  gives: { email: known(text) },
  text: `
    select distinct email from users where org_id = $1 and user_type = 'admin' and is_active and email <> '' order by email limit 10`,
});

/** Who looks after the organisation. */
export const adminIds = statement({
  name: 'identity.admin_ids',
  gives: { user_id: uuid },
  text: `select user_id from users where org_id = $1 and user_type = 'admin' and is_active order by user_id`,
});

export const lockUserType = statement({
  name: 'identity.lock_user_type',
  takes: { mobile: text },
  gives: { user_id: uuid, user_type: as<UserType>()(text), is_active: bool },
  text: 'select user_id, user_type, is_active from users where org_id = $1 and mobile = $mobile and number_yielded_at is null for no key update',
});

export const insertStaff = statement({
  name: 'identity.insert_staff',
  takes: { user_id: uuid, ...declared },
  text: `
    insert into users (org_id, user_id, user_type, mobile, first_name, last_name, shop_name, upi_id, created_at)
    values ($1, $user_id, $user_type, $mobile, $first_name, coalesce($last_name, ''), $shop_name, $upi_id, kist_now())`,
});

/** Writes nothing where nothing is other than before. */
export const updateStaff = statement({
  name: 'identity.update_staff',
  takes: { user_id: uuid, first_name: text, last_name: nullable(text), shop_name: text, upi_id: nullable(text) },
  text: `
    update users set first_name = $first_name, last_name = coalesce($last_name, last_name), shop_name = $shop_name, upi_id = coalesce($upi_id, upi_id)
    where org_id = $1 and user_id = $user_id
      and (first_name, last_name, shop_name, upi_id) is distinct from
          ($first_name, coalesce($last_name, last_name), $shop_name, coalesce($upi_id, upi_id))`,
});
