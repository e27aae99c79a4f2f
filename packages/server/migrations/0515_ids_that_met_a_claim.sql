-- A shop's mark that meets its customer's claim makes the claim the payment, under the claim's id; the id that the shop gave was kept nowhere. Taken back, the same
-- mark sent once more was a payment anew. An id is used for ever: it answers with what it became.
-- A new table, and nothing of the old is touched.
create table payment_given_ids (
  org_id integer not null,
  given_id uuid not null,
  payment_id uuid not null check (payment_id <> given_id),
  given_by uuid not null,
  given_at timestamptz not null,
  primary key (org_id, given_id),
  foreign key (org_id, payment_id) references payments,
  foreign key (org_id, given_by) references users
);
create index payment_given_ids_of on payment_given_ids (org_id, payment_id);
select kist_tenant('payment_given_ids', 'select, insert');
comment on table payment_given_ids is 'owner: payments';
create trigger payment_given_ids_stay before update or delete on payment_given_ids for each row execute function kist_refuse('what was written stays');
create trigger payment_given_ids_are_not_emptied before truncate on payment_given_ids for each statement execute function kist_refuse('what was written stays');
alter table payment_given_ids enable always trigger payment_given_ids_stay;
alter table payment_given_ids enable always trigger payment_given_ids_are_not_emptied;
