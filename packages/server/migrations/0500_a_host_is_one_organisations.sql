-- A browser asks for a host in small letters whatever was typed, and so does the look-up here: two organisations that wrote one host in other letters stood under
-- one address, and the one of the smaller number answered there. From now on it is one organisation's in whatever letters.
-- A row an organisation, tens of them: the directory is held exclusively for a moment.
-- Of rows that collide the one that was served keeps the host, the one of the smallest number. The others were never reached by it: they stand without one, as
-- `kist org list` shows, are asked for by their short names as before, and are named in the database's own log.
do $$
declare gone record;
begin
  for gone in
    select d.org_id, d.host, first.org_id as kept_by from org_directory d
    join lateral (select o.org_id from org_directory o where lower(o.host) = lower(d.host) order by o.org_id limit 1) first on first.org_id <> d.org_id
    order by d.org_id
  loop
    raise warning 'organisation % had the host % of organisation % in other letters: it stands without one now', gone.org_id, gone.host, gone.kept_by;
    update org_directory set host = null where org_id = gone.org_id;
  end loop;
end $$;
update org_directory set host = lower(host) where host <> lower(host);
alter table org_directory drop constraint org_directory_host_key;
create unique index org_directory_host_any_letters on org_directory (lower(host));
