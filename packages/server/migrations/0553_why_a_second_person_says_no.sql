-- Whoever says no where it takes two may say why: it is kept with what was refused, and who asked reads it. It stays as it was said, with what it was said of;
-- words about somebody who was erased go.
-- A million of each: columns without a value. The checks look each table over once (a second for a million), which is held exclusively meanwhile.
alter table override_asks add column refusal_note text check (refusal_note is null or refusal_note <> '' and state = 'refused');
alter table batches add column refusal_note text check (refusal_note is null or refusal_note <> '' and stopped_for = 'NOT_APPROVED');
alter table waivers add column refusal_note text check (refusal_note is null or refusal_note <> '' and state = 'refused');
grant update (refusal_note) on override_asks to kist_app;
grant update (refusal_note) on batches to kist_app;
grant update (refusal_note) on waivers to kist_app;

create or replace function override_ask_is_of_two() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    new.asked_at := kist_now();
    new.ends_at := kist_now() + interval '1 day';
    if new.state <> 'asked' or not kist_may_lock(new.org_id, new.asked_by) then
      raise exception 'insert of override_asks is refused: who asks may not lock, or it is decided already' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if new.state = old.state then
    -- The words of somebody who was erased.
    if (new.decided_by, new.decided_at) is distinct from (old.decided_by, old.decided_at) or new.note not in (old.note, '—')
      or new.refusal_note is distinct from old.refusal_note and (old.refusal_note is not null and new.refusal_note = '—') is not true then
      raise exception 'update of override_asks is refused: facts stay as they were written' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  new.decided_at := kist_now();
  -- It ends when its day is over, and before where who asked may not lock any more or has nothing to do with the phone.
  if old.state <> 'asked' or new.note <> old.note or (new.state <> 'ended' and old.ends_at <= kist_now()) then
    raise exception 'update of override_asks is refused: % does not follow on % now', new.state, old.state using errcode = 'restrict_violation';
  end if;
  if new.state <> 'ended' and not kist_may_lock(new.org_id, new.decided_by) then
    raise exception 'update of override_asks is refused: who decides it may not lock' using errcode = 'restrict_violation';
  end if;
  -- Two who may lock, of whom the second answers for a shop of its own or the organisation: a mini-retailer is made by its retailer.
  if new.state = 'agreed' and not (kist_may_lock(new.org_id, new.asked_by)
      and exists (select from users u where u.org_id = new.org_id and u.user_id = new.decided_by and u.user_type in ('retailer', 'admin'))) then
    raise exception 'update of override_asks is refused: it takes two' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

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
