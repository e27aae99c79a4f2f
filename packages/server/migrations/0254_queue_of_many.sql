-- owner: commands. What is queued together is joined by hash: of the rows of one statement the planner knew so little that it held each old row against
-- each new one, which for 200 phones at once took longer than all the rest of their update. One function is replaced; no row is read.
create or replace function queue_desired() returns trigger language plpgsql set enable_nestloop = off as $$
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
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, attempts = 0, why = null,
    priority = case when d.next_at is null or excluded.priority <> 1 then excluded.priority else least(d.priority, 1) end;
  return null;
end $$;
