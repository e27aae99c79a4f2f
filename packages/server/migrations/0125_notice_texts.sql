-- Which registered text a message is; null for those written before texts had ids.
-- A column without a default: notices are held exclusively for a moment, whatever their number, and no row is touched.
alter table notices add column template_id text;
