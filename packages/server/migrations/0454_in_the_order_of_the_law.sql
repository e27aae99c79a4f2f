-- What somebody with the server's own account could still write: money laid on a row that is not due while an older one is owed (by a shift beside a payment of
-- one paisa, or by the payment itself), money of a running agreement put aside as if it were over, a journal of a kind that nobody reads, or one under another's
-- name so that the true one is taken for written, a payment taken back at another moment or without its note, a reference let go while its payment stands.
-- A million agreements: no row is read or written; journals and payments are held exclusively for a moment. A journal of a payment reads its agreement's rows once
-- more; the names of journals are asked once a statement.
create function rows_are_paid_in_order() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare off text;
begin
  -- Oldest first, in a row interest, principal, fee, and nothing ahead while something is owed. Of a version before what was paid stays where it went, whatever of
  -- it is taken back; an agreement that was cancelled owes nothing.
  select a.agreement_no into off
  from (select distinct l.agreement_id from journal_lines l where l.org_id = new.org_id and l.journal_id = new.journal_id and l.bucket is not null) moved
  join agreements a on a.org_id = new.org_id and a.agreement_id = moved.agreement_id and a.state <> 'cancelled'
  join lateral (
    select max(i.due_on) filter (where i.version = a.schedule_version and i.paid_principal_paise + i.paid_interest_paise + i.paid_fee_paise > 0) as paid_up_to,
      min(i.due_on) filter (where r.principal + r.interest + r.fee > 0) as owed_from,
      bool_or(i.version = a.schedule_version and (r.interest > 0 and i.paid_principal_paise + i.paid_fee_paise > 0 or r.principal > 0 and i.paid_fee_paise > 0)) as is_mixed_up
    from instalments i, lateral (select i.principal_paise - i.dropped_principal_paise - i.paid_principal_paise as principal,
      i.interest_paise - i.dropped_interest_paise - i.paid_interest_paise as interest, i.fee_paise - i.dropped_fee_paise - i.paid_fee_paise as fee) r
    where i.org_id = a.org_id and i.agreement_id = a.agreement_id) s on s.paid_up_to > s.owed_from or s.is_mixed_up or a.advance_paise > 0 and s.owed_from is not null
  limit 1;
  if off is not null then
    raise exception 'journal % lays money of % out of its order', new.journal_id, off using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger rows_are_paid_in_order after insert on journals deferrable initially deferred
  for each row when (new.kind in ('payment', 'payment_reversed', 'payments_shifted')) execute function rows_are_paid_in_order();
alter table journals enable always trigger rows_are_paid_in_order;

create function suspense_is_of_what_is_over() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id and a.state = 'active'
      and (a.outstanding_paise > 0 or exists (select from charges c where c.org_id = a.org_id and c.agreement_id = a.agreement_id
        and c.taken_back_at is null and c.amount_paise - c.waived_paise - c.paid_paise > 0))) then
    raise exception 'payment % is put aside, and its agreement owes something', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger suspense_is_of_what_is_over after insert or update of state on payments deferrable initially deferred
  for each row when (new.goes_to = 'suspense' and new.state = 'posted') execute function suspense_is_of_what_is_over();
alter table payments enable always trigger suspense_is_of_what_is_over;

-- Whether a journal bears a name of its kind. Of which payment or agreement it is its own guards ask. Keys are credited under whatever name their grant has; what two migrations gave to books of before is no kind of ours.
create function journal_is_named(kind text, effect_key text) returns boolean language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select case kind
    when 'payment' then effect_key like 'payment:%' when 'payment_reversed' then effect_key like 'reversal:payment:%'
    when 'payments_shifted' then effect_key like 'shift:%'
    when 'refund_owed' then effect_key like 'refund_owed:%' when 'refund_paid' then effect_key like 'refund_paid:%'
    when 'refund_withdrawn' then effect_key like 'reversal:refund_owed:%'
    when 'penal_charged' then effect_key like 'penal:%' when 'penal_taken_back' then effect_key like 'reversal:penal:%'
    when 'penal_waived' then effect_key like 'waiver:%' when 'waiver_taken_back' then effect_key like 'reversal:waiver:%'
    when 'agreement_opened' then effect_key like 'agreement:%' when 'agreement_cancelled' then effect_key like 'cancelled:%'
    when 'schedule_opened' then effect_key like 'version:%' and effect_key not like '%:taken_back'
    when 'schedule_taken_back' then effect_key like 'version:%:taken_back'
    when 'key_reserved' then effect_key like 'key:reserve:%' when 'key_spent' then effect_key like 'key:spend:%' when 'key_returned' then effect_key like 'key:void:%'
    when 'keys_credited' then effect_key !~ '^(payment|reversal|shift|refund_owed|refund_paid|penal|waiver|agreement|cancelled|version|key):'
    else false end
$$;
create function journals_are_named() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare odd journals;
begin
  select * into odd from added j where not journal_is_named(j.kind, j.effect_key) limit 1;
  if found then
    raise exception 'insert of journals is refused: % is no name of a journal of the kind %', odd.effect_key, odd.kind using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger journals_are_named after insert on journals referencing new table as added for each statement execute function journals_are_named();
alter table journals enable always trigger journals_are_named;

create function penalties_are_charged() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    select from added l join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id and j.kind = 'penal_charged'
      join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where case when l.debit > 0 then a.code <> 'receivable_penal' or l.charge_id is null else a.code <> 'income_penal' end) then
    raise exception 'insert of journal_lines is refused: a late fee is owed by who was late, and earned' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger penalties_are_charged after insert on journal_lines referencing new table as added for each statement execute function penalties_are_charged();
alter table journal_lines enable always trigger penalties_are_charged;

create function payment_goes_with_its_note() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from payments p join payment_moves m on m.org_id = p.org_id and m.payment_id = p.payment_id and m.to_state = 'reversed'
    where p.org_id = new.org_id and p.payment_id = new.payment_id and p.note_no is not null and p.reversed_at = m.moved_at and p.reversed_by = m.moved_by) then
    raise exception 'payment % is taken back without its note, or by another and at another moment than its move says', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger payment_goes_with_its_note after update on payments deferrable initially deferred
  for each row when (old.state <> 'reversed' and new.state = 'reversed') execute function payment_goes_with_its_note();
create trigger payments_reversals_stay before update of reversed_at, reversed_by, reverse_reason on payments for each row
  when (old.state = 'reversed') execute function kist_refuse('facts stay as they were written');
create trigger payments_references_are_held before update of held_reference on payments for each row
  when (old.held_reference is not null and new.state = 'posted') execute function kist_refuse('facts stay as they were written');
alter table payments enable always trigger payment_goes_with_its_note;
alter table payments enable always trigger payments_reversals_stay;
alter table payments enable always trigger payments_references_are_held;
