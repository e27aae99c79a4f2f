-- A customer who signs in chooses an M-PIN, and the first that a thief tries is their birthday, which stands with the customer and not with the user. Found by the
-- number that both have (index customers_mobile).
-- A million customers: a view alone; no row is read, and no table is held.
create view customer_births_view with (security_invoker = true) as
  select org_id, mobile, birth_on from customers where birth_on is not null;
comment on view customer_births_view is 'owner: customers';
grant select on customer_births_view to kist_app;
