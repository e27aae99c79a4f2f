-- Keys that passed down to a mini-retailer could not come back: a shop that closed kept them. Those that it has not used go back to the retailer above, by that
-- retailer's word or at the desk, never more of a lot than that retailer passed to it and it did not use since: what it was given otherwise is its own. A suspended
-- shop gives back too.
-- A million transfers and keys used: an index more for each; each that goes up reads those between the two shops, and what the one below used. A row and a journal
-- for each lot as before (0544).
create index key_transfers_between on key_transfers (org_id, from_user_id, to_user_id);
create index key_reservations_used on key_reservations (org_id, user_id, plan_type, lot, reserved_at) where state <> 'voided';

-- How many keys of a lot can come back: those that passed down, less those that came back and those used or set aside since. Each key that the shop used was one
-- that had passed down as long as there were any, and its own after that: nobody takes back what the shop has from elsewhere.
create function kist_keys_to_come_back(org integer, above uuid, below uuid, of_plan integer, of_lot text) returns bigint
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with moves as (
    select t.made_at as at, case when t.from_user_id = above then t.keys else -t.keys end as keys from key_transfers t
    where t.org_id = org and t.plan_type = of_plan and t.lot = of_lot
      and (t.from_user_id = above and t.to_user_id = below or t.from_user_id = below and t.to_user_id = above)
    union all
    select r.reserved_at, -1 from key_reservations r
    where r.org_id = org and r.user_id = below and r.plan_type = of_plan and r.lot = of_lot and r.state <> 'voided'
  ), counted as (
    select sum(keys) over (order by at, keys desc rows unbounded preceding) as so_far from moves
  )
  select coalesce((select sum(keys) from moves), 0)::bigint - least(0, coalesce((select min(so_far) from counted), 0))::bigint
$$;

create or replace function key_transfer_is_down() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare passed bigint;
begin
  if new.made_by in (new.to_user_id, '00000000-0000-0000-0000-000000000000') and exists (
    select from users f join users t on t.org_id = f.org_id and t.user_id = f.parent_user_id
    where f.org_id = new.org_id and f.user_id = new.from_user_id and t.user_id = new.to_user_id and f.user_type = 'miniretailer' and t.user_type = 'retailer'
      and kist_is_there(t.is_active, t.suspended_at)) then
    -- Two at once do not both see what was passed down.
    perform from wallets w where w.org_id = new.org_id and w.user_id = new.from_user_id and w.plan_type = new.plan_type and w.lot = new.lot for update;
    passed := kist_keys_to_come_back(new.org_id, new.to_user_id, new.from_user_id, new.plan_type, new.lot);
    if new.keys > passed then
      raise exception 'insert of key_transfers is refused: % keys of that lot were passed down and not used, and no more come back', passed using errcode = 'restrict_violation';
    end if;
  elsif new.made_by <> new.from_user_id or not exists (
    select from users f join users t on t.org_id = f.org_id and t.parent_user_id = f.user_id
    where f.org_id = new.org_id and f.user_id = new.from_user_id and t.user_id = new.to_user_id and f.user_type = 'retailer' and t.user_type = 'miniretailer'
      and kist_is_there(f.is_active, f.suspended_at) and kist_is_there(t.is_active, t.suspended_at)) then
    raise exception 'insert of key_transfers is refused: a retailer passes its keys to a mini-retailer of its own' using errcode = 'restrict_violation';
  end if;
  new.made_at := kist_now();
  new.txid := pg_current_xact_id();
  return new;
end $$;
