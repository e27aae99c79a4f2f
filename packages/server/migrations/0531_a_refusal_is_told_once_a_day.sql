-- Anybody can ask for an account with anybody's number, and each refusal was told to that number. A number hears of one at most once a day: a request that was
-- decided knows when its answer was promised. Null where none was, and of those of before.
-- A million requests (an organisation has 500 open ones at most): no row is written; the table is held exclusively for a moment, and read once for the index,
-- which begins empty.
alter table signup_requests add column told_at timestamptz;
grant update (told_at) on signup_requests to kist_app;
create index signup_requests_told on signup_requests (org_id, mobile, told_at) where told_at is not null and state = 'refused';
