-- A dispute is about one instalment and has a life: said, answered, taken further, answered for good, or decided not to hold. Each move is a row with who,
-- in whose part, why and when, by the server's clock; a move goes where the table lets that party go, and at commit a dispute stands where its last move led.
-- Disputes of before name no instalment, and none is invented for them: they go on as one about the whole agreement.
--
-- A million agreements with a dispute each: one or two rows are written for each dispute and each is written once (a minute or two); disputes are held
-- exclusively meanwhile, so whoever judges a lock waits.
create table dispute_allowed_moves (
  -- Empty: it is just being said.
  from_state text not null,
  to_state text not null check (to_state in ('open', 'undecided', 'answered', 'escalated', 'closed', 'rejected')),
  moved_as text not null check (moved_as in ('customer', 'shop', 'organisation')),
  primary key (from_state, to_state, moved_as)
);
comment on table dispute_allowed_moves is 'owner: locking';
grant select on dispute_allowed_moves to kist_app;
insert into dispute_allowed_moves (from_state, to_state, moved_as) values
  ('', 'open', 'customer'),
  ('', 'open', 'shop'),
  ('', 'undecided', 'customer'),
  ('open', 'answered', 'shop'),
  ('open', 'answered', 'organisation'),
  ('undecided', 'open', 'organisation'),
  ('undecided', 'rejected', 'organisation'),
  ('answered', 'escalated', 'customer'),
  ('answered', 'escalated', 'shop'),
  ('escalated', 'closed', 'organisation');
create trigger dispute_allowed_moves_stay before insert or update or delete or truncate on dispute_allowed_moves for each statement
  execute function kist_refuse('what may follow on what is changed by a migration');
alter table dispute_allowed_moves enable always trigger dispute_allowed_moves_stay;

create table dispute_moves (
  org_id integer not null,
  dispute_id uuid not null,
  no integer not null check (no >= 1),
  from_state text not null,
  to_state text not null,
  moved_as text not null,
  moved_by uuid not null,
  moved_at timestamptz not null,
  -- The customer's words, or the answer.
  reason text not null check (btrim(reason) <> ''),
  primary key (org_id, dispute_id, no),
  foreign key (org_id, dispute_id) references disputes
);
comment on table dispute_moves is 'owner: locking';
select kist_tenant('dispute_moves', 'select, insert');

alter table disputes
  add column instalment_no integer,
  add column state text,
  add column state_since timestamptz;
drop trigger disputes_close_once on disputes;
drop trigger disputes_facts_stay on disputes;

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table disputes no force row level security;
alter table dispute_moves no force row level security;
update disputes set state = case when closed_at is null then 'open' else 'answered' end, state_since = coalesce(closed_at, opened_at);
insert into dispute_moves (org_id, dispute_id, no, from_state, to_state, moved_as, moved_by, moved_at, reason)
select org_id, dispute_id, 1, '', 'open', case channel when 'shop' then 'shop' else 'customer' end, '00000000-0000-0000-0000-000000000000', opened_at,
  coalesce(nullif(btrim(text), ''), 'before moves were told') from disputes
union all
select org_id, dispute_id, 2, 'open', 'answered', 'shop', coalesce(closed_by, '00000000-0000-0000-0000-000000000000'), closed_at,
  coalesce(nullif(btrim(outcome), ''), 'before moves were told') from disputes where closed_at is not null;
alter table disputes force row level security;
alter table dispute_moves force row level security;

drop view open_disputes_view;
drop index disputes_open;
alter table disputes
  alter column state set not null,
  alter column state_since set not null,
  drop column closed_at,
  drop column closed_by,
  drop column outcome,
  add foreign key (org_id, agreement_id, instalment_no) references instalments (org_id, agreement_id, no);
create index disputes_agreement on disputes (org_id, agreement_id, instalment_no);
-- One at a time about one instalment.
create unique index disputes_waiting on disputes (org_id, agreement_id, instalment_no) where state in ('open', 'undecided', 'escalated');
create view open_disputes_view with (security_invoker = true) as
  select org_id, agreement_id from disputes where state in ('open', 'undecided', 'escalated');
comment on view open_disputes_view is 'owner: locking';
grant select on open_disputes_view to kist_app;

revoke update on disputes from kist_app;
grant update (state, state_since) on disputes to kist_app;
create trigger disputes_facts_stay before update of org_id, dispute_id, agreement_id, instalment_no, text, channel, opened_at on disputes for each row
  execute function kist_refuse('facts stay as they were written');
create trigger disputes_name_an_instalment before insert on disputes for each row when (new.instalment_no is null)
  execute function kist_refuse('it is about one instalment');

-- A move goes on from where the last one led, by the table, at the server's own moment; what was answered is taken further within seven days.
create function dispute_move_follows() returns trigger language plpgsql as $$
declare last_no integer; last_state text; last_at timestamptz;
begin
  select m.no, m.to_state, m.moved_at into last_no, last_state, last_at from dispute_moves m
  where m.org_id = new.org_id and m.dispute_id = new.dispute_id order by m.no desc limit 1;
  if (new.no, new.from_state) is distinct from (coalesce(last_no, 0) + 1, coalesce(last_state, ''))
    or not exists (select from dispute_allowed_moves a where a.from_state = new.from_state and a.to_state = new.to_state and a.moved_as = new.moved_as)
    or (new.to_state = 'escalated' and last_at + interval '7 days' <= kist_now()) then
    raise exception 'insert of dispute_moves is refused: % by % does not follow %', new.to_state, new.moved_as, coalesce(last_state, 'nothing')
      using errcode = 'restrict_violation';
  end if;
  new.moved_at := kist_now();
  return new;
end $$;
create trigger dispute_moves_follow before insert on dispute_moves for each row execute function dispute_move_follows();

-- At commit a dispute stands where its last move led, since the moment of that move.
create function dispute_stands_where_it_moved() returns trigger language plpgsql as $$
declare stands text; since timestamptz; led text; led_at timestamptz;
begin
  select d.state, d.state_since into stands, since from disputes d where d.org_id = new.org_id and d.dispute_id = new.dispute_id;
  select m.to_state, m.moved_at into led, led_at from dispute_moves m where m.org_id = new.org_id and m.dispute_id = new.dispute_id order by m.no desc limit 1;
  if (stands, since) is distinct from (led, led_at) then
    raise exception 'dispute % is % since %, and its last move led to % at %', new.dispute_id, stands, since, coalesce(led, 'nothing'), led_at
      using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger dispute_begins_with_its_move after insert on disputes deferrable initially deferred for each row
  execute function dispute_stands_where_it_moved();
create constraint trigger dispute_moves_with_its_state after update on disputes deferrable initially deferred for each row
  execute function dispute_stands_where_it_moved();
create constraint trigger dispute_moves_are_true after insert on dispute_moves deferrable initially deferred for each row
  execute function dispute_stands_where_it_moved();
create trigger dispute_moves_stay before update or delete on dispute_moves for each row execute function kist_refuse('what was written stays');
create trigger dispute_moves_are_not_emptied before truncate on dispute_moves for each statement execute function kist_refuse('what was written stays');

alter table disputes enable always trigger disputes_facts_stay;
alter table disputes enable always trigger disputes_name_an_instalment;
alter table disputes enable always trigger dispute_begins_with_its_move;
alter table disputes enable always trigger dispute_moves_with_its_state;
alter table dispute_moves enable always trigger dispute_moves_follow;
alter table dispute_moves enable always trigger dispute_moves_are_true;
alter table dispute_moves enable always trigger dispute_moves_stay;
alter table dispute_moves enable always trigger dispute_moves_are_not_emptied;

-- The customer is told what became of it.
alter table notices drop constraint notices_kind_check, add constraint notices_kind_check
  check (kind in ('reminder', 'notice', 'locked', 'unlocked', 'receipt', 'penal', 'penal_waived', 'alert', 'dispute')) not valid;
