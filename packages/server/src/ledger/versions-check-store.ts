import { statement } from '#server/platform/statement.ts';
import { FAULT, SCOPE, SOME } from './check-store.ts';

/** Versions of schedules against their days, their rows, the terms in force and one another; and late fees against the rule that was signed. */
export const versionFaults = statement({
  name: 'ledger.version_faults',
  takes: SOME,
  gives: FAULT,
  isPlannedEachTime: true,
  text: `
    with ${SCOPE}, versions as materialized (
      select v.*, 1 + row_number() over w as place, lag(v.effective_on) over w as on_before, lag(v.after) over w as after_before, lead(v.version) over w is null as is_last
      from scope s join schedule_versions_view v on v.org_id = $1 and v.agreement_id = s.agreement_id
      window w as (partition by v.agreement_id order by v.version)
    ), told as (
      select agreement_id, count(*) as n, max(effective_on) as last_on, sum(principal_paise)::bigint as principal, sum(dropped_interest_paise)::bigint as interest,
        sum(dropped_fee_paise)::bigint as fee from versions group by agreement_id
    ), dropped as (
      select i.agreement_id, sum(i.dropped_principal_paise)::bigint as principal, sum(i.dropped_interest_paise)::bigint as interest, sum(i.dropped_fee_paise)::bigint as fee
      from scope s join instalments i on i.org_id = $1 and i.agreement_id = s.agreement_id where i.superseded_by is not null group by i.agreement_id
    ), made as (
      select v.agreement_id, v.version, coalesce(sum(i.principal_paise), 0)::bigint as principal, coalesce(sum(i.interest_paise), 0)::bigint as interest,
        coalesce(sum(i.fee_paise), 0)::bigint as fee, min(i.due_on) as first_on, count(*) filter (where i.due_on <= v.effective_on) as due
      from versions v left join instalments i on i.org_id = $1 and i.agreement_id = v.agreement_id and i.version = v.version group by v.agreement_id, v.version
    ), given_up as (
      select i.agreement_id, i.superseded_by as version, min(i.due_on) as first_on
      from scope s join instalments i on i.org_id = $1 and i.agreement_id = s.agreement_id
      where i.superseded_by is not null and i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise > 0 group by 1, 2
    ), charged as (
      select c.agreement_id, c.instalment_no as no, sum(c.amount_paise)::bigint as paise, max(c.charged_on) as last_on
      from scope s join charges c on c.org_id = $1 and c.agreement_id = s.agreement_id where c.taken_back_at is null group by c.agreement_id, c.instalment_no
    )
    select f.fault, s.agreement_no as subject, f.found, f.expected
    from scope s left join told t using (agreement_id) left join dropped d using (agreement_id), lateral (values
      ('versions of the schedule', s.schedule_version::bigint, 1 + coalesce(t.n, 0)),
      ('from when the version in force counts', coalesce(s.schedule_from - date '2000-01-01', -1)::bigint, coalesce(t.last_on - date '2000-01-01', -1)::bigint),
      ('principal that versions moved', coalesce(d.principal, 0), coalesce(t.principal, 0)),
      ('interest that versions took back', coalesce(d.interest, 0), coalesce(t.interest, 0)),
      ('fee that versions took back', coalesce(d.fee, 0), coalesce(t.fee, 0))) as f(fault, found, expected)
    where f.found <> f.expected
    union all
    select f.fault, s.agreement_no || ' version ' || v.version, f.found, f.expected
    from versions v join scope s using (agreement_id) join made m on m.agreement_id = v.agreement_id and m.version = v.version
      left join given_up g on g.agreement_id = v.agreement_id and g.version = v.version, lateral (values
      ('a version out of its place', v.version::bigint, v.place),
      ('day of a version', (v.effective_on - date '2000-01-01')::bigint, ((v.made_at at time zone 'Asia/Kolkata')::date - date '2000-01-01')::bigint),
      ('a version from before the one before', (v.effective_on < coalesce(v.on_before, v.effective_on))::int::bigint, 0::bigint),
      ('principal of a version', m.principal, v.principal_paise), ('interest of a version', m.interest, v.interest_paise), ('fee of a version', m.fee, v.fee_paise),
      ('a row of a version that was due when it was made', m.due, 0::bigint),
      ('a version that puts off what was due', (g.first_on <= v.effective_on)::int::bigint, case when g.first_on is not null then 0::bigint end),
      ('a version that begins later than what it put aside', (m.first_on > g.first_on)::int::bigint, case when g.first_on is not null then 0::bigint end),
      ('total of the terms of a version', (v.after ->> 'total_payable_paise')::bigint, s.financed_paise + (v.after ->> 'total_interest_paise')::bigint + (v.after ->> 'fee_paise')::bigint),
      ('a version that asks more without a word of the customer', (v.consent_otp_id is null and schedule_version_asks_more($1, v.agreement_id, v.version))::int::bigint, 0::bigint),
      ('terms of before that never stood', (v.before <> coalesce(v.after_before, v.before))::int::bigint, 0::bigint),
      ('terms of a version that do not stand', (v.is_last and v.after <> (select terms_in_force(a) from agreements a
        where a.org_id = $1 and a.agreement_id = v.agreement_id))::int::bigint, 0::bigint),
      ('another phone that changes terms', (v.cause = 'imei_swap' and (not v.has_exchange or v.before <> v.after or v.principal_paise + v.interest_paise + v.fee_paise
        + v.dropped_interest_paise + v.dropped_fee_paise > 0))::int::bigint, 0::bigint)) as f(fault, found, expected)
    where f.found <> f.expected
    union all
    select 'day on which an instalment was put aside', s.agreement_no || ' ' || i.no, i.paid_on - date '2000-01-01', v.effective_on - date '2000-01-01'
    from versions v join scope s using (agreement_id) join instalments i on i.org_id = $1 and i.agreement_id = v.agreement_id and i.superseded_by = v.version
    where i.paid_principal_paise + i.paid_interest_paise + i.paid_fee_paise = 0 and i.paid_on <> v.effective_on
    union all
    select 'late fees beyond their rule', s.agreement_no || ' ' || c.no, c.paise, l.paise
    from charged c join scope s using (agreement_id) join instalments i on i.org_id = $1 and i.agreement_id = c.agreement_id and i.no = c.no,
      -- Of the whole instalment: how much of it was overdue on that day is nowhere kept.
      lateral (select coalesce(kist_penal_limit(s.penal, i.due_on, c.last_on, i.principal_paise + i.interest_paise + i.fee_paise), 0)::bigint as paise) l
    where c.paise > l.paise`,
});
