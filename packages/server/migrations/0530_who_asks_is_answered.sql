-- Whoever asks for an account is answered by SMS, in the language in which they asked. Null of requests of before.
-- A million requests (an organisation has 500 open ones at most): no row is read or written; the table is held exclusively for a moment.
alter table signup_requests add column language text check (language in ('en', 'hn', 'mr', 'gj', 'sp', 'bd', 'kn', 'tg', 'tm', 'pp'));
