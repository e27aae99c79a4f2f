-- A late fee goes for a payment that was told late, and for no other word: one of the same agreement, posted in the same transaction, of a day before the fee
-- was made. Until now any id would do.
-- A million agreements: no row is read or written; charges are held exclusively for a moment. Asked of each charge when it is taken back, by the payment's key.
create function charge_is_taken_back_for_a_payment() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from payments p join payment_moves m on m.org_id = p.org_id and m.payment_id = p.payment_id and m.to_state = 'posted' and m.moved_at = new.taken_back_at
    where p.org_id = new.org_id and p.payment_id = new.taken_back_for and p.agreement_id = new.agreement_id
      and p.state in ('posted', 'reversed') and p.paid_on < new.charged_on) then
    raise exception 'charge % is taken back for no payment of a day before it', new.charge_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger charge_is_taken_back_for_a_payment after update of taken_back_at, taken_back_for on charges deferrable initially deferred
  for each row when (new.taken_back_at is not null) execute function charge_is_taken_back_for_a_payment();
alter table charges enable always trigger charge_is_taken_back_for_a_payment;
