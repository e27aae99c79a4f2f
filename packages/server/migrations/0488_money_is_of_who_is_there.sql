-- Who may do what with money, once more: a shop that is suspended writes nothing any more, a late fee by hand is of a shop, not of an administrator, and a claim
-- is of a customer.
-- A million agreements: no row is read or written; payments and charges are held exclusively for a moment. Asked of each row as it is written, by keys.

-- Who was suspended is there no more. What was under way when that happened ends as it began.
create function kist_is_there(is_active boolean, suspended_at timestamptz) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select is_active or coalesce(suspended_at > kist_now() - interval '2 minutes', false)
$$;

create or replace function kist_answers_for(org integer, who uuid, customer uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from customers c join users u on u.org_id = c.org_id and u.user_id = who left join users o on o.org_id = c.org_id and o.user_id = c.owner_user_id
    where c.org_id = org and c.customer_id = customer and kist_is_there(u.is_active, u.suspended_at)
      and (u.user_id = c.owner_user_id or u.user_type = 'retailer' and o.parent_user_id = u.user_id or u.user_type = 'admin'))
$$;

create or replace function kist_shop_sees(org integer, who uuid, agreement uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from users u join agreements a on a.org_id = u.org_id and a.agreement_id = agreement
      join customers c on c.org_id = a.org_id and c.customer_id = a.customer_id
      left join users o on o.org_id = c.org_id and o.user_id = c.owner_user_id
    where u.org_id = org and u.user_id = who and kist_is_there(u.is_active, u.suspended_at) and u.lock_access ->> 'read' = '1'
      and (u.user_type in ('retailer', 'miniretailer') and c.owner_user_id = u.user_id or u.user_type = 'retailer' and o.parent_user_id = u.user_id))
$$;

-- by-hand.ts: toCharge.
create function charge_is_of_its_shop() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not kist_shop_sees(new.org_id, new.charged_by, new.agreement_id) then
    raise exception '% of charges is refused: who does it is nobody who answers for this customer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
drop trigger charges_by_hand_are_of_their_people on charges;
create trigger charges_by_hand_are_of_their_people after insert on charges for each row when (new.made_by = 'hand') execute function charge_is_of_its_shop();
alter table charges enable always trigger charges_by_hand_are_of_their_people;

-- claims.ts: claim.
create function claim_is_of_a_customer() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from users u where u.org_id = new.org_id and u.user_id = new.recorded_by and u.user_type = 'customer') then
    raise exception 'insert of payments is refused: who claims it is no customer' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger payments_are_claimed_by_customers after insert on payments for each row when (new.state = 'claimed') execute function claim_is_of_a_customer();
alter table payments enable always trigger payments_are_claimed_by_customers;
