import { int8, known, listOf, nullable, uuid, xid8 } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import { listed } from '#server/platform/sql-words.ts';
import { CHART, JOURNAL_KINDS } from './chart.ts';
import { FAULT } from './check-store.ts';

/** The next so many journals in the order of their ids. */
export const journalsBehind = statement({
  name: 'ledger.journals_behind',
  takes: { after: nullable(uuid), limit: int8 },
  gives: { id: uuid },
  isPlannedEachTime: true,
  text: `
    select journal_id as id from journals where org_id = $1 and ($after is null or journal_id > $after)
    order by journal_id limit $limit`,
});

/** Those since a transaction in the order in which they were written, which is the order of their index: a slice costs what it holds. */
export const journalsSince = statement({
  name: 'ledger.journals_since',
  takes: { since: xid8, after: nullable(uuid), limit: int8 },
  gives: { id: uuid },
  isPlannedEachTime: true,
  text: `
    select journal_id as id from journals
    where org_id = $1 and txid >= $since
      and ($after is null or (txid, journal_id) > (select txid, journal_id from journals where org_id = $1 and journal_id = $after))
    order by txid, journal_id limit $limit`,
});

/** Which agreements these journals moved. */
export const agreementsOf = statement({
  name: 'ledger.agreements_of_journals',
  takes: { only: listOf(uuid) },
  gives: { id: known(uuid) },
  text: `
    select distinct agreement_id as id from journal_lines
    where org_id = $1 and journal_id = any($only) and agreement_id is not null`,
});

/** Journals by themselves: balance, lines, units, whether one that takes another back is its mirror, and whether keys went as their kind of journal moves them. */
export const journalFaults = statement({
  name: 'ledger.journal_faults',
  // Just these; null: all.
  takes: { only: nullable(listOf(uuid)) },
  gives: FAULT,
  isPlannedEachTime: true,
  text: `
    with scope as materialized (
      select journal_id, reverses_journal_id, kind, effect_key from journals where org_id = $1 and ($only is null or journal_id = any($only))
    ), lines as materialized (
      select l.*, a.unit as unit_of_account, a.code, a.owner_id from scope s join journal_lines l on l.org_id = $1 and l.journal_id = s.journal_id
      join accounts a on a.org_id = $1 and a.account_id = l.account_id
    ), mirrored as (
      select s.journal_id, l.account_id, l.unit, l.debit, l.credit, l.agreement_id, l.instalment_no, l.charge_id, l.bucket, l.payment_id, l.lot, 1 as sign
      from scope s join lines l using (journal_id) where s.reverses_journal_id is not null
      union all
      select s.journal_id, l.account_id, l.unit, l.credit, l.debit, l.agreement_id, l.instalment_no, l.charge_id, l.bucket, l.payment_id, l.lot, -1
      from scope s join journal_lines l on l.org_id = $1 and l.journal_id = s.reverses_journal_id where s.reverses_journal_id is not null
    ), credited as (
      select s.effect_key, l.owner_id, l.unit, l.lot, sum(l.debit)::bigint as keys
      from scope s join lines l using (journal_id) where s.kind = 'keys_credited' and l.code = 'keys_available' group by 1, 2, 3, 4
    )
    select 'a journal that does not balance' as fault, journal_id::text || ' ' || unit as subject, sum(debit)::bigint as found, sum(credit)::bigint as expected
    from lines group by journal_id, unit having sum(debit) <> sum(credit)
    union all
    select 'a journal of fewer than two lines', s.journal_id::text, count(l.line_no), 2
    from scope s left join lines l using (journal_id) group by s.journal_id having count(l.line_no) < 2
    union all
    select 'a reversal of nothing', journal_id::text, 0, 1 from scope
    where reverses_journal_id is null and kind in ('payment_reversed', 'penal_taken_back', 'waiver_taken_back')
    union all
    -- Two migrations gave to books of before what they lacked.
    select 'a journal of no kind', s.journal_id::text || ' ' || s.kind, 1, 0 from scope s
    where s.kind not in (${listed([...JOURNAL_KINDS, 'dimensions_given', 'lots_given'])})
    union all
    -- Cash of before it had receipts of its own came with the opening.
    select 'a journal that moves what its kind does not', k.effect_key || ' ' || k.code, k.lines, 0
    from (select s.kind, l.code, min(s.effect_key) as effect_key, count(*) as lines from lines l join scope s using (journal_id) group by s.kind, l.code) k
    where journal_moves(k.kind, k.code) is false and not (k.kind = 'agreement_opened' and k.code like 'clearing\\_%')
    union all
    select 'a journal of nothing', s.effect_key, 0, 1
    from scope s left join (
      select distinct journal_id from (
        select journal_id from lines group by journal_id, account_id, instalment_no, charge_id, payment_id, lot having sum(debit - credit) <> 0) n) m using (journal_id)
    where m.journal_id is null and s.kind not in ('dimensions_given', 'lots_given')
    union all
    select 'rupees of no agreement', journal_id::text || ' ' || line_no, (debit + credit)::bigint, 0 from lines where unit = 'INR' and agreement_id is null
    union all
    select 'lines of an agreement that is not there', l.agreement_id::text, count(*), 0 from lines l
    where l.agreement_id is not null and not exists (select from agreements a where a.org_id = $1 and a.agreement_id = l.agreement_id) group by l.agreement_id
    union all
    select 'an account of no chart', code, count(*), 0 from lines where code not in (${listed(Object.keys(CHART))}) group by code
    union all
    select 'a line of another unit than its account', journal_id::text, line_no, 0 from lines where unit <> unit_of_account
    union all
    select 'a reversal that is no mirror', journal_id::text, sum(sign), 0 from mirrored
    group by journal_id, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot having sum(sign) <> 0
    union all
    select 'keys moved by ' || s.kind, l.journal_id::text || ' ' || l.code, (l.debit + l.credit)::bigint, 0 from lines l join scope s using (journal_id)
    where l.unit like 'KEY:%' and (s.kind, l.code, l.debit > 0) not in (('keys_credited', 'keys_available', true), ('keys_credited', 'keys_issued', false),
      ('key_reserved', 'keys_reserved', true), ('key_reserved', 'keys_available', false), ('key_spent', 'keys_used', true), ('key_spent', 'keys_reserved', false),
      ('key_returned', 'keys_available', true), ('key_returned', 'keys_reserved', false),
      ('keys_passed', 'keys_available', true), ('keys_passed', 'keys_available', false)) and not (s.kind = 'lots_given' and l.code in ('keys_available', 'keys_reserved'))
    union all
    select 'keys that nobody granted', c.effect_key, c.keys, coalesce(g.keys, 0) from credited c left join key_grants_view g
      on g.org_id = $1 and g.effect_key = c.effect_key and g.user_id::text = c.owner_id and 'KEY:' || g.plan_type = c.unit and g.lot is not distinct from c.lot
    where c.keys <> coalesce(g.keys, 0)
    union all
    select 'keys that nobody passed on', p.effect_key || ' ' || p.owner_id, p.keys, coalesce(case p.owner_id when t.to_user_id::text then t.keys when t.from_user_id::text then -t.keys end, 0)
    from (select s.effect_key, l.owner_id, l.unit, l.lot, sum(l.debit - l.credit)::bigint as keys from scope s join lines l using (journal_id)
      where s.kind = 'keys_passed' group by 1, 2, 3, 4) p
    left join key_transfers_view t on t.org_id = $1 and p.effect_key = 'key:pass:' || t.transfer_id || ':' || t.lot and p.unit = 'KEY:' || t.plan_type and p.lot = t.lot
    where p.keys is distinct from case p.owner_id when t.to_user_id::text then t.keys when t.from_user_id::text then -t.keys end`,
});
