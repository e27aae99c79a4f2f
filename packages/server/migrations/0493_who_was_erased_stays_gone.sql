-- Who was erased stays gone: no picture is taken of them again, no agreement of theirs runs again, and with the name goes what pictures were called and what was
-- said in complaints and rests. Until now a picture was taken of anybody, a payment taken back made a completed agreement run for nobody, and words stayed.
-- A million customers: rows of those who were erased are written once, found by an index for each of them; documents, disputes, dispute_moves, holds and
-- agreements are held exclusively meanwhile, a moment but for an organisation that erased many thousands.
create function kist_is_of_erased(org integer, agreement uuid) returns boolean language sql stable as $$
  select exists (select from agreements a join erasures e on e.org_id = a.org_id and e.customer_id = a.customer_id where a.org_id = org and a.agreement_id = agreement)
$$;

-- With the customer's row held: an erasure beside it waits, or was first and is seen.
create function nothing_begins_for_erased() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id for share;
  if kist_is_erased(new.org_id, new.customer_id) then
    raise exception '% of % is refused: the customer was erased', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger documents_are_of_somebody before insert on documents for each row execute function nothing_begins_for_erased();
alter table documents enable always trigger documents_are_of_somebody;
create trigger agreements_run_for_somebody before update of state on agreements for each row when (new.state = 'active' and old.state is distinct from 'active')
  execute function nothing_begins_for_erased();
alter table agreements enable always trigger agreements_run_for_somebody;

-- What was said stays as it was written until whom it is about is erased; then it goes, and nothing else takes its place.
drop trigger disputes_facts_stay on disputes;
drop trigger dispute_moves_stay on dispute_moves;
drop trigger holds_facts_stay on holds;
drop trigger holds_lift_once on holds;

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
do $$ declare tab text; begin
  foreach tab in array array['erasures', 'agreements', 'documents', 'disputes', 'dispute_moves', 'holds'] loop
    execute format('alter table %I no force row level security', tab);
  end loop;
end $$;
update documents d set image_name = null from erasures e where d.org_id = e.org_id and d.customer_id = e.customer_id and d.image_name is not null;
update disputes d set text = '—' from erasures e join agreements a on a.org_id = e.org_id and a.customer_id = e.customer_id
where d.org_id = a.org_id and d.agreement_id = a.agreement_id;
update dispute_moves m set reason = '—' from erasures e join agreements a on a.org_id = e.org_id and a.customer_id = e.customer_id
  join disputes d on d.org_id = a.org_id and d.agreement_id = a.agreement_id
where m.org_id = d.org_id and m.dispute_id = d.dispute_id;
update holds h set note = '', lifted_note = '' from erasures e join agreements a on a.org_id = e.org_id and a.customer_id = e.customer_id
where h.org_id = a.org_id and h.agreement_id = a.agreement_id;
-- Constraints of these updates that wait for the end would keep the tables from being altered.
set constraints all immediate;
set constraints all deferred;
do $$ declare tab text; begin
  foreach tab in array array['erasures', 'agreements', 'documents', 'disputes', 'dispute_moves', 'holds'] loop
    execute format('alter table %I force row level security', tab);
  end loop;
end $$;

create function picture_name_goes() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.image_name is not null or not kist_is_erased(old.org_id, old.customer_id) then
    raise exception 'update of documents is refused: facts stay as they were written' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger documents_names_stay before update of image_name on documents for each row when (new.image_name is distinct from old.image_name)
  execute function picture_name_goes();

create function dispute_words_go() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.text <> '—' or not kist_is_of_erased(old.org_id, old.agreement_id) then
    raise exception 'update of disputes is refused: facts stay as they were written' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger disputes_facts_stay before update of org_id, dispute_id, agreement_id, instalment_no, channel, opened_at on disputes for each row
  execute function kist_refuse('facts stay as they were written');
create trigger disputes_words_stay before update of text on disputes for each row execute function dispute_words_go();

create function dispute_move_words_go() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (to_jsonb(new) - 'reason') is distinct from (to_jsonb(old) - 'reason') or new.reason <> '—' or not exists (
      select from disputes d where d.org_id = old.org_id and d.dispute_id = old.dispute_id and kist_is_of_erased(d.org_id, d.agreement_id)) then
    raise exception 'update of dispute_moves is refused: what was written stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger dispute_moves_stay before delete on dispute_moves for each row execute function kist_refuse('what was written stays');
create trigger dispute_moves_words_stay before update on dispute_moves for each row execute function dispute_move_words_go();

create function hold_words_go() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (new.note, new.lifted_note) is distinct from ('', '') or not kist_is_of_erased(old.org_id, old.agreement_id) then
    raise exception 'update of holds is refused: %', case when new.note <> old.note then 'facts stay as they were written' else 'it is lifted once, with who' end
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger holds_facts_stay before update of org_id, hold_id, agreement_id, kind, until_on, due_on, created_by, created_at on holds for each row
  execute function kist_refuse('facts stay as they were written');
create trigger holds_lift_once before update of lifted_at, lifted_by on holds for each row
  when (old.lifted_at is not null or new.lifted_at is null or new.lifted_by is null)
  execute function kist_refuse('it is lifted once, with who');
-- Who lifts it says why, with it.
create trigger holds_words_stay before update on holds for each row
  when (new.note is distinct from old.note or new.lifted_note is distinct from old.lifted_note and new.lifted_at is not distinct from old.lifted_at)
  execute function hold_words_go();

do $$ declare tab text; name text; begin
  for tab, name in values ('documents', 'documents_names_stay'), ('disputes', 'disputes_facts_stay'), ('disputes', 'disputes_words_stay'),
      ('dispute_moves', 'dispute_moves_stay'), ('dispute_moves', 'dispute_moves_words_stay'), ('holds', 'holds_facts_stay'), ('holds', 'holds_lift_once'),
      ('holds', 'holds_words_stay') loop
    execute format('alter table %I enable always trigger %I', tab, name);
  end loop;
end $$;
grant update (image_name) on documents to kist_app;
grant update (text) on disputes to kist_app;
grant update (reason) on dispute_moves to kist_app;
grant update (note) on holds to kist_app;
