-- owner: commands. An unlock that waited at a vendor lost its place to the next reminder: level 4 to 1 waits with priority 0, and 1 to 2 made it a lock, behind the
-- day's locks, and not tried again once refused. What the phone shall be is now held against what its vendor was last given, and what takes nothing leaves what
-- waits to be given back where it stands. One function is replaced, no row is written and no table held; of a phone whose vendor holds it, and of an unlock that
-- waits, the one row of what it shall be is read by its key.
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
    priority = case
      -- Its vendor holds it tighter than it shall be: this gives back, whatever it shall be was meanwhile.
      when d.level > 0 and d.level > (select w.lock_level from device_desired w where w.org_id = d.org_id and w.device_id = d.device_id) then 0
      when d.next_at is null then excluded.priority
      when excluded.priority = 1 then least(d.priority, 1)
      -- What takes nothing is no lock: what waits to be given back is not put behind any by it.
      when d.priority = 0 and (select w.lock_level < 3 and not exists (select from jsonb_each(w.document -> 'toggles') t where t.value = 'true')
        from device_desired w where w.org_id = d.org_id and w.device_id = d.device_id) then 0
      else excluded.priority end;
  return null;
end $$;
