-- A shop looks for a phone by a part of its name. What a customer's phone of today is called stands in what is searched of the customer, where a shop's customers lie
-- together; looked up for each customer, the phones of a shop among a million lie apart. Only of customers whose phone was exchanged an earlier one may be
-- meant, and those are few: found by their shop.
-- A million agreements: the index is built in some seconds, during which nothing is written to agreements; it holds the exchanged ones alone.
create index agreements_exchanged on agreements (org_id, owner_user_id) include (customer_id) where exchanged_at is not null;
create view exchanged_customers_view with (security_invoker = true) as
  select org_id, owner_user_id, customer_id from agreements where exchanged_at is not null;
comment on view exchanged_customers_view is 'owner: agreements';
grant select on exchanged_customers_view to kist_app;
