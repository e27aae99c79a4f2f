import type { PaymentView } from '@kist/contract/emi';
import {
  as,
  bool,
  bytea,
  int4,
  int8,
  jsonb,
  known,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Payments of an agreement with what each was used for, newest first. */
export const paymentsOf = statement({
  name: 'reports.payments_of',
  takes: { agreement_id: uuid },
  gives: {
    payment_id: uuid,
    receipt_no: nullable(text),
    amount_paise: int8,
    method: text,
    reference: text,
    paid_at: timestamptz,
    state: as<PaymentView['state']>()(text),
    reversed_at: nullable(timestamptz),
    reverse_reason: nullable(text),
    refuse_reason: nullable(text),
    goes_to: as<PaymentView['goes_to']>()(text),
    note_no: nullable(text),
    recorded_by: text,
    allocations: jsonb<readonly Omit<PaymentView['allocations'][number], 'instalment_place'>[]>(),
  },
  text: `
    select p.payment_id, p.receipt_no, p.amount_paise, p.method, p.reference, p.paid_at, p.state, p.reversed_at, p.reverse_reason, p.refuse_reason,
      p.goes_to, p.note_no,
      coalesce(u.name, '') as recorded_by,
      coalesce((select jsonb_agg(jsonb_build_object('instalment_no', x.instalment_no, 'bucket', x.bucket, 'paise', x.paise)
          order by x.instalment_no, x.charge_id nulls first, array_position(array['interest', 'principal', 'fee', 'penal', 'advance'], x.bucket))
        from allocations x where x.org_id = p.org_id and x.agreement_id = p.agreement_id and x.payment_id = p.payment_id), '[]') as allocations
    from receipts_view p left join users_view u on u.org_id = p.org_id and u.user_id = p.recorded_by
    where p.org_id = $1 and p.agreement_id = $agreement_id order by p.paid_at desc, p.payment_id desc`,
});

/** What was agreed, in which words of which language. */
export const consentsOf = statement({
  name: 'reports.consents_of',
  takes: { agreement_id: uuid },
  gives: { text_version: text, text_hash: bytea, language: text, method: text, accepted_at: timestamptz },
  text: `
    select text_version, text_hash, language, method, accepted_at from consents_view
    where org_id = $1 and agreement_id = $agreement_id order by accepted_at`,
});

/** Waivers of an agreement's charges that wait for a second person. */
export const askedWaivers = statement({
  name: 'reports.asked_waivers',
  takes: { agreement_id: uuid },
  gives: {
    waiver_id: uuid,
    charge_id: uuid,
    amount_paise: int8,
    reason: text,
    asked_by: uuid,
    asked_by_name: text,
  },
  text: `
    select w.waiver_id, w.charge_id, w.amount_paise, w.reason, w.asked_by, coalesce(u.name, '') as asked_by_name
    from waivers_view w left join users_view u on u.org_id = w.org_id and u.user_id = w.asked_by
    where w.org_id = $1 and w.agreement_id = $agreement_id and w.state = 'asked'`,
});

export const deviceName = statement({
  name: 'reports.device_name',
  takes: { device_id: uuid },
  gives: { device: text },
  text: 'select name as device from devices_view where org_id = $1 and device_id = $device_id',
});

/** Whom the customers of a user of the shop pay and call; where nobody of the shop is there any more, the organisation. */
export const shopContact = statement({
  name: 'reports.shop_contact',
  takes: { user_id: uuid },
  gives: { shop: text, shop_phone: text, upi_id: nullable(text) },
  text: `
    select coalesce(nullif(shop_name, ''), trim(first_name || ' ' || last_name)) as shop, mobile as shop_phone, upi_id
    from shop_contacts_view where org_id = $1 and user_id = $user_id`,
});

/** Which phone, by what its holder can see of it; of its number the end alone. */
export const phoneTail = statement({
  name: 'reports.phone_tail',
  takes: { device_id: uuid },
  gives: { device: text, imei_tail: text },
  text: `
    select name as device, right(coalesce(imei1, ''), 4) as imei_tail from devices_view where org_id = $1 and device_id = $device_id`,
});

/** Who sold, and by which plan. */
export const saleOf = statement({
  name: 'reports.sale_of',
  takes: { user_id: uuid, plan_id: nullable(int4) },
  gives: { added_by: text, plan_name: nullable(text) },
  text: `
    select u.name as added_by, p.name as plan_name from users_view u left join plans_view p on p.org_id = u.org_id and p.plan_id = $plan_id
    where u.org_id = $1 and u.user_id = $user_id`,
});

/** Which phones an agreement named before, and why it names another. */
export const exchangesOf = statement({
  name: 'reports.exchanges_of',
  takes: { agreement_id: uuid },
  gives: { made_at: timestamptz, was_set_up: bool, reason: text, brand: text, model: text, imei1: nullable(text) },
  text: `
    select x.made_at, x.was_set_up, x.reason, d.brand, d.model, d.imei1
    from phone_exchanges_view x join devices_view d on d.org_id = x.org_id and d.device_id = x.from_device_id
    where x.org_id = $1 and x.agreement_id = $agreement_id order by x.no desc`,
});

export const hasConsent = statement({
  name: 'reports.has_consent',
  takes: { agreement_id: uuid },
  gives: { has_consent: bool },
  text: 'select exists (select from consents_view where org_id = $1 and agreement_id = $agreement_id) as has_consent',
});

/** A check every night, and two hours for one that runs late. */
const CHECK_KEEPS_HOURS = 26;

/** What the dashboard says of the bell and of the last nightly check; where nothing was sold a day ago, there is nothing to check. */
export const bellAndBooks = statement({
  name: 'reports.bell_and_books',
  takes: { user_id: uuid },
  gives: { unread: int4, checked_at: nullable(timestamptz), is_balanced: nullable(bool), is_checked: bool },
  text: `
    select (select count(*)::int from unread_notifications_view where org_id = $1 and user_id = $user_id) as unread, n.checked_at, n.is_balanced,
      case when n.checked_at is null
        then not exists (select from agreements_view where org_id = $1 and created_at < kist_now() - interval '${CHECK_KEEPS_HOURS} hours')
        else n.checked_at > kist_now() - interval '${CHECK_KEEPS_HOURS} hours' end as is_checked
    from (select 1) one left join lateral (select * from nightly_checks_view where org_id = $1 order by business_on desc limit 1) n on true`,
});

/** Whether anybody could sell a phone in the organisation. */
export const sellingState = statement({
  name: 'reports.selling_state',
  gives: { retailers: int4, plans: int4, keys: int4 },
  text: `
    select (select count(*)::int from users_view where org_id = $1 and user_type = 'retailer' and is_active) as retailers,
      (select count(*)::int from plans_view where org_id = $1 and is_active) as plans,
      (select coalesce(sum(available), 0)::int from wallets_view where org_id = $1) as keys`,
});

/** Every history that a phone's number has to do with: each device that bore it, its customer, its agreements. */
export const historiesOfImei = statement({
  name: 'reports.histories_of_imei',
  takes: { imei: text },
  gives: { kind: known(as<'device' | 'customer' | 'agreement'>()(text)), id: known(text) },
  text: `
    with phones as (select device_id, customer_id from devices_view where org_id = $1 and (imei1 = $imei or imei2 = $imei))
    select 'device' as kind, device_id::text as id from phones
    union select 'customer', customer_id::text from phones where customer_id is not null
    union select 'agreement', a.agreement_id::text from phones p join agreements_view a on a.org_id = $1 and a.device_id = p.device_id
    union select 'agreement', x.agreement_id::text from phones p join phone_exchanges_view x on x.org_id = $1 and x.from_device_id = p.device_id
    order by 1, 2`,
});

/** The last change of a SIM that a phone told within as many days; null without one. */
export const simChangedAt = statement({
  name: 'reports.sim_changed_at',
  takes: { device_id: uuid, days: int4 },
  gives: { at: nullable(timestamptz) },
  text: `
    select max(at) as at from sim_changes_view
    where org_id = $1 and device_id = $device_id and at > kist_now() - make_interval(days => $days)`,
});
