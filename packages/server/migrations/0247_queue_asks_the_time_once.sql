-- owner: commands. Whatever is queued together is queued at one moment, and the clock is asked for it once: it was asked twice for each phone, a quarter of
-- what the queue cost a lock of many. Two functions are replaced; no row is read.
create or replace function queue_desired() returns trigger language plpgsql as $$
begin
  with at as materialized (select kist_now() as now)
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  select e.org_id, e.enrolment_id, e.device_id, e.vendor,
    case when new_row.lock_level < old_row.lock_level or (new_row.document ->> 'released')::boolean
        or (new_row.document -> 'toggles' <> old_row.document -> 'toggles'
          and exists (select from jsonb_each(old_row.document -> 'toggles') t where t.value = 'true' and new_row.document -> 'toggles' -> t.key = 'false')) then 0
      when new_row.lock_level > old_row.lock_level or new_row.document -> 'toggles' <> old_row.document -> 'toggles' then 2
      else 1 end,
    at.now, at.now
  from new_row join old_row using (org_id, device_id)
  join enrolments e on e.org_id = new_row.org_id and e.device_id = new_row.device_id and e.ended_at is null and e.in_charge
  cross join at
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, attempts = 0, why = null,
    priority = case when d.next_at is null or excluded.priority <> 1 then excluded.priority else least(d.priority, 1) end;
  return null;
end $$;

create or replace function queue_orders() returns trigger language plpgsql as $$
begin
  with at as materialized (select kist_now() as now)
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  select distinct on (e.org_id, e.enrolment_id) e.org_id, e.enrolment_id, e.device_id, e.vendor, 1, at.now, at.now
  from new_row join enrolments e on e.org_id = new_row.org_id and e.device_id = new_row.device_id and e.ended_at is null
    and (e.in_charge or not exists (select from enrolments g where g.org_id = e.org_id and g.device_id = e.device_id and g.ended_at is null and g.in_charge
      and g.vendor = 'android-agent'))
  cross join at
  where not new_row.is_state and new_row.state = 'QUEUED'
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, attempts = 0, why = null,
    priority = case when d.next_at is null then 1 else least(d.priority, 1) end;
  return null;
end $$;
