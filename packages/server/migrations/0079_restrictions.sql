-- What was taken from a phone's holder besides a lock level: apps, the camera, the wallpaper. One row for each switch and cause; it ends with its cause.
create table restrictions (
  org_id integer not null,
  device_id uuid not null,
  taken text not null check (taken in ('app_lock', 'camera_lock', 'wallpaper')),
  cause text not null check (cause in ('debt', 'theft', 'customer_request')),
  agreement_id uuid,
  reason text not null,
  verdict_id uuid not null,
  taken_at timestamptz not null,
  given_back_at timestamptz,
  primary key (org_id, device_id, taken, cause),
  foreign key (org_id, device_id) references devices
);
create index restrictions_held on restrictions (org_id, device_id) where given_back_at is null;
select kist_tenant('restrictions', 'select, insert, update');

-- Until now a shop took these without anybody asking whether it may: no row says why, so everything goes back. One organisation after the other,
-- because row-level security binds the owner too.
do $$
declare org integer;
begin
  for org in select org_id from org_directory loop
    perform set_config('kist.org_id', org::text, true);
    update device_desired set
      revision = revision + 1,
      document = document || '{"toggles": {"app_lock": false, "camera_lock": false, "wallpaper": false}, "wallpaper_text": null}',
      changed_at = kist_now()
    where org_id = org and document -> 'toggles' @> any (array['{"app_lock": true}', '{"camera_lock": true}', '{"wallpaper": true}']::jsonb[]);
  end loop;
  perform set_config('kist.org_id', '', true);
end $$;
