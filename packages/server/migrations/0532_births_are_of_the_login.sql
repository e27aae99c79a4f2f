-- Which birthdays a login may not choose for its M-PIN are those of the customers that it opens, found by customer_logins, and no more those of everybody with
-- its number: by what was refused, whoever had the number could try out the birthday of somebody else.
-- A million customers: a view alone; no row is read, and no table is held.
drop view customer_births_view;
create view customer_births_view with (security_invoker = true) as
  select org_id, customer_id, birth_on from customers where birth_on is not null;
comment on view customer_births_view is 'owner: customers';
grant select on customer_births_view to kist_app;
