-- A payment may name the penal charge that it is for, and is laid out in the version of the schedule that is in force when it is posted.
-- A million agreements: the column comes at once and empty, the keys are checked for new rows only; payments are held exclusively for a moment.
alter table payments add column for_charge_id uuid;
comment on column payments.for_charge_id is 'The penal charge that the money is for: filled first, as long as the charge stands.';
alter table payments add constraint payments_for_charge foreign key (org_id, for_charge_id) references charges (org_id, charge_id) not valid;

drop trigger payments_facts_stay on payments;
create trigger payments_facts_stay before update of org_id, payment_id, agreement_id, customer_id, amount_paise, method, reference, paid_at, paid_on, recorded_at,
  recorded_by, for_charge_id on payments for each row execute function kist_refuse('facts stay as they were written');
alter table payments enable always trigger payments_facts_stay;

create function payment_is_of_the_version_in_force() returns trigger language plpgsql as $$
begin
  if new.schedule_version is distinct from (select a.schedule_version from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id) then
    raise exception '% of payments is refused: a payment is laid out in the version in force', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  if new.for_charge_id is not null and not exists (select from charges c
    where c.org_id = new.org_id and c.charge_id = new.for_charge_id and c.agreement_id = new.agreement_id) then
    raise exception '% of payments is refused: the charge is not of this agreement', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payments_come_in_the_version_in_force before insert on payments for each row when (new.state = 'posted')
  execute function payment_is_of_the_version_in_force();
create trigger payments_are_posted_in_the_version_in_force before update of schedule_version on payments for each row when (new.state = 'posted')
  execute function payment_is_of_the_version_in_force();
alter table payments enable always trigger payments_come_in_the_version_in_force, enable always trigger payments_are_posted_in_the_version_in_force;

-- Cash of one person on one day, whatever rows of the customer list it is booked under (section 269ST): two small indexes, built while writes wait, some
-- seconds for a million customers.
create index payments_cash on payments (org_id, customer_id, paid_on) where method = 'CASH' and state = 'posted';
create index customers_mobile on customers (org_id, mobile);
