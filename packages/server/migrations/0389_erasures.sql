-- What was kept of a customer goes at the customer's word, once nothing runs any more. What the law keeps stays: the books with their receipts, and what proves
-- consent and messages until claims are time-barred. The database holds to it, whoever writes: no erasure while an agreement runs or a refund is owed, none
-- undone, nothing written into an erased customer again. What an erasure lets go of (pictures in use, what a phone said lately) it lets go of alone.
-- A million customers: a new table; users are read once for their check, some seconds a million logins, while nobody writes them; the other tables are held
-- exclusively for a moment, no row of them is read or written.
create table erasures (
  org_id integer not null,
  customer_id uuid not null,
  erased_at timestamptz not null,
  asked_by uuid not null,
  asked_as text not null check (asked_as in ('customer', 'shop')),
  -- Until when what proves consent and messages is kept, and until when the books are.
  evidence_until date not null,
  books_until date not null,
  evidence_gone_at timestamptz,
  primary key (org_id, customer_id),
  foreign key (org_id, customer_id) references customers
);
comment on table erasures is 'owner: customers';
create index erasures_evidence on erasures (org_id, evidence_until) where evidence_gone_at is null;
select kist_tenant('erasures', 'select, insert');
grant update (evidence_gone_at) on erasures to kist_app;

create function kist_is_erased(org integer, customer uuid) returns boolean language sql stable as $$
  select exists (select from erasures e where e.org_id = org and e.customer_id = customer)
$$;
-- Claims from the agreement are time-barred: nothing has to be proved any more.
create function kist_is_evidence_over(org integer, customer uuid) returns boolean language sql stable as $$
  select exists (select from erasures e where e.org_id = org and e.customer_id = customer and e.evidence_until <= kist_today())
$$;

create function erasure_may_be() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from agreements a where a.org_id = new.org_id and a.customer_id = new.customer_id and a.state = 'active') then
    raise exception 'insert of erasures is refused: an agreement runs' using errcode = 'restrict_violation';
  end if;
  if exists (select from refund_tasks r where r.org_id = new.org_id and r.customer_id = new.customer_id and r.state = 'open') then
    raise exception 'insert of erasures is refused: a refund is owed' using errcode = 'restrict_violation';
  end if;
  new.erased_at := kist_now();
  new.evidence_gone_at := null;
  return new;
end $$;
create trigger erasure_may_be before insert on erasures for each row execute function erasure_may_be();
create function erasure_evidence_goes_late() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.evidence_gone_at is not null or old.evidence_until > kist_today() then
    raise exception 'update of erasures is refused: what proves a consent is kept until its time' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger erasure_evidence_goes_late before update on erasures for each row execute function erasure_evidence_goes_late();
create trigger erasures_stay before delete on erasures for each row execute function kist_refuse('what was written stays');
create trigger erasures_are_not_emptied before truncate on erasures for each statement execute function kist_refuse('what was written stays');

create function erased_customer_stays_so() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (new.first_name, new.last_name, new.mobile, new.search) is distinct from ('—', '', '', '') or new.address <> '{}' or new.draft <> '{}'
    or num_nonnulls(new.alternate_mobile, new.email, new.birth_on, new.aadhaar_last4, new.pan_masked, new.photo_document_id) > 0 then
    if kist_is_erased(new.org_id, new.customer_id) then
      raise exception 'update of customers is refused: an erased customer has no name any more' using errcode = 'restrict_violation';
    end if;
  end if;
  return new;
end $$;
create trigger erased_customer_stays_so before update of first_name, last_name, mobile, alternate_mobile, email, address, birth_on, aadhaar_last4, pan_masked,
  photo_document_id, draft, search on customers for each row execute function erased_customer_stays_so();

-- No agreement begins with somebody who is erased.
create function agreement_is_of_somebody() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if kist_is_erased(new.org_id, new.customer_id) then
    raise exception 'insert of agreements is refused: the customer was erased' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger agreement_is_of_somebody before insert on agreements for each row execute function agreement_is_of_somebody();

create or replace function documents_go_late() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.gone_at is not null or new.gone_at is null
    or not (old.replaced_at is not null and old.replaced_at <= kist_now() - interval '30 days' or kist_is_erased(old.org_id, old.customer_id))
    or kist_is_agreed_on(old.org_id, old.document_id) and not kist_is_evidence_over(old.org_id, old.customer_id) then
    raise exception 'update of documents is refused: what is in use, what was just replaced and what a consent refers to stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create function device_events_kept() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from devices d where d.org_id = old.org_id and d.device_id = old.device_id and d.customer_id is not null
      and kist_is_erased(d.org_id, d.customer_id)) then
    raise exception 'delete of device_events is refused: events are kept for 90 days' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
drop trigger device_events_kept on device_events;
create trigger device_events_kept before delete on device_events for each row
  when (old.received_on >= kist_today_utc() - 90) execute function device_events_kept();
alter table device_events enable always trigger device_events_kept;

create function confirmations_stay() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (to_jsonb(new) - 'mobile') is distinct from (to_jsonb(old) - 'mobile') or new.mobile <> 'erased' or not kist_is_evidence_over(old.org_id, old.customer_id) then
    raise exception 'update of consent_confirmations is refused: a correction is a new row' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
drop trigger consent_confirmations_are_not_changed on consent_confirmations;
create trigger consent_confirmations_are_not_changed before update on consent_confirmations for each row execute function confirmations_stay();
alter table consent_confirmations enable always trigger consent_confirmations_are_not_changed;
grant update (mobile) on consent_confirmations to kist_app;

-- A login that was erased keeps its row, which sessions and histories name, and no number.
alter table users drop constraint users_mobile_check,
  add constraint users_mobile_check check (mobile ~ '^\+91[6-9][0-9]{9}$' or mobile = 'erased:' || user_id::text and user_type = 'customer' and not is_active);

do $$ declare tab text; name text; begin
  for tab, name in values ('erasures', 'erasure_may_be'), ('erasures', 'erasure_evidence_goes_late'), ('erasures', 'erasures_stay'),
      ('erasures', 'erasures_are_not_emptied'), ('customers', 'erased_customer_stays_so'), ('agreements', 'agreement_is_of_somebody') loop
    execute format('alter table %I enable always trigger %I', tab, name);
  end loop;
end $$;

-- What a customer's own file tells of consents and messages.
create or replace view consents_view with (security_invoker = true) as
  select org_id, agreement_id, consent_id, text_version, text_hash, language, method, accepted_at from consents;
