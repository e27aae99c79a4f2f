-- What phones say is kept for 90 days; orders that locked nothing and verdicts that changed nothing for 400. Younger rows, and all that a lock ever stood
-- on, nobody deletes: neither the server nor the owner of the tables.
-- A million agreements: three indexes, some seconds each (events: ten a million); writes to these tables wait meanwhile, reads do not.
create index device_events_age on device_events (org_id, received_on);
create index commands_age on commands (org_id, created_at) where state in ('REFUSED', 'VERIFIED', 'EXPIRED', 'SUPERSEDED', 'CANCELLED', 'FAILED');
create index verdicts_without_change on verdicts (org_id, decided_at) where revision is null;

create function kist_today_utc() returns date language sql stable as $$ select (kist_now() at time zone 'utc')::date $$;

create trigger device_events_kept before delete on device_events for each row
  when (old.received_on >= kist_today_utc() - 90) execute function kist_refuse('events are kept for 90 days');
create trigger commands_kept before delete on commands for each row
  when (old.created_at >= kist_now() - interval '400 days'
    or old.state not in ('REFUSED', 'VERIFIED', 'EXPIRED', 'SUPERSEDED', 'CANCELLED', 'FAILED')
    or (old.type in ('lock', 'unlock') and old.state <> 'REFUSED'))
  execute function kist_refuse('orders are kept for 400 days, those of a lock for ever');
drop trigger verdicts_stay on verdicts;
create trigger verdicts_kept before delete on verdicts for each row
  when (old.revision is not null or old.decided_at >= kist_now() - interval '400 days')
  execute function kist_refuse('verdicts are kept for 400 days, those of a lock for ever');
alter table device_events enable always trigger device_events_kept;
alter table commands enable always trigger commands_kept;
alter table verdicts enable always trigger verdicts_kept;
grant delete on device_events, commands, verdicts to kist_app;
