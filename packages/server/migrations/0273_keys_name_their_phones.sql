-- owner: devices. A phone asks under the name of its key, `<org>.<SHA-256 of it>`, and its channel is found by it: a live one by enrolments_key, one that its
-- phone's next took the place of by this. A million enrolments, most of them live: the index holds those that ended, writes wait some seconds.
create index enrolments_key_earlier on enrolments (org_id, key_sha256, ended_at) where ended_at is not null and replaced_by is not null;
