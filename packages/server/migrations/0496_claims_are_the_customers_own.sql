-- A claim is of the customer whose agreement it is for, not of any customer; what waits for approval was brought in by who answers for the customer, and put
-- up for it by such a one. Nothing of ours writes the latter yet, and the database let anybody.
-- A million agreements: no row is read or written; payments and payment_moves are held exclusively for a moment. Asked of each row as it is written, by keys.
create or replace function claim_is_of_a_customer() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (
    select from agreements a join users u on u.org_id = a.org_id and u.user_id = new.recorded_by and u.user_type = 'customer'
    where a.org_id = new.org_id and a.agreement_id = new.agreement_id and a.customer_id = new.customer_id and (
      exists (select from customer_logins l where l.org_id = a.org_id and l.customer_id = a.customer_id and l.user_id = u.user_id)
      -- Whose number was changed while the claim was under way; as kist_is_there has it.
      or exists (select from number_changes n where n.org_id = a.org_id and n.customer_id = a.customer_id and n.login_user_id = u.user_id
        and n.changed_at between kist_now() - interval '2 minutes' and kist_now() + interval '2 minutes'))) then
    raise exception 'insert of payments is refused: who claims it is not this customer' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger payments_wait_for_approval_by_their_people after insert on payments for each row when (new.state = 'pending_approval')
  execute function row_is_of_its_people('recorded_by', '');
alter table payments enable always trigger payments_wait_for_approval_by_their_people;

-- Refused, or put up for approval, by who could have taken the money.
drop trigger payment_moves_are_refused_by_their_people on payment_moves;
create trigger payment_moves_are_of_their_people after insert on payment_moves for each row when (new.to_state in ('refused', 'pending_approval'))
  execute function claim_is_refused_by_its_people();
alter table payment_moves enable always trigger payment_moves_are_of_their_people;

create or replace function payment_stands_where_it_moved() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare stands text; who uuid; of_book boolean; led text; mover uuid;
begin
  select p.state, case p.state when 'claimed' then p.recorded_by when 'posted' then coalesce(p.posted_by, p.recorded_by) when 'reversed' then p.reversed_by end,
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
