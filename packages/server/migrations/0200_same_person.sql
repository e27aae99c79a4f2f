-- Who is the same person as whom in an organisation's list, for the limit of cash a day (section 269ST): a mobile number is one person's; of a document only its last
-- digits are kept, so two of them agree, or one and the day of birth.
-- A million customers: two indexes of those who showed a document, built while writes of customers wait, some seconds; the view reads nothing.
create index customers_aadhaar on customers (org_id, aadhaar_last4) where aadhaar_last4 is not null;
create index customers_pan on customers (org_id, pan_masked) where pan_masked is not null;

create view same_person_view with (security_invoker = true) as
  select org_id, customer_id, customer_id as same_customer_id from customers
  union
  select own.org_id, own.customer_id, c.customer_id from customers own
    join customers c on c.org_id = own.org_id and c.mobile = own.mobile where own.mobile <> ''
  union
  select own.org_id, own.customer_id, c.customer_id from customers own
    join customers c on c.org_id = own.org_id and c.aadhaar_last4 = own.aadhaar_last4 and (c.birth_on = own.birth_on or c.pan_masked = own.pan_masked)
  union
  select own.org_id, own.customer_id, c.customer_id from customers own
    join customers c on c.org_id = own.org_id and c.pan_masked = own.pan_masked and c.birth_on = own.birth_on;
grant select on same_person_view to kist_app;
comment on view same_person_view is 'owner: customers';
