import { statement } from '#server/platform/statement.ts';
import { FAULT, SCOPE, SOME } from './check-store.ts';

/** Stands for the server itself (identity: SYSTEM_USER_ID). */
const SERVER = `'00000000-0000-0000-0000-000000000000'`;

/** Which people do what, by their type. */
const STAFF = `'{retailer,miniretailer,admin}'::text[]`;
const SHOP = `'{retailer,miniretailer}'::text[]`;
const CUSTOMER = `'{customer}'::text[]`;

/** Who did something against who there is. Who answered for a customer then may not any more: that was asked when it was written. */
export const peopleFaults = statement({
  name: 'ledger.people_faults',
  takes: SOME,
  gives: FAULT,
  isPlannedEachTime: true,
  text: `
    with ${SCOPE}, money as materialized (
      select s.agreement_no, p.agreement_id, p.payment_id, p.receipt_no, p.note_no, p.state, p.reversed_by, p.recorded_by, p.schedule_version, s.schedule_version as in_force,
        case when p.state in ('posted', 'reversed') then coalesce(p.posted_by, p.recorded_by) end as taken_by
      from scope s join payments p on p.org_id = $1 and p.agreement_id = s.agreement_id
    ), moves as materialized (
      select p.*, m.no, m.to_state, m.moved_by, m.moved_at, m.suspensions, p.receipt_no is not null and p.receipt_no !~ '^[0-9]{2}-[0-9]{2}/' as is_of_a_book
      from money p join payment_moves_view m on m.org_id = $1 and m.payment_id = p.payment_id
    ), by_hand as materialized (
      -- What the rule made has a journal of another name.
      select s.agreement_no, c.*, j.posted_at from scope s join charges c on c.org_id = $1 and c.agreement_id = s.agreement_id
      left join journals j on j.org_id = $1 and j.effect_key = 'penal:hand:' || c.charge_id where c.made_by = 'hand' or j.journal_id is not null
    ), done as (
      select 'a payment' as what, agreement_no, taken_by as who, ${STAFF} as by, false as by_server from money where taken_by is not null
      union all
      select 'a claim', agreement_no, recorded_by, ${CUSTOMER}, false from moves where to_state = 'claimed'
      union all
      select 'a reversal', agreement_no, reversed_by, ${STAFF}, false from money where state = 'reversed'
      union all
      select 'the move of a payment', agreement_no, moved_by, ${STAFF}, is_of_a_book from moves where to_state <> 'claimed'
      union all
      select 'the move of an agreement', s.agreement_no, m.moved_by, ${STAFF}, true from scope s join agreement_moves_view m on m.org_id = $1 and m.agreement_id = s.agreement_id
      union all
      select 'a version of a schedule', s.agreement_no, v.made_by, ${STAFF}, true from scope s join schedule_versions_view v on v.org_id = $1 and v.agreement_id = s.agreement_id
      union all
      select 'an exchange', s.agreement_no, x.made_by, ${STAFF}, true from scope s join phone_exchanges_view x on x.org_id = $1 and x.agreement_id = s.agreement_id
      union all
      select 'a late fee', s.agreement_no, c.charged_by, ${SHOP}, false from scope s join charges c on c.org_id = $1 and c.agreement_id = s.agreement_id
        where c.charged_by is not null
      union all
      select 'a waiver', s.agreement_no, w.who, ${STAFF}, false from scope s join waivers_view v on v.org_id = $1 and v.agreement_id = s.agreement_id,
        lateral (values (v.asked_by), (v.decided_by)) as w(who) where w.who is not null
      union all
      select 'a refund', s.agreement_no, r.closed_by, ${STAFF}, false from scope s join refund_tasks_view r on r.org_id = $1 and r.agreement_id = s.agreement_id where r.closed_by is not null
      union all
      select 'a transfer', s.agreement_no, t.made_by, ${STAFF}, true from scope s join customer_transfers_view t on t.org_id = $1 and t.customer_id = s.customer_id
      union all
      select 'the shop behind a transfer', s.agreement_no, t.to_user_id, ${SHOP}, false from scope s join customer_transfers_view t on t.org_id = $1 and t.customer_id = s.customer_id
    )
    select d.what || ' of nobody' as fault, d.agreement_no as subject, count(*) as found, 0::bigint as expected
    from done d left join users_view u on u.org_id = $1 and u.user_id = d.who and u.user_type = any(d.by)
    where u.user_id is null and not (d.by_server and d.who is not distinct from ${SERVER}) group by 1, 2
    union all
    select 'a payment whose move tells of another', coalesce(m.receipt_no, m.payment_id::text), 1, 0 from moves m
    where not m.is_of_a_book and m.moved_by <> case m.to_state when 'claimed' then m.recorded_by when 'pending_approval' then case m.no when 1 then m.recorded_by else m.moved_by end when 'posted' then m.taken_by when 'reversed' then m.reversed_by end
    union all
    -- Logins come and go with numbers: whose it was then the audit knows.
    select 'a claim that tells of another', m.agreement_no || ' ' || m.payment_id, 1, 0 from moves m
    where m.to_state = 'claimed' and not exists (
      select from agreement_lines_view l where l.org_id = $1 and l.subject_id = m.agreement_id::text and l.action = 'payment_claimed' and l.done_by = m.recorded_by::text
        and l.data ->> 'payment_id' = m.payment_id::text)
    union all
    -- What it was laid out in stands between it and later versions.
    select 'a payment of a version that is not there', coalesce(m.receipt_no, m.payment_id::text), m.schedule_version, m.in_force from money m
    where m.state in ('posted', 'reversed') and m.schedule_version not between 1 and m.in_force
    union all
    -- Its row, its lines and its counter made to fit, a payment is gone from the books, or of another sum or moment; the audit has it as it was.
    select case when p.payment_id is null then 'a payment that the audit knows and the books do not' else 'a payment that the audit knows otherwise' end,
      s.agreement_no || ' ' || (l.data ->> 'payment_id'), coalesce(p.amount_paise, 0), (l.data ->> 'amount_paise')::bigint
    from scope s join agreement_lines_view l on l.org_id = $1 and l.subject_id = s.agreement_id::text and l.action = 'payment_recorded'
    left join payments p on p.org_id = $1 and p.payment_id = (l.data ->> 'payment_id')::uuid
    where l.data ->> 'payment_id' is not null and (p.payment_id is null or p.amount_paise <> (l.data ->> 'amount_paise')::bigint
      -- Of lines from before the moment stood in them, alone.
      or date_trunc('milliseconds', p.paid_at) <> (l.data ->> 'paid_at')::timestamptz)
    union all
    -- Nothing of ours asks for approval.
    select 'a payment put up for approval', m.agreement_no || ' ' || m.payment_id, 1, 0 from moves m where m.to_state = 'pending_approval'
    union all
    select 'a payment of a shop that was suspended', coalesce(m.receipt_no, m.payment_id::text), 1, 0
    from moves m join users_view u on u.org_id = $1 and u.user_id = m.moved_by
    where not u.is_active and m.to_state <> 'claimed' and case when u.suspended_no is null then m.moved_at > u.suspended_at + interval '2 minutes'
      -- By their order, for the clock may have been put back since; what was under way then ended as it began (kist_is_there).
      else coalesce(m.suspensions, u.suspended_no) >= u.suspended_no
        and m.moved_at not between u.suspended_at - interval '2 minutes' and u.suspended_at + interval '2 minutes' end
    union all
    select 'a number of another year', n.no, 1, 0
    from moves m, lateral (select case m.to_state when 'posted' then m.receipt_no when 'reversed' then m.note_no end as no) n
    where n.no ~ '^[0-9]{2}-[0-9]{2}/' and substr(n.no, 1, 5) <> kist_financial_year((m.moved_at at time zone 'Asia/Kolkata')::date)
    union all
    -- The audit knows who charged it; of those from before, alone.
    select 'a late fee by hand that tells of another', b.agreement_no || ' ' || b.instalment_no, 1, 0 from by_hand b
    where b.made_by <> 'hand' or case when b.charged_by is null then b.posted_at is null or b.posted_at > kist_hands_are_named_since() else not exists (
      select from agreement_lines_view l where l.org_id = $1 and l.subject_id = b.agreement_id::text and l.action = 'penal_charged' and l.done_by = b.charged_by::text
        and l.data ->> 'charged_on' = b.charged_on::text
        and l.data -> 'charges' @> jsonb_build_array(jsonb_build_object('instalment_no', b.instalment_no, 'amount_paise', b.amount_paise))) end`,
});
