-- What a look at the histories found says where it looked, as a proof of the books does (0492): where a dump is restored elsewhere, what was changed on the way
-- would stand as looked at and found right. One from before says nothing and is not believed; the next night looks again. Which was the last is told by what only
-- rises there, not by a clock that may be put back; each is of when it is written, and stays.
-- A million agreements: columns come that are empty; audit_checks, a row or two of each night, is held exclusively for a moment.
alter table audit_checks add column cluster text, add column txid xid8;
alter table audit_checks alter column cluster set default kist_cluster(), alter column txid set default pg_current_xact_id();
drop index audit_checks_last;
create index audit_checks_last on audit_checks (org_id, cluster, txid desc);

create function audit_check_is_of_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if abs(extract(epoch from new.checked_at - kist_now())) > 300 or new.cluster is distinct from kist_cluster() or new.txid is distinct from pg_current_xact_id() then
    raise exception 'insert of audit_checks is refused: a check tells of now and here' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger audit_checks_are_of_now before insert on audit_checks for each row execute function audit_check_is_of_now();
create trigger audit_checks_stay before update or delete on audit_checks for each row execute function kist_refuse('what was written stays');
create trigger audit_checks_are_not_emptied before truncate on audit_checks for each statement execute function kist_refuse('what was written stays');
alter table audit_checks enable always trigger audit_checks_are_of_now;
alter table audit_checks enable always trigger audit_checks_stay;
alter table audit_checks enable always trigger audit_checks_are_not_emptied;
