import type { IsoDate } from '@kist/contract/dates';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { DEBT_REASONS } from '@kist/contract/lock-policy';
import { as, bool, date, int8, known, nullable, timestamptz, uuid } from '#server/platform/column-types.ts';
import { listed } from '#server/platform/sql-words.ts';
import { statement } from '#server/platform/statement.ts';

const ABOUT_MONEY = `v.org_id = $1 and v.agreement_id = $agreement_id and v.revision is not null and v.allowed
        and v.facts -> 'request' ->> 'taking' is null and v.facts -> 'request' ->> 'reason' in (${listed(DEBT_REASONS)})`;

/**
 * Each time that money held a phone at a level that locks, the oldest first: which, since when, for which instalment, when it was freed of that, when the next
 * such time began, and when another phone came in its place. `told_later_paise`: what had been paid by then and was written down only afterwards, also what
 * of it goes back because no more was owed when it was written.
 * `is_known`: it was found to be wrong; `is_upheld`: whatever money says, since the customer was right about that instalment.
 */
export const heldForMoney = statement({
  name: 'locking.held_for_money',
  takes: { agreement_id: uuid },
  gives: {
    device_id: uuid,
    since: timestamptz,
    freed_at: nullable(timestamptz),
    next_at: nullable(timestamptz),
    replaced_at: nullable(timestamptz),
    due_on: nullable(as<IsoDate>()(date)),
    due_paise: known(int8),
    told_later_paise: known(int8),
    is_known: bool,
    is_upheld: bool,
  },
  text: `
    with moments as (
      select distinct on (v.decided_at) v.decided_at, v.device_id, (v.verdict ->> 'requested_level')::int >= ${LOCKED_FROM_LEVEL} as is_held, v.facts -> 'agreement' as agreement
      from verdicts v where ${ABOUT_MONEY}
      order by v.decided_at, is_held desc
    ), steps as (
      select m.*, lag(m.is_held, 1, false) over (order by m.decided_at) as was_held from moments m
    ), turns as (
      select s.*, lead(s.decided_at) over w as freed_at, lead(s.decided_at, 2) over w as next_at from steps s where s.is_held <> s.was_held window w as (order by s.decided_at)
    )
    select t.device_id, t.decided_at as since, t.freed_at, t.next_at,
      (select min(x.made_at) from phone_exchanges_view x where x.org_id = $1 and x.agreement_id = $agreement_id and x.from_device_id = t.device_id) as replaced_at,
      (t.agreement ->> 'oldestUnpaidDueOn')::date as due_on, coalesce((t.agreement ->> 'oldestUnpaidPaise')::bigint, 0) as due_paise,
      (select coalesce(sum(p.amount_paise), 0)::bigint from receipts_view p
        where p.org_id = $1 and p.agreement_id = $agreement_id and p.state = 'posted' and p.goes_to in ('dues', 'suspense') and p.paid_at <= t.decided_at and exists (
          select from payment_moves_view m where m.org_id = $1 and m.payment_id = p.payment_id and m.to_state = 'posted' and m.moved_at > t.decided_at)) as told_later_paise,
      exists (select from cures c where c.org_id = $1 and c.agreement_id = $agreement_id and c.held_since >= date_trunc('milliseconds', t.decided_at)
        and (t.next_at is null or c.held_since < date_trunc('milliseconds', t.next_at)) and c.withdrawn_at is null) as is_known,
      exists (select from disputes d left join instalments_view i on i.org_id = d.org_id and i.agreement_id = d.agreement_id and i.no = d.instalment_no
        where d.org_id = $1 and d.agreement_id = $agreement_id and d.is_upheld and (d.instalment_no is null or i.due_on = (t.agreement ->> 'oldestUnpaidDueOn')::date)) as is_upheld
    -- Of a lock that is still to come, since the clock went back, nothing can be said.
    from turns t where t.is_held and t.decided_at <= kist_now() order by t.decided_at`,
});

/** Whether money held a phone at a level that locks from some moment after this one. @returns no row: never */
export const heldSince = statement({
  name: 'locking.held_since',
  takes: { agreement_id: uuid, at: timestamptz },
  gives: { decided_at: timestamptz },
  text: `
    select v.decided_at from verdicts v where ${ABOUT_MONEY} and v.decided_at >= $at and (v.verdict ->> 'requested_level')::int >= ${LOCKED_FROM_LEVEL} limit 1`,
});

/**
 * The clock that began with the end of a lock was about one that was wrong; where its phone never said that it is free and another came in its place, it ends with that.
 * @returns no row where no clock began then, or it is known already
 */
export const markWrongful = statement({
  name: 'locking.mark_wrongful',
  takes: {
    agreement_id: uuid,
    device_id: uuid,
    since: timestamptz,
    until: nullable(timestamptz),
    replaced_at: nullable(timestamptz),
  },
  gives: { cure_id: uuid },
  text: `
    update cures u set held_since = $since, confirmed_at = coalesce(u.confirmed_at, case when $replaced_at::timestamptz is not null then greatest(u.cured_at, $replaced_at::timestamptz) end)
    where u.org_id = $1 and u.held_since is null and u.cure_id = (
      select c.cure_id from cures c where c.org_id = $1 and c.agreement_id = $agreement_id and c.device_id = $device_id and c.cured_at >= $since
        and ($until::timestamptz is null or c.cured_at <= $until::timestamptz) order by c.cured_at limit 1)
    returning u.cure_id`,
});

const FOUND = `org_id = $1 and agreement_id = $agreement_id and held_since >= $since and ($next_at::timestamptz is null or held_since < $next_at::timestamptz)`;
const lock = { agreement_id: uuid, since: timestamptz, next_at: nullable(timestamptz) };

/** A lock that was found to be wrong was right: the money that showed it was taken back. */
export const withdrawWrongful = statement({
  name: 'locking.withdraw_wrongful',
  takes: lock,
  gives: { cure_id: uuid },
  text: `update cures set withdrawn_at = kist_now() where ${FOUND} and withdrawn_at is null returning cure_id`,
});

/** It was wrong after all. @returns no row where it never had been found so */
export const restoreWrongful = statement({
  name: 'locking.restore_wrongful',
  takes: lock,
  gives: { cure_id: uuid },
  text: `update cures set withdrawn_at = null where ${FOUND} and withdrawn_at is not null returning cure_id`,
});

/** The clock of a lock that was wrong and at whose end none began. */
export const insertWrongful = statement({
  name: 'locking.insert_wrongful',
  takes: {
    cure_id: uuid,
    agreement_id: uuid,
    device_id: uuid,
    payment_id: nullable(uuid),
    held_since: timestamptz,
    cured_at: timestamptz,
    confirmed_at: nullable(timestamptz),
  },
  text: `
    insert into cures (org_id, cure_id, agreement_id, device_id, payment_id, cured_at, confirmed_at, held_since, began_wrong)
    values ($1, $cure_id, $agreement_id, $device_id, $payment_id, $cured_at, $confirmed_at, $held_since, true)`,
});

/** Of a clock that began because a lock was wrong nothing is left where it was right after all. */
export const COUNTS = 'not (c.began_wrong and c.withdrawn_at is not null)';

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
    select w.held_since, c.cured_at, c.confirmed_at, kist_now() as now from cures c
    cross join lateral (select case when c.withdrawn_at is null then c.held_since end as held_since) w
    where c.org_id = $1 and c.agreement_id = $agreement_id and ${COUNTS} order by coalesce(w.held_since, c.cured_at), c.cure_id`,
});
