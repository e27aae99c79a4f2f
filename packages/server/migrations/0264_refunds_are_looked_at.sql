-- The check of the books holds a refund against its payment and against the till that it left. A million agreements: nothing is read or written.
create or replace view refund_tasks_view with (security_invoker = true) as
  select org_id, payment_id, agreement_id, amount_paise, state, customer_id, method, closed_by from refund_tasks;
