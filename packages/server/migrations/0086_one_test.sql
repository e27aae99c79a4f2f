-- When the phone first enrolled; `enrolled_at` moves with every time it enrols again, and the time in which a lock may be tried out must not.
alter table devices add column first_enrolled_at timestamptz;

-- The one try-out of the lock that an agreement has.
create table enrolment_tests (
  org_id integer not null,
  agreement_id uuid not null,
  device_id uuid not null,
  started_at timestamptz not null,
  primary key (org_id, agreement_id),
  foreign key (org_id, agreement_id) references agreements,
  foreign key (org_id, device_id) references devices
);
select kist_tenant('enrolment_tests', 'select, insert');

-- One organisation after the other, because row-level security binds the owner too.
do $$
declare org integer;
begin
  for org in select org_id from org_directory loop
    perform set_config('kist.org_id', org::text, true);
    update devices d set first_enrolled_at = coalesce(
      (select min(e.started_at) from enrolments e where e.org_id = org and e.device_id = d.device_id), d.enrolled_at) where d.org_id = org;
    insert into enrolment_tests (org_id, agreement_id, device_id, started_at)
      select org, v.agreement_id, v.device_id, min(v.decided_at) from verdicts v
      where v.org_id = org and v.allowed and v.rule = 'TEST_WINDOW' and v.revision is not null and v.agreement_id is not null
      group by v.agreement_id, v.device_id
    on conflict do nothing;
  end loop;
  perform set_config('kist.org_id', '', true);
end $$;
