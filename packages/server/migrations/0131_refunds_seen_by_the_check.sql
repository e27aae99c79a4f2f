-- What has to go back, for the check of the books. A view: nothing is read or held.
create view refund_tasks_view with (security_invoker = true) as
  select org_id, payment_id, agreement_id, amount_paise, state from refund_tasks;
grant select on refund_tasks_view to kist_app;
comment on view refund_tasks_view is 'owner: payments';
