-- What was paid ahead of a day that a version of the schedule lays out anew counts towards its rows: interest of a period is asked for once. How much of it
-- was counted stands in the version, so that its rows can be reckoned again; at commit it is no more than the rows before it say was paid of those days.
-- A million agreements: two columns with a default come at once, and no row is read or written; schedule_versions is held exclusively for a moment.
alter table schedule_versions
  add column counted_principal_paise bigint not null default 0 check (counted_principal_paise >= 0),
  add column counted_interest_paise bigint not null default 0 check (counted_interest_paise >= 0);
comment on column schedule_versions.counted_principal_paise is 'Paid ahead of the first period that it lays out, and taken off its first row.';
comment on column schedule_versions.counted_interest_paise is 'Interest paid ahead of the days that it lays out, and taken off its rows from the first on.';

create function version_counts_what_was_paid() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare paid record;
begin
  select coalesce(sum(i.paid_principal_paise) filter (where i.due_on = f.due_on), 0) as principal, coalesce(sum(i.paid_interest_paise), 0) as interest into paid
  from (select min(n.due_on) as due_on from instalments n where n.org_id = new.org_id and n.agreement_id = new.agreement_id and n.version = new.version) f
  join instalments i on i.org_id = new.org_id and i.agreement_id = new.agreement_id and i.version < new.version and i.due_on >= f.due_on;
  if new.counted_principal_paise > paid.principal or new.counted_interest_paise > paid.interest then
    raise exception 'version % of % counts more than was paid', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger version_counts_what_was_paid after insert on schedule_versions deferrable initially deferred
  for each row when (new.counted_principal_paise + new.counted_interest_paise > 0) execute function version_counts_what_was_paid();
alter table schedule_versions enable always trigger version_counts_what_was_paid;

-- For the check of the books.
create or replace view schedule_versions_view with (security_invoker = true) as
  select v.org_id, v.agreement_id, v.version, v.principal_paise, v.interest_paise, v.fee_paise, v.dropped_interest_paise, v.dropped_fee_paise, v.effective_on, v.cause,
    v.made_at, v.before, v.after, exists (select from phone_exchanges x where x.org_id = v.org_id and x.agreement_id = v.agreement_id and x.was_set_up
      and x.txid = v.txid) as has_exchange, v.consent_otp_id, v.consent_hash, v.counted_principal_paise, v.counted_interest_paise
  from schedule_versions v;
