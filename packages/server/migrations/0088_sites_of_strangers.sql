-- Where a code was asked for, as wide as one subscriber can be: half of what strangers have of codes about a mobile is the most for one such site.
-- Rows live for a day; those of before have none and count for no site. Takes its lock for a moment: a nullable column without a default.
alter table otps add column site bytea;
