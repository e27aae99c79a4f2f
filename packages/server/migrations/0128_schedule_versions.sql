-- Schedules in versions. Terms that change make a new version: what is not due of the one before is superseded and taken back, what is due or paid of it
-- stays as it is, and the new rows stand behind it. Who changed what, why, from which day and what stood before is kept. A payment says in which version it
-- was laid out, and stays there.
-- A million agreements (12 million instalments): the columns come at once with their defaults; the check on instalments holds for what is written from now
-- on and reads nothing of before, where nothing is dropped. Each table is held exclusively for a moment.
create table schedule_versions (
  org_id integer not null,
  agreement_id uuid not null,
  -- The first, which was signed, stands in the agreement itself and, once there is a second, in its `before`.
  version integer not null check (version > 1),
  effective_on date not null,
  cause text not null check (cause in ('edit', 'prepayment', 'reschedule', 'pause', 'foreclosure', 'imei_swap')),
  reason text not null check (btrim(reason) <> ''),
  made_by uuid not null,
  made_at timestamptz not null,
  -- Terms as they stand from now on, and as they stood.
  after jsonb not null,
  before jsonb not null,
  -- Principal that moved over from the rows that it supersedes, and what of theirs was taken back.
  principal_paise bigint not null check (principal_paise > 0),
  interest_paise bigint not null check (interest_paise >= 0),
  fee_paise bigint not null check (fee_paise >= 0),
  dropped_interest_paise bigint not null check (dropped_interest_paise >= 0),
  dropped_fee_paise bigint not null check (dropped_fee_paise >= 0),
  txid xid8 not null default pg_current_xact_id(),
  primary key (org_id, agreement_id, version),
  foreign key (org_id, agreement_id) references agreements
);
select kist_tenant('schedule_versions', 'select, insert');
comment on table schedule_versions is 'owner: agreements';
create trigger schedule_versions_stay before update or delete on schedule_versions for each row execute function kist_refuse('what was written stays');
create trigger schedule_versions_are_not_emptied before truncate on schedule_versions for each statement execute function kist_refuse('what was written stays');
alter table schedule_versions enable always trigger schedule_versions_stay;
alter table schedule_versions enable always trigger schedule_versions_are_not_emptied;

-- Whether a version is being made by this transaction.
create function schedule_version_is_being_made(org integer, agreement uuid, number integer) returns boolean language sql stable as $$
  select exists (select from schedule_versions v
    where v.org_id = org and v.agreement_id = agreement and v.version = number and v.txid = pg_current_xact_id())
$$;

-- The terms in force change with a version and not otherwise.
alter table agreements add column schedule_version integer not null default 1, add column schedule_from date;
comment on column agreements.schedule_from is 'From when the version in force counts: payments are laid out in it as of this day at the earliest; null: as signed.';
drop trigger agreements_facts_stay on agreements;
do $$ declare facts text; begin
  select string_agg(format('%I', attname), ', ' order by attnum) into facts from pg_attribute
  where attrelid = 'agreements'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> all (array[
    'state', 'oldest_due_on', 'oldest_due_paise', 'outstanding_paise', 'paid_count', 'advance_paise', 'completed_at', 'version',
    'method', 'rate_bps', 'rounding', 'tenure', 'emi_paise', 'fee_paise', 'total_interest_paise', 'total_payable_paise', 'apr_bps', 'last_due_on',
    'schedule_version', 'schedule_from']);
  execute format('create trigger agreements_facts_stay before update of %s on agreements for each row execute function kist_refuse(%L)', facts,
    'facts stay as they were written');
end $$;
alter table agreements enable always trigger agreements_facts_stay;
create function terms_change_with_a_version() returns trigger language plpgsql as $$
begin
  if new.schedule_version <> old.schedule_version + 1 or not schedule_version_is_being_made(new.org_id, new.agreement_id, new.schedule_version) then
    raise exception 'update of agreements is refused: terms change with a version of the schedule' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger agreements_terms_stay before update of method, rate_bps, rounding, tenure, emi_paise, fee_paise, total_interest_paise, total_payable_paise, apr_bps,
  last_due_on, schedule_version, schedule_from on agreements for each row execute function terms_change_with_a_version();
alter table agreements enable always trigger agreements_terms_stay;

alter table payments add column schedule_version integer not null default 1 check (schedule_version > 0);
-- What is claimed was laid out nowhere yet: it takes the version in force with the move that posts it, and no other way.
create trigger payments_version_stays before update of schedule_version on payments for each row
  when (old.state <> 'claimed' or new.state <> 'posted') execute function kist_refuse('facts stay as they were written');
grant update (schedule_version) on payments to kist_app;
alter table payments enable always trigger payments_version_stays;

alter table instalments
  add column version integer not null default 1,
  add column superseded_by integer,
  add column dropped_principal_paise bigint not null default 0,
  add column dropped_interest_paise bigint not null default 0,
  add column dropped_fee_paise bigint not null default 0;
alter table instalments add constraint instalments_dropped check (
  dropped_principal_paise >= 0 and dropped_interest_paise >= 0 and dropped_fee_paise >= 0
  and paid_principal_paise + dropped_principal_paise <= principal_paise and paid_interest_paise + dropped_interest_paise <= interest_paise
  and paid_fee_paise + dropped_fee_paise <= fee_paise and (superseded_by is not null or dropped_principal_paise + dropped_interest_paise + dropped_fee_paise = 0)
) not valid;
create trigger instalments_version_stays before update of version on instalments for each row execute function kist_refuse('facts stay as they were written');
alter table instalments enable always trigger instalments_version_stays;

-- A row is superseded by the version that is being made, and all that is left of it goes; again by a later one where a payment taken back had opened what
-- was left. A row of a later version comes with its version.
create function instalments_are_superseded() returns trigger language plpgsql as $$
begin
  if new.superseded_by is null or new.superseded_by <= coalesce(old.superseded_by, old.version)
    or new.dropped_principal_paise < old.dropped_principal_paise or new.dropped_interest_paise < old.dropped_interest_paise
    or new.dropped_fee_paise < old.dropped_fee_paise
    or not schedule_version_is_being_made(new.org_id, new.agreement_id, new.superseded_by)
    or new.paid_principal_paise + new.dropped_principal_paise <> new.principal_paise
    or new.paid_interest_paise + new.dropped_interest_paise <> new.interest_paise
    or new.paid_fee_paise + new.dropped_fee_paise <> new.fee_paise then
    raise exception 'update of instalments is refused: the rows of a version in force stay as they are' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger instalments_are_superseded before update of superseded_by, dropped_principal_paise, dropped_interest_paise, dropped_fee_paise on instalments
  for each row execute function instalments_are_superseded();
alter table instalments enable always trigger instalments_are_superseded;
create function instalments_come_with_their_version() returns trigger language plpgsql as $$
begin
  if not schedule_version_is_being_made(new.org_id, new.agreement_id, new.version) then
    raise exception 'insert of instalments is refused: rows come with their version' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger instalments_come_with_their_version before insert on instalments for each row when (new.version <> 1)
  execute function instalments_come_with_their_version();
alter table instalments enable always trigger instalments_come_with_their_version;

create or replace function left_paise(i instalments) returns bigint language sql immutable parallel safe as $$
  select i.principal_paise + i.interest_paise + i.fee_paise - i.dropped_principal_paise - i.dropped_interest_paise - i.dropped_fee_paise
    - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise
$$;

-- As it was, but for rows that a version put aside whole, which are none of those that are paid.
create or replace function agreement_says_what_it_owes() returns trigger language plpgsql as $$
declare stored record; due record;
begin
  select a.state, a.outstanding_paise, a.paid_count, a.oldest_due_on, a.oldest_due_paise, a.advance_paise into stored
  from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id;
  select coalesce(sum(i.left_paise), 0)::bigint as outstanding,
    count(*) filter (where i.left_paise = 0 and (i.superseded_by is null or i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise
      < i.principal_paise + i.interest_paise + i.fee_paise))::int as paid,
    (array_agg(i.due_on order by i.due_on, i.no) filter (where i.left_paise > 0))[1] as oldest_on,
    coalesce((array_agg(i.left_paise order by i.due_on, i.no) filter (where i.left_paise > 0))[1], 0)::bigint as oldest,
    (select coalesce(sum(l.credit - l.debit), 0)::bigint from journal_lines l
     where l.org_id = new.org_id and l.agreement_id = new.agreement_id and l.bucket = 'advance') as advance
    into due from instalments i where i.org_id = new.org_id and i.agreement_id = new.agreement_id;
  if (stored.outstanding_paise, stored.paid_count, stored.oldest_due_on, stored.oldest_due_paise, stored.advance_paise)
    is distinct from (due.outstanding, due.paid, due.oldest_on, due.oldest, due.advance) then
    raise exception 'agreement %: what it says of its money is not what its instalments and lines say', new.agreement_id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

grant update (superseded_by, dropped_principal_paise, dropped_interest_paise, dropped_fee_paise) on instalments to kist_app;
grant update (method, rate_bps, rounding, tenure, emi_paise, fee_paise, total_interest_paise, total_payable_paise, apr_bps, last_due_on, schedule_version,
  schedule_from) on agreements to kist_app;

create view schedule_versions_view with (security_invoker = true) as
  select org_id, agreement_id, version, principal_paise, interest_paise, fee_paise, dropped_interest_paise, dropped_fee_paise from schedule_versions;
grant select on schedule_versions_view to kist_app;
comment on view schedule_versions_view is 'owner: agreements';
