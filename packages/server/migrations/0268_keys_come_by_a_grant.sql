-- Keys come to a shop by a grant and by nothing else, and a grant is made by whoever runs the installation: the account that serves writes none. What becomes
-- of a key after that is told twice, by its reservation and by a journal of the kind that goes with it, and the two are held against each other: a journal of
-- one's own that books keys back from those spent, or a key said to be spent that came back, is refused.
-- A million journals: those that credited keys are looked up once by the accounts of issued keys (some seconds for a hundred thousand grants) and get a row
-- each; the index reads the reservations once; accounts, journals, journal_lines, key_reservations and wallets are held exclusively for a moment.
create table key_grants (
  org_id integer not null references organisations,
  -- That of the journal that credited them.
  effect_key text not null,
  user_id uuid not null,
  plan_type integer not null,
  -- Null: from before keys were counted by lot.
  lot text check (lot in ('paid', 'granted')),
  keys integer not null check (keys > 0),
  granted_at timestamptz not null,
  primary key (org_id, effect_key),
  foreign key (org_id, user_id) references users
);
select kist_tenant('key_grants', 'select');
grant insert on key_grants to kist_operator;
comment on table key_grants is 'owner: wallet';
create trigger key_grants_stay before update or delete on key_grants for each row execute function kist_refuse('what was written stays');
create trigger key_grants_are_not_emptied before truncate on key_grants for each statement execute function kist_refuse('what was written stays');
alter table key_grants enable always trigger key_grants_stay;
alter table key_grants enable always trigger key_grants_are_not_emptied;

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table accounts no force row level security;
alter table journals no force row level security;
alter table journal_lines no force row level security;
alter table key_grants no force row level security;
insert into key_grants (org_id, effect_key, user_id, plan_type, lot, keys, granted_at)
select j.org_id, j.effect_key, a.owner_id::uuid, substr(a.unit, 5)::int, min(l.lot), sum(l.debit)::int, j.posted_at
from (select distinct l.org_id, l.journal_id from accounts i join journal_lines l on l.org_id = i.org_id and l.account_id = i.account_id where i.code = 'keys_issued') c
join journals j on j.org_id = c.org_id and j.journal_id = c.journal_id and j.kind = 'keys_credited'
join journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id
join accounts a on a.org_id = l.org_id and a.account_id = l.account_id and a.code = 'keys_available'
group by j.org_id, j.effect_key, a.owner_id, a.unit, j.posted_at;
alter table accounts force row level security;
alter table journals force row level security;
alter table journal_lines force row level security;
alter table key_grants force row level security;

create view key_grants_view with (security_invoker = true) as select org_id, effect_key, user_id, plan_type, lot, keys from key_grants;
grant select on key_grants_view to kist_app;
comment on view key_grants_view is 'owner: wallet';

-- Which account of keys a kind of journal moves, and to which side; what is credited is what was granted, all of it and to whom.
create function keys_move_as_told() returns trigger language plpgsql as $$
declare of record;
begin
  select j.kind, j.effect_key, a.code, a.owner_id into of from journals j, accounts a
  where j.org_id = new.org_id and j.journal_id = new.journal_id and a.org_id = new.org_id and a.account_id = new.account_id;
  if (of.kind, of.code, new.debit > 0) not in (('keys_credited', 'keys_available', true), ('keys_credited', 'keys_issued', false),
      ('key_reserved', 'keys_reserved', true), ('key_reserved', 'keys_available', false), ('key_spent', 'keys_used', true), ('key_spent', 'keys_reserved', false),
      ('key_returned', 'keys_available', true), ('key_returned', 'keys_reserved', false)) then
    raise exception 'insert of journal_lines is refused: % does not move % that way', of.kind, of.code using errcode = 'restrict_violation';
  end if;
  if of.kind = 'keys_credited' and of.code = 'keys_available' and not exists (
    select from key_grants g where g.org_id = new.org_id and g.effect_key = of.effect_key and g.user_id::text = of.owner_id
      and 'KEY:' || g.plan_type = new.unit and g.lot = new.lot
      and g.keys = (select sum(l.debit) from journal_lines l where l.org_id = new.org_id and l.journal_id = new.journal_id)) then
    raise exception 'insert of journal_lines is refused: keys come by a grant' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger keys_move_as_told after insert on journal_lines for each row when (new.unit like 'KEY:%') execute function keys_move_as_told();
alter table journal_lines enable always trigger keys_move_as_told;

create function grant_is_booked() returns trigger language plpgsql as $$
begin
  if not sum_is_booked(new.org_id, new.effect_key, new.keys) then
    raise exception 'the grant % has no journal', new.effect_key using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger grant_is_booked after insert on key_grants deferrable initially deferred for each row execute function grant_is_booked();
alter table key_grants enable always trigger grant_is_booked;

-- As many keys are set aside as customers wait for one.
create index key_reservations_of_wallet on key_reservations (org_id, user_id, plan_type, lot) where state = 'reserved';
create function keys_set_aside_are_somebodys() returns trigger language plpgsql as $$
declare waiting bigint; held integer;
begin
  select count(*) into waiting from key_reservations r
  where r.org_id = new.org_id and r.user_id = new.user_id and r.plan_type = new.plan_type and r.lot = new.lot and r.state = 'reserved';
  select w.reserved into held from wallets w
  where w.org_id = new.org_id and w.user_id = new.user_id and w.plan_type = new.plan_type and w.lot = new.lot;
  if coalesce(held, 0) <> waiting then
    raise exception 'the wallet of % has % keys set aside, and % customers wait for one', new.user_id, held, waiting using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger keys_set_aside_are_somebodys after insert or update of reserved on wallets deferrable initially deferred
  for each row execute function keys_set_aside_are_somebodys();
create constraint trigger reservations_are_of_a_wallet after insert or update of state on key_reservations deferrable initially deferred
  for each row execute function keys_set_aside_are_somebodys();
alter table wallets enable always trigger keys_set_aside_are_somebodys;
alter table key_reservations enable always trigger reservations_are_of_a_wallet;

-- One that is settled has the journal that settled it: a key said to be spent was not booked as come back.
create function key_is_settled_with_its_journal() returns trigger language plpgsql as $$
declare moment text := floor(extract(epoch from new.reserved_at) * 1000)::bigint::text;
begin
  if not sum_is_booked(new.org_id, case new.state when 'posted' then 'key:spend:' else 'key:void:' end || new.customer_id || ':' || moment, 1) then
    raise exception 'the key of % is % without its journal', new.customer_id, new.state using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger key_is_settled_with_its_journal after insert or update of state on key_reservations deferrable initially deferred
  for each row when (new.state <> 'reserved') execute function key_is_settled_with_its_journal();
alter table key_reservations enable always trigger key_is_settled_with_its_journal;
create trigger key_reservations_stay before delete on key_reservations for each row execute function kist_refuse('what was written stays');
create trigger key_reservations_are_not_emptied before truncate on key_reservations for each statement execute function kist_refuse('what was written stays');
alter table key_reservations enable always trigger key_reservations_stay;
alter table key_reservations enable always trigger key_reservations_are_not_emptied;

-- A check of the books stays as it was told.
create trigger book_checks_stay before update or delete on book_checks for each row execute function kist_refuse('what was written stays');
create trigger book_checks_are_not_emptied before truncate on book_checks for each statement execute function kist_refuse('what was written stays');
alter table book_checks enable always trigger book_checks_stay;
alter table book_checks enable always trigger book_checks_are_not_emptied;
