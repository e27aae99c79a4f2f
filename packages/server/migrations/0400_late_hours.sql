-- The hours of a late unlock that count are reckoned in one place for every sum of them, as compensation.ts reckons one: beyond the minutes that were signed,
-- each that began whole, on moments as a program sees them, in milliseconds. A function alone: no row is read or written, whatever there is of them, and
-- nothing waits.
create function kist_late_hours(cured_at timestamptz, freed_at timestamptz, free_minutes integer) returns bigint language sql stable parallel safe
  as $$ select ceil(greatest(0, extract(epoch from date_trunc('milliseconds', freed_at) - date_trunc('milliseconds', cured_at)) - free_minutes * 60) / 3600)::bigint $$;
comment on function kist_late_hours is 'Started hours beyond what was signed, from the money to the phone''s own word that it is free; compensation.ts: compensation.';
