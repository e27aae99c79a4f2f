-- Keys of a shop are counted in one order of accounts: two sales at once of one shop met in a circle where the plan of the moment took its two balances in another.
-- A million journals: no row is read or written; a function is replaced.
create or replace function key_balances_follow() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into key_balances (org_id, account_id, lot, keys)
  select l.org_id, l.account_id, l.lot, sum(l.debit - l.credit)::int
  from added l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
  where a.owner_kind = 'user' and a.unit like 'KEY:%' group by l.org_id, l.account_id, l.lot order by l.org_id, l.account_id, l.lot
  on conflict (org_id, account_id, lot) do update set keys = key_balances.keys + excluded.keys;
  return null;
end $$;
