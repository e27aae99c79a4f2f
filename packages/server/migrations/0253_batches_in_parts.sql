-- owner: commands. An order to many phones is carried out in parts, each a short transaction of its own, by whichever process takes it.
-- A million phones, as many batches as there were orders to many: four columns with constants or nothing, no row is written anew; `batches` is held
-- exclusively for a moment, its indexes are built over its few rows. What stood there was done when it was written.
alter table batches
  add column state text not null default 'done' check (state in ('asked', 'running', 'stopped', 'done')),
  add column stopped_for text check (stopped_for in ('CAP', 'FAILED', 'NOT_ALLOWED', 'FLEET_UNLOCK')),
  -- As the audit keeps who asked: sessions end before orders do.
  add column actor jsonb not null default '{}',
  -- How many locks of its hour it may use; null: the asker's access knows no cap.
  add column room integer check (room >= 0),
  add constraint batches_stopped check ((state = 'stopped') = (stopped_for is not null));
create index batches_unfinished on batches (org_id) where state in ('asked', 'running');
-- What the hour's cap counts, asked under the lock that orders to many wait for; those of before have no end and are found by when they were written.
create index batches_ended on batches (org_id, finished_at) where finished_at is not null;
-- What is done or stopped stays so.
create function batch_goes_on() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (('asked', 'running'), ('asked', 'stopped'), ('running', 'stopped'), ('running', 'done'), ('asked', 'done')) then
    raise exception 'update of batches is refused: % does not follow %', new.state, old.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger batches_go_on before update of state on batches for each row when (new.state <> old.state) execute function batch_goes_on();
alter table batches enable always trigger batches_go_on;
grant update (state, stopped_for, finished_at, allowed, refused) on batches to kist_app;
-- Which organisations have something to carry out is asked without one.
select kist_machine('batches', 'select');

-- The phones of a batch, a few hundred to a part: written with the order, emptied by the transaction that carries the part out. Of what was refused it
-- keeps whose phone and why.
create table batch_parts (
  org_id integer not null,
  batch_id uuid not null,
  no integer not null,
  customer_ids uuid[] not null,
  tries smallint not null default 0,
  next_at timestamptz not null default now(),
  done_at timestamptz,
  allowed integer not null default 0,
  refused integer not null default 0,
  refusals jsonb not null default '[]',
  primary key (org_id, batch_id, no),
  foreign key (org_id, batch_id) references batches
);
comment on table batch_parts is 'owner: commands';
create index batch_parts_open on batch_parts (org_id, batch_id, no) where done_at is null;
select kist_tenant('batch_parts', 'select, insert');
grant update (customer_ids, tries, next_at, done_at, allowed, refused, refusals) on batch_parts to kist_app;

-- The ids of a part, of which the planner is told about how many there are: of an array that it cannot see it takes them for ten, and joins the facts of
-- hundreds of phones each with each; seen, they are planned anew for each part.
create function kist_part(ids uuid[]) returns setof uuid language plpgsql immutable parallel safe rows 100 as $$
begin
  return query select unnest(ids);
end $$;
