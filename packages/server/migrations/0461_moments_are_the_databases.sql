-- What somebody with the server's own account could still write, and no check of the books sees: a second running agreement of a customer, of whose payments
-- only the newest's free the phone; a refund given back last month, or in 2099; a waiver decided before it was asked; an agreement completed while it runs;
-- money given back out of another shop's till; a key set aside for ever, or for a customer of another shop. No service writes any of it.
-- A million agreements: an index reads them once; no row is written. agreements is held against writes for some seconds, refund_tasks, waivers,
-- key_reservations and key_prices exclusively for a moment. Asked of each row as it is written, by keys.

-- Each sale is a customer of its own: no door opens a second agreement, and one that a reversal brings back to life is the only one.
create unique index agreements_one_runs on agreements (org_id, customer_id) where state = 'active';

-- Told once; while it runs, and of one that ended otherwise, there is no such moment.
create function completion_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.completed_at is distinct from (case
      when new.state <> 'completed' then null
      when tg_op = 'UPDATE' and old.state = 'completed' and (old.completed_at is not null or new.completed_at is null) then old.completed_at
      else kist_now() end) then
    raise exception '% of agreements is refused: it is completed when its last dues are paid', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger agreements_are_completed_now before insert or update of state, completed_at on agreements for each row execute function completion_is_of_now();
alter table agreements enable always trigger agreements_are_completed_now;

-- By who sees the customer and takes money, the shop or its retailer, for that is whose till it leaves. refunds.ts: refundDone. A shop whose customer passed on
-- to another gives nothing back any more.
create function refund_is_of_its_shop() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' and new.opened_at is distinct from kist_now() or new.closed_at is distinct from (case when new.state <> 'open' then kist_now() end) then
    raise exception '% of refund_tasks is refused: it is opened and closed when that is written', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  if new.state = 'done' and not kist_shop_sees(new.org_id, new.closed_by, new.agreement_id) then
    raise exception '% of refund_tasks is refused: who gives it back is nobody who sees this customer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refund_tasks_are_of_their_shop before insert or update on refund_tasks for each row execute function refund_is_of_its_shop();
alter table refund_tasks enable always trigger refund_tasks_are_of_their_shop;

create function waiver_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' and new.asked_at is distinct from kist_now() or new.decided_at is distinct from (case when new.state <> 'asked' then kist_now() end) then
    raise exception '% of waivers is refused: it is asked and decided when that is written', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger waivers_are_of_now before insert or update on waivers for each row execute function waiver_is_of_now();
alter table waivers enable always trigger waivers_are_of_now;

-- For a customer of whose key it is; a customer who passes to another shop meanwhile keeps it. For seven days at most (LIMITS.keyReservationDays), and no less
-- than was said before.
create function key_is_set_aside_for_days() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare at timestamptz := kist_now();
begin
  if tg_op = 'INSERT' then
    if not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.owner_user_id = new.user_id) then
      raise exception 'insert of key_reservations is refused: a key is set aside for a customer of its own shop' using errcode = 'restrict_violation';
    end if;
    if new.reserved_at is distinct from at or new.expires_at not between at and at + interval '7 days'
      or new.settled_at is distinct from (case when new.state <> 'reserved' then at end) then
      raise exception 'insert of key_reservations is refused: a key is set aside now, for seven days at most' using errcode = 'restrict_violation';
    end if;
  elsif new.expires_at is distinct from old.expires_at and (new.state <> 'reserved' or new.expires_at not between old.expires_at and at + interval '7 days')
    or new.settled_at is distinct from (case when new.state = old.state then old.settled_at else at end) then
    raise exception 'update of key_reservations is refused: a key is settled when that is written, and set aside for seven days at most'
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger key_reservations_are_of_now before insert or update on key_reservations for each row execute function key_is_set_aside_for_days();
alter table key_reservations enable always trigger key_reservations_are_of_now;

create function key_price_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.set_at is distinct from kist_now() then
    raise exception '% of key_prices is refused: it is set when it is written', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger key_prices_are_of_now before insert or update on key_prices for each row execute function key_price_is_of_now();
alter table key_prices enable always trigger key_prices_are_of_now;
