create table lock_policies (
  org_id integer not null references organisations,
  version integer not null,
  preset text not null,
  policy jsonb not null,
  created_at timestamptz not null,
  primary key (org_id, version)
);
select kist_tenant('lock_policies', 'select, insert');

-- Why a phone is held, one row for each cause: a theft lock and a debt lock never serve as one another.
create table locks (
  org_id integer not null,
  device_id uuid not null,
  cause text not null check (cause in ('debt', 'theft', 'customer_request', 'enrolment_test', 'override')),
  level smallint not null check (level between 0 and 4),
  level_since timestamptz not null,
  agreement_id uuid,
  reason text not null,
  evidence jsonb not null default '{}',
  ends_at timestamptz,
  primary key (org_id, device_id, cause),
  foreign key (org_id, device_id) references devices
);
create index locks_ending on locks (org_id, ends_at) where ends_at is not null and level > 0;
select kist_tenant('locks');

-- No lock revision without the verdict that allowed it, with the facts it was given.
create table verdicts (
  org_id integer not null,
  verdict_id uuid not null,
  device_id uuid not null,
  agreement_id uuid,
  command_id uuid,
  revision bigint,
  allowed boolean not null,
  rule text not null,
  facts jsonb not null,
  verdict jsonb not null,
  decided_at timestamptz not null,
  primary key (org_id, verdict_id)
);
create index verdicts_device on verdicts (org_id, device_id, decided_at desc);
select kist_tenant('verdicts', 'select, insert');

create table disputes (
  org_id integer not null,
  dispute_id uuid not null,
  agreement_id uuid not null,
  text text not null,
  channel text not null check (channel in ('phone', 'app', 'shop')),
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by uuid,
  outcome text,
  primary key (org_id, dispute_id),
  foreign key (org_id, agreement_id) references agreements
);
create unique index disputes_open on disputes (org_id, agreement_id) where closed_at is null;
select kist_tenant('disputes');

create table holds (
  org_id integer not null,
  hold_id uuid not null,
  agreement_id uuid not null,
  kind text not null check (kind in ('hardship', 'holiday', 'medical', 'manual')),
  until_on date not null,
  note text not null default '',
  created_by uuid not null,
  created_at timestamptz not null,
  primary key (org_id, hold_id),
  foreign key (org_id, agreement_id) references agreements
);
create index holds_agreement on holds (org_id, agreement_id);
select kist_tenant('holds');

-- Everything the customer was told, with proof. One row for each message, whatever the channel.
create table notices (
  org_id integer not null,
  notice_id uuid not null,
  agreement_id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('reminder', 'notice', 'locked', 'unlocked', 'receipt', 'penal', 'alert')),
  no integer not null,
  due_on date not null,
  channel text not null check (channel in ('sms', 'phone')),
  language text not null,
  body text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  seen_at timestamptz,
  failed_at timestamptz,
  provider_ref text,
  command_id uuid,
  proof jsonb,
  primary key (org_id, notice_id),
  foreign key (org_id, agreement_id) references agreements
);
create unique index notices_once on notices (org_id, agreement_id, kind, no, due_on, channel);
create index notices_agreement on notices (org_id, agreement_id, created_at);
create unique index notices_provider on notices (org_id, provider_ref) where provider_ref is not null;
create index notices_command on notices (org_id, command_id) where command_id is not null;
select kist_tenant('notices');

-- From cure (the dues were cleared) to the phone's own word that it is free. The public second clock.
create table cures (
  org_id integer not null,
  cure_id uuid not null,
  agreement_id uuid not null,
  device_id uuid not null,
  payment_id uuid,
  cured_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (org_id, cure_id)
);
create index cures_open on cures (org_id, device_id) where confirmed_at is null;
select kist_tenant('cures');
