-- What somebody with the server's own account could still write: a sale told as signed last year, or delivered tomorrow; a book brought in, which only
-- the command line does; money taken, or taken back, by a shop that has nothing to do with the customer; two payments with one transfer; the number of a shop to
-- come; a key of another kind of phone.
-- A million agreements: no row is read or written; agreements, payments, counters and key_reservations are held exclusively for a moment. Asked of each row as it
-- is written, by keys.

create function sale_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.created_at is distinct from kist_now() then
    raise exception 'insert of agreements is refused: a sale is signed when it is written' using errcode = 'restrict_violation';
  end if;
  if new.delivered_on > (new.created_at at time zone 'Asia/Kolkata')::date then
    raise exception 'insert of agreements is refused: nothing is delivered tomorrow' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger agreements_are_signed_now before insert on agreements for each row execute function sale_is_of_now();
alter table agreements enable always trigger agreements_are_signed_now;

-- A book comes in by whoever runs the installation.
revoke insert on historic_agreements from kist_app;
grant insert on historic_agreements to kist_operator;

-- Money is taken, and taken back, by who answers for the customer: the shop that has it, the retailer above it, or the organisation's administrator. Whose yes it
-- was, where a customer claimed it. One who may not read customers any more, or was suspended, still answers for what was in the till.
create function kist_answers_for(org integer, who uuid, customer uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from customers c join users u on u.org_id = c.org_id and u.user_id = who left join users o on o.org_id = c.org_id and o.user_id = c.owner_user_id
    where c.org_id = org and c.customer_id = customer and (u.user_id = c.owner_user_id or u.user_type = 'retailer' and o.parent_user_id = u.user_id or u.user_type = 'admin'))
$$;
create function payment_is_of_its_people() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare who uuid := case new.state when 'reversed' then new.reversed_by else coalesce(new.posted_by, new.recorded_by) end;
begin
  if not kist_answers_for(new.org_id, who, new.customer_id) then
    raise exception '% of payments is refused: who does it is nobody who answers for this customer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger payments_are_of_their_people after insert on payments for each row when (new.state in ('posted', 'reversed')) execute function payment_is_of_its_people();
create trigger payments_move_by_their_people after update of state on payments for each row
  when (new.state in ('posted', 'reversed') and new.state is distinct from old.state) execute function payment_is_of_its_people();
alter table payments enable always trigger payments_are_of_their_people;
alter table payments enable always trigger payments_move_by_their_people;

-- The reference of a transfer (of ASCII, as theirs are) is held as it would be typed by anybody (pay.ts: heldReference), by the payment that it brought or by the one beside it that took
-- the rest; else two payments stand with one transfer.
create function reference_is_held() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare typed text := case new.method when 'UPI' then nullif(upper(regexp_replace(new.reference, '\s+', '', 'g') collate "C"), '') end;
begin
  -- Of letters beyond ASCII the two may not agree which are large and what is a space; a payment is never refused over that.
  if octet_length(new.reference) > length(new.reference) then return null; end if;
  if new.state = 'posted' and new.goes_to is distinct from 'down_payment' and (new.held_reference is distinct from typed and new.held_reference is not null
      or typed is not null and not exists (select from payments p where p.org_id = new.org_id and p.held_reference = typed)) then
    raise exception '% of payments is refused: another reference is held than it has', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger payments_hold_their_reference after insert or update of state, held_reference on payments deferrable initially deferred
  for each row when (new.state = 'posted') execute function reference_is_held();
alter table payments enable always trigger payments_hold_their_reference;

-- A shop's number is the next one, and nobody else's: one that was taken ahead would keep its shop from selling.
create function shop_number_is_the_next() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.last is distinct from (select c.last from counters c where c.org_id = new.org_id and c.name = 'shops')
    or exists (select from counters c where c.org_id = new.org_id and c.name like 'shop:%' and c.last = new.last) then
    raise exception 'insert of counters is refused: % is not the next number of a shop', new.last using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger counters_of_shops_are_next before insert on counters for each row when (new.name like 'shop:%') execute function shop_number_is_the_next();
alter table counters enable always trigger counters_of_shops_are_next;

-- A key is of its customer's kind of phone.
create function key_is_of_its_plan() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.plan_type is distinct from (select c.plan_type from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id) then
    raise exception 'insert of key_reservations is refused: it is a key of another plan' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger key_reservations_are_of_their_plan before insert on key_reservations for each row execute function key_is_of_its_plan();
alter table key_reservations enable always trigger key_reservations_are_of_their_plan;

-- Which part of a large house's books a night looked at: the next night looks at the next one, whatever day it is.
alter table book_checks add column part smallint check (part between 0 and 6);
