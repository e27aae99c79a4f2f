-- Who may bring in money of before hangs on when a customer passed on and when a shop was suspended: both are told by the database's own moment, and of the
-- shop that has the customer. A transfer of nobody's, or of another day, opened a stranger's till; a suspension that was dated anew let a suspended shop write.
-- A million customers: no row is read or written; customer_transfers and users are held exclusively for a moment. Asked of each row as it is written, by keys.
create function transfer_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.owner_user_id = new.from_user_id) then
    raise exception 'insert of customer_transfers is refused: the customer is not of the shop that it passes on from' using errcode = 'restrict_violation';
  end if;
  new.made_at := kist_now();
  return new;
end $$;
create trigger customer_transfers_are_of_now before insert on customer_transfers for each row execute function transfer_is_of_now();
alter table customer_transfers enable always trigger customer_transfers_are_of_now;

-- As the transaction ends; a customer that passed on twice in it is with the last.
create function transfer_is_followed() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.owner_user_id = new.to_user_id)
    or exists (select from customer_transfers t where t.org_id = new.org_id and t.customer_id = new.customer_id and t.txid = new.txid and t.from_user_id = new.to_user_id)
    or not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id) then return null; end if;
  raise exception 'insert of customer_transfers is refused: the customer did not pass on' using errcode = 'restrict_violation';
end $$;
create constraint trigger customer_transfers_are_followed after insert on customer_transfers deferrable initially deferred
  for each row execute function transfer_is_followed();
alter table customer_transfers enable always trigger customer_transfers_are_followed;

create function suspension_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.is_active and new.suspended_at is null then return new; end if;
  if new.is_active or not old.is_active or new.suspended_at is null then
    raise exception 'update of users is refused: a suspension stays as of when it began, until it ends' using errcode = 'restrict_violation';
  end if;
  new.suspended_at := kist_now();
  return new;
end $$;
create trigger users_are_suspended_now before update on users for each row
  when (old.suspended_at is distinct from new.suspended_at) execute function suspension_is_of_now();
alter table users enable always trigger users_are_suspended_now;

-- Of a clock that was put back, no suspension is still to come.
create or replace function kist_is_there(is_active boolean, suspended_at timestamptz) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select is_active or coalesce(suspended_at between kist_now() - interval '2 minutes' and kist_now() + interval '2 minutes', false)
$$;
