-- What somebody with the server's own account could still write: a shift of payments that nothing brought about (a row that is due made unpaid, one that is not
-- due paid in its stead), a refund that no task asks for, a late fee taken back for a payment of any earlier moment. A shift is of a payment that the same
-- transaction recorded, said yes to or took back, and of its agreement; a refund's journals are those of its task; a fee goes at the moment that takes it back.
-- A million agreements: nothing is read or written; journals and charges are held exclusively for a moment. Asked of such journals alone, by keys.
create function journal_has_its_cause() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare of_payment uuid;
begin
  if new.kind = 'payments_shifted' then
    if new.effect_key ~ '^shift:(recorded|reversed):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      of_payment := split_part(new.effect_key, ':', 3)::uuid;
    end if;
    if not exists (
      select from payments p join payment_moves m on m.org_id = p.org_id and m.payment_id = p.payment_id and m.moved_at = new.posted_at
      where p.org_id = new.org_id and p.payment_id = of_payment and p.agreement_id = new.ref_id
        and m.to_state = case split_part(new.effect_key, ':', 2) when 'recorded' then 'posted' else 'reversed' end
        and not exists (select from journal_lines l where l.org_id = new.org_id and l.journal_id = new.journal_id and l.agreement_id is distinct from p.agreement_id)) then
      raise exception 'journal % shifts payments, and no payment of its agreement was recorded or taken back with it', new.journal_id using errcode = 'check_violation';
    end if;
  elsif not exists (
    select from refund_tasks t where t.org_id = new.org_id and t.payment_id = new.ref_id
      and case new.kind
        when 'refund_owed' then new.effect_key = 'refund_owed:' || t.payment_id
        when 'refund_paid' then new.effect_key = 'refund_paid:' || t.payment_id and t.state = 'done'
        else t.state = 'void' and exists (
          select from journals o where o.org_id = new.org_id and o.journal_id = new.reverses_journal_id and o.effect_key = 'refund_owed:' || t.payment_id) end) then
    raise exception 'journal % is of a refund that no task asks for', new.journal_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger journal_has_its_cause after insert on journals deferrable initially deferred
  for each row when (new.kind in ('payments_shifted', 'refund_owed', 'refund_paid', 'refund_withdrawn')) execute function journal_has_its_cause();
alter table journals enable always trigger journal_has_its_cause;

create function charge_goes_now() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.taken_back_at := kist_now();
  return new;
end $$;
create trigger charges_go_now before update of taken_back_at on charges for each row when (old.taken_back_at is null and new.taken_back_at is not null)
  execute function charge_goes_now();
alter table charges enable always trigger charges_go_now;
