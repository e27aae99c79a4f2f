-- What an enrolment is signed under, the beginning of its code, is kept as a hash beside that of the whole: so who made a code up is known by one look at an
-- index, many of them together, before anything of the question is read. Codes made before, or by a process of the earlier version, have none and live a day;
-- while an organisation has one that has not run out, no name there is taken for nobody's.
-- A column that may be null is added without a look at the rows. The two indexes are built by one reading each of a million codes, some two seconds together,
-- in which no code is made or used.
alter table enrolment_tokens add column name_sha256 bytea;
create index enrolment_tokens_name on enrolment_tokens (org_id, name_sha256) where name_sha256 is not null;
create index enrolment_tokens_nameless on enrolment_tokens (org_id, expires_at) where name_sha256 is null and vendor is null;
create policy machine on enrolment_tokens for select to kist_device using (true);
grant select (org_id, name_sha256, vendor, expires_at) on enrolment_tokens to kist_device;
