-- The check of the books told by instants whether a payment is of a shop that was suspended before, and instants are of a clock that may be put back. Suspensions
-- are counted now, one after the other in each organisation; a shop knows which one its own is, and each move of a payment how many there had been.
-- And a transfer is of the moment at which it is written, so that one follows on the other; it knows how far the installation's clock was from the world's, by which
-- apps make the ids of their payments.
-- A million agreements: a column comes that is noughts, which is not written; where shops are suspended now, the moves of payments are read through once (seconds
-- for a million); users, counters, payment_moves and customer_transfers are held exclusively meanwhile.
alter table users add column suspended_no integer;
-- Null: written past the guards.
alter table payment_moves add column suspensions integer default 0;
alter table payment_moves alter column suspensions drop default;

create or replace function counter_is_read() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.name in ('agreement', 'shops', 'suspensions') then return new; end if;
  if new.name ~ '^(shop:[^:]+|(receipt|down_payment|note):[^:]+:20[0-9]{2}-[0-9]{2})$'
    and exists (select from users u where u.org_id = new.org_id and u.user_id::text = split_part(new.name, ':', 2)) then return new; end if;
  raise exception 'insert of counters is refused: nothing reads %', new.name using errcode = 'restrict_violation';
end $$;

-- Whoever is suspended now was so before all that comes from here on. Where the instants find a fault, they go on telling it.
alter table users no force row level security;
alter table counters no force row level security;
alter table payment_moves no force row level security;
update users u set suspended_no = 1 where not u.is_active and u.suspended_at is not null and not exists (
  select from payment_moves m where m.org_id = u.org_id and m.moved_by = u.user_id and m.to_state <> 'claimed' and m.moved_at > u.suspended_at + interval '2 minutes');
insert into counters (org_id, name, last) select distinct org_id, 'suspensions', 1 from users where suspended_no is not null;
alter table payment_moves force row level security;
alter table counters force row level security;
alter table users force row level security;

create or replace function suspension_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.is_active and new.suspended_at is null then
    new.suspended_no := null;
    return new;
  end if;
  if new.is_active or not old.is_active or new.suspended_at is null then
    raise exception 'update of users is refused: a suspension stays as of when it began, until it ends' using errcode = 'restrict_violation';
  end if;
  new.suspended_at := kist_now();
  insert into counters as c (org_id, name, last) values (new.org_id, 'suspensions', 1)
    on conflict (org_id, name) do update set last = c.last + 1 returning c.last into new.suspended_no;
  return new;
end $$;
drop trigger users_are_suspended_now on users;
create trigger users_are_suspended_now before update on users for each row
  when (old.suspended_at is distinct from new.suspended_at or old.suspended_no is distinct from new.suspended_no) execute function suspension_is_of_now();
alter table users enable always trigger users_are_suspended_now;

create function move_knows_its_place() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.suspensions := coalesce((select c.last from counters c where c.org_id = new.org_id and c.name = 'suspensions'), 0);
  return new;
end $$;
create trigger payment_moves_know_their_place before insert on payment_moves for each row execute function move_knows_its_place();
alter table payment_moves enable always trigger payment_moves_know_their_place;

create or replace view users_view with (security_invoker = true) as
  select org_id, user_id, user_type, parent_user_id, trim(first_name || ' ' || last_name) as name, is_active, first_name, last_name, shop_name, mobile,
    address ->> 'city' as city, suspended_at, created_at, suspended_no
  from users;
create or replace view payment_moves_view with (security_invoker = true) as
  select org_id, payment_id, no, to_state, moved_at, moved_by, suspensions from payment_moves;

-- Of transfers from before: as the clock is now.
do $$
begin
  execute format('alter table customer_transfers add column clock_shift interval not null default %L', (select shift from clock_offset));
end $$;
alter table customer_transfers alter column clock_shift drop default;
create or replace function transfer_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.owner_user_id = new.from_user_id) then
    raise exception 'insert of customer_transfers is refused: the customer is not of the shop that it passes on from' using errcode = 'restrict_violation';
  end if;
  new.clock_shift := kist_now() - now();
  -- Of when the customer is held, not of when the transaction began: of two at once the one that began first may be the second.
  new.made_at := clock_timestamp() + new.clock_shift;
  return new;
end $$;
