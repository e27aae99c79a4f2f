-- Each phone that a customer ever set up cost a key of its own. Until now one key that was ever spent for a customer let any number of phones enrol; the service
-- asked for more, the database did not. A phone that was erased and enrols again is the same phone.
-- A million phones: no row is read or written; a function is replaced. An enrolment looks up the phones and the keys of its one customer.
create or replace function enrolment_cost_a_key() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare customer uuid; phones bigint; keys bigint;
begin
  select d.customer_id into customer from devices d where d.org_id = new.org_id and d.device_id = new.device_id;
  -- Two that enrol at once wait for one another, or each would count the other's key as its own. The service holds the row already.
  perform from customers c where c.org_id = new.org_id and c.customer_id = customer for no key update;
  select count(*) into phones from devices d
  where d.org_id = new.org_id and d.customer_id = customer and exists (select from enrolments e where e.org_id = d.org_id and e.device_id = d.device_id);
  select count(*) into keys from key_reservations k where k.org_id = new.org_id and k.customer_id = customer and k.state = 'posted';
  if keys = 0 or keys < phones then
    raise exception 'no key was spent for device %', new.device_id using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- For the check of the books.
create view enrolments_view with (security_invoker = true) as select org_id, enrolment_id, device_id from enrolments;
grant select on enrolments_view to kist_app;
comment on view enrolments_view is 'owner: devices';
