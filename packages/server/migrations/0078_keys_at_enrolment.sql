-- No phone enrols without a key spent. The service says so and why; this says so to whatever else writes an enrolment. At the end of the
-- transaction, because the key is spent in the one that enrols.
create function enrolment_cost_a_key() returns trigger language plpgsql as $$
begin
  if not exists (
    select from devices d join key_reservations k on k.org_id = d.org_id and k.customer_id = d.customer_id and k.state = 'posted'
    where d.org_id = new.org_id and d.device_id = new.device_id
  ) then
    raise exception 'no key was spent for device %', new.device_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger enrolments_cost_a_key after insert on enrolments deferrable initially deferred
  for each row execute function enrolment_cost_a_key();

-- What a customer's key came to: looked up at every enrolment, and by the trigger above.
create index key_reservations_posted on key_reservations (org_id, customer_id) where state = 'posted';
