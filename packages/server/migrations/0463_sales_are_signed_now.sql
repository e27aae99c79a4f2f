-- What somebody with the server's own account could still write: a sale told as signed last year, or delivered tomorrow; a book brought in, which only
-- the command line does; a key spent by no phone.
-- A million agreements: no row is read or written; agreements and key_reservations are held exclusively for a moment. Asked of each sale as it is written, and of
-- a key that is spent when the transaction ends, by keys.

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

-- The other half of 0427: no more keys are spent than phones were set up; one that was let go and is set up again is set up twice.
create function key_was_spent_by_a_phone() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare phones bigint; keys bigint;
begin
  select count(*) into phones from enrolments e join devices d on d.org_id = e.org_id and d.device_id = e.device_id
  where d.org_id = new.org_id and d.customer_id = new.customer_id;
  select count(*) into keys from key_reservations k where k.org_id = new.org_id and k.customer_id = new.customer_id and k.state = 'posted';
  if keys > phones then
    raise exception 'no phone of customer % spent this key', new.customer_id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger key_reservations_are_spent_by_phones after insert or update on key_reservations deferrable initially deferred for each row
  when (new.state = 'posted') execute function key_was_spent_by_a_phone();
alter table key_reservations enable always trigger key_reservations_are_spent_by_phones;
