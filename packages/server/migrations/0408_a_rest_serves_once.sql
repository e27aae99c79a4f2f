-- The rest of money that was more than was owed stands for one payment: two claims that were posted in one transaction could both be lowered by the same rest,
-- and what one customer paid too much was owed back for two.
-- A million payments: they are read through once for the index, some seconds, in which none is written.
create unique index payments_rest_serves_once on payments (org_id, ((receipt #>> '{overpaid,payment_id}')::uuid)) where receipt ? 'overpaid';
