import { as, date, known, int4, int8, jsonb, listOf, nullable, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** A journal as it is written. */
export interface GivenJournal {
  journal_id: string;
  effect_key: string;
  kind: string;
  ref_kind: string;
  ref_id: string;
  business_on: string;
}

/** A line as it is written: its account by what the account is, not by its id. */
export interface GivenLine {
  journal_id: string;
  line_no: number;
  owner_kind: 'user' | 'organisation';
  owner_id: string;
  code: string;
  unit: string;
  normal_side: 'debit' | 'credit';
  debit: number;
  credit: number;
  agreement_id: string | null;
  instalment_no: number | null;
  charge_id: string | null;
  bucket: string | null;
  payment_id: string | null;
  lot: string | null;
}

const GIVEN = `select * from jsonb_to_recordset($lines) as g(journal_id uuid, line_no int, owner_kind text, owner_id text, code text, unit text,
  normal_side text, debit bigint, credit bigint, agreement_id uuid, instalment_no int, charge_id uuid, bucket text, payment_id uuid, lot text)`;

/**
 * Journals with their lines, once for each effect; `made` names those that were not there. While an account is missing nothing is written, and `missing`
 * says how many: an account that another transaction is just making can be seen by the next statement only.
 */
export const insertJournals = statement({
  name: 'ledger.insert_journals',
  takes: { journals: jsonb<readonly GivenJournal[]>(), lines: jsonb<readonly GivenLine[]>() },
  gives: { missing: int4, made: listOf(uuid) },
  text: `
    with given as (${GIVEN}), known as materialized (
      select g.*, a.account_id from given g join accounts a
        on a.org_id = $1 and a.owner_kind = g.owner_kind and a.owner_id = g.owner_id and a.code = g.code and a.unit = g.unit
    ), lack as (
      select (select count(*) from given)::int - (select count(*) from known)::int as n
    ), journal as (
      insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
      select $1, j.journal_id, j.effect_key, j.kind, j.ref_kind, j.ref_id, j.business_on, (select kist_now())
      from lack, jsonb_to_recordset($journals) as j(journal_id uuid, effect_key text, kind text, ref_kind text, ref_id uuid, business_on date)
      where lack.n = 0
      on conflict (org_id, effect_key) do nothing returning journal_id
    ), written as (
      insert into journal_lines
        (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot)
      select $1, k.journal_id, k.line_no, k.account_id, k.unit, k.debit, k.credit, k.agreement_id, k.instalment_no, k.charge_id, k.bucket, k.payment_id, k.lot
      from known k join journal j on j.journal_id = k.journal_id
    )
    select lack.n as missing, coalesce((select array_agg(journal_id) from journal), '{}') as made from lack`,
});

/** Makes the accounts of these lines that do not exist yet. */
export const makeAccounts = statement({
  name: 'ledger.make_accounts',
  takes: { lines: jsonb<readonly GivenLine[]>() },
  text: `
    insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
    select $1, gen_random_uuid(), owner_kind, owner_id, code, unit, normal_side
    from (select distinct owner_kind, owner_id, code, unit, normal_side from (${GIVEN}) g) d
    order by owner_kind, owner_id, code, unit
    on conflict (org_id, owner_kind, owner_id, code, unit) do nothing`,
});

/**
 * The journal that mirrors, line by line, the one of this kind that stands for a thing; each is mirrored once. No row where none stands.
 */
export const insertReversal = statement({
  name: 'ledger.insert_reversal',
  takes: { journal_id: uuid, reversed_kind: text, ref_kind: text, ref_id: uuid, kind: text, business_on: date },
  gives: { journal_id: uuid },
  text: `
    with standing as (
      select j.journal_id, j.effect_key from journals j
      where j.org_id = $1 and j.ref_kind = $ref_kind and j.ref_id = $ref_id and j.kind = $reversed_kind
        and not exists (select from journals r where r.org_id = $1 and r.reverses_journal_id = j.journal_id)
    ), journal as (
      insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, reverses_journal_id, business_on, posted_at)
      select $1, $journal_id, 'reversal:' || s.effect_key, $kind, $ref_kind, $ref_id, s.journal_id, $business_on, kist_now() from standing s
      on conflict do nothing returning journal_id, reverses_journal_id
    ), written as (
      insert into journal_lines
        (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot)
      select $1, j.journal_id, l.line_no, l.account_id, l.unit, l.credit, l.debit, l.agreement_id, l.instalment_no, l.charge_id, l.bucket, l.payment_id, l.lot
      from journal j join journal_lines l on l.org_id = $1 and l.journal_id = j.reverses_journal_id
    )
    select journal_id from journal`,
});

/**
 * The journals that mirror, line by line, those that made or waived some charges of an agreement; each is mirrored once.
 */
export const insertChargeReversals = statement({
  name: 'ledger.insert_charge_reversals',
  takes: { agreement_id: uuid, charge_ids: listOf(uuid), business_on: date },
  gives: { made: int4 },
  text: `
    with standing as (
      select distinct j.org_id, j.journal_id, j.effect_key, j.kind, j.ref_kind, j.ref_id
      from journal_lines l join journals j on j.org_id = $1 and j.journal_id = l.journal_id
      where l.org_id = $1 and l.agreement_id = $agreement_id and l.payment_id is null and l.charge_id = any($charge_ids)
        and j.kind in ('penal_charged', 'penal_waived')
        and not exists (select from journals r where r.org_id = $1 and r.reverses_journal_id = j.journal_id)
    ), journal as (
      insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, reverses_journal_id, business_on, posted_at)
      select s.org_id, gen_random_uuid(), 'reversal:' || s.effect_key, case s.kind when 'penal_charged' then 'penal_taken_back' else 'waiver_taken_back' end,
        s.ref_kind, s.ref_id, s.journal_id, $business_on, kist_now() from standing s
      on conflict do nothing returning journal_id, reverses_journal_id
    ), written as (
      insert into journal_lines
        (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot)
      select $1, j.journal_id, l.line_no, l.account_id, l.unit, l.credit, l.debit, l.agreement_id, l.instalment_no, l.charge_id, l.bucket, l.payment_id, l.lot
      from journal j join journal_lines l on l.org_id = $1 and l.journal_id = j.reverses_journal_id
    )
    select count(*)::int as made from journal`,
});

/** What one effect put on accounts of one kind. */
export const postedAmount = statement({
  name: 'ledger.posted_amount',
  takes: { effect_key: text, code: text },
  gives: { amount: int8 },
  text: `
    select coalesce(sum(l.debit + l.credit), 0)::bigint as amount
    from journals j
    join journal_lines l on l.org_id = $1 and l.journal_id = j.journal_id
    join accounts a on a.org_id = $1 and a.account_id = l.account_id
    where j.org_id = $1 and j.effect_key = $effect_key and a.code = $code`,
});

/** What is allocated to the parts of an agreement, payment by payment: what the lines add up to. */
export const allocationsOf = statement({
  name: 'ledger.allocations_of',
  takes: { agreement_id: uuid },
  gives: {
    payment_id: known(uuid),
    bucket: known(as<'principal' | 'interest' | 'fee' | 'penal' | 'advance'>()(text)),
    instalment_no: nullable(int4),
    charge_id: nullable(uuid),
    paise: int8,
  },
  text: `
    select payment_id, bucket, instalment_no, charge_id, sum(credit - debit)::bigint as paise
    from journal_lines
    where org_id = $1 and agreement_id = $agreement_id and payment_id is not null and bucket is not null
    group by payment_id, bucket, instalment_no, charge_id having sum(credit - debit) <> 0
    order by payment_id, instalment_no, charge_id, bucket`,
});

/** Sums by code and unit of all that was posted up to a business day (inclusive; null: ever). */
export const trialBalance = statement({
  name: 'ledger.trial_balance',
  takes: { up_to: nullable(date) },
  gives: { code: text, unit: text, debit: int8, credit: int8 },
  text: `
    select a.code, l.unit, sum(l.debit)::bigint as debit, sum(l.credit)::bigint as credit
    from journal_lines l
    join accounts a on a.org_id = $1 and a.account_id = l.account_id
    join journals j on j.org_id = $1 and j.journal_id = l.journal_id
    where l.org_id = $1 and ($up_to is null or j.business_on <= $up_to)
    group by a.code, l.unit order by l.unit, a.code`,
});

/**
 * Sums by code and unit of what belongs to these owners up to a business day: their agreements, tills and keys, and the organisation's side of their keys.
 * What such a journal books with another shop of the organisation (a payment that another till took) is one row, `elsewhere`: the other shop's accounts stay
 * its own, and the journals balance all the same.
 */
export const ownTrialBalance = statement({
  name: 'ledger.own_trial_balance',
  takes: { owner_ids: listOf(uuid), up_to: nullable(date) },
  gives: { code: text, unit: text, debit: int8, credit: int8 },
  isPlannedEachTime: true,
  text: `
    with own_agreements as (
      select agreement_id from agreements where org_id = $1 and owner_user_id = any($owner_ids)
    ), own_accounts as (
      select account_id from accounts where org_id = $1 and owner_kind = 'user' and owner_id = any($owner_ids::text[])
    ), concerned as (
      select l.journal_id from own_agreements g join journal_lines l on l.org_id = $1 and l.agreement_id = g.agreement_id
      union
      select l.journal_id from own_accounts o join journal_lines l on l.org_id = $1 and l.account_id = o.account_id
    ), lines as (
      select l.unit, l.debit, l.credit,
        case when a.owner_kind = 'user' then case when o.account_id is not null then a.code else 'elsewhere' end
          when l.agreement_id is null or g.agreement_id is not null then a.code else 'elsewhere' end as code
      from concerned c
      join journals j on j.org_id = $1 and j.journal_id = c.journal_id
      join journal_lines l on l.org_id = $1 and l.journal_id = c.journal_id
      join accounts a on a.org_id = $1 and a.account_id = l.account_id
      left join own_accounts o on o.account_id = l.account_id
      left join own_agreements g on g.agreement_id = l.agreement_id
      where $up_to is null or j.business_on <= $up_to
    )
    select code, unit,
      (case when code = 'elsewhere' then greatest(sum(debit - credit), 0) else sum(debit) end)::bigint as debit,
      (case when code = 'elsewhere' then greatest(sum(credit - debit), 0) else sum(credit) end)::bigint as credit
    from lines group by code, unit having code <> 'elsewhere' or sum(debit) <> sum(credit) order by unit, code`,
});
