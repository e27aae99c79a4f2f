import { type Invariant, type InvariantCheck, LEFT, within } from './invariant-words-sql.ts';

/** Of payments, journals and dues. */
export const MONEY = {
  I1: {
    name: 'one journal for each acknowledged payment',
    proves: 'Every payment that stands or stood is booked once, and every payment that a client was answered is there.',
    sql: `
    select p.payment_id as id, p.state || ', journals ' || count(j.journal_id) as detail
    from payments p left join journals j on j.org_id = p.org_id and j.effect_key = 'payment:' || p.payment_id and j.kind = 'payment'
    where p.org_id = kist_org() and ${within('p.payment_id')} and p.state in ('posted', 'reversed') group by p.payment_id, p.state having count(j.journal_id) <> 1
    union all
    select (k.reply -> 'data' ->> 'payment_id')::uuid, 'acknowledged and not there' from idempotency_keys k
    where k.org_id = kist_org() and ${within('k.key')} and k.status between 200 and 299 and k.reply -> 'data' ->> 'payment_id' ~ '^[0-9a-fA-F-]{36}$'
      and not exists (select from payments p where p.org_id = k.org_id and p.payment_id = (k.reply -> 'data' ->> 'payment_id')::uuid)`,
  },
  I2: {
    name: 'debits are credits',
    proves: 'Every journal balances in each unit and has two lines at least.',
    sql: `
    select l.journal_id as id, l.unit || ': debits ' || sum(l.debit) || ', credits ' || sum(l.credit) as detail from journal_lines l
    where l.org_id = kist_org() and ${within('l.journal_id')} group by l.journal_id, l.unit having sum(l.debit) <> sum(l.credit)
    union all
    select j.journal_id, 'lines ' || count(l.line_no) from journals j left join journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id
    where j.org_id = kist_org() and ${within('j.journal_id')} group by j.journal_id having count(l.line_no) < 2`,
  },
  I3: {
    name: 'dues recomputed are dues stored',
    proves:
      'What an agreement owes, and since when, follows from its instalments; what every bucket of each was paid, and every penal charge, follows from the ledger’s lines.',
    sql: `
    select a.agreement_id as id, 'stored ' || a.outstanding_paise || '/' || coalesce(a.oldest_due_on::text, '-') || ', recomputed '
      || coalesce(o.paise, 0) || '/' || coalesce(o.oldest::text, '-') as detail
    from agreements a left join (
      select i.agreement_id, sum(${LEFT}) as paise, min(i.due_on) filter (where ${LEFT} > 0) as oldest from instalments i
      where i.org_id = kist_org() and ${within('i.agreement_id')} group by i.agreement_id) o using (agreement_id)
    where a.org_id = kist_org() and ${within('a.agreement_id')} and (a.outstanding_paise <> coalesce(o.paise, 0) or a.oldest_due_on is distinct from o.oldest)
    union all
    select coalesce(i.agreement_id, l.agreement_id), coalesce(i.bucket, l.bucket) || ' of instalment ' || coalesce(i.no, l.instalment_no) || ': stored '
      || coalesce(i.paid, 0) || ', lines ' || coalesce(l.paise, 0)
    from (
      select i.agreement_id, i.no, b.bucket, b.paid from instalments i cross join lateral (values ('principal', i.paid_principal_paise),
        ('interest', i.paid_interest_paise), ('fee', i.paid_fee_paise)) as b(bucket, paid) where i.org_id = kist_org() and ${within('i.agreement_id')}) i
    full join (
      select l.agreement_id, l.instalment_no, l.bucket, sum(l.credit - l.debit) as paise from journal_lines l where l.org_id = kist_org()
        and l.agreement_id is not null and ${within('l.agreement_id')} and l.payment_id is not null and l.bucket in ('principal', 'interest', 'fee') group by 1, 2, 3) l
      on l.agreement_id = i.agreement_id and l.instalment_no = i.no and l.bucket = i.bucket
    where coalesce(i.paid, 0) <> coalesce(l.paise, 0)
    union all
    select coalesce(c.agreement_id, l.agreement_id), 'penal of instalment ' || coalesce(c.instalment_no, l.instalment_no) || ': stored ' || coalesce(c.paid_paise, 0)
      || ', lines ' || coalesce(l.paise, 0)
    from (
      select c.agreement_id, c.instalment_no, c.charge_id, c.paid_paise from charges c where c.org_id = kist_org() and ${within('c.agreement_id')}) c
    full join (
      select l.agreement_id, min(l.instalment_no) as instalment_no, l.charge_id, sum(l.credit - l.debit) as paise from journal_lines l where l.org_id = kist_org()
        and l.agreement_id is not null and ${within('l.agreement_id')} and l.payment_id is not null and l.bucket = 'penal' group by 1, 3) l using (charge_id)
    where coalesce(c.paid_paise, 0) <> coalesce(l.paise, 0)`,
  },
} satisfies Partial<Record<Invariant, InvariantCheck>>;
