-- Dues of a shop are found by what it has running and since when that is owed, without a look at each agreement's row.
-- A million agreements: the index is built in some two seconds, during which nothing is written to the table.
create index agreements_dues_of_shop on agreements (org_id, owner_user_id, oldest_due_on) include (agreement_id, customer_id, device_id) where state = 'active';
