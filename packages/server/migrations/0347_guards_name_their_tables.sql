-- A guard looks for its tables in the catalogue and the product's schema before it looks among the tables of a session: until now whoever could make a
-- temporary table named `agreements` was believed by every guard that asks it. (That nobody can is seen to wherever the owner migrates.)
-- A million agreements: no row is read; no table is locked, functions are altered one after the other.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and l.lanname = 'plpgsql'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') loop
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', f);
  end loop;
end $$;

create or replace function kist_now() returns timestamptz language sql stable parallel safe as $$
  select now() + (
    select case when moved_at < now() - interval '1 minute' then shift
      else coalesce(make_interval(secs => (earlier -> current_setting('kist.clock', true) ->> 'seconds')::float8), shift) end
    from public.clock_offset)
$$;
