-- owner: devices. A phone may have several channels, one of a vendor; one of them is in charge of what it is held to, the others stand beside it.
-- A million enrolments: a column with a constant, nothing is written anew; three indexes over the live ones while writes wait, some seconds.
-- `charged_at`: since when, of one that stood beside another before; null: since it began.
alter table enrolments add column in_charge boolean not null default true, add column charged_at timestamptz;
create unique index enrolments_in_charge on enrolments (org_id, device_id) where ended_at is null and in_charge;
create unique index enrolments_of_vendor on enrolments (org_id, device_id, vendor) where ended_at is null;
drop index enrolments_live;

create or replace view channels_view with (security_invoker = true) as
  select e.org_id, e.enrolment_id, e.device_id, e.vendor, e.handle, e.ended_at, v.provisioning_type, w.revision as desired_revision, w.document,
    r.revision as reported_revision, r.unfit_polls, e.in_charge
  from enrolments e
  join devices v on v.org_id = e.org_id and v.device_id = e.device_id
  join device_desired w on w.org_id = e.org_id and w.device_id = e.device_id
  join device_reports r on r.org_id = e.org_id and r.device_id = e.device_id;

-- What a phone shall be goes to the channel in charge alone.
create or replace function queue_desired() returns trigger language plpgsql as $$
begin
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
  cross join (select kist_now() as now) at
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, attempts = 0, why = null,
    priority = case when d.next_at is null or excluded.priority <> 1 then excluded.priority else least(d.priority, 1) end;
  return null;
end $$;

-- A question goes to the channel in charge; to one beside it too, unless our own agent is in charge, which answers every question itself.
create or replace function queue_orders() returns trigger language plpgsql as $$
begin
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  select distinct on (e.org_id, e.enrolment_id) e.org_id, e.enrolment_id, e.device_id, e.vendor, 1, at.now, at.now
  from new_row join enrolments e on e.org_id = new_row.org_id and e.device_id = new_row.device_id and e.ended_at is null
    and (e.in_charge or not exists (select from enrolments g where g.org_id = e.org_id and g.device_id = e.device_id and g.ended_at is null and g.in_charge
      and g.vendor = 'android-agent'))
  cross join (select kist_now() as now) at
  where not new_row.is_state and new_row.state = 'QUEUED'
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, attempts = 0, why = null,
    priority = case when d.next_at is null then 1 else least(d.priority, 1) end;
  return null;
end $$;

-- A channel that begins, or takes charge, is owed what its phone shall be already.
create or replace function queue_channel() returns trigger language plpgsql as $$
begin
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  values (new.org_id, new.enrolment_id, new.device_id, new.vendor, 1, kist_now(), kist_now())
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, attempts = 0, why = null,
    priority = 1;
  return null;
end $$;
drop trigger enrolments_queued on enrolments;
create trigger enrolments_queued after insert on enrolments for each row when (new.vendor <> 'android-agent' and new.in_charge) execute function queue_channel();
create trigger enrolments_took_charge after update of in_charge on enrolments for each row
  when (new.in_charge and not old.in_charge and new.ended_at is null) execute function queue_channel();
