-- A customer agrees by a code to new terms that cost more: the version of the schedule names the code, which was told for this very change in the same
-- transaction and serves once, whoever writes. The customer is told of every change.
-- A million agreements: a column without a value and an index of the few versions that there are; schedule_versions is held exclusively for a moment. otps
-- holds thirty days of codes: its checks are read through once, exclusively. Of notices nothing is read.
alter table otps
  drop constraint otps_purpose_check,
  add constraint otps_purpose_check
    check (purpose in ('LOGIN', 'FORGOT_PASSWORD', 'UNINSTALL', 'BYPASS_CODE', 'CONSENT', 'TERMS', 'THEFT_REPORT', 'THEFT_LIFT')),
  drop constraint otps_about,
  add constraint otps_about check ((purpose in ('CONSENT', 'TERMS')) = (about_hash is not null));

alter table schedule_versions add column consent_otp_id uuid, add column consent_hash bytea,
  add constraint schedule_versions_consent check ((consent_otp_id is null) = (consent_hash is null));
comment on column schedule_versions.consent_otp_id is 'The code by which the customer agreed to it; null: it costs no more than what stood, or its cause is another.';
comment on column schedule_versions.consent_hash is 'SHA-256 of the terms and rows that were agreed to.';
create unique index schedule_versions_consent_otp on schedule_versions (org_id, consent_otp_id) where consent_otp_id is not null;

create function schedule_version_is_agreed_to() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (new.consent_otp_id is not null or new.cause = 'edit' and (new.after ->> 'total_payable_paise')::bigint > (new.before ->> 'total_payable_paise')::bigint)
    and not exists (select from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id
      and kist_code_is_used_now(new.org_id, new.consent_otp_id, a.customer_id, 'TERMS', new.consent_hash)) then
    raise exception 'insert of schedule_versions is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger schedule_versions_are_agreed_to before insert on schedule_versions for each row execute function schedule_version_is_agreed_to();
alter table schedule_versions enable always trigger schedule_versions_are_agreed_to;

alter table notices drop constraint notices_kind_check, add constraint notices_kind_check
  check (kind in ('reminder', 'notice', 'locked', 'unlocked', 'receipt', 'penal', 'penal_waived', 'alert', 'dispute', 'schedule')) not valid;

-- For the check of the books and for what a phone is held to: the largest EMI that an agreement ever had, so that lower EMIs make no sum enough that was too little.
create or replace view schedule_versions_view with (security_invoker = true) as
  select v.org_id, v.agreement_id, v.version, v.principal_paise, v.interest_paise, v.fee_paise, v.dropped_interest_paise, v.dropped_fee_paise, v.effective_on, v.cause,
    v.made_at, v.before, v.after, exists (select from phone_exchanges x where x.org_id = v.org_id and x.agreement_id = v.agreement_id and x.was_set_up
      and x.txid = v.txid) as has_exchange, v.consent_otp_id, v.consent_hash
  from schedule_versions v;
create function kist_largest_emi(a agreements) returns bigint language sql stable as $$
  select case when a.schedule_version = 1 then a.emi_paise else greatest(a.emi_paise, (
    select max((v.before ->> 'emi_paise')::bigint) from public.schedule_versions v where v.org_id = a.org_id and v.agreement_id = a.agreement_id)) end
$$;
