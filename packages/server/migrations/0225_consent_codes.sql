-- A consent is the text's version and hash, a stored signature and a code that the customer got on their own number. What was confirmed is a row that is
-- added and never changed; a consent names it. Nothing is invented for consents that exist: they name none, and no debt holds a phone on them until the
-- shop collects what is missing.
-- A million consents: one column without a value and a foreign key that finds nothing to check, one reading of the table, a second or two, while
-- consents and customers are not written. otps holds thirty days of codes: its check is read through once, exclusively.
alter table otps
  add column about_hash bytea,
  drop constraint otps_purpose_check,
  add constraint otps_purpose_check check (purpose in ('LOGIN', 'FORGOT_PASSWORD', 'UNINSTALL', 'BYPASS_CODE', 'CONSENT')),
  add constraint otps_about check ((purpose = 'CONSENT') = (about_hash is not null));

create table consent_confirmations (
  org_id integer not null,
  confirmation_id uuid not null,
  customer_id uuid not null,
  -- The number that the code went to: the customer's own then.
  mobile text not null,
  text_version text not null,
  text_hash bytea not null,
  language text not null,
  confirmed_at timestamptz not null,
  -- In whose session the code was typed.
  confirmed_by uuid not null,
  primary key (org_id, confirmation_id),
  unique (org_id, confirmation_id, text_hash),
  -- A draft that is deleted takes its own with it; one that a consent names holds the customer.
  foreign key (org_id, customer_id) references customers on delete cascade
);
comment on table consent_confirmations is 'owner: customers';
create index consent_confirmations_customer on consent_confirmations (org_id, customer_id, mobile, text_hash);
select kist_tenant('consent_confirmations', 'select, insert');

create function consent_confirmation_fits() returns trigger language plpgsql as $$
begin
  new.confirmed_at := least(new.confirmed_at, kist_now());
  return new;
end $$;
create trigger consent_confirmation_fits before insert on consent_confirmations for each row execute function consent_confirmation_fits();
alter table consent_confirmations enable always trigger consent_confirmation_fits;
create trigger consent_confirmations_are_not_changed before update on consent_confirmations for each row
  execute function kist_refuse('a correction is a new row');
alter table consent_confirmations enable always trigger consent_confirmations_are_not_changed;
create trigger consent_confirmations_are_not_emptied before truncate on consent_confirmations for each statement
  execute function kist_refuse('what was written stays');
alter table consent_confirmations enable always trigger consent_confirmations_are_not_emptied;

alter table consents add column confirmation_id uuid,
  -- The very text: a code for one clause is no consent to another.
  add foreign key (org_id, confirmation_id, text_hash) references consent_confirmations (org_id, confirmation_id, text_hash);

-- A number is the customer's own once somebody who holds it told the code that was sent there, for as long as it stands on file.
create or replace view number_confirmations_view with (security_invoker = true) as
  select c.org_id, c.customer_id, exists (
    select from consent_confirmations k where k.org_id = c.org_id and k.customer_id = c.customer_id and k.mobile = c.mobile
  ) as is_confirmed
  from customers c;
