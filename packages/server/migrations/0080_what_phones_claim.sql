-- What a phone says is a claim. Polls in a row at which it named the right revision and was not what that asks for (or named one that was never given),
-- the last such number, and events beyond the day's limit: counted, not kept.
alter table device_reports
  add column unfit_polls integer not null default 0,
  add column claimed_revision bigint not null default 0,
  add column events_dropped bigint not null default 0;

-- The day a phone's word came, by our clock; `at` is its own idea of when. What a phone may tell in a day is counted by it.
alter table device_events add column received_on date not null default (kist_now() at time zone 'utc')::date;
create index device_events_received on device_events (org_id, device_id, kind, received_on);
