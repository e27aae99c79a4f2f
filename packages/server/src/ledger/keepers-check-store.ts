import { int8, known, listOf, nullable, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import { listed } from '#server/platform/sql-words.ts';
import { CHART } from './chart.ts';
import { FAULT } from './check-store.ts';

/** Of whom a row is, where it is of anybody: an odd one must be a fault that is told, not an error that ends the check. */
const OF_SOMEBODY = `'^[^:]*:?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:|$)'`;

const GROW_BY_DEBIT = Object.entries(CHART).flatMap(([code, { side }]) => (side === 'debit' ? [code] : []));

/** The next so many people who have a series of receipts or keys, in the order of their ids. */
export const keepersBehind = statement({
  name: 'ledger.keepers_behind',
  takes: { after: nullable(uuid), limit: int8 },
  gives: { id: known(uuid) },
  isPlannedEachTime: true,
  text: `
    select id from (
      select user_id as id from users_view where org_id = $1
      union
      select user_id from wallets where org_id = $1
      union
      select split_part(name, ':', 2)::uuid from counters where org_id = $1 and name ~ '^(receipt|down_payment|note):' and name ~ ${OF_SOMEBODY}
    ) keepers where $after is null or id > $after order by id limit $limit`,
});

/** What belongs to no agreement: series of receipts, keys. */
export const houseFaults = statement({
  name: 'ledger.house_faults',
  takes: { owner_ids: nullable(listOf(uuid)) },
  gives: FAULT,
  isPlannedEachTime: true,
  text: `
    with numbers as (
      select case p.goes_to when 'down_payment' then 'down_payment' else 'receipt' end as series, coalesce(p.posted_by, p.recorded_by) as user_id, p.receipt_no as no
      from payments p where p.org_id = $1 and p.receipt_no is not null and ($owner_ids is null or coalesce(p.posted_by, p.recorded_by) = any($owner_ids))
      union all
      select 'note', p.reversed_by, p.note_no from payments p where p.org_id = $1 and p.note_no is not null and ($owner_ids is null or p.reversed_by = any($owner_ids))
    ), receipts as (
      select series, user_id, substr(no, 1, 5) as year, count(*) as n, max(ltrim(split_part(no, '/', 3), 'DR')::bigint) as last
      from numbers where no ~ '^[0-9]{2}-[0-9]{2}/[0-9]+/[DR]?[0-9]{1,15}$' and ($owner_ids is null or user_id = any($owner_ids)) group by 1, 2, 3
    ), keys as (
      select a.owner_id as user_id, substr(l.unit, 5) as plan_type, a.code, l.lot, sum(l.debit - l.credit)::bigint as n
      from accounts a join journal_lines l on l.org_id = $1 and l.account_id = a.account_id
      where a.org_id = $1 and a.code in ('keys_available', 'keys_reserved') and ($owner_ids is null or a.owner_id = any($owner_ids::text[])) group by 1, 2, 3, 4
    ), wallet as (
      select w.user_id::text as user_id, w.plan_type::text as plan_type, k.code, w.lot, k.n::bigint as n from wallets w,
        lateral (values ('keys_available', w.available), ('keys_reserved', w.reserved)) as k(code, n) where w.org_id = $1
    )
    select f.fault, f.subject, f.found, f.expected from (
      select 'receipts of a series' as fault, c.name as subject, coalesce(r.n, 0) as found, c.last as expected from counters c
      left join receipts r on c.name = r.series || ':' || r.user_id || ':20' || r.year
      where c.org_id = $1 and c.name ~ '^(receipt|down_payment|note):' and ($owner_ids is null or split_part(c.name, ':', 2) = any($owner_ids::text[]) or c.name !~ ${OF_SOMEBODY})
        and (coalesce(r.n, 0) <> c.last or r.last <> c.last)
      union all
      select 'receipts without a series', r.series || ' ' || r.user_id || ' ' || r.year, r.n, 0 from receipts r
      where not exists (select from counters c where c.org_id = $1 and c.name = r.series || ':' || r.user_id || ':20' || r.year)
      union all
      select 'numbers with another shop’s part', n.user_id::text, count(*), 0 from numbers n left join counters c on c.org_id = $1 and c.name = 'shop:' || n.user_id
      where n.no ~ '^[0-9]{2}-[0-9]{2}/[0-9]+/[DR]?[0-9]{1,15}$' and split_part(n.no, '/', 2)::bigint is distinct from c.last and ($owner_ids is null or n.user_id = any($owner_ids))
      group by n.user_id
      union all
      select code || ' of lot ' || coalesce(lot, 'none') || ' of plan type ' || plan_type, user_id, coalesce(w.n, 0), coalesce(k.n, 0)
      from keys k full join wallet w using (user_id, plan_type, code, lot)
      where coalesce(w.n, 0) <> coalesce(k.n, 0) and ($owner_ids is null or user_id = any($owner_ids::text[]))
      union all
      select 'keys kept beside the lines', b.account_id::text || ' ' || b.lot, b.keys::bigint, coalesce(l.n, 0)
      from key_balances b left join (
        select l.account_id, l.lot, sum(l.debit - l.credit)::bigint as n from accounts a join journal_lines l on l.org_id = $1 and l.account_id = a.account_id
        where a.org_id = $1 and a.owner_kind = 'user' and a.unit like 'KEY:%' group by 1, 2) l using (account_id, lot)
      where b.org_id = $1 and b.keys <> coalesce(l.n, 0)
        and ($owner_ids is null or exists (select from accounts a where a.org_id = $1 and a.account_id = b.account_id and a.owner_id = any($owner_ids::text[])))
      union all
      select 'keys set aside of plan type ' || w.plan_type || ' of lot ' || w.lot, w.user_id::text, w.reserved, r.n
      from wallets w, lateral (select count(*) as n from key_reservations r where r.org_id = $1 and r.user_id = w.user_id and r.plan_type = w.plan_type
        and r.lot = w.lot and r.state = 'reserved') r
      where w.org_id = $1 and w.reserved <> r.n and ($owner_ids is null or w.user_id = any($owner_ids))
      union all
      select case coalesce(s.kind, r.kind) when 'key_spent' then 'keys spent of plan type ' else 'keys given back of plan type ' end || coalesce(s.plan_type, r.plan_type),
        coalesce(s.user_id, r.user_id), coalesce(r.n, 0), coalesce(s.n, 0)
      from (
        select a.owner_id as user_id, substr(l.unit, 5) as plan_type, j.kind, sum(l.credit - l.debit)::bigint as n
        from accounts a join journal_lines l on l.org_id = $1 and l.account_id = a.account_id join journals j on j.org_id = $1 and j.journal_id = l.journal_id
        where a.org_id = $1 and a.code = 'keys_reserved' and j.kind in ('key_spent', 'key_returned') and ($owner_ids is null or a.owner_id = any($owner_ids::text[]))
        group by 1, 2, 3) s
      full join (
        select user_id::text as user_id, plan_type::text as plan_type, case state when 'posted' then 'key_spent' else 'key_returned' end as kind, count(*) as n
        from key_reservations where org_id = $1 and state <> 'reserved' and ($owner_ids is null or user_id = any($owner_ids)) group by 1, 2, 3) r
        on r.user_id = s.user_id and r.plan_type = s.plan_type and r.kind = s.kind
      where coalesce(s.n, 0) <> coalesce(r.n, 0)
      union all
      -- Of the first phone the database asked when it was set up; of the others it did so from 0427 on.
      select 'phones on fewer keys', m.customer_id::text, p.n, k.n
      from (
        select d.customer_id from devices_view d where d.org_id = $1 and d.customer_id is not null
          and ($owner_ids is null or exists (select from customers_view c where c.org_id = $1 and c.customer_id = d.customer_id and c.owner_user_id = any($owner_ids)))
        group by 1 having count(*) > 1) m,
        lateral (select count(*) as n from devices_view d where d.org_id = $1 and d.customer_id = m.customer_id
          and exists (select from enrolments_view e where e.org_id = $1 and e.device_id = d.device_id)) p,
        lateral (select greatest(count(*), 1) as n from key_reservations r where r.org_id = $1 and r.customer_id = m.customer_id and r.state = 'posted') k
      where p.n > k.n
      union all
      select 'an account of nobody', a.account_id::text || ' ' || a.code, 1, 0 from accounts a
      where a.org_id = $1 and a.owner_kind = 'user' and not exists (select from users_view u where u.org_id = $1 and u.user_id::text = a.owner_id)
        and ($owner_ids is null or a.owner_id = any($owner_ids::text[]) or a.owner_id !~ ${OF_SOMEBODY})
      union all
      select 'a grant of keys that nobody got', g.effect_key, 0, g.keys from key_grants_view g
      where g.org_id = $1 and ($owner_ids is null or g.user_id = any($owner_ids))
        and not exists (select from journals j where j.org_id = $1 and j.effect_key = g.effect_key and j.kind = 'keys_credited')
      union all
      select 'keys passed on that nobody got', t.transfer_id || ' ' || t.lot, 0, t.keys from key_transfers_view t
      where t.org_id = $1 and ($owner_ids is null or t.to_user_id = any($owner_ids)) and not exists (
        select from journals j where j.org_id = $1 and j.effect_key = 'key:pass:' || t.transfer_id || ':' || t.lot and j.kind = 'keys_passed')
    ) f`,
});

/** What is the organisation's alone: the numbers of agreements and shops, counters, the sides of accounts, the days that were run. */
export const organisationFaults = statement({
  name: 'ledger.organisation_faults',
  gives: FAULT,
  isPlannedEachTime: true,
  text: `
    with ran as (
      -- The last day, and each between the first that tells of steps and it.
      select r.daily_run_on as day from daily_runs_view r where r.org_id = $1 and r.daily_run_on is not null
      union
      select d::date from daily_runs_view r, (select min(business_on) as first from finished_steps_view where org_id = $1) f,
        generate_series(f.first, r.daily_run_on, interval '1 day') d where r.org_id = $1
    ), steps as (
      select r.day, count(*) filter (where t.step is null) as missing, bool_or((t.finished_at at time zone 'Asia/Kolkata')::date < r.day) as is_early
      from ran r cross join unnest(kist_daily_steps()) s(step) left join finished_steps_view t on t.org_id = $1 and t.business_on = r.day and t.step = s.step
      where r.day > kist_days_are_told_since() group by r.day
    )
    select 'numbers of agreements' as fault, 'agreement' as subject, n.n as found, coalesce(c.last, 0)::bigint as expected
    from (select count(*) as n from agreements_view a where a.org_id = $1 and a.agreement_no !~ '^[0-9]+-H[0-9]{5,}$') n
    left join counters c on c.org_id = $1 and c.name = 'agreement' where n.n <> coalesce(c.last, 0)
    union all
    select 'numbers of shops', 'shops', n.last, coalesce(c.last, 0)
    from (select coalesce(max(s.last), 0) as last from counters s where s.org_id = $1 and s.name like 'shop:%') n
    left join counters c on c.org_id = $1 and c.name = 'shops' where n.last <> coalesce(c.last, 0)
    union all
    select 'a number of two shops', last::text, count(*), 1 from counters where org_id = $1 and name like 'shop:%' group by last having count(*) > 1
    union all
    select 'numbers of suspensions', 'suspensions', max(u.suspended_no)::bigint, coalesce(c.last, 0)
    from users_view u left join counters c on c.org_id = $1 and c.name = 'suspensions' where u.org_id = $1 group by c.last having max(u.suspended_no) > coalesce(c.last, 0)
    union all
    select 'a counter that nothing reads', c.name, c.last, 0 from counters c
    where c.org_id = $1 and c.name not in ('agreement', 'shops', 'suspensions') and not (
      c.name ~ '^(shop:[^:]+|(receipt|down_payment|note):[^:]+:20[0-9]{2}-[0-9]{2})$'
      and exists (select from users_view u where u.org_id = $1 and u.user_id::text = split_part(c.name, ':', 2)))
    union all
    select 'an account with its sides turned', a.account_id::text || ' ' || a.code, 1, 0 from accounts a
    where a.org_id = $1 and a.normal_side <> case when a.code in (${listed(GROW_BY_DEBIT)}) then 'debit' else 'credit' end
    union all
    select 'steps of a day that was run', day::text, cardinality(kist_daily_steps()) - missing, cardinality(kist_daily_steps()) from steps where missing > 0
    union all
    select 'a day that was run before it came', day::text, 1, 0 from steps where is_early`,
});
