-- A theft lock rests on the customer's word: their own report, or one that a shop made with the code that the customer got on their confirmed number; and it
-- ends by the customer's word in one of the same two ways, or by the organisation's with a reason. The database refuses every other end, whoever writes.
-- Reports that exist are the customer's own or the shop's note, which counts for nothing; those that are closed say no more than when.
-- A million reports: columns without a value, nothing is written anew. otps holds thirty days of codes: its check is read through once, exclusively.
alter table otps
  drop constraint otps_purpose_check,
  add constraint otps_purpose_check
    check (purpose in ('LOGIN', 'FORGOT_PASSWORD', 'UNINSTALL', 'BYPASS_CODE', 'CONSENT', 'THEFT_REPORT', 'THEFT_LIFT'));

alter table protection_reports
  -- Where the code went by which the customer said it.
  add column code_mobile text,
  add column closed_as text check (closed_as in ('customer', 'customer_code', 'organisation')),
  add column closed_by uuid,
  add column closed_reason text not null default '',
  drop constraint protection_reports_reported_by_check,
  add constraint protection_reports_reported_by_check check (reported_by in ('customer', 'customer_code', 'shop')),
  add constraint protection_reports_code check ((reported_by = 'customer_code') = (code_mobile is not null)),
  add constraint protection_reports_closed_as check ((closed_as is null) = (closed_by is null)),
  add constraint protection_reports_closed_reason check (closed_as is distinct from 'organisation' or btrim(closed_reason) <> '');
grant update (closed_as, closed_by, closed_reason) on protection_reports to kist_app;

create trigger protection_reports_facts_stay before update of org_id, report_id, device_id, kind, reported_by, actor_user_id, note, reported_at, code_mobile
  on protection_reports for each row execute function kist_refuse('facts stay as they were written');
create trigger protection_reports_close_once before update on protection_reports for each row when (old.closed_at is not null)
  execute function kist_refuse('it is closed once');
create trigger protection_reports_theft_ends_by_its_owner before update on protection_reports for each row
  when (old.kind = 'theft' and old.reported_by <> 'shop' and old.closed_at is null and new.closed_at is not null and new.closed_as is null)
  execute function kist_refuse('the customer says that it is found, or the organisation');
create trigger protection_reports_stay before delete on protection_reports for each row execute function kist_refuse('what was written stays');
create trigger protection_reports_are_not_emptied before truncate on protection_reports for each statement execute function kist_refuse('what was written stays');
create function protection_report_times() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then new.reported_at := least(new.reported_at, kist_now()); end if;
  if new.closed_at is not null then new.closed_at := greatest(new.reported_at, kist_now()); end if;
  return new;
end $$;
create trigger protection_reports_times before insert or update of closed_at on protection_reports for each row execute function protection_report_times();
alter table protection_reports enable always trigger protection_reports_times;
alter table protection_reports enable always trigger protection_reports_facts_stay;
alter table protection_reports enable always trigger protection_reports_close_once;
alter table protection_reports enable always trigger protection_reports_theft_ends_by_its_owner;
alter table protection_reports enable always trigger protection_reports_stay;
alter table protection_reports enable always trigger protection_reports_are_not_emptied;
