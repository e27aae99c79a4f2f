-- With who is erased goes why a late fee of theirs was waived, and why a second person said no to that or to a lock of many that they were among: people write names
-- there. Until now these words stayed. That there was such a word, when, by whom and of how much stays: books stand on it.
-- What was decided is looked at when it is decided, not when its words go: whoever decided it years ago need not be there any more.
-- A million customers: rows about those who were erased are written once, found by an index for each of their agreements; of orders to many only those that a
-- second person refused. Both tables are held exclusively meanwhile, a moment but for an organisation that erased many thousands.
create function kist_is_agreement_of_erased(org integer, agreement uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from agreements a join erasures e on e.org_id = a.org_id and e.customer_id = a.customer_id where a.org_id = org and a.agreement_id = agreement)
$$;
create function kist_is_batch_of_erased(org integer, batch uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from batch_parts p join erasures e on e.org_id = p.org_id and e.customer_id = any(p.customer_ids) where p.org_id = org and p.batch_id = batch)
$$;

create or replace function waivers_are_decided_once() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (new.state, new.decided_by, new.decided_at) is not distinct from (old.state, old.decided_by, old.decided_at) then
    -- The words of somebody who was erased.
    if new.reason not in (old.reason, '—') or (new.refusal_note is distinct from old.refusal_note and (old.refusal_note is not null and new.refusal_note = '—') is not true)
      or not kist_is_agreement_of_erased(old.org_id, old.agreement_id) then
      raise exception 'update of waivers is refused: facts stay as they were written' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if old.state <> 'asked' or new.state = 'asked' then
    raise exception 'update of waivers is refused: it was decided' using errcode = 'restrict_violation';
  end if;
  if new.reason <> old.reason then
    raise exception 'update of waivers is refused: facts stay as they were written' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

drop trigger waivers_facts_stay on waivers;
create trigger waivers_facts_stay before update of org_id, waiver_id, agreement_id, charge_id, amount_paise, limit_paise, asked_by, asked_at on waivers
  for each row execute function kist_refuse('facts stay as they were written');
-- Each of these looks at a decision: when a waiver comes, and when it is decided.
drop trigger waivers_are_of_people on waivers;
create trigger waivers_are_of_people_at_first before insert on waivers for each row execute function waiver_is_of_people();
create trigger waivers_are_of_people before update on waivers for each row when (new.state <> old.state) execute function waiver_is_of_people();
drop trigger waivers_are_of_now on waivers;
create trigger waivers_are_of_now_at_first before insert on waivers for each row execute function waiver_is_of_now();
create trigger waivers_are_of_now before update on waivers for each row
  when ((new.state, new.decided_at) is distinct from (old.state, old.decided_at)) execute function waiver_is_of_now();
drop trigger waiver_is_granted_with_its_journal on waivers;
create constraint trigger waiver_is_granted_with_its_journal after insert on waivers deferrable initially deferred
  for each row when (new.state = 'granted') execute function waiver_is_booked();
create constraint trigger waiver_is_decided_with_its_journal after update on waivers deferrable initially deferred
  for each row when (new.state = 'granted' and old.state <> 'granted') execute function waiver_is_booked();
drop trigger waivers_are_refused_by_their_people on waivers;
create trigger waivers_are_refused_by_their_people after update on waivers for each row
  when (new.state = 'refused' and old.state <> 'refused' and new.decided_by is distinct from new.asked_by) execute function row_is_of_its_people('decided_by', '');
create trigger waivers_come_refused_by_their_people after insert on waivers for each row
  when (new.state = 'refused' and new.decided_by is distinct from new.asked_by) execute function row_is_of_its_people('decided_by', '');
do $$ declare name text; begin
  foreach name in array array['waivers_facts_stay', 'waivers_are_of_people_at_first', 'waivers_are_of_people', 'waivers_are_of_now_at_first', 'waivers_are_of_now',
    'waiver_is_granted_with_its_journal', 'waiver_is_decided_with_its_journal', 'waivers_are_refused_by_their_people', 'waivers_come_refused_by_their_people'] loop
    execute format('alter table waivers enable always trigger %I', name);
  end loop;
end $$;
grant update (reason) on waivers to kist_app;

create or replace function batch_refusal_stays() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.state <> 'waiting' and (old.refusal_note is not null and new.refusal_note = '—' and kist_is_batch_of_erased(old.org_id, old.batch_id)) is not true then
    raise exception 'update of batches is refused: it is said with the no' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
do $$ declare tab text; begin
  foreach tab in array array['erasures', 'agreements', 'waivers', 'batches', 'batch_parts'] loop
    execute format('alter table %I no force row level security', tab);
  end loop;
end $$;
update waivers w set reason = '—', refusal_note = case when w.refusal_note is not null then '—' end
from erasures e join agreements a on a.org_id = e.org_id and a.customer_id = e.customer_id where w.org_id = a.org_id and w.agreement_id = a.agreement_id;
update batches b set refusal_note = '—' where b.refusal_note is not null and kist_is_batch_of_erased(b.org_id, b.batch_id);
-- Constraints of these updates that wait for the end would keep the tables from being altered.
set constraints all immediate;
set constraints all deferred;
do $$ declare tab text; begin
  foreach tab in array array['erasures', 'agreements', 'waivers', 'batches', 'batch_parts'] loop
    execute format('alter table %I force row level security', tab);
  end loop;
end $$;
