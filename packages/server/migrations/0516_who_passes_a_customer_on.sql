-- The database asked nobody who passes a customer on, nor to whom: by somebody who is not there, by a rival, to a customer. It is by who answers for the shop that
-- has the customer (itself, its parent, an administrator, the server), and to a shop. And a user comes without a suspension: only what is there is suspended.
-- Asked of each row as it is written, by keys; users is held exclusively for a moment.
create or replace function transfer_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.owner_user_id = new.from_user_id) then
    raise exception 'insert of customer_transfers is refused: the customer is not of the shop that it passes on from' using errcode = 'restrict_violation';
  end if;
  if not exists (select from users u where u.org_id = new.org_id and u.user_id = new.to_user_id and u.user_type in ('retailer', 'miniretailer')) then
    raise exception 'insert of customer_transfers is refused: a customer passes on to a shop' using errcode = 'restrict_violation';
  end if;
  if new.made_by <> '00000000-0000-0000-0000-000000000000' and not exists (
    select from users u where u.org_id = new.org_id and u.user_id = new.made_by and kist_is_there(u.is_active, u.suspended_at) and (u.user_type = 'admin'
      or u.user_type in ('retailer', 'miniretailer') and (u.user_id = new.from_user_id or exists (
        select from users f where f.org_id = new.org_id and f.user_id = new.from_user_id and f.parent_user_id = u.user_id)))) then
    raise exception 'insert of customer_transfers is refused: made by nobody who answers for the shop that it passes on from' using errcode = 'restrict_violation';
  end if;
  new.clock_shift := kist_now() - now();
  -- Of when the customer is held, not of when the transaction began: of two at once the one that began first may be the second.
  new.made_at := clock_timestamp() + new.clock_shift;
  return new;
end $$;

create function user_comes_without_suspension() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception 'insert of users is refused: nobody comes suspended' using errcode = 'restrict_violation';
end $$;
create trigger users_come_without_suspension before insert on users for each row
  when (new.suspended_at is not null or new.suspended_no is not null) execute function user_comes_without_suspension();
alter table users enable always trigger users_come_without_suspension;
