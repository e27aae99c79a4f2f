import { bool, int4, int8, listOf, nullable, text, uuid, xid8 } from '#server/platform/column-types.ts';
import { partOf } from '#server/platform/parts.ts';
import { statement } from '#server/platform/statement.ts';

/** Something that is not what it should be: what, of which agreement or series, and both figures (paise, keys or counts). */
export const FAULT = { fault: text, subject: text, found: int8, expected: int8 };
/**
 * Which agreements: those of these shops, or just these; null: all. A slice is told by its ids and not by its ends: of a range of ids the planner believes
 * that it holds one row as soon as both ends lie in one bin of its histogram, and joins ten thousand by going through all for each.
 */
export const SOME = { owner_ids: nullable(listOf(uuid)), only: nullable(listOf(uuid)) };
export const SCOPE = `
  scope as materialized (
    select * from agreements where org_id = $1
      and ($owner_ids is null or owner_user_id = any($owner_ids)) and ($only is null or agreement_id = any($only))
  )`;
const LINES = `
  lines as materialized (
    select l.*, a.code, a.owner_id, j.kind, j.ref_kind, j.ref_id, j.business_on, j.posted_at from scope s
    join journal_lines l on l.org_id = $1 and l.agreement_id = s.agreement_id
    join accounts a on a.org_id = $1 and a.account_id = l.account_id
    join journals j on j.org_id = $1 and j.journal_id = l.journal_id
  )`;

/** The next so many agreements in the order of their ids. */
export const agreementsBehind = statement({
  name: 'ledger.agreements_behind',
  takes: { after: nullable(uuid), limit: int8 },
  gives: { id: uuid },
  isPlannedEachTime: true,
  text: `
    select agreement_id as id from agreements where org_id = $1 and ($after is null or agreement_id > $after)
    order by agreement_id limit $limit`,
});

/** The same of one part, 0 to 6. */
export const agreementsOfPart = statement({
  name: 'ledger.agreements_of_part',
  takes: { after: nullable(uuid), limit: int8, part: int4 },
  gives: { id: uuid },
  isPlannedEachTime: true,
  text: `
    select agreement_id as id from agreements where org_id = $1 and ($after is null or agreement_id > $after)
      and ${partOf('agreement_id')} = $part
    order by agreement_id limit $limit`,
});

export const isLarger = statement({
  name: 'ledger.is_larger',
  takes: { than: int8 },
  gives: { more: bool },
  text: 'select exists (select from agreements where org_id = $1 offset $than) as more',
});

/** Schedules against the terms that were signed, and the snapshot of each agreement against its schedule. */
export const scheduleFaults = statement({
  name: 'ledger.schedule_faults',
  takes: SOME,
  gives: FAULT,
  isPlannedEachTime: true,
  text: `
    with ${SCOPE}, laid as (
      -- Where money of the version in force lies. Of one that was never revised that is all money, and its rows say it.
      select agreement_id, instalment_no as no, bool_or(bucket <> 'interest') as has_later, bool_or(bucket = 'fee') as has_fee from (
        select l.agreement_id, l.instalment_no, l.bucket from scope s join journal_lines l on l.org_id = $1 and l.agreement_id = s.agreement_id
        join payments p on p.org_id = $1 and p.payment_id = l.payment_id and p.schedule_version = s.schedule_version
        where s.schedule_version > 1 and l.bucket in ('principal', 'interest', 'fee')
        group by l.agreement_id, l.instalment_no, l.bucket, l.payment_id having sum(l.credit - l.debit) > 0) k group by agreement_id, instalment_no
    ), rows as (
      -- What stands of each row: of one that a later version superseded, what was paid of it before.
      select i.*, s.financed_paise - sum(i.principal) over (w rows between unbounded preceding and current row) as balance_should,
        lag(i.due_on, 1, s.delivered_on) over (partition by i.agreement_id, i.superseded_by is null order by i.no) as due_before,
        row_number() over w as place, max(i.no) over (partition by i.agreement_id) as last_no,
        max(i.version) over (partition by i.agreement_id) as last_version
      from scope s join (
        select i.agreement_id, i.no, i.due_on, i.paid_on, i.balance_paise, i.version, i.superseded_by, i.dropped_principal_paise,
          i.principal_paise - i.dropped_principal_paise as principal, i.interest_paise - i.dropped_interest_paise as interest,
          i.fee_paise - i.dropped_fee_paise as fee, i.paid_principal_paise + i.paid_interest_paise + i.paid_fee_paise as paid,
          (i.paid_interest_paise < i.interest_paise - i.dropped_interest_paise and case when s.schedule_version > 1 then k.has_later else i.paid_principal_paise + i.paid_fee_paise > 0 end)
            or (i.paid_principal_paise < i.principal_paise - i.dropped_principal_paise and case when s.schedule_version > 1 then k.has_fee else i.paid_fee_paise > 0 end) as is_mixed_up,
          s.schedule_version = 1 or k.no is not null as is_laid,
          i.principal_paise + i.interest_paise + i.fee_paise - i.dropped_principal_paise - i.dropped_interest_paise - i.dropped_fee_paise as total,
          i.principal_paise + i.interest_paise + i.fee_paise - i.dropped_principal_paise - i.dropped_interest_paise - i.dropped_fee_paise
            - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise as unpaid
        from scope s join instalments i on i.org_id = $1 and i.agreement_id = s.agreement_id left join laid k on k.agreement_id = i.agreement_id and k.no = i.no) i using (agreement_id)
      window w as (partition by i.agreement_id order by i.no)
    ), charged as (
      select c.agreement_id, sum(c.amount_paise - c.waived_paise - c.paid_paise)::bigint as unpaid
      from scope s join charges c on c.org_id = $1 and c.agreement_id = s.agreement_id where c.taken_back_at is null group by c.agreement_id
    ), sums as (
      select s.agreement_id, count(r.no) filter (where r.superseded_by is null or r.total > 0) as rows, coalesce(sum(r.principal), 0)::bigint as principal,
        coalesce(sum(r.interest), 0)::bigint as interest, coalesce(sum(r.fee), 0)::bigint as fee, coalesce(sum(r.unpaid), 0)::bigint as unpaid, max(r.due_on) filter (where r.superseded_by is null) as last_due_on,
        min(r.due_on) filter (where r.unpaid > 0) as oldest_due_on,
        -- Money of a version before stays where it went, whatever of it is taken back later.
        max(r.due_on) filter (where r.paid > 0 and r.is_laid) as paid_up_to, count(*) filter (where r.unpaid = 0 and (r.superseded_by is null or r.total > 0)) as paid,
        coalesce((array_agg(r.unpaid order by r.due_on, r.no) filter (where r.unpaid > 0))[1], 0) as oldest_due
      from scope s left join rows r using (agreement_id) group by s.agreement_id
    )
    select f.fault, s.agreement_no as subject, f.found, f.expected
    from scope s join sums x using (agreement_id) left join charged p using (agreement_id), lateral (values
      ('number of instalments', x.rows, s.tenure::bigint),
      ('principal of the schedule', x.principal, s.financed_paise),
      ('financed of the terms', s.financed_paise, s.cash_price_paise - s.down_payment_paise),
      ('interest of the schedule', x.interest, s.total_interest_paise),
      ('fee of the schedule', x.fee, s.fee_paise),
      ('total of the terms', s.total_payable_paise, s.financed_paise + s.total_interest_paise + s.fee_paise),
      ('last due day', (x.last_due_on - date '2000-01-01')::bigint, (s.last_due_on - date '2000-01-01')::bigint),
      ('outstanding', s.outstanding_paise, case s.state when 'cancelled' then s.outstanding_paise else x.unpaid + 0 end),
      ('oldest due day', coalesce(s.oldest_due_on - date '2000-01-01', -1)::bigint, coalesce(x.oldest_due_on - date '2000-01-01', -1)::bigint),
      ('oldest due amount', s.oldest_due_paise, x.oldest_due),
      ('instalments paid', s.paid_count::bigint, x.paid),
      ('moves that end in another state', (s.state is distinct from (select m.to_state from agreement_moves_view m where m.org_id = $1 and m.agreement_id = s.agreement_id
        order by m.no desc limit 1))::int::bigint, 0::bigint),
      ('completed with something left', case when s.state = 'completed' then x.unpaid else 0 end, 0::bigint),
      ('paid ahead of what is due before', case when s.state <> 'cancelled' and x.paid_up_to > x.oldest_due_on then x.paid_up_to - x.oldest_due_on else 0 end::bigint, 0::bigint),
      ('an advance beside what is owed', case when s.state <> 'cancelled' and x.unpaid > 0 then s.advance_paise else 0 end, 0::bigint),
      ('active with nothing left', case when s.state = 'active' and x.unpaid + coalesce(p.unpaid, 0) = 0 then 1 else 0 end::bigint, 0::bigint),
      ('active of a customer who was erased', case when s.state = 'active' and kist_is_erased($1, s.customer_id) then 1 else 0 end::bigint, 0::bigint),
      ('an agreement that names no reckoning', (s.schedule_engine is null and s.created_at > kist_engines_are_named_since())::int::bigint, 0::bigint),
      ('a state that nothing leads to', (s.state in ('foreclosed', 'written_off', 'returned'))::int::bigint, 0::bigint),
      ('of another shop than its customer', (s.owner_user_id is distinct from (select c.owner_user_id from customers_view c
        where c.org_id = $1 and c.customer_id = s.customer_id))::int::bigint, 0::bigint),
      ('a rule of penalties that nobody set', (coalesce((s.penal ->> 'version')::int, 0) > 0 and not exists (select from penal_rules r where r.org_id = $1 and r.version = (s.penal ->> 'version')::int
        and not (r.cap_bps < (s.penal ->> 'cap_bps')::int or (r.charge_paise, r.grace_days, r.every_days, r.is_daily) is distinct from
          ((s.penal ->> 'charge_paise')::bigint, (s.penal ->> 'grace_days')::int, (s.penal ->> 'every_days')::int, (s.penal ->> 'is_daily')::boolean))))::int::bigint, 0::bigint)
    ) as f(fault, found, expected)
    where f.found is distinct from f.expected
    union all
    select f.fault, s.agreement_no || ' ' || r.no, f.found, f.expected
    from rows r join scope s using (agreement_id)
    -- What was paid ahead counts towards the rows of a version: how, checkTerms reckons.
    left join schedule_versions_view v on v.org_id = $1 and v.agreement_id = r.agreement_id and v.version = r.version, lateral (values
      ('instalment out of its place', r.no::bigint, r.place),
      ('balance after an instalment', r.balance_paise, case when r.superseded_by is null then r.balance_should::bigint else r.balance_paise end),
      ('an instalment due before the one before', case when r.superseded_by is not null or r.due_on > r.due_before then 0 else 1 end::bigint, 0::bigint),
      ('an instalment that is not the EMI', case when r.version = r.last_version and r.no < r.last_no and (r.total - r.fee > s.emi_paise
        or r.total - r.fee < s.emi_paise - coalesce(v.counted_principal_paise + v.counted_interest_paise, 0)) then r.total - r.fee else s.emi_paise end, s.emi_paise),
      ('paid before the interest or principal of its instalment', (r.is_mixed_up is true and s.state <> 'cancelled')::int::bigint, 0::bigint),
      ('a paid day without payment, or none with it', case when (r.paid_on is null) = (r.unpaid > 0) then 0 else 1 end::bigint, 0::bigint)
    ) as f(fault, found, expected)
    where f.found is distinct from f.expected`,
});

/** The ledger against schedules, charges and payments: every bucket of every instalment, what is unearned, what is in advance. */
export const ledgerFaults = statement({
  name: 'ledger.ledger_faults',
  takes: SOME,
  gives: FAULT,
  isPlannedEachTime: true,
  text: `
    with ${SCOPE}, ${LINES}, owed as (
      select l.agreement_id, l.bucket, sum(l.debit - l.credit) filter (where l.payment_id is null)::bigint as opened, sum(l.debit - l.credit)::bigint as left_over
      from lines l where l.bucket is not null group by l.agreement_id, l.bucket
    ), charged as (
      -- What of a charge is owed and given up: nothing of one that was taken back.
      select c.agreement_id, c.charge_id, c.instalment_no, c.paid_paise as paid, case when c.taken_back_at is null then c.amount_paise else 0 end as made,
        case when c.taken_back_at is null then c.waived_paise else 0 end as waived, c.waived_paise as waived_ever
      from scope s join charges c on c.org_id = $1 and c.agreement_id = s.agreement_id
    ), scheduled as (
      select s.agreement_id, b.bucket, coalesce(sum(b.amount), 0)::bigint as amount, coalesce(sum(b.paid), 0)::bigint as paid
      from scope s join instalments i on i.org_id = $1 and i.agreement_id = s.agreement_id, lateral (values
        ('principal', i.principal_paise - i.dropped_principal_paise, i.paid_principal_paise),
        ('interest', i.interest_paise - i.dropped_interest_paise, i.paid_interest_paise),
        ('fee', i.fee_paise - i.dropped_fee_paise, i.paid_fee_paise)) as b(bucket, amount, paid)
      group by s.agreement_id, b.bucket
      union all
      select agreement_id, 'penal', sum(made - waived)::bigint, sum(paid)::bigint from charged group by agreement_id
      union all
      select agreement_id, 'advance', 0, advance_paise from scope
    ), paid_lines as (
      select agreement_id, instalment_no, charge_id, bucket, sum(credit - debit)::bigint as paise from lines
      where payment_id is not null and bucket in ('principal', 'interest', 'fee', 'penal') group by 1, 2, 3, 4 having sum(credit - debit) <> 0
    ), paid_stored as (
      select i.agreement_id, i.no as instalment_no, null::uuid as charge_id, b.bucket, b.paid as paise
      from scope s join instalments i on i.org_id = $1 and i.agreement_id = s.agreement_id, lateral (values
        ('principal', i.paid_principal_paise), ('interest', i.paid_interest_paise), ('fee', i.paid_fee_paise)) as b(bucket, paid) where b.paid <> 0
      union all
      select agreement_id, instalment_no, charge_id, 'penal', paid from charged where paid <> 0
    ), money as (
      select p.payment_id, p.receipt_no, p.agreement_id, case p.state when 'posted' then p.amount_paise else 0 end as amount, p.state, p.recorded_by, p.method,
        (p.customer_id <> s.customer_id)::int::bigint as astray,
        (p.paid_on > ((p.recorded_at + interval '2 minutes') at time zone 'Asia/Kolkata')::date or p.paid_on < s.delivered_on)::int::bigint as out_of_time,
        p.paid_on - date '2000-01-01' as paid_day, (p.paid_at at time zone 'Asia/Kolkata')::date - date '2000-01-01' as told_day,
        coalesce(sum(l.debit - l.credit) filter (where l.code like 'clearing\\_%' and (l.owner_id = coalesce(p.posted_by, p.recorded_by)::text
          or p.recorded_at <= kist_tills_since())), 0)::bigint as own_till,
        (select m.to_state from payment_moves_view m where m.org_id = $1 and m.payment_id = p.payment_id order by m.no desc limit 1) as told_state,
        coalesce(sum(l.debit - l.credit) filter (where l.code like 'clearing\\_%'), 0)::bigint as till,
        coalesce(sum(l.debit - l.credit) filter (where l.code = 'clearing_' || case p.method when 'CASH' then 'cash' when 'UPI' then 'upi' else 'other' end), 0)::bigint as right_till,
        (p.receipt is not null and (p.receipt ->> 'receipt_no' is distinct from p.receipt_no or (p.receipt ->> 'amount_paise')::bigint is distinct from p.amount_paise))::int::bigint as told_otherwise,
        -- One that was imported stands on the books of the day it was paid.
        p.receipt_no ~ '^[0-9]{2}-[0-9]{2}/' as is_ours, (p.receipt_no !~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$' and not exists (
          select from historic_agreements_view h where h.org_id = $1 and h.agreement_id = p.agreement_id))::int::bigint as of_no_series, max(l.posted_at) filter (where l.kind = 'payment') as posted_at, max(l.business_on) filter (where l.kind = 'payment') as posted_on,
        (select m.moved_at from payment_moves_view m where m.org_id = $1 and m.payment_id = p.payment_id and m.to_state = 'posted' order by m.no limit 1) as came_at,
        (p.posted_by is null and p.recorded_at is distinct from (select m.moved_at from payment_moves_view m where m.org_id = $1 and m.payment_id = p.payment_id and m.no = 1))::int::bigint as told_later,
        coalesce(sum(l.credit - l.debit) filter (where case p.goes_to when 'dues' then l.bucket is not null when 'suspense' then l.code = 'suspense' else l.code = 'sales' end), 0)::bigint as parts,
        count(distinct l.journal_id) filter (where l.kind = 'payment') as journals
      from scope s join payments p on p.org_id = $1 and p.agreement_id = s.agreement_id
      left join lines l on l.payment_id = p.payment_id and l.kind not like 'refund\\_%'
      group by p.org_id, p.payment_id, s.customer_id, s.delivered_on
    ), sums as (
      select s.agreement_id,
        coalesce(sum(l.credit - l.debit) filter (where l.code = 'unearned_interest'), 0)::bigint as unearned_interest,
        coalesce(sum(l.credit - l.debit) filter (where l.code = 'unearned_fee'), 0)::bigint as unearned_fee,
        coalesce(sum(l.credit - l.debit) filter (where l.code = 'income_interest'), 0)::bigint as income_interest,
        coalesce(sum(l.credit - l.debit) filter (where l.code = 'income_fee'), 0)::bigint as income_fee,
        coalesce(sum(l.credit - l.debit) filter (where l.code = 'income_penal'), 0)::bigint as income_penal,
        coalesce(sum(l.debit - l.credit) filter (where l.code = 'waivers'), 0)::bigint as waivers,
        coalesce(sum(l.credit - l.debit) filter (where l.code = 'sales'), 0)::bigint as sales,
        coalesce(sum(l.debit - l.credit) filter (where l.code like 'clearing\\_%' and (l.payment_id is null or p.goes_to = 'down_payment')), 0)::bigint as down_payment
      from scope s left join lines l using (agreement_id) left join payments p on p.org_id = $1 and p.payment_id = l.payment_id group by s.agreement_id
    ), earning as (
      select agreement_id, coalesce(sum(amount - paid) filter (where bucket = 'interest'), 0)::bigint as interest_left,
        coalesce(sum(amount - paid) filter (where bucket = 'fee'), 0)::bigint as fee_left, coalesce(sum(paid) filter (where bucket = 'interest'), 0)::bigint as interest_paid,
        coalesce(sum(paid) filter (where bucket = 'fee'), 0)::bigint as fee_paid
      from scheduled group by agreement_id
    ), given_back as (
      select payment_id, sum(debit)::bigint as paise from lines where kind = 'refund_paid' group by payment_id
    ), penals as (
      select agreement_id, sum(made)::bigint as made, sum(waived)::bigint as waived from charged group by agreement_id
    )
    select 'receivable ' || bucket as fault, s.agreement_no as subject, coalesce(o.left_over, 0) as found,
      case when s.state = 'cancelled' then 0 when bucket = 'advance' then -coalesce(d.paid, 0) else coalesce(d.amount - d.paid, 0) end as expected
    from (owed o full join scheduled d using (agreement_id, bucket)) join scope s using (agreement_id)
    where coalesce(o.left_over, 0) <>
      case when s.state = 'cancelled' then 0 when bucket = 'advance' then -coalesce(d.paid, 0) else coalesce(d.amount - d.paid, 0) end
    union all
    select 'paid ' || k.bucket, s.agreement_no || ' ' || k.no, coalesce(t.paise, 0), coalesce(l.paise, 0)
    from (select agreement_id, coalesce(instalment_no, 0) as no, charge_id, bucket, paise from paid_lines) l
    full join (select agreement_id, instalment_no as no, charge_id, bucket, paise from paid_stored) t
      on t.agreement_id = l.agreement_id and t.no = l.no and t.bucket = l.bucket and t.charge_id is not distinct from l.charge_id,
    lateral (select coalesce(l.agreement_id, t.agreement_id) as agreement_id, coalesce(l.no, t.no) as no, coalesce(l.bucket, t.bucket) as bucket) k
    join scope s on s.agreement_id = k.agreement_id
    where coalesce(l.paise, 0) <> coalesce(t.paise, 0)
    union all
    select 'a charge on the books', s.agreement_no || ' ' || c.instalment_no, coalesce(l.paise, 0), c.made - c.waived
    from charged c join scope s using (agreement_id) left join (
      select charge_id, sum(debit - credit)::bigint as paise from lines where bucket = 'penal' and payment_id is null and kind <> 'agreement_cancelled' group by charge_id) l using (charge_id)
    where coalesce(l.paise, 0) <> c.made - c.waived
    union all
    -- Of a charge as much as was waived of it by then, by however many words.
    select 'waived beyond what one person may', s.agreement_no || ' ' || w.waiver_id, sum(v.amount_paise)::bigint, r.paise
    from scope s join waivers_view w on w.org_id = $1 and w.agreement_id = s.agreement_id and w.state = 'granted' and w.decided_by = w.asked_by
    join waivers_view v on v.org_id = $1 and v.agreement_id = s.agreement_id and v.charge_id = w.charge_id and v.state = 'granted' and v.decided_at <= w.decided_at,
      (select coalesce(max(waiver_limit_paise), 0)::bigint as paise from penal_rules where org_id = $1) r
    group by s.agreement_no, w.waiver_id, r.paise having sum(v.amount_paise) > r.paise
    union all
    select 'waived by nobody who may', s.agreement_no || ' ' || w.waiver_id, w.amount_paise, 0
    from scope s join waivers_view w on w.org_id = $1 and w.agreement_id = s.agreement_id and w.state = 'granted' and w.decided_by <> w.asked_by
    where not exists (select from users_view u where u.org_id = $1 and u.user_id = w.decided_by and u.user_type in ('retailer', 'admin'))
    union all
    select 'waived of a charge', s.agreement_no || ' ' || c.instalment_no, c.waived_ever, coalesce(w.paise, 0)
    from charged c join scope s using (agreement_id) left join (
      select v.charge_id, sum(v.amount_paise)::bigint as paise from scope s join waivers_view v on v.org_id = $1 and v.agreement_id = s.agreement_id
      where v.state = 'granted' group by v.charge_id) w using (charge_id)
    where c.waived_ever <> coalesce(w.paise, 0)
    union all
    select f.fault, coalesce(m.receipt_no, m.payment_id::text), f.found, f.expected from money m, lateral (values
      ('money in the till', m.till, m.amount), ('money in the till of its kind', m.right_till, m.amount), ('parts of a payment', m.parts, m.amount),
      ('money in the till of who took it', m.own_till, m.amount), ('a payment of another customer', m.astray, 0::bigint),
      ('paid before the delivery, or after it was recorded', m.out_of_time, 0::bigint),
      ('day of a payment', m.paid_day::bigint, m.told_day::bigint), ('a payment whose moves end elsewhere', (m.told_state is distinct from m.state)::int::bigint, 0::bigint),
      ('a receipt that says something else', m.told_otherwise, 0::bigint), ('a payment outside every series', m.of_no_series, 0::bigint), ('when a payment was recorded', m.told_later, 0::bigint),
      ('when a payment was posted', (m.is_ours and m.posted_at is distinct from m.came_at)::int::bigint, 0::bigint),
      ('the day on which a payment was posted', (m.is_ours and m.posted_on is distinct from (m.came_at at time zone 'Asia/Kolkata')::date)::int::bigint, 0::bigint),
      ('a payment without journal', (m.journals = 0 and m.state in ('posted', 'reversed'))::int::bigint, 0::bigint)) as f(fault, found, expected)
    where f.found <> f.expected
    union all
    select 'money in a till by ' || l.kind, s.agreement_no, count(*), 0 from lines l join scope s using (agreement_id)
    where l.code like 'clearing\\_%' and not (l.kind in ('payment', 'payment_reversed', 'refund_paid') and l.payment_id is not null or l.kind in ('agreement_opened', 'dimensions_given'))
    group by l.kind, s.agreement_no
    union all
    select 'day on which an instalment was paid', s.agreement_no || ' ' || i.no, i.paid_on - date '2000-01-01', d.paid_on - date '2000-01-01'
    from (
      select k.agreement_id, k.instalment_no, max(greatest(p.paid_on, v.effective_on)) as paid_on from (
        select agreement_id, instalment_no, payment_id from lines where payment_id is not null and instalment_no is not null and bucket <> 'penal'
        group by 1, 2, 3 having sum(credit - debit) <> 0) k
      join payments p on p.org_id = $1 and p.payment_id = k.payment_id
      left join schedule_versions_view v on v.org_id = $1 and v.agreement_id = k.agreement_id and v.version = p.schedule_version group by 1, 2) d
    join scope s using (agreement_id) join instalments i on i.org_id = $1 and i.agreement_id = d.agreement_id and i.no = d.instalment_no
    left join schedule_versions_view w on w.org_id = $1 and w.agreement_id = i.agreement_id and w.version = i.superseded_by
    -- A version settles on its own day what stood ahead; what a late fee gave back is laid out anew in the version in force.
    where i.paid_on <> d.paid_on and i.paid_on is distinct from w.effective_on and i.paid_on is distinct from greatest(d.paid_on, s.schedule_from)
    union all
    select 'day of a charge', s.agreement_no || ' ' || c.instalment_no, c.charged_on - date '2000-01-01', l.business_on - date '2000-01-01'
    from scope s join charges c on c.org_id = $1 and c.agreement_id = s.agreement_id
    join (select distinct charge_id, business_on from lines where kind = 'penal_charged') l using (charge_id) where c.charged_on <> l.business_on
    union all
    select 'lines of another agreement’s payment', p.receipt_no, sum(l.credit - l.debit)::bigint, 0
    from lines l join payments p on p.org_id = $1 and p.payment_id = l.payment_id
    where p.agreement_id <> l.agreement_id and l.bucket is not null group by p.receipt_no
    union all
    -- Of one that stands, for what is taken back goes from wherever it lay. An hour: clocks are set back.
    select 'moved of a version before', p.receipt_no, sum(l.credit - l.debit)::bigint, 0
    from lines l join scope s using (agreement_id) join payments p on p.org_id = $1 and p.payment_id = l.payment_id
    where l.kind = 'payments_shifted' and l.bucket in ('principal', 'interest', 'fee') and p.schedule_version < s.schedule_version and p.state = 'posted' and exists (
      select from schedule_versions_view v where v.org_id = $1 and v.agreement_id = s.agreement_id and v.version > p.schedule_version and v.made_at < l.posted_at - interval '1 hour')
    group by p.receipt_no, l.journal_id, l.instalment_no, l.bucket having sum(l.credit - l.debit) < 0
    union all
    select 'owed back of a payment', coalesce(t.payment_id, l.payment_id)::text, coalesce(l.paise, 0), coalesce(t.paise, 0)
    from (select payment_id, sum(credit - debit)::bigint as paise from lines where code = 'refunds_payable' group by payment_id) l
    full join (
      select r.payment_id, case r.state when 'open' then r.amount_paise else 0 end as paise
      from scope s join refund_tasks_view r on r.org_id = $1 and r.agreement_id = s.agreement_id) t using (payment_id)
    where coalesce(l.paise, 0) <> coalesce(t.paise, 0)
    union all
    select f.fault, p.receipt_no, f.found, f.expected
    from scope s join payments p on p.org_id = $1 and p.agreement_id = s.agreement_id and p.state in ('posted', 'reversed')
    left join refund_tasks_view t on t.org_id = $1 and t.payment_id = p.payment_id
    left join given_back g on g.payment_id = p.payment_id
    left join (select payment_id, owner_id, code, sum(credit - debit)::bigint as paise from lines where kind = 'refund_paid' group by 1, 2, 3) o
      on o.payment_id = p.payment_id and o.owner_id = t.closed_by::text and o.code = 'clearing_' || case t.method when 'CASH' then 'cash' when 'UPI' then 'upi' else 'other' end,
    lateral (values
      ('a payment of an agreement that is over, not owed back', (t.payment_id is null and p.state = 'posted' and (p.goes_to = 'suspense' or s.state = 'cancelled'))::int::bigint, 0::bigint),
      ('a payment that pays what is owed, owed back', (t.payment_id is not null and p.goes_to <> 'suspense' and s.state <> 'cancelled')::int::bigint, 0::bigint),
      ('a refund of another customer', (t.customer_id <> p.customer_id)::int::bigint, 0::bigint),
      ('a refund of another agreement', (t.agreement_id <> p.agreement_id)::int::bigint, 0::bigint),
      ('sum of a refund', t.amount_paise, p.amount_paise),
      ('a refund withdrawn', (t.state = 'void')::int::bigint, (p.state = 'reversed')::int::bigint),
      ('a refund out of the till of who gave it', coalesce(o.paise, 0), case t.state when 'done' then t.amount_paise else 0 end),
      ('given back of a payment', coalesce(g.paise, 0), case t.state when 'done' then t.amount_paise else 0 end)) as f(fault, found, expected)
    where f.found <> f.expected
    union all
    select 'left in suspense', s.agreement_no, sum(l.credit - l.debit)::bigint, 0
    from lines l join scope s using (agreement_id) where l.code = 'suspense' group by s.agreement_no having sum(l.credit - l.debit) <> 0
    union all
    select 'a late fee taken back for no payment', s.agreement_no || ' ' || c.instalment_no, c.amount_paise, 0
    from scope s join charges c on c.org_id = $1 and c.agreement_id = s.agreement_id where c.taken_back_at is not null and not exists (
      select from payments p where p.org_id = $1 and p.payment_id = c.taken_back_for and p.agreement_id = c.agreement_id
        and p.state in ('posted', 'reversed') and p.paid_on < c.charged_on)
    union all
    -- Who pays what is due is never kept locked by a late fee: it takes what is left then, unless the payment names it.
    select 'a late fee paid before what was due', coalesce(p.receipt_no, p.payment_id::text), sum(l.credit - l.debit)::bigint, 0
    from lines l join scope s using (agreement_id) join payments p on p.org_id = $1 and p.payment_id = l.payment_id
    where l.bucket = 'penal' and p.state = 'posted' and p.schedule_version = s.schedule_version and l.charge_id is distinct from p.for_charge_id and s.state <> 'cancelled'
      and s.oldest_due_on <= greatest(p.paid_on, s.schedule_from)
    group by p.payment_id, p.receipt_no having sum(l.credit - l.debit) > 0
    union all
    select 'lines of a payment that is not there', l.payment_id::text, sum(l.credit - l.debit)::bigint, 0
    from lines l where l.payment_id is not null and not exists (select from payments p where p.org_id = $1 and p.payment_id = l.payment_id)
    group by l.payment_id
    union all
    select f.fault, s.agreement_no, f.found, f.expected
    from sums x join scope s using (agreement_id) join earning e using (agreement_id) left join penals q using (agreement_id), lateral (values
      ('unearned interest', x.unearned_interest, e.interest_left), ('unearned fee', x.unearned_fee, e.fee_left),
      ('interest income', x.income_interest, e.interest_paid), ('fee income', x.income_fee, e.fee_paid), ('penal income', x.income_penal, coalesce(q.made, 0)),
      ('penal charges waived', x.waivers, coalesce(q.waived, 0)),
      ('sale', x.sales, s.cash_price_paise), ('down payment in the till', x.down_payment, s.down_payment_paise)) as f(fault, found, expected)
    where f.found <> f.expected and s.state <> 'cancelled'
    union all
    select f.fault, s.agreement_no, f.found, f.expected
    from sums x join scope s using (agreement_id) left join penals q using (agreement_id), lateral (values
      ('of a cancelled agreement: unearned interest', x.unearned_interest, 0::bigint), ('of a cancelled agreement: unearned fee', x.unearned_fee, 0::bigint),
      ('of a cancelled agreement: interest income', x.income_interest, 0::bigint), ('of a cancelled agreement: fee income', x.income_fee, 0::bigint),
      ('of a cancelled agreement: penal income', x.income_penal, coalesce(q.waived, 0)), ('of a cancelled agreement: penal charges waived', x.waivers, coalesce(q.waived, 0)),
      ('of a cancelled agreement: sale', x.sales, 0::bigint),
      ('cancelled without its journal', (not exists (select from lines l where l.agreement_id = s.agreement_id and l.kind = 'agreement_cancelled'))::int::bigint, 0::bigint)
    ) as f(fault, found, expected)
    where f.found <> f.expected and s.state = 'cancelled'`,
});

/** The transaction below which everything is committed and seen here. */
export const horizon = statement({
  name: 'ledger.horizon',
  gives: { txid: xid8, org_id: int4 },
  text: 'select pg_snapshot_xmin(pg_current_snapshot()) as txid, $1::int as org_id',
});

/**
 * The last check here that found nothing, and how far it had seen. One of another cluster or database proves nothing, nor one that lies ahead: there
 * transactions were counted otherwise, and what is written here would be taken for seen.
 */
export const lastProof = statement({
  name: 'ledger.last_proof',
  gives: { proved_up_to: xid8 },
  text: `
    select proved_up_to from (
      select proved_up_to, cluster from book_checks where org_id = $1 and faults = 0 order by checked_at desc limit 1) last
    where cluster = kist_cluster() and proved_up_to <= pg_snapshot_xmax(pg_current_snapshot())`,
});

/** The check before, by their order here, which no clock tells: whether it found something, and which part of the books a night looked at last. */
export const checkBefore = statement({
  name: 'ledger.check_before',
  gives: { has_faults: nullable(bool), part: nullable(int4) },
  text: `
    with here as (
      select faults, part, row_number() over (order by noted_in desc nulls last, proved_up_to desc, checked_at desc) as ago
      from book_checks where org_id = $1 and cluster = kist_cluster())
    select (select faults > 0 from here order by ago limit 1) as has_faults,
      (select part::int from here where part is not null order by ago limit 1) as part`,
});

export const noteCheck = statement({
  name: 'ledger.note_check',
  takes: { check_id: uuid, is_whole: bool, proved_up_to: xid8, faults: int4, part: nullable(int4) },
  text: `
    insert into book_checks (org_id, check_id, checked_at, is_whole, proved_up_to, faults, part)
    values ($1, $check_id, kist_now(), $is_whole, $proved_up_to, $faults, $part)`,
});
