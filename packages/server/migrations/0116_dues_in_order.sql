-- Dues in the order of their days, to the last instalment: lists of them and exports go on behind the last row they gave, however far that is, and read no
-- day twice. And what falls due of interest and fees, as a view for the report of it.
-- A million agreements of twelve instalments: about a minute, in which instalments can be read but not written. Who cannot spare it makes the index beforehand,
-- as the owner of the tables, with the very statement below and `concurrently` behind `index`: then only the old one is dropped here, in a moment.
create index if not exists instalments_in_order on instalments (org_id, due_on, agreement_id, no);
drop index instalments_due;

create view accruals_view with (security_invoker = true) as
  select org_id, agreement_id, no, due_on, interest_paise, fee_paise, paid_interest_paise, paid_fee_paise from instalments;
comment on view accruals_view is 'owner: agreements';
grant select on accruals_view to kist_app;
