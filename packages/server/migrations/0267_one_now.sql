-- A transaction has one business now: what the clock was when it began. A demo's clock is moved while payments are under way, and one whose journal was of
-- one day and whose row of the next would stand wrongly for ever. So the offset counts its moves; whoever begins a transaction names the move that it saw
-- (`kist.clock`), and keeps that offset to its end. The name alone moves nothing: it counts for offsets that ended less than a minute before the transaction
-- began, which is as long as a move may be under way, and where the clock was never moved there are none.
-- A million agreements: one row of one table is read and given three columns; clock_offset is held exclusively for a moment.
alter table clock_offset
  add column moves integer not null default 0,
  add column moved_at timestamptz not null default '-infinity',
  -- Offsets of before by the number of the move that had made them: {seconds, until}.
  add column earlier jsonb not null default '{}';

create function clock_is_moved() returns trigger language plpgsql as $$
begin
  new.moves := old.moves + 1;
  new.moved_at := clock_timestamp();
  select jsonb_object_agg(no, was) into new.earlier from (
    select key as no, value as was from jsonb_each(old.earlier) where (value ->> 'until')::timestamptz > clock_timestamp() - interval '10 minutes'
    union all
    select old.moves::text, jsonb_build_object('seconds', extract(epoch from old.shift), 'until', clock_timestamp())) kept;
  -- Whoever moves it goes by the new one.
  perform set_config('kist.clock', new.moves::text, true);
  return new;
end $$;
create trigger clock_is_moved before update on clock_offset for each row execute function clock_is_moved();
alter table clock_offset enable always trigger clock_is_moved;

create or replace function kist_now() returns timestamptz language sql stable parallel safe as $$
  select now() + (
    select case when moved_at < now() - interval '1 minute' then shift
      else coalesce(make_interval(secs => (earlier -> current_setting('kist.clock', true) ->> 'seconds')::float8), shift) end
    from clock_offset)
$$;
