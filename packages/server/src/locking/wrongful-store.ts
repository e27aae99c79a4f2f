import type { IsoDate } from '@kist/contract/dates';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { DEBT_REASONS } from '@kist/contract/lock-policy';
import { as, date, int8, known, nullable, timestamptz, uuid } from '#server/platform/column-types.ts';
import { listed } from '#server/platform/sql-words.ts';
import { statement } from '#server/platform/statement.ts';

/** The last time that money held a phone at a level that locks: which, since when, for which instalment, when it was freed of that, and when another came in its place; no row: never. */
export const lastHeldForMoney = statement({
  name: 'locking.last_held_for_money',
  takes: { agreement_id: uuid },
  gives: {
    device_id: uuid,
    since: timestamptz,
    replaced_at: nullable(timestamptz),
    freed_at: nullable(timestamptz),
    due_on: nullable(as<IsoDate>()(date)),
    due_paise: known(int8),
  },
  text: `
    with steps as materialized (
      select v.decided_at, v.device_id, (v.verdict ->> 'requested_level')::int >= ${LOCKED_FROM_LEVEL} as is_held, v.facts -> 'agreement' as agreement
      from verdicts v where v.org_id = $1 and v.agreement_id = $agreement_id and v.revision is not null and v.allowed
        and v.facts -> 'request' ->> 'taking' is null and v.facts -> 'request' ->> 'reason' in (${listed(DEBT_REASONS)})
    ), last as (
      select max(decided_at) as at from steps where is_held
    )
    select b.device_id, b.decided_at as since,
      (select min(x.made_at) from phone_exchanges_view x where x.org_id = $1 and x.agreement_id = $agreement_id and x.from_device_id = b.device_id) as replaced_at,
      (select min(s.decided_at) from steps s where not s.is_held and s.decided_at > last.at) as freed_at,
      (b.agreement ->> 'oldestUnpaidDueOn')::date as due_on, coalesce((b.agreement ->> 'oldestUnpaidPaise')::bigint, 0) as due_paise
    from last join lateral (
      select s.decided_at, s.device_id, s.agreement from steps s where s.is_held
        and s.decided_at > coalesce((select max(f.decided_at) from steps f where not f.is_held and f.decided_at < last.at), '-infinity')
      order by s.decided_at limit 1) b on true
    -- Of a lock that is still to come, since the clock went back, nothing can be said.
    where b.decided_at <= kist_now()`,
});

/**
 * The clock that began with the end of a lock was about one that was wrong; where its phone never said that it is free and another came in its place, it ends with that.
 * @returns no row where no clock began then, or it is known already
 */
export const markWrongful = statement({
  name: 'locking.mark_wrongful',
  takes: { agreement_id: uuid, device_id: uuid, since: timestamptz, replaced_at: nullable(timestamptz) },
  gives: { cure_id: uuid },
  text: `
    update cures u set held_since = $since, confirmed_at = coalesce(u.confirmed_at, case when $replaced_at::timestamptz is not null then greatest(u.cured_at, $replaced_at::timestamptz) end)
    where u.org_id = $1 and u.held_since is null and u.cure_id = (
      select c.cure_id from cures c where c.org_id = $1 and c.agreement_id = $agreement_id and c.device_id = $device_id and c.cured_at >= $since order by c.cured_at limit 1)
    returning u.cure_id`,
});

/** Whether a clock began at the end of a lock, or after it. */
export const hasClock = statement({
  name: 'locking.has_clock',
  takes: { agreement_id: uuid, device_id: uuid, since: timestamptz },
  gives: { cure_id: uuid },
  text: `select cure_id from cures where org_id = $1 and agreement_id = $agreement_id and device_id = $device_id and cured_at >= $since limit 1`,
});

/** The clock of a lock that was wrong and that a person took off: it began with that. */
export const insertWrongful = statement({
  name: 'locking.insert_wrongful',
  takes: {
    cure_id: uuid,
    agreement_id: uuid,
    device_id: uuid,
    held_since: timestamptz,
    cured_at: nullable(timestamptz),
    confirmed_at: nullable(timestamptz),
  },
  text: `
    insert into cures (org_id, cure_id, agreement_id, device_id, payment_id, cured_at, confirmed_at, held_since)
    values ($1, $cure_id, $agreement_id, $device_id, null, coalesce($cured_at, kist_now()), $confirmed_at, $held_since)`,
});

/** Every clock of an agreement, as of now: what it began with, whether the lock was wrong, and when the phone said that it is free. */
export const clocksOfAgreement = statement({
  name: 'locking.clocks_of_agreement',
  takes: { agreement_id: uuid },
  gives: {
    held_since: nullable(timestamptz),
    cured_at: timestamptz,
    confirmed_at: nullable(timestamptz),
    now: known(timestamptz),
  },
  text: `
    select held_since, cured_at, confirmed_at, kist_now() as now from cures
    where org_id = $1 and agreement_id = $agreement_id order by coalesce(held_since, cured_at), cure_id`,
});
