-- A line of the ledger says what it is for: agreement, instalment, charge, bucket, payment, and of keys the lot. The allocation of a payment is its lines;
-- the table that was written anew at each replay goes, and a view of the lines answers in its place.
--
-- A million agreements with a year of payments (about 20 million lines): the columns come at once; the backfill writes each line of the old journals
-- once and adds a line for each part of a payment (some minutes); the index takes a minute. journal_lines is held exclusively from its first line to the end,
-- so the server stands still meanwhile.
-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table accounts no force row level security;
alter table agreements no force row level security;
alter table allocations no force row level security;
alter table charges no force row level security;
alter table instalments no force row level security;
alter table journal_lines no force row level security;
alter table journals no force row level security;
alter table payments no force row level security;
alter table wallets no force row level security;

alter table journal_lines
  add column agreement_id uuid,
  add column instalment_no integer,
  add column charge_id uuid,
  add column bucket text check (bucket in ('principal', 'interest', 'fee', 'penal', 'advance')),
  add column payment_id uuid,
  add column lot text check (lot in ('paid', 'granted')),
  add check (instalment_no is null or agreement_id is not null),
  add check (bucket is null or agreement_id is not null),
  add check (payment_id is null or agreement_id is not null);

-- What the old accounts said by their owner, the lines say themselves.
update journal_lines l set agreement_id = a.owner_id::uuid,
  bucket = case a.code when 'advance' then 'advance' else substr(a.code, length('receivable_') + 1) end
from accounts a where a.org_id = l.org_id and a.account_id = l.account_id and a.owner_kind = 'agreement';
update journal_lines l set payment_id = j.ref_id, agreement_id = p.agreement_id
from journals j, payments p
where j.org_id = l.org_id and j.journal_id = l.journal_id and j.ref_kind = 'payment' and p.org_id = j.org_id and p.payment_id = j.ref_id;
update journal_lines l set agreement_id = j.ref_id
from journals j where j.org_id = l.org_id and j.journal_id = l.journal_id and j.ref_kind = 'agreement' and l.agreement_id is null;
-- A penal journal's key names its instalment; the charge is the one of that instalment and day.
update journal_lines l set instalment_no = split_part(j.effect_key, ':', 3)::int, charge_id = c.charge_id
from journals j, charges c
where j.org_id = l.org_id and j.journal_id = l.journal_id and j.kind = 'penal_charged' and l.bucket = 'penal'
  and c.org_id = j.org_id and c.agreement_id = j.ref_id and c.instalment_no = split_part(j.effect_key, ':', 3)::int
  and c.charged_on = j.business_on;

-- Receivables and advances are the organisation's accounts from now on; whose they are stands on the line.
insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
select o.org_id, gen_random_uuid(), 'organisation', 'organisation', c.code, 'INR', c.side
from (select distinct org_id from accounts) o,
  (values ('receivable_principal', 'debit'), ('receivable_interest', 'debit'), ('receivable_fee', 'debit'), ('receivable_penal', 'debit'), ('advance', 'credit')) as c(code, side)
on conflict do nothing;

-- Payments of before were posted in one sum a bucket: one journal for each agreement takes the sums back and gives them to the instalments they went to.
with agreed as (
  select org_id, agreement_id, gen_random_uuid() as journal_id from allocations group by org_id, agreement_id
), parts as (
  select g.org_id, g.journal_id, g.agreement_id, x.payment_id, x.bucket, x.instalment_no, x.charge_id, x.paise,
    case x.bucket when 'advance' then 'advance' else 'receivable_' || x.bucket end as code
  from agreed g join allocations x on x.org_id = g.org_id and x.agreement_id = g.agreement_id
), lines as (
  select org_id, journal_id, agreement_id, payment_id, bucket, null::int as instalment_no, null::uuid as charge_id, sum(paise)::bigint as debit, 0::bigint as credit, code
  from parts group by org_id, journal_id, agreement_id, payment_id, bucket, code
  union all
  select org_id, journal_id, agreement_id, payment_id, bucket, instalment_no, charge_id, 0, sum(paise)::bigint, code
  from parts group by org_id, journal_id, agreement_id, payment_id, bucket, instalment_no, charge_id, code
), made as (
  insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
  select org_id, journal_id, 'dimensions:' || agreement_id, 'dimensions_given', 'agreement', agreement_id,
    (kist_now() at time zone 'Asia/Kolkata')::date, kist_now() from agreed
)
insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id)
select l.org_id, l.journal_id, row_number() over (partition by l.org_id, l.journal_id order by l.payment_id, l.bucket, l.instalment_no nulls first, l.charge_id),
  a.account_id, 'INR', l.debit, l.credit, l.agreement_id, l.instalment_no, l.charge_id, l.bucket, l.payment_id
from lines l join accounts a on a.org_id = l.org_id and a.owner_kind = 'organisation' and a.code = l.code and a.unit = 'INR';

-- Keys by lot: what a shop has in each lot is given to it, so that lots are the ledger's from now on.
with wallet as (
  select org_id, user_id, plan_type, lot, 'keys_available' as code, available as n from wallets where available > 0
  union all
  select org_id, user_id, plan_type, lot, 'keys_reserved', reserved from wallets where reserved > 0
), moved as (
  select org_id, user_id, gen_random_uuid() as journal_id from wallet group by org_id, user_id
), lines as (
  select m.org_id, m.journal_id, w.user_id, w.plan_type, w.code, null::text as lot, 0::bigint as debit, sum(w.n)::bigint as credit
  from moved m join wallet w using (org_id, user_id) group by m.org_id, m.journal_id, w.user_id, w.plan_type, w.code
  union all
  select m.org_id, m.journal_id, w.user_id, w.plan_type, w.code, w.lot, w.n, 0 from moved m join wallet w using (org_id, user_id)
), made as (
  insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
  select org_id, journal_id, 'lots:' || user_id, 'lots_given', 'user', user_id, (kist_now() at time zone 'Asia/Kolkata')::date, kist_now() from moved
)
insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, lot)
select l.org_id, l.journal_id, row_number() over (partition by l.org_id, l.journal_id order by l.plan_type, l.code, l.lot nulls first),
  a.account_id, a.unit, l.debit, l.credit, l.lot
from lines l join accounts a on a.org_id = l.org_id and a.owner_kind = 'user' and a.owner_id = l.user_id::text and a.code = l.code and a.unit = 'KEY:' || l.plan_type;

-- The checks of the journals above run now, while the tables may still be altered.
set constraints all immediate;
set constraints all deferred;

create index journal_lines_agreement on journal_lines (org_id, agreement_id, payment_id) where agreement_id is not null;

-- Nothing was lost on the way, or nothing of this happens.
do $$ begin
  if exists (
    select from (select org_id, payment_id, bucket, instalment_no, charge_id, sum(paise) as paise from allocations group by 1, 2, 3, 4, 5) old
    full join (
      select org_id, payment_id, bucket, instalment_no, charge_id, sum(credit - debit) as paise from journal_lines
      where payment_id is not null and bucket is not null group by 1, 2, 3, 4, 5 having sum(credit - debit) <> 0) new
    on old.org_id = new.org_id and old.payment_id = new.payment_id and old.bucket = new.bucket
      and old.instalment_no is not distinct from new.instalment_no and old.charge_id is not distinct from new.charge_id
    where old.paise is distinct from new.paise) then
    raise exception 'allocations and ledger lines differ: the books need to be looked at before this migration';
  end if;
end $$;

drop table allocations;
-- Where each rupee of a payment stands: what its lines add up to. Of a reversed payment nothing.
create view allocations with (security_invoker = true) as
select org_id, agreement_id, payment_id, bucket, instalment_no, charge_id, sum(credit - debit)::bigint as paise
from journal_lines where agreement_id is not null and payment_id is not null and bucket is not null
group by org_id, agreement_id, payment_id, bucket, instalment_no, charge_id
having sum(credit - debit) <> 0;
grant select on allocations to kist_app;
comment on view allocations is 'owner: ledger';

alter table accounts force row level security;
alter table agreements force row level security;
alter table charges force row level security;
alter table instalments force row level security;
alter table journal_lines force row level security;
alter table journals force row level security;
alter table payments force row level security;
alter table wallets force row level security;
