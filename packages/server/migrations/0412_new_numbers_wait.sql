-- A shop that writes down a number of its own for a customer does not become the customer by it: for a day after a change of the number, codes that are the
-- customer's own word count for nothing, unless a code from the number that goes agreed to the one that comes. A sale whose consent nobody gave yet is put
-- right at once. Whoever changes the number: the row is written with it.
-- A million customers: a table that begins empty, nothing of them is read or written; a trigger, for which customers is held for a moment. otps holds thirty
-- days of codes: its checks are read through once, exclusively.
alter table otps
  drop constraint otps_purpose_check,
  add constraint otps_purpose_check
    check (purpose in ('LOGIN', 'FORGOT_PASSWORD', 'UNINSTALL', 'BYPASS_CODE', 'CONSENT', 'TERMS', 'NUMBER', 'THEFT_REPORT', 'THEFT_LIFT')),
  drop constraint otps_about,
  add constraint otps_about check ((purpose in ('CONSENT', 'TERMS', 'NUMBER')) = (about_hash is not null));

create table number_changes (
  org_id integer not null,
  change_id uuid not null default gen_random_uuid(),
  customer_id uuid not null,
  changed_at timestamptz not null,
  -- The code from the number that went, which agreed to the one that came; null: nobody agreed, and the new one waits.
  otp_id uuid,
  primary key (org_id, change_id),
  foreign key (org_id, customer_id) references customers
);
create index number_changes_waiting on number_changes (org_id, customer_id, changed_at) where otp_id is null;
select kist_tenant('number_changes', 'select, insert');
comment on table number_changes is 'owner: customers';
create trigger number_changes_stay before update on number_changes for each row execute function kist_refuse('what was written stays');
alter table number_changes enable always trigger number_changes_stay;

-- From when on a code to the number on file is the customer's own word; null: it is now. Beside kist_consent_counts, which says what a consent needs.
create function kist_number_speaks_at(org integer, customer uuid) returns timestamptz language sql stable parallel safe
  set search_path = pg_catalog, public, pg_temp
  as $$
    select max(n.changed_at) + interval '24 hours' from number_changes n
    where n.org_id = org and n.customer_id = customer and n.otp_id is null and n.changed_at > kist_now() - interval '24 hours'
  $$;
comment on function kist_number_speaks_at is 'From when on codes to the number on file count as the customer’s word; null: now.';

-- Every word that stands on a customer's code asks this.
create or replace function kist_code_is_used_now(org integer, code uuid, customer uuid, what text, about bytea) returns boolean language sql stable as $$
  select exists (
    select from otps o where o.org_id = org and o.otp_id = code and o.customer_id = customer and o.purpose = what and o.about_hash is not distinct from about
      and o.used_txid = pg_current_xact_id_if_assigned())
    and kist_number_speaks_at(org, customer) is null
$$;

create function customer_number_changes() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare agreed uuid;
begin
  select o.otp_id into agreed from otps o
    where o.org_id = new.org_id and o.customer_id = new.customer_id and o.purpose = 'NUMBER'
      and kist_code_is_used_now(new.org_id, o.otp_id, new.customer_id, 'NUMBER', sha256(convert_to(new.mobile, 'UTF8')));
  if exists (select from consent_confirmations k where k.org_id = new.org_id and k.customer_id = new.customer_id and k.mobile = old.mobile)
    or exists (select from consents c join agreements a on a.org_id = c.org_id and a.agreement_id = c.agreement_id
      where a.org_id = new.org_id and a.customer_id = new.customer_id
        and kist_consent_counts(c.document_id, c.confirmation_id, kist_needs_consent_code(a.policy))) then
    insert into number_changes (org_id, customer_id, changed_at, otp_id) values (new.org_id, new.customer_id, kist_now(), agreed);
  end if;
  return null;
end $$;
create trigger customer_number_changes after update of mobile on customers for each row
  when (old.mobile is distinct from new.mobile and not old.is_draft and new.mobile <> '') execute function customer_number_changes();
alter table customers enable always trigger customer_number_changes;
