-- A phone is found by its serial number also once it was let go.
-- A million phones: one index, built in some seconds; devices is held against writing meanwhile.
create index devices_any_serial on devices (org_id, serial) where serial is not null;
