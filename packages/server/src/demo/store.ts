import type { Client } from 'pg';
import { int4, jsonb, listOf, nullable, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** The lab's phones, as far as they are not given up. */
export const phonesBySerial = statement({
  name: 'demo.phones_by_serial',
  takes: { serials: listOf(text) },
  gives: {
    device_id: uuid,
    customer_id: uuid,
    name: text,
    imei1: nullable(text),
    serial: nullable(text),
    brand: text,
    model: text,
    provisioning_type: int4,
  },
  text: `
    select d.device_id, c.customer_id, trim(c.first_name || ' ' || c.last_name) as name, d.imei1, d.serial, d.brand, d.model, d.provisioning_type
    from devices_view d join customers_view c on c.org_id = d.org_id and c.customer_id = d.customer_id
    where d.org_id = $1 and d.serial = any($serials) and d.released_at is null order by d.serial`,
});

/** Whose phone it is, as far as it is not given up. */
export const ownerOfPhone = statement({
  name: 'demo.owner_of_phone',
  takes: { imei: text },
  gives: { name: text },
  text: `
    select trim(c.first_name || ' ' || c.last_name) as name
    from devices_view d join customers_view c on c.org_id = d.org_id and c.customer_id = d.customer_id
    where d.org_id = $1 and $imei in (d.imei1, d.imei2) and d.released_at is null limit 1`,
});

/** Messages of which nobody has heard whether they arrived. */
export const noticesUnderWay = statement({
  name: 'demo.notices_under_way',
  gives: { notice_id: uuid },
  text: `select notice_id from notices_view where org_id = $1 and channel = 'sms' and delivered_at is null and failed_at is null`,
});

/** Phones that were told something since they last spoke. */
export const phonesWithNews = statement({
  name: 'demo.phones_with_news',
  gives: { device_id: uuid },
  text: `
    select s.device_id from device_states_view s
    where s.org_id = $1 and (s.is_behind or exists (select from unanswered_commands_view c where c.org_id = $1 and c.device_id = s.device_id))`,
});

/**
 * Somebody of the demo who signs in. Written past the identity's door, and the check of statements names it: its shops are there
 * before anybody could make them.
 */
export const plantUser = statement({
  name: 'demo.plant_user',
  takes: {
    user_id: uuid,
    user_type: text,
    parent_user_id: nullable(uuid),
    mobile: text,
    first_name: text,
    last_name: text,
    shop_name: text,
    upi_id: nullable(text),
    address: jsonb<{ city?: string }>(),
  },
  text: `
    insert into users (org_id, user_id, user_type, parent_user_id, mobile, first_name, last_name, shop_name, upi_id, address, created_at)
    values ($1, $user_id, $user_type, $parent_user_id, $mobile, $first_name, $last_name, $shop_name, $upi_id, $address, kist_now())`,
});

/** Whether a start began to make the demo shop and did not finish. @param owner before anything is served: there is no transaction of an organisation yet */
export async function isUnfinished(owner: Client, orgId: number, finishedStep: string): Promise<boolean> {
  const { rows } = await owner.query<{ is_unfinished: boolean }>(
    `select exists (select from org_directory where org_id = $1)
       and not exists (select from daily_steps where org_id = $1 and step = $2) as is_unfinished`,
    [orgId, finishedStep],
  );
  return rows[0]!.is_unfinished;
}
