-- A customer's claim of more than is owed, received, becomes the payment of what is owed; the rest is a payment of its own that goes back, as it is of money at
-- the counter. Before, all of it was the one payment, and the rest an advance of an agreement that was over, which nobody had to pay back. An amount changes
-- then and by that, and at no other time.
-- A million payments: no row is read or written; the table is held exclusively for a moment.
drop trigger payments_facts_stay on payments;
create trigger payments_facts_stay before update of org_id, payment_id, agreement_id, customer_id, method, reference, paid_at, paid_on, recorded_at, recorded_by,
  for_charge_id on payments for each row execute function kist_refuse('facts stay as they were written');
create function payment_keeps_its_amount() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.state <> 'claimed' or new.state <> 'posted' or new.amount_paise > old.amount_paise or not exists (
      select from payments rest
      where rest.org_id = new.org_id and rest.payment_id = (new.receipt #>> '{overpaid,payment_id}')::uuid and rest.agreement_id = new.agreement_id
        and rest.goes_to = 'suspense' and rest.state = 'posted' and rest.recorded_at = kist_now()
        and rest.amount_paise = old.amount_paise - new.amount_paise) then
    raise exception 'update of payments is refused: facts stay as they were written' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payments_amounts_stay before update of amount_paise on payments for each row when (new.amount_paise <> old.amount_paise)
  execute function payment_keeps_its_amount();
alter table payments enable always trigger payments_facts_stay;
alter table payments enable always trigger payments_amounts_stay;
grant update (amount_paise) on payments to kist_app;
