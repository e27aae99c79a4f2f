-- The lease is kept unsigned and signed when it is handed out: 100,000 new leases are one statement, not 100,000 signatures.
-- Its number stands beside it, so that a check-in compares two integers. lock_changed_at: since when desired and reported may differ.
alter table device_desired
  add column lease_seq bigint not null default 0,
  add column lock_changed_at timestamptz not null default now();

-- Every check-in writes last_seen_at. An index on it would make each of those updates a new index entry instead of a heap-only one.
drop index device_reports_seen;
-- What the phone was last handed, so that a poll knows whether there is anything new without guessing from times.
alter table device_reports
  add column told_revision bigint not null default 0,
  add column told_lease_seq bigint not null default 0;

-- When the order was last handed to the phone: what was handed out long ago without a result is handed out again.
alter table commands
  add column asked_at timestamptz,
  -- When the reconciler last called the phone because of this order.
  add column nudged_at timestamptz;
create index commands_expiring on commands (org_id, expires_at) where state in ('QUEUED', 'SENT', 'DELIVERED');

-- Which token an enrolment came from: a phone whose answer was lost may ask again with the same token and the same key.
alter table enrolments add column token_hash bytea;

-- What a check-in changed and nobody has acted on yet. Written by the check-in's own statement, deleted in the transaction that
-- draws the consequences (a cure closed, a notice proven, a dispute opened): each is drawn once, whoever dies in between.
create table device_changes (
  org_id integer not null,
  change_id uuid not null,
  device_id uuid not null,
  at timestamptz not null,
  changes jsonb not null,
  primary key (org_id, change_id)
);
create index device_changes_at on device_changes (at);
-- update: for the row locks of those who draw the consequences
select kist_tenant('device_changes', 'select, update, delete');
select kist_machine('device_changes', 'select, insert');
