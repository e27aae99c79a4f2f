-- Penal charges of an organisation's agreements; null: it makes none. {"charge_paise", "grace_days", "every_days", "since_on"}: only
-- agreements delivered from `since_on` on, because a charge is disclosed before signing. The cap is the stamped lock policy's.
alter table organisations add column penal jsonb;

-- The owner's own word that a phone is lost, or that it shall be held: what theft and request locks stand on. A shop may note one too,
-- but the gate counts only the customer's.
create table protection_reports (
  org_id integer not null,
  report_id uuid not null,
  device_id uuid not null,
  kind text not null check (kind in ('theft', 'request')),
  reported_by text not null check (reported_by in ('customer', 'shop')),
  actor_user_id uuid not null,
  note text not null default '',
  reported_at timestamptz not null,
  closed_at timestamptz,
  primary key (org_id, report_id),
  foreign key (org_id, device_id) references devices
);
create unique index protection_reports_open on protection_reports (org_id, device_id, kind, reported_by) where closed_at is null;
select kist_tenant('protection_reports');

-- Which decision a lock stands on now.
alter table locks add column verdict_id uuid;

-- The daily run and the check of the invariants look for what is held, and for what was decided lately.
create index locks_held on locks (org_id, cause) where level > 0;
create index verdicts_recent on verdicts (org_id, decided_at) where revision is not null;
create index notices_waiting on notices (org_id, created_at) where sent_at is null and failed_at is null;
create index batches_recent on batches (org_id, created_at);
