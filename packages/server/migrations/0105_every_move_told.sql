-- What may follow on what stands in a table, of agreements and of payments, and each move is told in a row: from where, to where, who, why and when. At commit
-- the state of a thing is where its last move led, so that neither changes without the other; nothing leads anywhere from a cancelled agreement.
--
-- A million agreements with a year of payments: one row for each payment and one or two for each agreement are written (some minutes); agreements and payments
-- are held exclusively meanwhile, so the server stands still.
create table allowed_moves (
  thing text not null check (thing in ('agreement', 'payment')),
  -- Empty: it is just being written.
  from_state text not null,
  to_state text not null check (to_state <> ''),
  primary key (thing, from_state, to_state)
);
comment on table allowed_moves is 'owner: ledger';
grant select on allowed_moves to kist_app;
insert into allowed_moves (thing, from_state, to_state) values
  ('agreement', '', 'draft'),
  ('agreement', '', 'active'),
  ('agreement', 'draft', 'active'),
  ('agreement', 'draft', 'cancelled'),
  ('agreement', 'active', 'completed'),
  ('agreement', 'active', 'foreclosed'),
  ('agreement', 'active', 'cancelled'),
  ('agreement', 'active', 'written_off'),
  ('agreement', 'active', 'returned'),
  -- A payment is taken back.
  ('agreement', 'completed', 'active'),
  ('agreement', 'foreclosed', 'active'),
  -- What was given up came in after all, or the phone came back.
  ('agreement', 'written_off', 'completed'),
  ('agreement', 'written_off', 'returned'),
  ('payment', '', 'claimed'),
  ('payment', '', 'pending_approval'),
  ('payment', '', 'posted'),
  ('payment', 'claimed', 'pending_approval'),
  ('payment', 'claimed', 'posted'),
  ('payment', 'claimed', 'refused'),
  ('payment', 'pending_approval', 'posted'),
  ('payment', 'pending_approval', 'refused'),
  ('payment', 'posted', 'reversed');
create trigger allowed_moves_stay before insert or update or delete or truncate on allowed_moves for each statement
  execute function kist_refuse('what may follow on what is changed by a migration');
alter table allowed_moves enable always trigger allowed_moves_stay;

alter table agreements drop constraint agreements_state_check;
alter table agreements add constraint agreements_state_check
  check (state in ('draft', 'active', 'completed', 'foreclosed', 'cancelled', 'written_off', 'returned'));
alter table payments drop constraint payments_state_check;
alter table payments add constraint payments_state_check check (state in ('claimed', 'pending_approval', 'posted', 'reversed', 'refused'));

create table agreement_moves (
  org_id integer not null,
  agreement_id uuid not null,
  no integer not null check (no >= 1),
  from_state text not null,
  to_state text not null,
  moved_by uuid not null,
  moved_at timestamptz not null,
  reason text not null check (btrim(reason) <> ''),
  primary key (org_id, agreement_id, no),
  foreign key (org_id, agreement_id) references agreements
);
select kist_tenant('agreement_moves', 'select, insert');
comment on table agreement_moves is 'owner: agreements';

create table payment_moves (
  org_id integer not null,
  payment_id uuid not null,
  no integer not null check (no >= 1),
  from_state text not null,
  to_state text not null,
  moved_by uuid not null,
  moved_at timestamptz not null,
  reason text not null check (btrim(reason) <> ''),
  primary key (org_id, payment_id, no),
  foreign key (org_id, payment_id) references payments
);
select kist_tenant('payment_moves', 'select, insert');
comment on table payment_moves is 'owner: payments';

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table agreements no force row level security;
alter table payments no force row level security;
alter table agreement_moves no force row level security;
alter table payment_moves no force row level security;
insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
select org_id, agreement_id, 1, '', 'active', owner_user_id, created_at, 'signed' from agreements
union all
select org_id, agreement_id, 2, 'active', state, '00000000-0000-0000-0000-000000000000', coalesce(completed_at, kist_now()), 'before moves were told'
from agreements where state <> 'active';
insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
select org_id, payment_id, 1, '', 'posted', recorded_by, recorded_at, 'recorded' from payments
union all
select org_id, payment_id, 2, 'posted', 'reversed', coalesce(reversed_by, recorded_by), coalesce(reversed_at, kist_now()),
  coalesce(nullif(btrim(reverse_reason), ''), 'taken back') from payments where state = 'reversed';
set constraints all immediate;
set constraints all deferred;
alter table agreements force row level security;
alter table payments force row level security;
alter table agreement_moves force row level security;
alter table payment_moves force row level security;

-- A move goes on from where the last one led, by the table.
create function move_follows() returns trigger language plpgsql as $$
declare last_no integer; last_state text;
begin
  if tg_argv[0] = 'agreement' then
    select m.no, m.to_state into last_no, last_state from agreement_moves m
    where m.org_id = new.org_id and m.agreement_id = new.agreement_id order by m.no desc limit 1;
  else
    select m.no, m.to_state into last_no, last_state from payment_moves m
    where m.org_id = new.org_id and m.payment_id = new.payment_id order by m.no desc limit 1;
  end if;
  if (new.no, new.from_state) is distinct from (coalesce(last_no, 0) + 1, coalesce(last_state, ''))
    or not exists (select from allowed_moves a where a.thing = tg_argv[0] and a.from_state = new.from_state and a.to_state = new.to_state) then
    raise exception 'insert of % is refused: % does not follow %', tg_table_name, new.to_state, coalesce(last_state, 'nothing')
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger agreement_moves_follow before insert on agreement_moves for each row execute function move_follows('agreement');
create trigger payment_moves_follow before insert on payment_moves for each row execute function move_follows('payment');
alter table agreement_moves enable always trigger agreement_moves_follow;
alter table payment_moves enable always trigger payment_moves_follow;

-- At once, whatever its moves say: a state that may not follow is refused where it is written.
create or replace function state_may_follow() returns trigger language plpgsql as $$
begin
  if not exists (select from allowed_moves a where a.thing = tg_argv[0] and a.from_state = old.state and a.to_state = new.state) then
    raise exception 'update of % is refused: % does not follow %', tg_table_name, new.state, old.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
drop trigger payments_states on payments;
create trigger payments_states before update on payments for each row when (old.state is distinct from new.state) execute function state_may_follow('payment');
alter table payments enable always trigger payments_states;
drop trigger agreements_states on agreements;
create trigger agreements_states before update on agreements for each row when (old.state is distinct from new.state)
  execute function state_may_follow('agreement');
alter table agreements enable always trigger agreements_states;

-- At commit a thing stands where its last move led: no state without its move, no move without its state.
create function agreement_stands_where_it_moved() returns trigger language plpgsql as $$
declare stands text; led text;
begin
  select a.state, (select m.to_state from agreement_moves m where m.org_id = a.org_id and m.agreement_id = a.agreement_id order by m.no desc limit 1)
    into stands, led from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id;
  if stands is distinct from led then
    raise exception 'agreement % is %, and its last move led to %', new.agreement_id, stands, coalesce(led, 'nothing') using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create function payment_stands_where_it_moved() returns trigger language plpgsql as $$
declare stands text; led text;
begin
  select p.state, (select m.to_state from payment_moves m where m.org_id = p.org_id and m.payment_id = p.payment_id order by m.no desc limit 1)
    into stands, led from payments p where p.org_id = new.org_id and p.payment_id = new.payment_id;
  if stands is distinct from led then
    raise exception 'payment % is %, and its last move led to %', new.payment_id, stands, coalesce(led, 'nothing') using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger agreement_begins_with_its_move after insert on agreements deferrable initially deferred for each row
  execute function agreement_stands_where_it_moved();
create constraint trigger agreement_moves_with_its_state after update on agreements deferrable initially deferred for each row
  when (old.state is distinct from new.state) execute function agreement_stands_where_it_moved();
create constraint trigger agreement_moves_are_true after insert on agreement_moves deferrable initially deferred for each row
  execute function agreement_stands_where_it_moved();
create constraint trigger payment_begins_with_its_move after insert on payments deferrable initially deferred for each row
  execute function payment_stands_where_it_moved();
create constraint trigger payment_moves_with_its_state after update on payments deferrable initially deferred for each row
  when (old.state is distinct from new.state) execute function payment_stands_where_it_moved();
create constraint trigger payment_moves_are_true after insert on payment_moves deferrable initially deferred for each row
  execute function payment_stands_where_it_moved();

do $$ declare tab text; begin
  foreach tab in array array['agreement_moves', 'payment_moves'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function kist_refuse(%L)', tab || '_stay', tab, 'what was written stays');
    execute format('create trigger %I before truncate on %I for each statement execute function kist_refuse(%L)', tab || '_are_not_emptied', tab, 'what was written stays');
    execute format('alter table %I enable always trigger %I', tab, tab || '_stay');
    execute format('alter table %I enable always trigger %I', tab, tab || '_are_not_emptied');
  end loop;
end $$;
alter table agreements enable always trigger agreement_begins_with_its_move;
alter table agreements enable always trigger agreement_moves_with_its_state;
alter table agreement_moves enable always trigger agreement_moves_are_true;
alter table payments enable always trigger payment_begins_with_its_move;
alter table payments enable always trigger payment_moves_with_its_state;
alter table payment_moves enable always trigger payment_moves_are_true;
