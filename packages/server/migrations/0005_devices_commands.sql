-- One-time token in the provisioning QR: binds the customer and the phone, lives 24 h, works once.
create table enrolment_tokens (
  org_id integer not null,
  token_hash bytea not null,
  customer_id uuid not null,
  device_id uuid not null,
  created_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (org_id, token_hash),
  foreign key (org_id, device_id) references devices
);
create index enrolment_tokens_device on enrolment_tokens (org_id, device_id);
select kist_tenant('enrolment_tokens');

create table enrolments (
  org_id integer not null,
  enrolment_id uuid not null,
  device_id uuid not null,
  public_key_spki bytea not null,
  grade text not null check (grade in ('hardware', 'software', 'none')),
  facts jsonb not null default '{}',
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (org_id, enrolment_id),
  foreign key (org_id, device_id) references devices
);
create unique index enrolments_live on enrolments (org_id, device_id) where ended_at is null;
select kist_tenant('enrolments');
select kist_machine('enrolments', 'select');

-- What the phone shall be: one document with a rising revision, and the signed lease that lets it act alone.
create table device_desired (
  org_id integer not null,
  device_id uuid not null,
  revision bigint not null,
  lock_level smallint not null default 0 check (lock_level between 0 and 4),
  document jsonb not null,
  lease jsonb,
  changed_at timestamptz not null,
  primary key (org_id, device_id),
  foreign key (org_id, device_id) references devices
);
select kist_tenant('device_desired');
select kist_machine('device_desired', 'select');
create function revision_rises() returns trigger language plpgsql as $$
begin
  if new.revision < old.revision then
    raise exception 'revision of device % would fall', new.device_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger device_desired_rises before update on device_desired for each row execute function revision_rises();

-- What the phone last said. One narrow hot row a phone: a check-in is one update of it.
create table device_reports (
  org_id integer not null,
  device_id uuid not null,
  revision bigint not null default 0,
  lock_level smallint not null default 0,
  lock_cause text,
  is_strong boolean not null default true,
  boot_count bigint not null default 0,
  elapsed_ms bigint not null default 0,
  wall_clock timestamptz,
  battery smallint,
  agent_version text,
  sims jsonb not null default '[]',
  toggles jsonb not null default '{}',
  lease_seq bigint not null default 0,
  push_token text,
  location jsonb,
  located_at timestamptz,
  reported_at timestamptz,
  level_changed_at timestamptz,
  last_seen_at timestamptz,
  primary key (org_id, device_id),
  foreign key (org_id, device_id) references devices
) with (fillfactor = 70);
create index device_reports_seen on device_reports (org_id, last_seen_at);
select kist_tenant('device_reports');
select kist_machine('device_reports', 'select, insert, update');

create table batches (
  org_id integer not null,
  batch_id uuid not null,
  command text not null,
  reason text not null,
  requested_by uuid not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  total integer not null default 0,
  allowed integer not null default 0,
  refused integer not null default 0,
  primary key (org_id, batch_id)
);
select kist_tenant('batches');

-- Every order to a phone and its life. `seq` orders one phone's one-shots; a state command carries the revision it made.
create table commands (
  org_id integer not null,
  command_id uuid not null,
  device_id uuid not null,
  seq bigint not null,
  type text not null,
  is_state boolean not null,
  revision bigint,
  args jsonb not null default '{}',
  reason text not null,
  note text,
  state text not null check (state in ('CREATED', 'REFUSED', 'QUEUED', 'SENT', 'DELIVERED', 'APPLIED', 'VERIFIED', 'EXPIRED', 'SUPERSEDED', 'CANCELLED', 'FAILED')),
  verdict jsonb,
  requested_by uuid,
  batch_id uuid,
  created_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  applied_at timestamptz,
  verified_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz not null,
  attempts smallint not null default 0,
  result jsonb,
  fail_code text,
  primary key (org_id, command_id),
  foreign key (org_id, device_id) references devices
);
create unique index commands_seq on commands (org_id, device_id, seq);
create index commands_open on commands (org_id, device_id, seq) where state in ('QUEUED', 'SENT', 'DELIVERED', 'APPLIED');
create index commands_batch on commands (org_id, batch_id) where batch_id is not null;
create index commands_recent on commands (org_id, device_id, created_at desc);
select kist_tenant('commands');
select kist_machine('commands', 'select, update');

-- Facts phones told us, for the timeline: enrolled, erased, SIM changed, clock moved, location, lease expired.
create table device_events (
  org_id integer not null,
  device_id uuid not null,
  event_id uuid not null,
  at timestamptz not null,
  kind text not null,
  data jsonb not null default '{}',
  primary key (org_id, device_id, event_id)
);
create index device_events_at on device_events (org_id, device_id, at desc);
create index device_events_kind on device_events (org_id, kind, at desc);
select kist_tenant('device_events', 'select, insert');
select kist_machine('device_events', 'select, insert');
