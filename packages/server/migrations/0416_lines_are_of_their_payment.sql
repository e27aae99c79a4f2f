-- What a line says of a payment, a till, an account or an agreement is so: until now a claim that nobody received could pay a debt, an account of one's own name take
-- the other side, an opening journal empty a till, and an agreement that is not there hide all of it from every check.
-- A million journals: `accounts` is read once under a short lock for its constraint; no line is read or written; one function is replaced, one trigger comes.

-- chart.ts
alter table accounts add constraint accounts_code_of_the_chart check (code in (
  'receivable_principal', 'receivable_interest', 'receivable_fee', 'receivable_penal', 'advance', 'clearing_cash', 'clearing_upi', 'clearing_other', 'suspense',
  'refunds_payable', 'sales', 'unearned_interest', 'unearned_fee', 'income_interest', 'income_fee', 'income_penal', 'waivers', 'keys_available', 'keys_reserved',
  'keys_issued', 'keys_used'));

create or replace function lines_come_with_their_journal() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    select from (select org_id, journal_id, count(*) as n from added group by org_id, journal_id) a
      left join journals j on j.org_id = a.org_id and j.journal_id = a.journal_id
    where j.txid is distinct from pg_current_xact_id()
      or (select count(*) from journal_lines l where l.org_id = a.org_id and l.journal_id = a.journal_id) <> a.n) then
    raise exception 'insert of journal_lines is refused: a line comes with its journal' using errcode = 'restrict_violation';
  end if;
  if exists (
    select from added l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id and a.code in ('clearing_cash', 'clearing_upi', 'clearing_other')
      join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id
    where not (j.kind in ('payment', 'payment_reversed', 'refund_paid') and l.payment_id is not null)) then
    raise exception 'insert of journal_lines is refused: a till moves by a payment or a refund' using errcode = 'restrict_violation';
  end if;
  if exists (
    select from added l join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id
    where l.payment_id is not null and j.kind not in ('payment', 'payment_reversed', 'payments_shifted', 'refund_owed', 'refund_paid', 'refund_withdrawn')) then
    raise exception 'insert of journal_lines is refused: a payment moves by a journal of payments' using errcode = 'restrict_violation';
  end if;
  if exists (
    select from (select distinct org_id, agreement_id from added where agreement_id is not null) l
    where not exists (select from agreements a where a.org_id = l.org_id and a.agreement_id = l.agreement_id)) then
    raise exception 'insert of journal_lines is refused: there is no such agreement' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- At commit all lines of a payment say that it stands, or was taken back, to the paisa and in the till of who took it; what is owed back of it is told by the refund's own guards.
create function payment_is_what_its_lines_say() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare off text;
begin
  select o.payment_id::text into off
  from (select l.payment_id, array_agg(distinct l.agreement_id) as agreements from journal_lines l
    where l.org_id = new.org_id and l.journal_id = new.journal_id and l.payment_id is not null group by l.payment_id) o
  left join payments p on p.org_id = new.org_id and p.payment_id = o.payment_id
  left join lateral (
    select coalesce(sum(l.debit - l.credit) filter (where a.code like 'clearing\_%'), 0)::bigint as till,
      coalesce(sum(l.debit - l.credit) filter (where a.code like 'clearing\_%'
        and (a.owner_id = coalesce(p.posted_by, p.recorded_by)::text or p.recorded_at <= kist_tills_since())), 0)::bigint as own_till,
      coalesce(sum(l.credit - l.debit) filter (where case p.goes_to when 'dues' then l.bucket is not null when 'suspense' then a.code = 'suspense' else a.code = 'sales' end), 0)::bigint as parts
    from journal_lines l join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where l.org_id = p.org_id and l.agreement_id = p.agreement_id and l.payment_id = p.payment_id and j.kind not like 'refund\_%') s on true
  cross join lateral (select case p.state when 'posted' then p.amount_paise when 'reversed' then 0 end as due) d
  where o.agreements is distinct from array[p.agreement_id] or d.due is null or (s.till, s.own_till, s.parts) is distinct from (d.due, d.due, d.due)
    or (new.kind in ('payment', 'refund_owed', 'refund_paid') and new.effect_key <> new.kind || ':' || o.payment_id)
  limit 1;
  if off is not null then
    raise exception 'the lines of payment % are not what it says', off using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger payment_is_what_its_lines_say after insert on journals deferrable initially deferred for each row
  when (new.kind in ('payment', 'payment_reversed', 'payments_shifted', 'refund_owed', 'refund_paid', 'refund_withdrawn'))
  execute function payment_is_what_its_lines_say();
alter table journals enable always trigger payment_is_what_its_lines_say;
