-- A running agreement that is cancelled leaves nothing on the books: what was still owed is taken back by a journal of its own, and what was paid is owed back,
-- payment by payment. Asked when the transaction ends, so that it does not matter which is written first; nothing leads back from there (0105).
-- A million agreements: nothing is read or written; each of the two tables is held exclusively for a moment.
create function agreement_left_on_the_books(org integer, agreement uuid) returns bigint language sql stable as $$
  -- Of every account of an agreement but tills, keys and what is owed back; a late fee that was waived stands on two sides.
  select coalesce(sum(abs(paise)), 0)::bigint from (
    select case when a.code in ('income_penal', 'waivers') then 'penal' else a.code end as code, sum(l.debit - l.credit) as paise
    from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where l.org_id = org and l.agreement_id = agreement and a.unit = 'INR' and a.code not like 'clearing\_%' and a.code <> 'refunds_payable'
    group by 1) x
$$;
create function agreement_is_cancelled_on_the_books() returns trigger language plpgsql as $$
begin
  if not exists (select from journals j where j.org_id = new.org_id and j.effect_key = 'cancelled:' || new.agreement_id and j.kind = 'agreement_cancelled') then
    raise exception 'agreement % is cancelled without its journal', new.agreement_id using errcode = 'check_violation';
  end if;
  if agreement_left_on_the_books(new.org_id, new.agreement_id) <> 0 then
    raise exception 'agreement % is cancelled, and something of it is left on the books', new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger agreement_is_cancelled_with_its_journal after update on agreements deferrable initially deferred for each row
  when (old.state = 'active' and new.state = 'cancelled') execute function agreement_is_cancelled_on_the_books();
alter table agreements enable always trigger agreement_is_cancelled_with_its_journal;
