-- A renewed link to a page of notices is made anew for a repeated request: of the reply only what it is made of is kept, as a kept link opens without an account.
-- A million kept replies are read once, some seconds, of which few go (a repeat of a request from before then renews once more); nothing waits but those.
alter table idempotency_keys no force row level security;
delete from idempotency_keys where reply ->> 'url' like '%/n/%';
alter table idempotency_keys force row level security;
