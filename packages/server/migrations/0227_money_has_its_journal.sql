-- What a reviewer could still do as the account that serves: write a payment, a charge, a waiver or a refund that no journal knows. The night found it; now it is refused.
-- A million agreements: nothing is read or written; the guards hold for what is written from now on, and each table is held exclusively for a moment.

-- A payment that stands is in a till with all of its money; one that was taken back has the mirror of its journal. Asked when the transaction ends: whichever of
-- the two is written first.
create function payment_is_booked() returns trigger language plpgsql as $$
declare booked record;
begin
  select j.journal_id, (select sum(l.debit) from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
      where l.org_id = j.org_id and l.journal_id = j.journal_id and l.payment_id = new.payment_id and a.code like 'clearing\_%') as paise
    into booked from journals j where j.org_id = new.org_id and j.effect_key = 'payment:' || new.payment_id and j.kind = 'payment';
  if booked.paise is distinct from new.amount_paise then
    raise exception 'payment % of % paise has % in its journal', new.payment_id, new.amount_paise, booked.paise using errcode = 'check_violation';
  end if;
  if new.state = 'reversed' and not exists (select from journals r where r.org_id = new.org_id and r.reverses_journal_id = booked.journal_id) then
    raise exception 'payment % was taken back without a journal', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger payment_comes_with_its_journal after insert on payments deferrable initially deferred
  for each row when (new.state in ('posted', 'reversed')) execute function payment_is_booked();
create constraint trigger payment_changes_with_its_journal after update on payments deferrable initially deferred
  for each row when (old.state is distinct from new.state and new.state in ('posted', 'reversed')) execute function payment_is_booked();
alter table payments enable always trigger payment_comes_with_its_journal;
alter table payments enable always trigger payment_changes_with_its_journal;

-- A charge follows its journal: a day makes a quarter of a million, so they are asked together, each by one look (limit 1): of a kind of journal that has
-- only now come to be the planner believes there is one. Their keys are reckoned first: under row-level security no index is searched for an expression of
-- another table.
create function charges_are_booked() returns trigger language plpgsql as $$
begin
  if exists (
    with keyed as materialized (select c.*, case c.made_by when 'rule' then 'penal:' || c.agreement_id || ':' || c.instalment_no || ':' || c.charged_on
      else 'penal:hand:' || c.charge_id end as effect_key from added c)
    select from keyed c
      left join lateral (select * from journals j where j.org_id = c.org_id and j.effect_key = c.effect_key limit 1) j on j.kind = 'penal_charged'
      left join lateral (select l.debit from journal_lines l where l.org_id = c.org_id and l.journal_id = j.journal_id and l.charge_id = c.charge_id
        and l.bucket = 'penal' limit 1) l on true
    where l.debit is distinct from c.amount_paise or c.waived_paise <> 0 or c.taken_back_at is not null) then
    raise exception 'insert of charges is refused: a charge comes after its journal' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger charges_come_after_their_journal after insert on charges referencing new table as added for each statement execute function charges_are_booked();
alter table charges enable always trigger charges_come_after_their_journal;

-- Less is owed of a charge only where the lines say so.
create function charge_is_booked() returns trigger language plpgsql as $$
declare owed bigint := case when new.taken_back_at is null then new.amount_paise - new.waived_paise else 0 end; booked bigint;
begin
  select coalesce(sum(l.debit - l.credit), 0) into booked from journal_lines l
  where l.org_id = new.org_id and l.agreement_id = new.agreement_id and l.charge_id = new.charge_id and l.bucket = 'penal' and l.payment_id is null;
  if booked <> owed then
    raise exception 'charge % stands at % paise, and the lines say %', new.charge_id, owed, booked using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger charge_is_given_up_with_its_journal after update on charges deferrable initially deferred
  for each row when (old.waived_paise <> new.waived_paise or old.taken_back_at is distinct from new.taken_back_at) execute function charge_is_booked();
alter table charges enable always trigger charge_is_given_up_with_its_journal;

-- What is waived, owed back and given back: each by the journal of its name, with its sum.
create function sum_is_booked(org integer, effect text, paise bigint) returns boolean language sql stable as $$
  select exists (select from journals j where j.org_id = org and j.effect_key = effect
    and (select sum(l.debit) from journal_lines l where l.org_id = org and l.journal_id = j.journal_id) = paise)
$$;
create function waiver_is_booked() returns trigger language plpgsql as $$
begin
  if not sum_is_booked(new.org_id, 'waiver:' || new.waiver_id, new.amount_paise) then
    raise exception 'waiver % was granted without its journal', new.waiver_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger waiver_is_granted_with_its_journal after insert or update on waivers deferrable initially deferred
  for each row when (new.state = 'granted') execute function waiver_is_booked();
alter table waivers enable always trigger waiver_is_granted_with_its_journal;

create function refund_is_booked() returns trigger language plpgsql as $$
begin
  if not sum_is_booked(new.org_id, case new.state when 'done' then 'refund_paid:' else 'refund_owed:' end || new.payment_id, new.amount_paise) then
    raise exception 'the refund of % is % without its journal', new.payment_id, new.state using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger refund_stands_with_its_journal after insert or update on refund_tasks deferrable initially deferred
  for each row when (new.state in ('open', 'done')) execute function refund_is_booked();
alter table refund_tasks enable always trigger refund_stands_with_its_journal;

-- For the check of the books: when a payment came to stand.
create or replace view payment_moves_view with (security_invoker = true) as select org_id, payment_id, no, to_state, moved_at from payment_moves;
