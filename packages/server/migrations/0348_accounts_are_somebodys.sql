-- An account is of whom its code says, and holds what its code says: a till and the keys of a shop are a user's, everything else the organisation's. Keys move
-- between accounts of one shop, plan type and lot: until now an account named `keys_reserved` of nobody could give keys to any shop.
-- A million agreements: the accounts, some dozens for each shop, are read once for the check under a lock that lets reading and writing go on; `accounts` is
-- held exclusively for a moment before.
alter table accounts add constraint accounts_of_keys_are_a_users check (unit = 'INR' or unit ~ '^KEY:[0-9]{1,9}$'
  and case when code in ('keys_available', 'keys_reserved') then owner_kind = 'user' and owner_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    else code in ('keys_issued', 'keys_used') and owner_kind = 'organisation' end) not valid;
alter table accounts validate constraint accounts_of_keys_are_a_users;
-- Not of accounts from before: once those of money were an agreement's.
alter table accounts add constraint accounts_are_of_whom_the_code_says check (
  case when code in ('clearing_cash', 'clearing_upi', 'clearing_other', 'keys_available', 'keys_reserved')
    then owner_kind = 'user' and owner_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    else owner_kind = 'organisation' and owner_id = 'organisation' end
  and (code in ('keys_available', 'keys_reserved', 'keys_issued', 'keys_used')) = (unit <> 'INR')) not valid;

create or replace function keys_move_as_told() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare of record;
begin
  select j.kind, j.effect_key, a.code, a.owner_id, a.owner_kind, a.unit into of from journals j, accounts a
  where j.org_id = new.org_id and j.journal_id = new.journal_id and a.org_id = new.org_id and a.account_id = new.account_id;
  if (of.kind, of.code, new.debit > 0) not in (('keys_credited', 'keys_available', true), ('keys_credited', 'keys_issued', false),
      ('key_reserved', 'keys_reserved', true), ('key_reserved', 'keys_available', false), ('key_spent', 'keys_used', true), ('key_spent', 'keys_reserved', false),
      ('key_returned', 'keys_available', true), ('key_returned', 'keys_reserved', false)) then
    raise exception 'insert of journal_lines is refused: % does not move % that way', of.kind, of.code using errcode = 'restrict_violation';
  end if;
  if of.unit <> new.unit or exists (
    select from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where l.org_id = new.org_id and l.journal_id = new.journal_id
      and (l.unit <> new.unit
        or a.owner_kind = 'user' and of.owner_kind = 'user' and (a.owner_id <> of.owner_id or l.lot is distinct from new.lot))) then
    raise exception 'insert of journal_lines is refused: keys move within one shop and lot' using errcode = 'restrict_violation';
  end if;
  if of.kind = 'keys_credited' and of.code = 'keys_available' and not exists (
    select from key_grants g where g.org_id = new.org_id and g.effect_key = of.effect_key and g.user_id::text = of.owner_id
      and 'KEY:' || g.plan_type = new.unit and g.lot = new.lot
      and g.keys = (select sum(l.debit) from journal_lines l where l.org_id = new.org_id and l.journal_id = new.journal_id)) then
    raise exception 'insert of journal_lines is refused: keys come by a grant' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
