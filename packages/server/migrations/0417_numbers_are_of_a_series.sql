-- A payment's number is of the series of a till. Only what a shop's book brought in has another, and that comes with its agreement: a row of historic_agreements
-- in the transaction that opened it, and payments in the same. Until now any number outside the series stood, and no look at the series missed it.
-- A million payments: no row is read or written; payments and historic_agreements are held exclusively for a moment. A payment in a series is asked nothing more.
create function historic_comes_with_its_opening() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from journals j where j.org_id = new.org_id and j.ref_kind = 'agreement' and j.ref_id = new.agreement_id and j.kind = 'agreement_opened'
      and j.txid = pg_current_xact_id()) then
    raise exception 'insert of historic_agreements is refused: agreement % was not opened with it', new.agreement_id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger historic_comes_with_its_opening after insert on historic_agreements deferrable initially deferred
  for each row execute function historic_comes_with_its_opening();
alter table historic_agreements enable always trigger historic_comes_with_its_opening;

-- Asked when the transaction ends: whichever of the two is written first.
create function payment_is_of_a_book() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from historic_agreements h
      join agreements a on a.org_id = h.org_id and a.agreement_id = h.agreement_id
      join journals j on j.org_id = h.org_id and j.ref_kind = 'agreement' and j.ref_id = h.agreement_id and j.kind = 'agreement_opened'
    where h.org_id = new.org_id and h.agreement_id = new.agreement_id and j.txid = pg_current_xact_id()
      and starts_with(new.receipt_no, a.agreement_no || '/')) then
    raise exception 'payment % has the number %, which is of no series', new.payment_id, new.receipt_no using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger payment_comes_with_a_number_of_its_series after insert on payments deferrable initially deferred for each row
  when (new.receipt_no !~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$') execute function payment_is_of_a_book();
create constraint trigger payment_is_given_a_number_of_its_series after update on payments deferrable initially deferred for each row
  when (new.receipt_no is distinct from old.receipt_no and new.receipt_no !~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$') execute function payment_is_of_a_book();
alter table payments enable always trigger payment_comes_with_a_number_of_its_series;
alter table payments enable always trigger payment_is_given_a_number_of_its_series;

-- For the check of the books: which agreements a book brought in.
create view historic_agreements_view with (security_invoker = true) as select org_id, agreement_id from historic_agreements;
grant select on historic_agreements_view to kist_app;
comment on view historic_agreements_view is 'owner: agreements';
