import { COUNTS } from './wrongful-store.ts';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { DEBT_REASONS } from '@kist/contract/lock-policy';
import { float8, int4, int8, known, nullable } from '#server/platform/column-types.ts';
import { listed } from '#server/platform/sql-words.ts';
import { statement } from '#server/platform/statement.ts';

/** Three months: what was long ago says nothing of how it is now. */
export const CLOCK_DAYS = 90;
const SINCE = `kist_now() - interval '${CLOCK_DAYS} days'`;
const dayOf = (ms: string) => `(to_timestamp(${ms} / 1000.0) at time zone 'Asia/Kolkata')::date`;

/**
 * Notice → level: each time money, the ladder's or by override, raised a phone to a level that locks, how long after its last notice arrived, and whether any notice that this level
 * stands on had less than its days. Reckoned anew from what the verdict stood on and the terms that were signed, not by the gate itself: the day of delivery and the days to pay are wholly the customer's.
 */
export const noticeToLevel = statement({
  name: 'locking.notice_to_level',
  gives: { locks: int4, early: int4, p50_s: nullable(float8), least_s: nullable(float8) },
  text: `
    select count(*)::int as locks, count(*) filter (where n.is_early)::int as early,
      (percentile_cont(0.5) within group (order by extract(epoch from v.decided_at) - n.last_ms / 1000))::float8 as p50_s,
      min(extract(epoch from v.decided_at) - n.last_ms / 1000)::float8 as least_s
    from verdicts v join agreements_view a on a.org_id = v.org_id and a.agreement_id = v.agreement_id
    cross join lateral (
      select max(d.at_ms) as last_ms, coalesce(bool_or(d.at_ms is null
          or (v.decided_at at time zone 'Asia/Kolkata')::date - ${dayOf('d.at_ms')} < (t.notice ->> 'minDaysToPay')::int + 1), true) as is_early
      from jsonb_array_elements(a.policy::jsonb -> 'steps') s(step)
      cross join lateral jsonb_array_elements(s.step -> 'needsNotices') need(no)
      join lateral jsonb_array_elements(a.policy::jsonb -> 'notices') t(notice) on t.notice -> 'no' = need.no
      left join lateral (
        select min((m.told ->> 'deliveredAtMs')::float8) as at_ms from jsonb_array_elements(v.facts::jsonb -> 'notices') m(told)
        where m.told -> 'no' = need.no and m.told ->> 'dueOn' = v.facts -> 'agreement' ->> 'oldestUnpaidDueOn') d on true
      where s.step ->> 'level' = v.verdict ->> 'requested_level'
    ) n
    where v.org_id = $1 and v.revision is not null and v.decided_at > ${SINCE} and v.allowed and v.facts -> 'request' ->> 'reason' in (${listed(DEBT_REASONS)})
      and v.facts -> 'request' ->> 'taking' is null and (v.verdict ->> 'requested_level')::int >= ${LOCKED_FROM_LEVEL}
      and (v.facts -> 'device' ->> 'currentDebtLevel')::int < (v.verdict ->> 'requested_level')::int`,
});

/**
 * Cure → confirmed unlock: how long after the money until the phone itself said that it is free; one that has not said so counts until now. What is owed counts
 * a lock that was wrong from its first moment, and one that was taken off too late from the end of the free time.
 */
export const cureToUnlock = statement({
  name: 'locking.cure_to_unlock',
  gives: {
    cures: int4,
    unconfirmed: int4,
    late: int4,
    wrongful: int4,
    p50_s: nullable(float8),
    p95_s: nullable(float8),
    worst_s: nullable(float8),
    owed_paise: known(int8),
  },
  text: `
    select count(*)::int as cures, count(*) filter (where c.confirmed_at is null)::int as unconfirmed, count(*) filter (where e.hours > 0 and w.held_since is null)::int as late,
      count(*) filter (where w.held_since is not null)::int as wrongful,
      (percentile_cont(0.5) within group (order by e.s))::float8 as p50_s, (percentile_cont(0.95) within group (order by e.s))::float8 as p95_s,
      max(e.s)::float8 as worst_s, coalesce(sum(e.hours * (a.policy ->> 'compensationPaisePerHour')::bigint), 0)::bigint as owed_paise
    from cures c join agreements_view a on a.org_id = c.org_id and a.agreement_id = c.agreement_id
    cross join lateral (select case when c.withdrawn_at is null then c.held_since end as held_since) w
    cross join lateral (
      select extract(epoch from coalesce(c.confirmed_at, kist_now()) - c.cured_at)::float8 as s,
        kist_late_hours(coalesce(w.held_since, c.cured_at), coalesce(c.confirmed_at, kist_now()),
          case when w.held_since is null then (a.policy ->> 'cureWithinMinutes')::int else 0 end) as hours) e
    where c.org_id = $1 and c.cured_at > ${SINCE} and ${COUNTS}`,
});
