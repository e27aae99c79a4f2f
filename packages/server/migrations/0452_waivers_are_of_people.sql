-- A waiver is asked for by somebody who sees the customer, and beyond the limit granted by another who answers for the shop or the organisation: an owner of the
-- shop, or an administrator, who is there. waivers.ts: mustBeSecond. Until now the account that serves could name any id as the second person, or as the first.
-- A million agreements: no row is read or written; waivers is held exclusively for a moment. Asked of each waiver when it is written or granted, by keys.
create function kist_shop_sees(org integer, who uuid, agreement uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from users u join agreements a on a.org_id = u.org_id and a.agreement_id = agreement
      join customers c on c.org_id = a.org_id and c.customer_id = a.customer_id
      left join users o on o.org_id = c.org_id and o.user_id = c.owner_user_id
    where u.org_id = org and u.user_id = who and u.is_active and u.lock_access ->> 'read' = '1'
      and (u.user_type in ('retailer', 'miniretailer') and c.owner_user_id = u.user_id or u.user_type = 'retailer' and o.parent_user_id = u.user_id))
$$;

create function waiver_is_of_people() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare kind text;
begin
  if tg_op = 'INSERT' and not kist_shop_sees(new.org_id, new.asked_by, new.agreement_id) then
    raise exception 'insert of waivers is refused: who asks is nobody who sees this customer' using errcode = 'restrict_violation';
  end if;
  if new.state = 'granted' and new.decided_by <> new.asked_by then
    select u.user_type into kind from users u where u.org_id = new.org_id and u.user_id = new.decided_by and u.is_active;
    if (kind = 'admin' or kind = 'retailer' and kist_shop_sees(new.org_id, new.decided_by, new.agreement_id)) is not true then
      raise exception '% of waivers is refused: who grants it answers neither for the shop nor for the organisation', lower(tg_op) using errcode = 'restrict_violation';
    end if;
  end if;
  return new;
end $$;
create trigger waivers_are_of_people before insert or update on waivers for each row execute function waiver_is_of_people();
alter table waivers enable always trigger waivers_are_of_people;
