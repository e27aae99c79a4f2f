-- The provisioning code that is still good can be shown again (a page opened anew, a second counter) without killing it: sealed under the keys that
-- lie outside the database and bound to its phone, gone as soon as it is used or replaced. What enrols is still compared by its hash alone.
alter table enrolment_tokens add column sealed bytea;

-- Organisations of the specification's fixed list with a special flag. Which they are it does not show, so they are data of an installation.
alter table org_directory add column is_special boolean not null default false;
