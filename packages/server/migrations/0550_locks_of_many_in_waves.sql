-- owner: commands. A lock of many begins with a few (wave 1), and more locks than the hour has room for wait for a second person.
-- A million phones, as many batches as there were orders to many: columns that are nothing or a constant, no row is written anew. The checks are
-- widened, so what stands passes them: they are looked over once, a batch for each order to many.
alter table batches
  add column approved_by uuid,
  -- So many phones are locked before the others follow; 0: all at once.
  add column canary integer not null default 0 check (canary >= 0),
  add constraint batches_approved_by foreign key (org_id, approved_by) references users,
  drop constraint batches_state_check,
  drop constraint batches_stopped_for_check,
  add constraint batches_state_check check (state in ('waiting', 'asked', 'running', 'stopped', 'done')),
  add constraint batches_stopped_for_check check (stopped_for in ('CAP', 'FAILED', 'NOT_ALLOWED', 'FLEET_UNLOCK', 'ANOMALY', 'NOT_APPROVED')),
  -- Two people, whoever writes it.
  add constraint batches_second_person check (approved_by <> requested_by);
create index batches_waiting on batches (org_id) where state = 'waiting';
grant update (approved_by) on batches to kist_app;

create or replace function batch_goes_on() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (old.state, new.state) not in (('waiting', 'asked'), ('waiting', 'stopped'), ('asked', 'running'), ('asked', 'stopped'), ('running', 'stopped'),
      ('running', 'done'), ('asked', 'done')) then
    raise exception 'update of batches is refused: % does not follow %', new.state, old.state using errcode = 'restrict_violation';
  end if;
  -- A retailer of its own or the organisation: a mini-retailer is made by its retailer.
  if old.state = 'waiting' and new.state = 'asked' and not exists (
      select from users u where u.org_id = new.org_id and u.user_id = new.approved_by and u.is_active and u.user_type in ('retailer', 'admin')) then
    raise exception 'update of batches is refused: nobody has agreed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Parts of the first wave go at once; those of the second wait for the moment that is set when the first is over.
alter table batch_parts add column wave smallint not null default 1 check (wave in (1, 2));
