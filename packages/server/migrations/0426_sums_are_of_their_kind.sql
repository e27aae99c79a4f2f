-- A sum is booked by a journal of the kind that goes with it, on the account of its name. Until now a journal of the right name and sum was enough, whatever it
-- moved: the account that serves could say a key was spent that the same journal gave back, or book a key by a paisa between two lines of one account.
-- A million journals: no row is read or written; three functions are replaced.

-- What one effect of this kind put on the debit side of an account; `owner`, `agreement` null: whosever.
create function debited_by(org integer, effect text, of_kind text, account text, owner text, agreement uuid) returns bigint language sql stable as $$
  select coalesce(sum(l.debit - l.credit), 0)::bigint
  from public.journals j join public.journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id
  join public.accounts a on a.org_id = l.org_id and a.account_id = l.account_id
  where j.org_id = org and j.effect_key = effect and j.kind = of_kind and a.code = account
    and (owner is null or a.owner_id = owner) and (agreement is null or l.agreement_id = agreement)
$$;

-- wallet.ts: spend, giveBack, expire.
create or replace function key_is_settled_with_its_journal() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  is_spent boolean := new.state = 'posted';
  effect text := case when is_spent then 'key:spend:' else 'key:void:' end || new.customer_id || ':' || floor(extract(epoch from new.reserved_at) * 1000)::bigint;
begin
  if not exists (
    select from journals j where j.org_id = new.org_id and j.effect_key = effect and j.kind = case when is_spent then 'key_spent' else 'key_returned' end
      and (select sum(l.debit) = 1 and sum(l.credit) filter (where a.code = 'keys_reserved' and a.owner_id = new.user_id::text
          and l.unit = 'KEY:' || new.plan_type and l.lot = new.lot) = 1
        from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id where l.org_id = j.org_id and l.journal_id = j.journal_id)) then
    raise exception 'the key of % is % without its journal', new.customer_id, new.state using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function grant_is_booked() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not sum_is_booked(new.org_id, new.effect_key, new.keys)
    or debited_by(new.org_id, new.effect_key, 'keys_credited', 'keys_available', new.user_id::text, null) <> new.keys then
    raise exception 'the grant % has no journal', new.effect_key using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function version_is_what_its_rows_say() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare a record; r record; v record; name text := 'version:' || new.agreement_id || ':' || new.version;
begin
  select * into a from agreements g where g.org_id = new.org_id and g.agreement_id = new.agreement_id;
  select coalesce(sum(i.principal_paise) filter (where i.version = new.version), 0) as principal, coalesce(sum(i.interest_paise) filter (where i.version = new.version), 0) as interest,
    coalesce(sum(i.fee_paise) filter (where i.version = new.version), 0) as fee, sum(i.principal_paise - i.dropped_principal_paise) as financed,
    sum(i.interest_paise - i.dropped_interest_paise) as all_interest, sum(i.fee_paise - i.dropped_fee_paise) as all_fee,
    sum(i.dropped_principal_paise) as moved, sum(i.dropped_interest_paise) as dropped_interest, sum(i.dropped_fee_paise) as dropped_fee
    into r from instalments i where i.org_id = new.org_id and i.agreement_id = new.agreement_id;
  select sum(s.principal_paise) as moved, sum(s.dropped_interest_paise) as dropped_interest, sum(s.dropped_fee_paise) as dropped_fee
    into v from schedule_versions s where s.org_id = new.org_id and s.agreement_id = new.agreement_id;
  if a.schedule_version < new.version
    or (r.principal, r.interest, r.fee) is distinct from (new.principal_paise::numeric, new.interest_paise::numeric, new.fee_paise::numeric)
    or (r.financed, r.all_interest, r.all_fee) is distinct from (a.financed_paise::numeric, a.total_interest_paise::numeric, a.fee_paise::numeric)
    or (r.moved, r.dropped_interest, r.dropped_fee) is distinct from (v.moved, v.dropped_interest, v.dropped_fee)
    or debited_by(new.org_id, name, 'schedule_opened', 'receivable_interest', null, new.agreement_id) <> new.interest_paise
    or debited_by(new.org_id, name, 'schedule_opened', 'receivable_fee', null, new.agreement_id) <> new.fee_paise
    or debited_by(new.org_id, name || ':taken_back', 'schedule_taken_back', 'receivable_interest', null, new.agreement_id) <> -new.dropped_interest_paise
    or debited_by(new.org_id, name || ':taken_back', 'schedule_taken_back', 'receivable_fee', null, new.agreement_id) <> -new.dropped_fee_paise then
    raise exception 'version % of % is not what its rows and journals say', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
