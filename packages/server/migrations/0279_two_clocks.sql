-- How long phones took to be free after the money is published: the cures of the last ninety days are found by when they were.
-- A million cures: the index is built by one reading; the table is held against writing meanwhile (some seconds).
create index cures_cured on cures (org_id, cured_at);
