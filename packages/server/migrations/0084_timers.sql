-- Which tick of each timer was taken last, by whichever process: a row for each timer of the program, of no organisation.
-- A million customers change nothing here; every statement holds its locks for a moment.
create table timer_runs (
  name text primary key check (length(name) between 1 and 100),
  ticked_at timestamptz not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  failed_at timestamptz
);
grant select, insert, update on timer_runs to kist_app;

-- The queue that timers ran in before. Its jobs were timers only: nothing that anybody waits for is in it.
drop schema if exists jobs cascade;
