-- owner: commands. `attempts` of a delivery counted two things, and a question that was answered well made the pause after a later trouble longer. Now `tries` is
-- how often what is carried now was taken, by which a vendor is told anew what it lost, and `troubles` how often in a row it came to nothing, by which pauses
-- grow. Some ten bytes a channel: a column with a constant, no row is written; the rename holds the table for a moment. Three functions are replaced.
alter table deliveries rename column attempts to tries;
alter table deliveries add column troubles smallint not null default 0;
grant update (troubles) on deliveries to kist_app;

create or replace function queue_desired() returns trigger language plpgsql
  set enable_nestloop = off
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  with at as materialized (
    select kist_now() as now
  ), changed as materialized (
    select new_row.org_id, new_row.device_id,
      case when new_row.lock_level < old_row.lock_level or (new_row.document ->> 'released')::boolean
          or (new_row.document -> 'toggles' <> old_row.document -> 'toggles'
            and exists (select from jsonb_each(old_row.document -> 'toggles') t where t.value = 'true' and new_row.document -> 'toggles' -> t.key = 'false')) then 0
        when new_row.lock_level > old_row.lock_level or new_row.document -> 'toggles' <> old_row.document -> 'toggles' then 2
        else 1 end as priority
    from new_row join old_row using (org_id, device_id)
  )
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  select e.org_id, e.enrolment_id, c.device_id, e.vendor, c.priority, at.now, at.now
  -- For each its own look-up, by the index, which is no join that could be another.
  from changed c cross join lateral (
    select o.org_id, o.enrolment_id, o.vendor from enrolments o
    where o.org_id = c.org_id and o.device_id = c.device_id and o.ended_at is null and o.in_charge offset 0
  ) e cross join at
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, tries = 0, troubles = 0, why = null,
    priority = case when d.next_at is null or excluded.priority <> 1 then excluded.priority else least(d.priority, 1) end;
  return null;
end $$;

create or replace function queue_orders() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  with at as materialized (select kist_now() as now)
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  select distinct on (e.org_id, e.enrolment_id) e.org_id, e.enrolment_id, e.device_id, e.vendor, 1, at.now, at.now
  from new_row join enrolments e on e.org_id = new_row.org_id and e.device_id = new_row.device_id and e.ended_at is null
    and (e.in_charge or not exists (select from enrolments g where g.org_id = e.org_id and g.device_id = e.device_id and g.ended_at is null and g.in_charge
      and g.vendor = 'android-agent'))
  cross join at
  where not new_row.is_state and new_row.state = 'QUEUED'
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, tries = 0, troubles = 0, why = null,
    priority = case when d.next_at is null then 1 else least(d.priority, 1) end;
  return null;
end $$;

create or replace function queue_channel() returns trigger language plpgsql
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  values (new.org_id, new.enrolment_id, new.device_id, new.vendor, 1, kist_now(), kist_now())
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, tries = 0, troubles = 0, why = null,
    priority = 1;
  return null;
end $$;
