-- How many codes a shop, and all shops of an organisation, sent in a day that nobody used: looked up by this index each time one more is asked for.
-- A day's codes, some thousand rows: the index is built in a moment, under a lock against writing.
create index otps_counter on otps (org_id, asker, created_at) where lane = 'counter';
