import { int4, listOf, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** What a row of shop_contacts_view is called on phones: the shop, or who runs it. @param row its alias */
export const shopName = (row: string): string =>
  `coalesce(nullif(${row}.shop_name, ''), trim(${row}.first_name || ' ' || ${row}.last_name))`;

/**
 * Phones of these shops' customers that name somebody else, to call or as the shop, than is there now, or ask for money elsewhere; so many at most, in the order
 * of their ids.
 */
export const phonesOfOtherContact = statement({
  name: 'locking.phones_of_other_contact',
  takes: { owners: listOf(uuid), limit: int4 },
  gives: { device_id: uuid },
  text: `
    select d.device_id from agreements_view a
    join shop_contacts_view u on u.org_id = a.org_id and u.user_id = a.owner_user_id
    join devices_view d on d.org_id = a.org_id and d.device_id = a.device_id
    join lease_contacts_view w on w.org_id = a.org_id and w.device_id = a.device_id
    where a.org_id = $1 and a.owner_user_id = any($owners) and a.state = 'active' and d.released_at is null
      and (w.shop_phone <> u.mobile or w.shop <> ${shopName('u')} or kist_pays_another(w.upi_uri, w.amount_paise, u.upi_id))
    order by d.device_id limit $limit`,
});
