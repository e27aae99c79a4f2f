-- A hold ends before its day where a person lifts it: once, with who and why; what was held stays written.
-- A million holds: three columns without a value, nothing is written anew; holds are held exclusively for a moment.
alter table holds
  add column lifted_at timestamptz,
  add column lifted_by uuid,
  add column lifted_note text not null default '' check (length(lifted_note) <= 500),
  add constraint holds_lifted check ((lifted_at is null) = (lifted_by is null));
grant update (lifted_at, lifted_by, lifted_note) on holds to kist_app;
create trigger holds_facts_stay before update of org_id, hold_id, agreement_id, kind, until_on, due_on, note, created_by, created_at on holds for each row
  execute function kist_refuse('facts stay as they were written');
create trigger holds_lift_once before update on holds for each row
  when (old.lifted_at is not null or new.lifted_at is null or new.lifted_by is null)
  execute function kist_refuse('it is lifted once, with who');
alter table holds enable always trigger holds_facts_stay;
alter table holds enable always trigger holds_lift_once;
