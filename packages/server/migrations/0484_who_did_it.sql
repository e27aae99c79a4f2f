-- Who did something is somebody. What the server's own account could still write: a claim refused, a schedule revised, a phone exchanged, an agreement given up, a
-- refund withdrawn or a waiver refused by an id that is nobody's; a payment of one person whose move tells of another; a late fee by hand of no one. Each is done
-- by who answers for the customer (0463), and where the command line does it, by the server itself, whose id is of noughts.
-- A million agreements: no row is read or written; a column comes that is empty, and the tables are held exclusively for a moment. Asked of each row as it is
-- written, by keys.
create function kist_acts_for(org integer, who uuid, agreement uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from agreements a where a.org_id = org and a.agreement_id = agreement and kist_answers_for(org, who, a.customer_id))
$$;

-- By person, column and whether the server itself may be named there; of the agreement of the row.
create function row_is_of_its_people() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare who uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  if (who = '00000000-0000-0000-0000-000000000000' and tg_argv[1] = 'or the server') is not true and not kist_acts_for(new.org_id, who, new.agreement_id) then
    raise exception '% of % is refused: who does it is nobody who answers for this customer', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger agreement_moves_are_of_their_people after insert on agreement_moves for each row execute function row_is_of_its_people('moved_by', 'or the server');
create trigger schedule_versions_are_of_their_people after insert on schedule_versions for each row execute function row_is_of_its_people('made_by', 'or the server');
create trigger phone_exchanges_are_of_their_people after insert on phone_exchanges for each row execute function row_is_of_its_people('made_by', 'or the server');
create trigger waivers_are_refused_by_their_people after insert or update on waivers for each row when (new.state = 'refused' and new.decided_by is distinct from new.asked_by)
  execute function row_is_of_its_people('decided_by', '');
create trigger refund_tasks_are_withdrawn_by_their_people after insert or update on refund_tasks for each row when (new.state = 'void')
  execute function row_is_of_its_people('closed_by', '');
alter table agreement_moves enable always trigger agreement_moves_are_of_their_people;
alter table schedule_versions enable always trigger schedule_versions_are_of_their_people;
alter table phone_exchanges enable always trigger phone_exchanges_are_of_their_people;
alter table waivers enable always trigger waivers_are_refused_by_their_people;
alter table refund_tasks enable always trigger refund_tasks_are_withdrawn_by_their_people;

-- Who charged a late fee by hand. Of those from before, the audit alone knows.
alter table charges add column charged_by uuid;
alter table charges add constraint charges_by_hand_are_somebodys check (charged_by is null or made_by = 'hand');
create trigger charges_by_hand_are_of_their_people after insert on charges for each row when (new.made_by = 'hand') execute function row_is_of_its_people('charged_by', '');
create trigger charges_charger_stays before update of charged_by on charges for each row execute function kist_refuse('facts stay as they were written');
alter table charges enable always trigger charges_by_hand_are_of_their_people;
alter table charges enable always trigger charges_charger_stays;

-- A claim is refused by who could have taken its money.
create function claim_is_refused_by_its_people() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from payments p where p.org_id = new.org_id and p.payment_id = new.payment_id and kist_answers_for(p.org_id, new.moved_by, p.customer_id)) then
    raise exception 'insert of payment_moves is refused: who does it is nobody who answers for this customer' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger payment_moves_are_refused_by_their_people after insert on payment_moves for each row when (new.to_state = 'refused') execute function claim_is_refused_by_its_people();
alter table payment_moves enable always trigger payment_moves_are_refused_by_their_people;

-- And a payment's move tells of who did it; of one out of a book (payment_is_of_a_book asks which that is) the command line brought it in.
create or replace function payment_stands_where_it_moved() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare stands text; who uuid; of_book boolean; led text; mover uuid;
begin
  select p.state, case p.state when 'posted' then coalesce(p.posted_by, p.recorded_by) when 'reversed' then p.reversed_by end,
      p.receipt_no !~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$', m.to_state, m.moved_by into stands, who, of_book, led, mover
    from payments p left join lateral (
      select * from payment_moves m where m.org_id = p.org_id and m.payment_id = p.payment_id order by m.no desc limit 1) m on true
    where p.org_id = new.org_id and p.payment_id = new.payment_id;
  if stands is distinct from led then
    raise exception 'payment % is %, and its last move led to %', new.payment_id, stands, coalesce(led, 'nothing') using errcode = 'restrict_violation';
  end if;
  if who <> mover and (of_book and mover = '00000000-0000-0000-0000-000000000000') is not true then
    raise exception 'payment % is refused: its move tells of another than did it', new.payment_id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- For the check of the books.
create or replace view payment_moves_view with (security_invoker = true) as select org_id, payment_id, no, to_state, moved_at, moved_by from payment_moves;
create or replace view agreement_moves_view with (security_invoker = true) as select org_id, agreement_id, no, to_state, moved_by from agreement_moves;
create or replace view phone_exchanges_view with (security_invoker = true) as
  select org_id, agreement_id, no, from_device_id, was_set_up, reason, made_at, made_by from phone_exchanges;
create or replace view schedule_versions_view with (security_invoker = true) as
  select v.org_id, v.agreement_id, v.version, v.principal_paise, v.interest_paise, v.fee_paise, v.dropped_interest_paise, v.dropped_fee_paise, v.effective_on, v.cause,
    v.made_at, v.before, v.after, exists (select from phone_exchanges x where x.org_id = v.org_id and x.agreement_id = v.agreement_id and x.was_set_up
      and x.txid = v.txid) as has_exchange, v.consent_otp_id, v.consent_hash, v.counted_principal_paise, v.counted_interest_paise, v.made_by
  from schedule_versions v;
