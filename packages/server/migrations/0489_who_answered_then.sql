-- A shop that the customer has passed on from brings in what it took until then: it is in its hand, and was lost until now.
-- A million agreements: no row is read or written, nothing is held. Asked of a payment as it is written, where who brings it does not answer now: by keys.

-- The shop that had the customer at a moment, or the retailer above it, where the customer passed on from there since: for thirty days
-- (LIMITS.takenBeforeTransferDays), in which what waits in the app of the shop of before comes in.
create function kist_answered_for(org integer, who uuid, customer uuid, at timestamptz) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from (
      select t.from_user_id, t.made_at from customer_transfers t where t.org_id = org and t.customer_id = customer and t.made_at >= at order by t.made_at limit 1) t
      join users o on o.org_id = org and o.user_id = t.from_user_id join users u on u.org_id = org and u.user_id = who
    where t.made_at > kist_now() - interval '30 days' and kist_is_there(u.is_active, u.suspended_at)
      and (u.user_id = o.user_id or u.user_type = 'retailer' and o.parent_user_id = u.user_id))
$$;

create or replace function payment_is_of_its_people() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare who uuid := case new.state when 'reversed' then new.reversed_by else coalesce(new.posted_by, new.recorded_by) end;
begin
  if kist_answers_for(new.org_id, who, new.customer_id) then return null; end if;
  -- Taken back it is by who answers now.
  if tg_op = 'INSERT' and new.state = 'posted' and kist_answered_for(new.org_id, who, new.customer_id, new.paid_at) then return null; end if;
  raise exception '% of payments is refused: who does it is nobody who answers for this customer', lower(tg_op) using errcode = 'restrict_violation';
end $$;
