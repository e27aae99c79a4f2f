-- The app makes a payment's id before it sends it: asked again, tomorrow or next year, the same payment answers with the same receipt, which stands by it. A
-- reference (a UPI transaction's number) stands for one payment of the organisation while that payment stands.
-- A million agreements: the columns come at once, the index on a column that is empty in all rows of before takes a look at each payment (seconds);
-- payments are held exclusively meanwhile.
alter table payments add column receipt jsonb, add column held_reference text check (held_reference <> '');
create unique index payments_reference on payments (org_id, held_reference) where held_reference is not null;
create trigger payments_receipt_stays before update of receipt on payments for each row execute function kist_refuse('facts stay as they were written');
alter table payments enable always trigger payments_receipt_stays;
-- A reference is held from the start or not at all, and let go when the payment is taken back.
alter table payments add constraint payments_reference_of_standing check (held_reference is null or state <> 'reversed');
