-- A customer's word by a code stands on that very code: whoever writes that a clause was agreed to, that a phone was stolen or that it is there again, names
-- the code that was used up for it in the same transaction, of that customer and for that purpose alone, and each serves once. A word of the owner, of a code
-- or of the organisation about a theft has its line in the phone's history at commit. A code is not used when it is made, and not twice.
-- A million confirmations: columns without a value; the two indexes on them are built by one reading of each table, which is held against writing meanwhile.
-- What was said in the last three days, which the nightly look would miss a code of, is marked as older than this rule.
alter table otps add column used_txid xid8;
create function otp_is_used_once() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.consumed_at is not null then
      raise exception 'insert of otps is refused: nobody was told it yet' using errcode = 'restrict_violation';
    end if;
    new.used_txid := null;
    return new;
  end if;
  if old.consumed_at is not null then
    if new.consumed_at is distinct from old.consumed_at then
      raise exception 'update of otps is refused: it was used' using errcode = 'restrict_violation';
    end if;
    new.used_txid := old.used_txid;
  elsif new.consumed_at is not null then
    if old.expires_at <= now() then
      raise exception 'update of otps is refused: its time is over' using errcode = 'restrict_violation';
    end if;
    new.consumed_at := now();
    new.used_txid := pg_current_xact_id();
  else
    new.used_txid := null;
  end if;
  return new;
end $$;
create trigger otps_are_used_once before insert or update of consumed_at, used_txid on otps for each row execute function otp_is_used_once();
alter table otps enable always trigger otps_are_used_once;
-- What a code is about and when it ends stays as it was sent.
revoke update on otps from kist_app;
grant update (tries, consumed_at) on otps to kist_app;

-- Whether a code of a customer and a purpose was used up by this very transaction.
create function kist_code_is_used_now(org integer, code uuid, customer uuid, what text, about bytea) returns boolean language sql stable as $$
  select exists (
    select from otps o where o.org_id = org and o.otp_id = code and o.customer_id = customer and o.purpose = what and o.about_hash is not distinct from about
      and o.used_txid = pg_current_xact_id_if_assigned())
$$;

alter table consent_confirmations disable trigger consent_confirmations_are_not_changed;
alter table consent_confirmations add column otp_id uuid;
comment on column consent_confirmations.otp_id is 'The code that was told; null and zeros: of before codes were kept with it.';
alter table consent_confirmations no force row level security;
update consent_confirmations set otp_id = '00000000-0000-0000-0000-000000000000' where confirmed_at > kist_now() - interval '3 days';
alter table consent_confirmations force row level security;
alter table consent_confirmations enable always trigger consent_confirmations_are_not_changed;
create unique index consent_confirmations_otp on consent_confirmations (org_id, otp_id) where otp_id <> '00000000-0000-0000-0000-000000000000';
create function consent_confirmation_has_its_code() returns trigger language plpgsql as $$
begin
  if not kist_code_is_used_now(new.org_id, new.otp_id, new.customer_id, 'CONSENT', new.text_hash)
    or not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.mobile = new.mobile) then
    raise exception 'insert of consent_confirmations is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger consent_confirmation_has_its_code before insert on consent_confirmations for each row execute function consent_confirmation_has_its_code();
alter table consent_confirmations enable always trigger consent_confirmation_has_its_code;

alter table protection_reports add column code_otp_id uuid, add column closed_otp_id uuid;
comment on column protection_reports.code_otp_id is 'The code by which the customer said it; null: of before codes were kept with it, or by no code.';
alter table protection_reports disable trigger protection_reports_facts_stay;
alter table protection_reports disable trigger protection_reports_close_once;
alter table protection_reports no force row level security;
update protection_reports set code_otp_id = '00000000-0000-0000-0000-000000000000' where reported_by = 'customer_code' and reported_at > kist_now() - interval '3 days';
update protection_reports set closed_otp_id = '00000000-0000-0000-0000-000000000000' where closed_as = 'customer_code' and closed_at > kist_now() - interval '3 days';
alter table protection_reports force row level security;
alter table protection_reports enable always trigger protection_reports_close_once;
create unique index protection_reports_code_otp on protection_reports (org_id, code_otp_id) where code_otp_id <> '00000000-0000-0000-0000-000000000000';
grant update (closed_otp_id) on protection_reports to kist_app;
create function protection_report_has_its_code() returns trigger language plpgsql as $$
declare whose uuid;
begin
  select d.customer_id into whose from devices d where d.org_id = new.org_id and d.device_id = new.device_id;
  if tg_op = 'INSERT' then
    if new.reported_by = 'customer_code' and not kist_code_is_used_now(new.org_id, new.code_otp_id, whose, 'THEFT_REPORT', null) then
      raise exception 'insert of protection_reports is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
    end if;
  elsif new.closed_as = 'customer_code' and old.closed_at is null and not kist_code_is_used_now(new.org_id, new.closed_otp_id, whose, 'THEFT_LIFT', null) then
    raise exception 'update of protection_reports is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger protection_report_has_its_code before insert or update on protection_reports for each row execute function protection_report_has_its_code();
alter table protection_reports enable always trigger protection_report_has_its_code;
drop trigger protection_reports_facts_stay on protection_reports;
create trigger protection_reports_facts_stay
  before update of org_id, report_id, device_id, kind, reported_by, actor_user_id, note, reported_at, code_mobile, code_otp_id
  on protection_reports for each row execute function kist_refuse('facts stay as they were written');
alter table protection_reports enable always trigger protection_reports_facts_stay;

-- Whoever speaks of a theft in an owner's or the organisation's part is in the history when it is committed.
create function protection_report_is_told() returns trigger language plpgsql as $$
declare told text := case when tg_op = 'INSERT' then 'lost_reported' else 'theft_lifted' end;
  as_whom text := case when tg_op = 'INSERT' then new.reported_by else new.closed_as end;
begin
  if not exists (
    select from audit_lines l where l.org_id = new.org_id and l.subject_kind = 'device' and l.subject_id = new.device_id::text and l.action = told
      and as_whom in (l.data ->> 'by', l.data ->> 'as') and l.at >= case when tg_op = 'INSERT' then new.reported_at else new.closed_at end - interval '1 minute') then
    raise exception '% of protection_reports is refused: no line of the phone’s history tells of it', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger protection_reports_are_told after insert on protection_reports deferrable initially deferred for each row
  when (new.reported_by <> 'shop') execute function protection_report_is_told();
create constraint trigger protection_reports_end_is_told after update on protection_reports deferrable initially deferred for each row
  when (old.closed_at is null and new.closed_as is not null) execute function protection_report_is_told();
alter table protection_reports enable always trigger protection_reports_are_told;
alter table protection_reports enable always trigger protection_reports_end_is_told;
