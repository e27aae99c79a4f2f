-- Who logs a device out from elsewhere takes its trust too, so a session knows which device it is on. Null where it named none that only it can know, and of
-- sessions of before: of those every device but the one in hand loses its trust.
-- A million sessions: no row is read or written; the table is held exclusively for a moment.
alter table sessions add column device_hash bytea;
grant update (device_hash) on sessions to kist_app;
