-- What phones with such an IMEI are called is learned from every phone that was ever registered, also once it was let go.
-- A million phones: one index, built in some seconds; devices is held against writing meanwhile.
create index devices_any_imei1 on devices (org_id, imei1) where imei1 is not null;
