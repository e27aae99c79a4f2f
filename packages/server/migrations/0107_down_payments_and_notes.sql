-- A down payment is a payment with a receipt, and a payment taken back gets a note: each in a series of its own, without a gap.
-- A million agreements: the columns come at once, the index on a column that is empty in all rows of before takes a look at each payment (seconds); payments are
-- held exclusively meanwhile. Down payments of before stay where they are, in the opening journals of their agreements: nobody makes up receipts for them now.
alter table payments
  add column goes_to text not null default 'dues' check (goes_to in ('dues', 'down_payment')),
  add column note_no text check (note_no is null or state = 'reversed');
create unique index payments_note on payments (org_id, note_no) where note_no is not null;
create unique index payments_down_payment on payments (org_id, agreement_id) where goes_to = 'down_payment' and state <> 'reversed';
create trigger payments_goes_to_stays before update of goes_to on payments for each row execute function kist_refuse('facts stay as they were written');
create trigger payments_note_stays before update of note_no on payments for each row when (old.note_no is not null)
  execute function kist_refuse('facts stay as they were written');
alter table payments enable always trigger payments_goes_to_stays;
alter table payments enable always trigger payments_note_stays;
grant update (note_no) on payments to kist_app;

-- Whoever adds up what was collected on the instalments sees those payments; receipts of every kind are another view.
create or replace view payments_view with (security_invoker = true) as
  select org_id, payment_id, agreement_id, receipt_no, amount_paise, method, reference, paid_at, paid_on, state, reversed_at, reverse_reason, recorded_by
  from payments where goes_to = 'dues';
create view receipts_view with (security_invoker = true) as
  select org_id, payment_id, agreement_id, receipt_no, amount_paise, method, reference, paid_at, paid_on, state, reversed_at, reverse_reason, recorded_by, goes_to,
    note_no
  from payments;
comment on view receipts_view is 'owner: payments';
grant select on receipts_view to kist_app;
