-- What is overdue, once in SQL as `isOverdue` is in TypeScript: `test/shared-truths.test.ts` holds the one against the other. Its body is put into the
-- statements that call it before these are planned, so that an index on the day serves them as if the comparison stood there.
-- A million rows change nothing here: one row of the catalogue, no lock on any table of ours.
create function kist_is_overdue(due_on date, today date) returns boolean language sql immutable parallel safe
  as $$ select due_on < today $$;
comment on function kist_is_overdue is 'From the day after the due day; the due day itself is the customer''s to its end. dues.ts: isOverdue.';
