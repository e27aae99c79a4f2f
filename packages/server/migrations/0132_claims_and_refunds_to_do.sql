-- What waits for the shop: claims to answer, money to give back. Views: nothing is read or held.
create view open_claims_view with (security_invoker = true) as
  select org_id, customer_id, payment_id from payments where state = 'claimed';
grant select on open_claims_view to kist_app;
comment on view open_claims_view is 'owner: payments';
create view open_refunds_view with (security_invoker = true) as
  select org_id, customer_id, payment_id from refund_tasks where state = 'open';
grant select on open_refunds_view to kist_app;
comment on view open_refunds_view is 'owner: payments';
