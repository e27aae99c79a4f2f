-- Whoever says no where it takes two may say why: it is kept with what was refused, and who asked reads it. It stays as it was said, with what it was said of;
-- words about somebody who was erased go.
-- A million of each: columns without a value. The checks look each table over once (a second for a million), which is held exclusively meanwhile.
alter table override_asks add column refusal_note text check (refusal_note is null or refusal_note <> '' and state = 'refused');
alter table batches add column refusal_note text check (refusal_note is null or refusal_note <> '' and stopped_for = 'NOT_APPROVED');
alter table waivers add column refusal_note text check (refusal_note is null or refusal_note <> '' and state = 'refused');
grant update (refusal_note) on override_asks to kist_app;
grant update (refusal_note) on batches to kist_app;
grant update (refusal_note) on waivers to kist_app;

-- That it is said once, with the no, the trigger of overrides says: 0563.

create function batch_refusal_stays() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.state <> 'waiting' then
    raise exception 'update of batches is refused: it is said with the no' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger batches_refusal_stays before update of refusal_note on batches for each row when (new.refusal_note is distinct from old.refusal_note)
  execute function batch_refusal_stays();
alter table batches enable always trigger batches_refusal_stays;

-- What the bell of who asked says of a no: each its own slice's.
create view override_refusals_view with (security_invoker = true) as
  select org_id, ask_id, refusal_note from override_asks where refusal_note is not null;
grant select on override_refusals_view to kist_app;
comment on view override_refusals_view is 'owner: locking';
create view batch_refusals_view with (security_invoker = true) as
  select org_id, batch_id, refusal_note from batches where refusal_note is not null;
grant select on batch_refusals_view to kist_app;
comment on view batch_refusals_view is 'owner: commands';
create view waiver_refusals_view with (security_invoker = true) as
  select org_id, waiver_id, refusal_note from waivers where refusal_note is not null;
grant select on waiver_refusals_view to kist_app;
comment on view waiver_refusals_view is 'owner: payments';
