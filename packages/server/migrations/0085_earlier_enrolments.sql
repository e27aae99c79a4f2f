-- A phone that enrols again ends its enrolment of before. Whoever holds that one's key may be the very phone that stands locked, while something else
-- took its place: it is still told what is given back. Which enrolment came after it; null for one that ended with the phone's release.
alter table enrolments add column replaced_by uuid;

-- One key, one phone at a time. Keys that stand for two live phones already, and rows written without it, have none.
alter table enrolments add column key_sha256 bytea;

-- Which enrolment stood when: a payment's end is confirmed by the one that it was made under. First, for what follows looks through it.
create index enrolments_device on enrolments (org_id, device_id, started_at);

-- A million enrolments are written once, some of them twice: about a minute in which phones wait to check in.
alter table enrolments no force row level security;
update enrolments e set replaced_by = (
  select n.enrolment_id from enrolments n where n.org_id = e.org_id and n.device_id = e.device_id and n.started_at >= e.ended_at and n.enrolment_id <> e.enrolment_id
  order by n.started_at limit 1)
where e.ended_at is not null;
update enrolments e set key_sha256 = sha256(e.public_key_spki)
from (select org_id, public_key_spki from enrolments where ended_at is null group by org_id, public_key_spki having count(*) = 1) once
where e.org_id = once.org_id and e.public_key_spki = once.public_key_spki and e.ended_at is null;
alter table enrolments force row level security;
create unique index enrolments_key on enrolments (org_id, key_sha256) where ended_at is null;
