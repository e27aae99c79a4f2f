-- A check of the books proves what was written up to a transaction, and transactions are counted by the cluster: where a dump is restored elsewhere, or into
-- another database, the numbers mean nothing, and what was changed on the way would be taken for seen. So a proof says where it was made. One from before says
-- nothing and is not believed: the next night looks at the whole once.
-- A million agreements: a column comes that is empty; book_checks is held exclusively for a moment.
create function kist_cluster() returns text language sql stable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select (select system_identifier from pg_control_system()) || ':' || (select oid from pg_database where datname = current_database())
$$;
comment on function kist_cluster() is 'Where transactions are counted: the cluster and the database in it, both of which a restored dump leaves behind.';
alter table book_checks add column cluster text;
alter table book_checks alter column cluster set default kist_cluster();
create or replace function check_proves_what_is_done() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if abs(extract(epoch from new.checked_at - kist_now())) > 300 or new.proved_up_to > pg_snapshot_xmax(pg_current_snapshot()) or new.cluster is distinct from kist_cluster() then
    raise exception 'insert of book_checks is refused: a check proves what is done' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
