-- A sale is no draft again: made one for the length of a transaction, its customer's number could be changed without the day that a new number waits. And a
-- policy holds what statements read out of it, or one row takes the lists of a shop down.
-- A million customers: a trigger, for which the table is held for a moment; lock_policies has some rows for each organisation, read through once.
create trigger sales_stay_sales before update of is_draft on customers for each row
  when (new.is_draft and not old.is_draft) execute function kist_refuse('a sale is no draft again');
alter table customers enable always trigger sales_stay_sales;

-- Whole numbers where statements take whole numbers (lock-policy.ts has all the bounds).
create function kist_policy_is_read(policy jsonb) returns boolean language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp
  as $$
    select coalesce(jsonb_typeof(policy -> 'notices') = 'array' and jsonb_typeof(policy -> 'steps') = 'array' and jsonb_typeof(policy -> 'reminderOffsetDays') = 'array', false)
      and coalesce(bool_and(jsonb_typeof(v) = 'number' and v::text ~ '^-?\d{1,9}$'), true)
      and coalesce(policy -> 'silentAfterDays' between to_jsonb(1) and to_jsonb(90), true)
    from (
      select policy #> path as v from (values ('{silentAfterDays}'::text[]), ('{cureWithinMinutes}'), ('{compensationPaisePerHour}'), ('{automaticHours,fromHour}'),
        ('{automaticHours,toHour}'), ('{tooLittle,paise}'), ('{tooLittle,bpsOfEmi}'),
        ('{penalCapBps}')) as p(path)
      union all select jsonb_path_query(policy, '$.notices[*].fromDpd') union all select jsonb_path_query(policy, '$.steps[*].fromDpd')
      union all select jsonb_path_query(policy, '$.steps[*].level') union all select jsonb_path_query(policy, '$.reminderOffsetDays[*]')
    ) f where v is not null
  $$;
alter table lock_policies add constraint lock_policies_are_read check (kist_policy_is_read(policy));
