-- Which check of the books was the last one: by how far it had seen two may be even, while a transaction elsewhere in the cluster stays open, and by the clock the
-- later may be the earlier, once it was put back. Then a night looked at the wrong seventh, or did not see that the night before had found something. Each check
-- is noted in a transaction of its own, and those are counted. Of checks from before only the newest could be asked for, by how far it had seen.
-- A million agreements: book_checks has a row a night; it is held exclusively for a moment.
alter table book_checks add column noted_in xid8;
create or replace function check_proves_what_is_done() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if abs(extract(epoch from new.checked_at - kist_now())) > 300 or new.proved_up_to > pg_snapshot_xmax(pg_current_snapshot()) or new.cluster is distinct from kist_cluster() then
    raise exception 'insert of book_checks is refused: a check proves what is done' using errcode = 'restrict_violation';
  end if;
  new.noted_in := pg_current_xact_id();
  return new;
end $$;
