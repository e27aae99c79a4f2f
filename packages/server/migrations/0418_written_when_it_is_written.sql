-- What is written of money bears the moment and the day on which it is written. Until now whoever has the serving account could choose both of a payment with
-- its journal and its move; only five kinds of journal were held to their day. Of a day of its own are the opening of an agreement (delivery), what a book
-- brought in with it, and what the daily run makes up for. Each is asked once a statement, however many rows it writes.
-- A million journals: no row is read or written; journals, payments and both tables of moves are held exclusively for a moment.
create function journals_are_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare at timestamptz := kist_now(); today date := kist_today(); late journals;
begin
  select * into late from added j where j.posted_at is distinct from at
    or j.business_on not between today - 1 and today and j.kind <> 'agreement_opened' and not (j.kind = 'penal_charged' and j.effect_key not like 'penal:hand:%')
      and not (j.kind = 'payment' and exists (
        select from journal_lines l join historic_agreements h on h.org_id = l.org_id and h.agreement_id = l.agreement_id
          join journals o on o.org_id = l.org_id and o.ref_kind = 'agreement' and o.ref_id = l.agreement_id and o.kind = 'agreement_opened'
        where l.org_id = j.org_id and l.journal_id = j.journal_id and o.txid = pg_current_xact_id()))
  limit 1;
  if found then
    raise exception 'insert of journals is refused: % is of the moment and the day on which it is made', late.kind using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
drop trigger journals_are_of_their_day on journals;
drop function journal_is_of_its_day();
create trigger journals_are_of_now after insert on journals referencing new table as added for each statement execute function journals_are_of_now();
alter table journals enable always trigger journals_are_of_now;

create function payments_are_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare at timestamptz := kist_now();
begin
  if exists (select from added where recorded_at is distinct from at) then
    raise exception 'insert of payments is refused: it is recorded when it is written' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger payments_are_of_now after insert on payments referencing new table as added for each statement execute function payments_are_of_now();
alter table payments enable always trigger payments_are_of_now;

create function moves_are_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare at timestamptz := kist_now();
begin
  if exists (select from added where moved_at is distinct from at) then
    raise exception 'insert of % is refused: a move is told when it is made', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger payment_moves_are_of_now after insert on payment_moves referencing new table as added for each statement execute function moves_are_of_now();
create trigger agreement_moves_are_of_now after insert on agreement_moves referencing new table as added for each statement execute function moves_are_of_now();
alter table payment_moves enable always trigger payment_moves_are_of_now;
alter table agreement_moves enable always trigger agreement_moves_are_of_now;
