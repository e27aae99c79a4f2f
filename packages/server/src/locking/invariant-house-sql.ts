import { LIMITS } from '@kist/contract/limits';
import { listed } from '#server/platform/sql-words.ts';
import {
  type Invariant,
  type InvariantCheck,
  BEFORE_CODES,
  ONCE,
  RECENT,
  firstLine,
  within,
  withinText,
  AT_ONCE,
} from './invariant-words-sql.ts';

/** Tables that hold nobody's data. */
const OF_NOBODY = [
  'org_directory',
  'schema_migrations',
  'rate_limits',
  'seen_requests',
  'clock_offset',
  'installation',
  'allowed_moves',
  'secret_marks',
  'timer_runs',
  'dispute_allowed_moves',
  'customer_allowed_moves',
];

/**
 * What is asked of two people or of many, and what a phone says is paid: each with the subject that its line stands under, and what that line names.
 * A claim that is answered by a payment, said again or ended with its agreement is told by the line of that.
 */
const ASKED = `
      select ask_id::text, 'device', device_id::text, array['override_asked'], jsonb_build_object('ask_id', ask_id), asked_at, asked_at, 'override that waits'
      from override_asks where org_id = kist_org() and ${within('device_id')} and asked_at > ${RECENT}
      union all
      -- One that ended gave way to the next.
      select ask_id::text, 'device', device_id::text, array['override_' || case state when 'ended' then 'asked' else state end],
        case state when 'ended' then '{}' else jsonb_build_object('ask_id', ask_id) end, decided_at, decided_at, 'override ' || state
      from override_asks where org_id = kist_org() and ${within('device_id')} and decided_at > ${RECENT}
      union all
      select claim_id::text, 'agreement', agreement_id::text, array['phone_claim_said', 'phone_claim_waits_again'], jsonb_build_object('claim_id', claim_id), said_at, said_at, 'word of a payment'
      from phone_claims where org_id = kist_org() and ${within('agreement_id')} and said_at > ${RECENT}
      union all
      select p.claim_id::text, case when e.customer_id is null then 'agreement' else 'customer' end, coalesce(e.customer_id, p.agreement_id)::text,
        array[case p.state when 'told' then 'payment_claimed' when 'paid' then case when h.had_come then 'phone_claim_said' else 'payment_recorded' end
          when 'refused' then 'phone_claim_refused' else case when e.customer_id is null then 'agreement_cancelled' else 'customer_erased' end end],
        case when p.state = 'refused' or h.had_come then jsonb_build_object('claim_id', p.claim_id) else '{}' end, p.ended_at, p.ended_at, 'word of a payment, ' || p.state
      from phone_claims p
      -- The payment had come when we heard that it was said: kept and answered in one transaction.
      cross join lateral (select p.state = 'paid' and p.ended_at = p.said_at as had_come) h
      left join erasures e on p.state = 'over' and e.org_id = p.org_id and e.customer_id = p.customer_id
        and e.erased_at between p.ended_at - ${AT_ONCE} and p.ended_at + ${AT_ONCE}
      where p.org_id = kist_org() and ${within('p.agreement_id')} and p.ended_at > ${RECENT}
      union all
      -- It was found at any time since, and what it says is owed for as long as it stands.
      select cure_id::text, 'agreement', agreement_id::text, array['lock_found_wrong'], jsonb_build_object('cure_id', cure_id), timestamptz '-infinity', timestamptz 'infinity', 'lock found wrong'
      from cures where org_id = kist_org() and ${within('agreement_id')} and held_since is not null
      union all
      select cure_id::text, 'agreement', agreement_id::text, array['lock_found_right'], jsonb_build_object('cure_id', cure_id), timestamptz '-infinity', timestamptz 'infinity', 'lock found right after all'
      from cures where org_id = kist_org() and ${within('agreement_id')} and withdrawn_at is not null
      union all
      select payout_id::text, 'agreement', agreement_id::text, array['compensation_paid'], jsonb_build_object('payout_id', payout_id), paid_at, paid_at, 'compensation'
      from compensation_payouts where org_id = kist_org() and ${within('agreement_id')} and paid_at > ${RECENT}
      union all
      select batch_id::text, 'organisation', org_id::text, array['batch_asked'], jsonb_build_object('batch_id', batch_id), created_at, created_at, 'order to many'
      -- Of before it was kept who asked there is no line either.
      from batches where org_id = kist_org() and ${within('batch_id')} and created_at > ${RECENT} and actor <> '{}'
      union all
      select batch_id::text, 'organisation', org_id::text, array['batch_approved'], jsonb_build_object('batch_id', batch_id), created_at,
        created_at + interval '${LIMITS.bulkApprovalMinutes} minutes', 'yes to an order to many'
      from batches where org_id = kist_org() and ${within('batch_id')} and created_at > ${RECENT} and approved_by is not null
      union all
      select batch_id::text, 'organisation', org_id::text, array['batch_' || state], jsonb_build_object('batch_id', batch_id), finished_at, finished_at, 'order to many, ' || state
      from batches where org_id = kist_org() and ${within('batch_id')} and finished_at > ${RECENT} and actor <> '{}'`;

/**
 * What says that something came to its end, and what it stands on. One payment answers one word: it came into the books after all that was said before was
 * answered, and money that was paid down is none. That it is free a phone says by the number of the document that freed it, or of a later one; of one that
 * was set up anew since nobody knows what it had said, and in the place of one that left another came, or it was locked anew before it said so.
 */
const ENDED = `
    select p.claim_id::text, 'word of a payment, paid by none' from phone_claims p
    where p.org_id = kist_org() and ${within('p.agreement_id')} and p.state = 'paid' and p.ended_at > ${RECENT} and not exists (
      select from payments y join payment_moves_view m on m.org_id = y.org_id and m.payment_id = y.payment_id and m.to_state = 'posted'
      where y.org_id = p.org_id and y.agreement_id = p.agreement_id and y.goes_to <> 'down_payment' and m.moved_at <= p.ended_at + ${AT_ONCE} and m.moved_at >= coalesce((
        select max(q.ended_at) from phone_claims q
        where q.org_id = p.org_id and q.agreement_id = p.agreement_id and (q.said_at, q.claim_id) < (p.said_at, p.claim_id)), '-infinity'))
    union all
    select c.cure_id::text, 'free by nobody’s word' from cures c
    cross join lateral (select min(v.revision) as revision from verdicts v where v.org_id = c.org_id and v.device_id = c.device_id
      and v.revision is not null and v.decided_at between c.cured_at - interval '1 millisecond' and c.cured_at + interval '1 millisecond') f
    where c.org_id = kist_org() and ${within('c.agreement_id')} and c.confirmed_at is not null and f.revision is not null
      and not exists (select from device_reports r where r.org_id = c.org_id and r.device_id = c.device_id and r.revision >= f.revision)
      and not exists (select from commands o where o.org_id = c.org_id and o.device_id = c.device_id and o.revision >= f.revision
        and coalesce(o.delivered_at, o.applied_at, o.verified_at) is not null)
      and not exists (select from enrolments e where e.org_id = c.org_id and e.device_id = c.device_id and coalesce(e.charged_at, e.started_at) > c.confirmed_at)
      and not exists (select from phone_exchanges x where x.org_id = c.org_id and x.agreement_id = c.agreement_id and x.from_device_id = c.device_id
        and x.made_at between c.confirmed_at - ${AT_ONCE} and c.confirmed_at + ${AT_ONCE})
      and not (c.held_since is not null and exists (select from verdicts v where v.org_id = c.org_id and v.device_id = c.device_id
        and v.revision > f.revision and v.decided_at between c.confirmed_at - interval '1 second' and c.confirmed_at + interval '1 second'))`;

/** Of histories, codes and the walls between organisations. */
export const HOUSE = {
  I8: {
    name: 'every change has its line in a history without gaps',
    proves:
      'Every decision, payment, payment taken back, hold and end of one, exchange of a phone, version of a schedule, word of theft or loss, step of a complaint, override that waits for a second person and its answer, “I have paid” of a phone and what became of it, and every order to many with its second person’s yes and its end, of the last two days has its line, and so has every lock that was found wrong, or right after all; a phone’s “I have paid” of those days that a payment answered has one that answered no other, and a phone whose clock of an unlock stands still has said that it is free; every history has as many lines as its head counts, and each that a daily root knows is still there. Hashes line by line: audit verify.',
    sql: `
    with decided as materialized (
      select v.verdict_id, v.device_id::text as subject_id, v.revision, v.decided_at from verdicts v
      where v.org_id = kist_org() and ${within('v.device_id')} and v.revision is not null and v.decided_at > ${RECENT}
    ), paid as materialized (
      -- Of a book the line of its agreement tells.
      select p.payment_id::text as id, p.agreement_id::text as subject_id, p.receipt_no !~ '^[0-9]{2}-[0-9]{2}/' as is_of_a_book from payments p
      where p.org_id = kist_org() and ${within('p.agreement_id')} and p.state = 'posted' and p.receipt_no is not null and p.recorded_at > ${RECENT}
    ), told as materialized (
      select agreement_id::text as id, 'agreement' as kind, agreement_id::text as subject_id, array['phone_exchanged', 'phone_corrected'] as actions, '{}'::jsonb as about, made_at as since, made_at as until, 'exchange' as what
      from phone_exchanges where org_id = kist_org() and ${within('agreement_id')} and made_at > ${RECENT}
      union all
      select agreement_id || ' ' || version, 'agreement', agreement_id::text, array['schedule_revised', 'schedule_kept'], '{}', made_at, made_at, 'version of a schedule'
      from schedule_versions_view where org_id = kist_org() and ${within('agreement_id')} and made_at > ${RECENT}
      union all
      select report_id::text, 'device', device_id::text, array['lost_reported'], '{}', reported_at, reported_at, 'word of ' || kind from protection_reports
      where org_id = kist_org() and ${within('device_id')} and reported_by <> 'shop' and reported_at > ${RECENT}
      union all
      select report_id::text, 'device', device_id::text, array['theft_lifted'], '{}', closed_at, closed_at, 'end of a theft' from protection_reports
      where org_id = kist_org() and ${within('device_id')} and kind = 'theft' and reported_by <> 'shop' and closed_at > ${RECENT}
      union all
      select d.dispute_id::text, 'agreement', d.agreement_id::text, array['dispute_opened', 'dispute_moved', 'objections_ended'], '{}', m.moved_at, m.moved_at, 'complaint ' || m.to_state
      from disputes d join dispute_moves m on m.org_id = d.org_id and m.dispute_id = d.dispute_id
      where d.org_id = kist_org() and ${within('d.agreement_id')} and m.moved_at > ${RECENT}
      union all
      select payment_id::text, 'agreement', agreement_id::text, array['payment_reversed'], '{}', reversed_at, reversed_at, 'payment taken back' from payments
      where org_id = kist_org() and ${within('agreement_id')} and reversed_at > ${RECENT}
      union all
      -- Who frees a phone rests its ladder with it: the decision's own line tells of that.
      select hold_id::text, 'agreement', agreement_id::text, array['hold_recorded'], '{}', created_at, created_at, 'hold' from holds
      where org_id = kist_org() and ${within('agreement_id')} and created_at > ${RECENT} and kind <> 'manual'
      union all
      select hold_id::text, 'agreement', agreement_id::text, array['hold_lifted', 'agreement_cancelled'], '{}', lifted_at, lifted_at, 'end of a hold' from holds
      where org_id = kist_org() and ${within('agreement_id')} and lifted_at > ${RECENT}
      union all ${ASKED}
    )
    select d.verdict_id::text as id, 'verdict without a line, revision ' || d.revision as detail
    from decided d left join lateral (${firstLine(`x.subject_kind = 'device' and x.subject_id = d.subject_id
      and x.action in ('lock_level_decided', 'restriction_taken') and x.at >= d.decided_at - interval '1 minute'
      and x.data -> 'causes' @> jsonb_build_array(jsonb_build_object('verdict_id', d.verdict_id))`)}) x on true where x.is_there is null
    union all
    select p.id, 'payment without a line'
    from paid p left join lateral (${firstLine(`x.subject_kind = 'agreement' and x.subject_id = p.subject_id
      and (x.data ->> 'payment_id' = p.id or p.is_of_a_book and x.action = 'agreement_imported')`)}) x on true
    where x.is_there is null
    union all
    select t.id, t.what || ' without a line' from told t
    left join lateral (select true as is_there from audit_lines x where x.org_id = kist_org() and x.subject_kind = t.kind and x.subject_id = t.subject_id
      and x.action = any(t.actions) and x.data @> t.about and x.at between t.since - ${AT_ONCE} and t.until + ${AT_ONCE} limit 1) x on true where x.is_there is null
    union all ${ENDED}
    union all
    select coalesce(h.subject_id, l.subject_id), coalesce(h.subject_kind, l.subject_kind) || ': lines ' || coalesce(l.n, 0) || ', head ' || coalesce(h.seq, 0)
    from (select subject_kind, subject_id, seq from audit_heads where org_id = kist_org() and ${withinText('subject_id')}) h
    full join (
      select subject_kind, subject_id, count(*) as n, max(seq) as last from audit_lines where org_id = kist_org() and ${withinText('subject_id')} group by 1, 2) l
      on l.subject_kind = h.subject_kind and l.subject_id = h.subject_id
    where (l.n, l.last) is distinct from (h.seq, h.seq)
    union all
    select r.subject_id, r.subject_kind || ': line ' || min(r.seq) || ' is gone, the root of ' || min(r.day) || ' knew it'
    from audit_root_heads r left join audit_lines l on l.org_id = r.org_id and l.subject_kind = r.subject_kind and l.subject_id = r.subject_id and l.seq = r.seq
    where r.org_id = kist_org() and ${withinText('r.subject_id')} and l.hash is distinct from r.hash group by r.subject_kind, r.subject_id`,
  },
  I9: {
    name: 'a code works once',
    proves:
      'No set-up code began two enrolments, or one that it was not made for or long before, was over or belonged to another customer, and what customers agreed to, new terms too, or said of a theft in the last two days stands on a code that was used in its time, once and for that alone. Codes that a phone without contact could take do not exist.',
    sql: `
    select e.device_id as id, 'enrolments of one code ' || count(*) as detail from enrolments e
    where e.org_id = kist_org() and ${within('e.device_id')} and e.token_hash is not null group by e.device_id, e.token_hash having count(*) > 1
    union all
    select e.device_id, case when t.device_id <> e.device_id then 'code of phone ' || t.device_id else 'code not marked as used' end
    from enrolments e join enrolment_tokens t on t.org_id = e.org_id and t.token_hash = e.token_hash
    where e.org_id = kist_org() and ${within('e.device_id')} and (t.device_id <> e.device_id or t.used_at is null)
    union all
    select e.device_id, case when t.token_hash is null then 'its code is not there' else 'code used ' || coalesce(t.used_at::text, '-') || ', ends ' || t.expires_at end
    from enrolments e left join enrolment_tokens t on t.org_id = e.org_id and t.token_hash = e.token_hash
    where e.org_id = kist_org() and ${within('e.device_id')} and e.token_hash is not null and e.started_at > ${RECENT}
      and (t.token_hash is null or t.used_at not between e.started_at - ${AT_ONCE} and e.started_at + ${AT_ONCE} or t.expires_at < e.started_at)
    union all
    select e.device_id, 'code of customer ' || t.customer_id from enrolments e
    join enrolment_tokens t on t.org_id = e.org_id and t.token_hash = e.token_hash
    join devices d on d.org_id = e.org_id and d.device_id = e.device_id and d.released_at is null
    where e.org_id = kist_org() and ${within('e.device_id')} and e.ended_at is null and t.customer_id is distinct from d.customer_id
    union all
    select w.id, case when w.times > 1 then w.what || ' by a code of ' || w.times else w.what || ' without its code' end from (
      select *, count(*) over (partition by otp_id) as times from (
        select k.confirmation_id as id, 'a consent' as what, k.customer_id, k.otp_id, 'CONSENT' as purpose, k.text_hash as about from consent_confirmations k
        where k.org_id = kist_org() and ${within('k.customer_id')} and k.confirmed_at > ${RECENT}
        union all
        select v.agreement_id, 'new terms', a.customer_id, v.consent_otp_id, 'TERMS', v.consent_hash from schedule_versions_view v
        join agreements a on a.org_id = v.org_id and a.agreement_id = v.agreement_id
        where v.org_id = kist_org() and ${within('v.agreement_id')} and v.consent_otp_id is not null and v.made_at > ${RECENT}
        union all
        select p.report_id, 'a word of theft', d.customer_id, p.code_otp_id, 'THEFT_REPORT', null from protection_reports p
        join devices d on d.org_id = p.org_id and d.device_id = p.device_id
        where p.org_id = kist_org() and ${within('p.device_id')} and p.reported_by = 'customer_code' and p.reported_at > ${RECENT}
        union all
        select p.report_id, 'the end of a theft', d.customer_id, p.closed_otp_id, 'THEFT_LIFT', null from protection_reports p
        join devices d on d.org_id = p.org_id and d.device_id = p.device_id
        where p.org_id = kist_org() and ${within('p.device_id')} and p.closed_as = 'customer_code' and p.closed_at > ${RECENT}
      ) said where otp_id is distinct from ${BEFORE_CODES}
    ) w where w.times > 1 or not exists (
      select from otps o where o.org_id = kist_org() and o.otp_id = w.otp_id and o.customer_id = w.customer_id and o.purpose = w.purpose
        and o.about_hash is not distinct from w.about and o.consumed_at <= o.expires_at)`,
  },
  I10: {
    name: 'no answer holds another organisation’s data',
    proves:
      'The database shows the server’s account the rows of one organisation alone, in every table that has them and by every view and function; it owns none of them, is no other account besides, and the organisation is that of the transaction. That answers do: tests, with strangers.',
    sql: `
    select c.relname::text as id, 'row-level security is not forced' as detail
    from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'org_id' and not t.attisdropped
    where ${ONCE} and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'org_directory'
      and not (c.relrowsecurity and c.relforcerowsecurity)
    union all
    select c.relname, 'is read whole' from pg_class c
    where ${ONCE} and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm', 'f') and c.relname not in (${listed(OF_NOBODY)})
      and not (c.relkind in ('r', 'p') and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'org_id' and not t.attisdropped))
      and (has_any_column_privilege('kist_app', c.oid, 'select') or has_any_column_privilege('kist_device', c.oid, 'select'))
    union all
    select c.relname, 'is the server’s own' from pg_class c
    where ${ONCE} and c.relnamespace = 'public'::regnamespace and pg_get_userbyid(c.relowner) in ('kist_app', 'kist_device')
    union all
    select p.tablename, 'policy ' || p.policyname || ' shows more' from pg_policies p
    where ${ONCE} and p.schemaname = 'public' and p.roles && array['public', 'kist_app']::name[] and p.permissive = 'PERMISSIVE'
      and (p.qual is distinct from '(org_id = kist_org())' or p.with_check is distinct from '(org_id = kist_org())')
    union all
    select c.relname, 'shows what its owner sees' from pg_class c
    where ${ONCE} and c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and not coalesce(c.reloptions @> array['security_invoker=true'], false)
    union all
    select f.proname, 'does what its owner may' from pg_proc f where ${ONCE} and f.pronamespace = 'public'::regnamespace and f.prosecdef
      and (has_function_privilege('kist_app', f.oid, 'execute') or has_function_privilege('kist_device', f.oid, 'execute'))
    union all
    select f.proname, 'is not the organisation of the transaction' from pg_proc f
    where ${ONCE} and f.pronamespace = 'public'::regnamespace and f.proname = 'kist_org'
      and trim(f.prosrc) <> 'select nullif(current_setting(''kist.org_id'', true), '''')::integer'
    union all
    select m.rolname, 'may what ' || r.rolname || ' may' from pg_auth_members a join pg_roles r on r.oid = a.roleid join pg_roles m on m.oid = a.member
    where ${ONCE} and m.rolname in ('kist_app', 'kist_device')
    union all
    select rolname, 'is not held by row-level security' from pg_roles where ${ONCE} and rolname in ('kist_app', 'kist_device') and (rolsuper or rolbypassrls)`,
  },
} satisfies Partial<Record<Invariant, InvariantCheck>>;
