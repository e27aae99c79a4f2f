-- The place of an instalment among those that stand, from 1, which people are shown: a schedule that was changed leaves numbers out. Null of one of which nothing
-- stands. rules/account.ts: placesOf.
-- A million agreements: a function, nothing is read or written and nothing is locked.
create function kist_instalment_place(org integer, agreement uuid, number integer) returns integer language sql stable parallel safe
  set search_path = pg_catalog, public, pg_temp
  as $$
    select nullif(count(*) filter (where i.no <= number), 0)::integer from instalments i
    where i.org_id = org and i.agreement_id = agreement
      and (i.superseded_by is null or i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise < i.principal_paise + i.interest_paise + i.fee_paise)
    having bool_or(i.no = number)
  $$;
comment on function kist_instalment_place is 'Place of an instalment among those that stand, from 1; rules/account.ts: placesOf.';
