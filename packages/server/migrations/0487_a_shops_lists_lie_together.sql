-- A shop's list went to the table for each of its customers, who lie among those of a thousand other shops: what it is narrowed by stands in the index now,
-- where those of one shop lie together. Nothing that is written costs more: none of it changes with a payment but what an index of dues holds already.
-- A million customers: some seconds for each index, in which customers and agreements can be read but not written. Who cannot spare them makes each beforehand,
-- as the owner of the tables, with the very statement below and `concurrently` behind `index`: then there is nothing left to do here.
create index if not exists customers_of_shop on customers (org_id, owner_user_id, created_at desc, customer_id desc)
  include (status, is_draft, plan_type, plan_id, search);
drop index if exists customers_owner;

create index if not exists agreements_of_shop on agreements (org_id, owner_user_id, agreement_id)
  include (customer_id, state, created_at, oldest_due_on, last_due_on, device_id);
drop index if exists agreements_owner;

create index if not exists agreements_running on agreements (org_id, owner_user_id, oldest_due_on)
  include (agreement_id, customer_id, device_id, last_due_on) where state = 'active';
drop index if exists agreements_dues_of_shop;

-- What an index holds has room in it: names, numbers and the phone in their longest letters are some 1,800 bytes.
alter table customers add constraint customers_search_fits check (octet_length(search) <= 2400);
