import { OWED_CAUSES } from '@kist/contract/agent';
import { SWITCHES } from '@kist/contract/commands';
import type { IsoDate } from '@kist/contract/dates';
import type { Tx } from '#server/platform/database.ts';
import { listed } from '#server/platform/sql-words.ts';
import { shopName } from './contacts-store.ts';
import { LEASE_DAYS } from './lease-terms.ts';

/**
 * Phones the ladder has to look at: held for money or by a test, and those of overdue agreements while their policy's automatic hours last (before and after
 * them the gate lets nothing rise); in the order of their ids.
 */
export async function ladderCandidates(tx: Tx, after: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ deviceId: string }>(
    `with today as materialized (select kist_today() as on_day, extract(hour from kist_now() at time zone 'Asia/Kolkata') as hour)
     select w.device_id as "deviceId" from (
       select a.device_id from agreements a cross join today
       where a.org_id = kist_org() and a.state = 'active' and kist_is_overdue(a.oldest_due_on, today.on_day)
         and coalesce(today.hour >= (a.policy #>> '{automaticHours,fromHour}')::integer and today.hour < (a.policy #>> '{automaticHours,toHour}')::integer, true)
       union
       select l.device_id from locks l where l.org_id = kist_org() and l.cause in (${listed(OWED_CAUSES)}) and l.level > 0
       union
       select x.device_id from restrictions x where x.org_id = kist_org() and x.cause in (${listed(OWED_CAUSES)}) and x.given_back_at is null
     ) w join devices d on d.org_id = kist_org() and d.device_id = w.device_id
     where d.released_at is null and d.enrolled_at is not null and ($1 = '' or w.device_id > nullif($1, '')::uuid)
     order by w.device_id limit $2`,
    [after, limit],
  );
  return rows.map((row) => row.deviceId);
}

/**
 * Phones whose lease has less than half of its time left, has none yet, shows another amount than is overdue now (the next instalment fell due
 * since it was made) or somebody else to call or to pay, names a step on a day that became a holiday since, or allows steps without a whole consent; in the order of their ids.
 */
export async function leasesToRenew(tx: Tx, after: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ deviceId: string }>(
    `with today as materialized (select kist_today() as on_day, kist_now() + make_interval(days => $2) as soon),
     late as (
       select a.device_id, sum(i.left_paise) as paise
       from agreements a cross join today join instalments i on i.org_id = a.org_id and i.agreement_id = a.agreement_id
       where a.org_id = kist_org() and a.state = 'active' and kist_is_overdue(a.oldest_due_on, today.on_day) and kist_is_overdue(i.due_on, today.on_day) and i.paid_on is null
       group by a.device_id
     ),
     rest as (
       select array_agg(h) as days from organisations o cross join today, unnest(o.holidays) h where o.org_id = kist_org() and h >= today.on_day
     )
     select d.device_id as "deviceId" from devices d
     join agreements a on a.org_id = d.org_id and a.device_id = d.device_id and a.state = 'active'
     join device_desired w on w.org_id = d.org_id and w.device_id = d.device_id
     left join shop_contacts_view u on u.org_id = a.org_id and u.user_id = a.owner_user_id
     left join late on late.device_id = d.device_id cross join rest cross join today
     where d.org_id = kist_org() and d.enrolled_at is not null and d.released_at is null and ($3 = '' or d.device_id > nullif($3, '')::uuid)
       and (w.lease is null or (w.lease ->> 'valid_until')::timestamptz < today.soon
         or (late.paise is not null and (w.lease -> 'screen' ->> 'amount_paise')::bigint is distinct from late.paise)
         or (w.lease -> 'screen' ->> 'shop_phone') <> u.mobile
         or (w.lease -> 'screen' ->> 'shop' <> ${shopName('u')} and kist_is_shown_as_written(${shopName('u')}))
         or kist_pays_another(w.lease -> 'screen' ->> 'upi_uri', (w.lease -> 'screen' ->> 'amount_paise')::bigint, u.upi_id)
         or (rest.days is not null and exists (
           select from json_array_elements(w.lease -> 'ladder') s where ((s ->> 'at')::timestamptz at time zone 'Asia/Kolkata')::date = any (rest.days)))
         or (w.lease #> '{ladder,0}' is not null and not exists (
           select from consents x where x.org_id = a.org_id and x.agreement_id = a.agreement_id
             and kist_consent_counts(x.document_id, x.confirmation_id, kist_needs_consent_code(a.policy), x.accepted_at, a.exchanged_at))))
     order by d.device_id limit $1`,
    [limit, LEASE_DAYS / 2, after],
  );
  return rows.map((row) => row.deviceId);
}

/**
 * The instalment that was the oldest unpaid one on a day of the past. One paid on that very day counts as unpaid still: a doubt is settled towards the
 * older debt, which a notice can do no harm to.
 */
export async function oldestUnpaidAt(
  tx: Tx,
  agreementId: string,
  on: IsoDate,
): Promise<{ dueOn: IsoDate; leftPaise: number } | null> {
  const { rows } = await tx.query<{ dueOn: IsoDate; leftPaise: number }>(
    `select due_on as "dueOn", principal_paise + interest_paise + fee_paise as "leftPaise" from instalments
     where org_id = kist_org() and agreement_id = $1 and (paid_on is null or paid_on >= $2::date) order by due_on, no limit 1`,
    [agreementId, on],
  );
  return rows[0] ?? null;
}

export async function devicesOfAgreements(tx: Tx, agreementIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ deviceId: string }>(
    `select device_id as "deviceId" from agreements where org_id = kist_org() and agreement_id = any($1::uuid[]) and state = 'active'`,
    [[...agreementIds]],
  );
  return rows.map((row) => row.deviceId);
}

/** A document with this switch on, for each of them. */
const ANY_SWITCH = SWITCHES.map((name) => `'{"${name}": true}'`).join(', ');

/**
 * Every phone that anything is taken from, by our word or by its own, for any cause but its owner's report that it was stolen. The causes of our own
 * books count: a phone that names one we never gave, one whose document holds what no cause carries, and one whose lease let it take a step that we have not
 * heard of, are among them.
 */
export async function heldButForTheft(tx: Tx): Promise<string[]> {
  const { rows } = await tx.query<{ deviceId: string }>(
    `select device_id as "deviceId" from locks where org_id = kist_org() and cause <> 'theft' and level > 0
     union
     select device_id from restrictions where org_id = kist_org() and cause <> 'theft' and given_back_at is null
     union
     select w.device_id from device_desired w join device_reports r using (org_id, device_id)
     where w.org_id = kist_org()
       and (w.lock_level > 0 or r.lock_level > 0 or (w.lease -> 'ladder' -> 0 ->> 'at')::timestamptz <= kist_now() or w.document ->> 'wallpaper_text' is not null
         or w.document -> 'toggles' @> any (array[${ANY_SWITCH}]::jsonb[]))
       and not exists (select from locks l where l.org_id = w.org_id and l.device_id = w.device_id and l.cause = 'theft' and l.level > 0)
       and not exists (select from restrictions x where x.org_id = w.org_id and x.device_id = w.device_id and x.cause = 'theft' and x.given_back_at is null)`,
  );
  return rows.map((row) => row.deviceId);
}
