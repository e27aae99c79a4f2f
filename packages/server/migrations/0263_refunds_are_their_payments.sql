-- What a reviewer could still do as the account that serves: cancel an agreement and owe nothing back, book a refund that left no till, owe back a payment that
-- goes on paying dues. A refund is of its payment, of an agreement that is over, and each of its journals moves that money between the accounts of its name.
-- A million agreements: nothing is read or written; each of the two tables is held exclusively for a moment.

-- What one effect put on the credit side of an account; `owner` null: whosever.
create function credited_by(org integer, effect text, of_kind text, of_payment uuid, account text, owner text) returns bigint language sql stable as $$
  select coalesce(sum(l.credit - l.debit), 0)::bigint
  from journals j join journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
  where j.org_id = org and j.effect_key = effect and j.kind = of_kind and l.payment_id = of_payment and a.code = account and (owner is null or a.owner_id = owner)
$$;

create or replace function refund_is_booked() returns trigger language plpgsql as $$
declare
  paid record;
  till text := case new.method when 'CASH' then 'clearing_cash' when 'UPI' then 'clearing_upi' else 'clearing_other' end;
begin
  select p.agreement_id, p.customer_id, p.amount_paise, p.state, p.goes_to, a.state as agreement_state into paid
    from payments p join agreements a on a.org_id = p.org_id and a.agreement_id = p.agreement_id where p.org_id = new.org_id and p.payment_id = new.payment_id;
  if (new.agreement_id, new.customer_id, new.amount_paise) is distinct from (paid.agreement_id, paid.customer_id, paid.amount_paise) then
    raise exception 'the refund of % is not of its payment', new.payment_id using errcode = 'check_violation';
  end if;
  if paid.goes_to <> 'suspense' and paid.agreement_state <> 'cancelled' then
    raise exception 'the refund of % is of a payment that pays what is owed', new.payment_id using errcode = 'check_violation';
  end if;
  if (new.state = 'void') <> (paid.state = 'reversed') then
    raise exception 'the refund of % is %, its payment %', new.payment_id, new.state, paid.state using errcode = 'check_violation';
  end if;
  if not sum_is_booked(new.org_id, 'refund_owed:' || new.payment_id, new.amount_paise)
    or credited_by(new.org_id, 'refund_owed:' || new.payment_id, 'refund_owed', new.payment_id, 'refunds_payable', null) <> new.amount_paise then
    raise exception 'the refund of % is owed without its journal', new.payment_id using errcode = 'check_violation';
  end if;
  if new.state = 'done' and (not sum_is_booked(new.org_id, 'refund_paid:' || new.payment_id, new.amount_paise)
    or credited_by(new.org_id, 'refund_paid:' || new.payment_id, 'refund_paid', new.payment_id, 'refunds_payable', null) <> -new.amount_paise
    or credited_by(new.org_id, 'refund_paid:' || new.payment_id, 'refund_paid', new.payment_id, till, new.closed_by::text) <> new.amount_paise) then
    raise exception 'the refund of % is done without its journal', new.payment_id using errcode = 'check_violation';
  end if;
  if new.state = 'void' and not exists (select from journals j join journals r on r.org_id = j.org_id and r.reverses_journal_id = j.journal_id
      where j.org_id = new.org_id and j.effect_key = 'refund_owed:' || new.payment_id) then
    raise exception 'the refund of % is withdrawn without its journal', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
drop trigger refund_stands_with_its_journal on refund_tasks;
create constraint trigger refund_stands_with_its_journal after insert or update on refund_tasks deferrable initially deferred
  for each row execute function refund_is_booked();
alter table refund_tasks enable always trigger refund_stands_with_its_journal;

create or replace function agreement_is_cancelled_on_the_books() returns trigger language plpgsql as $$
begin
  if not exists (select from journals j where j.org_id = new.org_id and j.effect_key = 'cancelled:' || new.agreement_id and j.kind = 'agreement_cancelled') then
    raise exception 'agreement % is cancelled without its journal', new.agreement_id using errcode = 'check_violation';
  end if;
  if agreement_left_on_the_books(new.org_id, new.agreement_id) <> 0 then
    raise exception 'agreement % is cancelled, and something of it is left on the books', new.agreement_id using errcode = 'check_violation';
  end if;
  -- Each with a task of its own, which the trigger above holds against its journal.
  if exists (select from payments p where p.org_id = new.org_id and p.agreement_id = new.agreement_id and p.state = 'posted'
      and not exists (select from refund_tasks t where t.org_id = p.org_id and t.payment_id = p.payment_id)) then
    raise exception 'agreement % is cancelled, and a payment of it is not owed back', new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
