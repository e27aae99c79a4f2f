-- Which vendor an enrolment is a channel of, and how that vendor names the phone there; our own agent names it by its key.
-- A million enrolments: two columns with a constant, nothing is written anew; the index over none, for a moment. Keys stay where they were.
alter table enrolments
  add column vendor text not null default 'android-agent' check (length(vendor) between 1 and 40),
  add column handle text check (length(handle) between 1 and 200),
  alter column public_key_spki drop not null,
  add constraint enrolments_named check ((public_key_spki is null) <> (handle is null));
create unique index enrolments_handle on enrolments (org_id, vendor, handle) where ended_at is null and handle is not null;

-- A vendor is asked for a phone before it is switched on: whose word on which handle this code waits for.
alter table enrolment_tokens add column vendor text, add column handle text,
  add constraint enrolment_tokens_handle check ((vendor is null) = (handle is null));
create unique index enrolment_tokens_handle on enrolment_tokens (org_id, vendor, handle) where used_at is null and handle is not null;

-- A channel with what its phone is, shall be and last said: what whoever carries to phones needs of them.
create view channels_view with (security_invoker = true) as
  select e.org_id, e.enrolment_id, e.device_id, e.vendor, e.handle, e.ended_at, v.provisioning_type, w.revision as desired_revision, w.document,
    r.revision as reported_revision, r.unfit_polls
  from enrolments e
  join devices v on v.org_id = e.org_id and v.device_id = e.device_id
  join device_desired w on w.org_id = e.org_id and w.device_id = e.device_id
  join device_reports r on r.org_id = e.org_id and r.device_id = e.device_id;
grant select on channels_view to kist_app, kist_device;
comment on view channels_view is 'owner: devices';

-- What waits to be carried to phones: one row a channel, the newest of what it shall know. `next_at` null: nothing waits. `change_no` rises with each
-- change, so that whoever carried an older one leaves the row open. `operation`, `revision` and `level`: what its vendor was last given, and by which
-- name of the vendor's, so that a late or repeated answer is known again; `asked_at`: since when its word that the phone is so is waited for.
create table deliveries (
  org_id integer not null,
  enrolment_id uuid not null,
  device_id uuid not null,
  vendor text not null,
  priority smallint not null check (priority between 0 and 2),
  next_at timestamptz,
  queued_at timestamptz not null,
  change_no integer not null default 1,
  attempts smallint not null default 0,
  operation text check (length(operation) <= 200),
  revision bigint,
  level smallint check (level between 0 and 4),
  why text check (length(why) <= 200),
  asked_at timestamptz,
  primary key (org_id, enrolment_id),
  foreign key (org_id, enrolment_id) references enrolments
) with (fillfactor = 70);
comment on table deliveries is 'owner: commands';
create index deliveries_unconfirmed on deliveries (org_id, asked_at) where asked_at is not null;
create index deliveries_waiting on deliveries (vendor, org_id, priority, next_at) where next_at is not null;
select kist_tenant('deliveries', 'select, insert');
grant update (priority, next_at, queued_at, change_no, attempts, why, asked_at) on deliveries to kist_app;
select kist_machine('deliveries', 'select, update');

-- Who was called again is on the queue now.
alter table commands drop column nudged_at;

-- How many calls of a vendor an organisation has left: a bucket that fills with time.
create table vendor_budgets (
  org_id integer not null,
  vendor text not null,
  left_over real not null,
  filled_at timestamptz not null,
  primary key (org_id, vendor),
  foreign key (org_id) references org_directory
);
comment on table vendor_budgets is 'owner: commands';
select kist_tenant('vendor_budgets', 'select');
select kist_machine('vendor_budgets', 'select, insert, update');

-- Whatever changes what a phone shall be or asks something of it also queues its channel, in the same statement's transaction: no code can forget it.
-- 0: something is given back; 1: a question, words, a lease; 2: something is taken. The newest document decides; a question never comes after a lock.
create function queue_desired() returns trigger language plpgsql as $$
begin
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  select e.org_id, e.enrolment_id, e.device_id, e.vendor,
    case when new_row.lock_level < old_row.lock_level or (new_row.document ->> 'released')::boolean
        or (new_row.document -> 'toggles' <> old_row.document -> 'toggles'
          and exists (select from jsonb_each(old_row.document -> 'toggles') t where t.value = 'true' and new_row.document -> 'toggles' -> t.key = 'false')) then 0
      when new_row.lock_level > old_row.lock_level or new_row.document -> 'toggles' <> old_row.document -> 'toggles' then 2
      else 1 end,
    at.now, at.now
  from new_row join old_row using (org_id, device_id)
  join enrolments e on e.org_id = new_row.org_id and e.device_id = new_row.device_id and e.ended_at is null
  cross join (select kist_now() as now) at
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, attempts = 0, why = null,
    priority = case when d.next_at is null or excluded.priority <> 1 then excluded.priority else least(d.priority, 1) end;
  return null;
end $$;
create trigger device_desired_queued after update on device_desired
  referencing old table as old_row new table as new_row for each statement execute function queue_desired();

create function queue_orders() returns trigger language plpgsql as $$
begin
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  select distinct on (e.org_id, e.enrolment_id) e.org_id, e.enrolment_id, e.device_id, e.vendor, 1, at.now, at.now
  from new_row join enrolments e on e.org_id = new_row.org_id and e.device_id = new_row.device_id and e.ended_at is null
  cross join (select kist_now() as now) at
  where not new_row.is_state and new_row.state = 'QUEUED'
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, attempts = 0, why = null,
    priority = case when d.next_at is null then 1 else least(d.priority, 1) end;
  return null;
end $$;
create trigger commands_queued after insert on commands
  referencing new table as new_row for each statement execute function queue_orders();

-- A channel that begins is owed what its phone shall be already.
create function queue_channel() returns trigger language plpgsql as $$
begin
  insert into deliveries (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  values (new.org_id, new.enrolment_id, new.device_id, new.vendor, 1, kist_now(), kist_now())
  on conflict do nothing;
  return null;
end $$;
create trigger enrolments_queued after insert on enrolments for each row when (new.vendor <> 'android-agent') execute function queue_channel();
