-- What falls due of interest and fees is what stands of it: what a version of the schedule took back falls due no more, and a row that it put aside whole
-- stands nowhere. Its rows are those of the version that took its place.
-- A view is replaced: nothing of its rows is read or written, and it is held for a moment.
create or replace view accruals_view with (security_invoker = true) as
  select org_id, agreement_id, no, due_on, interest_paise - dropped_interest_paise as interest_paise, fee_paise - dropped_fee_paise as fee_paise,
    paid_interest_paise, paid_fee_paise
  from instalments
  where superseded_by is null or dropped_principal_paise + dropped_interest_paise + dropped_fee_paise < principal_paise + interest_paise + fee_paise;
