-- Which move of a customer's status costs a key is held by the database too: a phone that was uninstalled begins anew with a key set aside, and one that was let
-- go is taken back with a key that was spent since. Until now the services alone asked for them.
-- A million customers: no row is read or written but the nine of what may follow on what, which is held exclusively for a moment; a move to come looks up the
-- keys of its one customer.
alter table customer_allowed_moves add column with_key text check (with_key in ('set_aside', 'spent'));
alter table customer_allowed_moves disable trigger customer_allowed_moves_stay;
update customer_allowed_moves set with_key = 'set_aside' where (from_status, to_status) = (3, 0);
update customer_allowed_moves set with_key = 'spent' where (from_status, to_status) = (2, 1);
alter table customer_allowed_moves enable always trigger customer_allowed_moves_stay;

create or replace function customer_move_follows() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare stands smallint; last_no integer; last_at timestamptz; rule record;
begin
  select c.status into stands from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id;
  select coalesce(max(m.no), 0), max(m.moved_at) into last_no, last_at from customer_moves m where m.org_id = new.org_id and m.customer_id = new.customer_id;
  select a.with_exchange, a.with_key into rule from customer_allowed_moves a where a.from_status = new.from_status and a.to_status = new.to_status;
  if rule is null or (new.no, new.from_status) is distinct from (last_no + 1, stands) or (rule.with_exchange and not exists (
    select from phone_exchanges x join agreements a on a.org_id = x.org_id and a.agreement_id = x.agreement_id
    where a.org_id = new.org_id and a.customer_id = new.customer_id and x.was_set_up and x.txid = pg_current_xact_id())) then
    raise exception 'insert of customer_moves is refused: status % does not follow %', new.to_status, stands using errcode = 'restrict_violation';
  end if;
  if (rule.with_key = 'set_aside' and not exists (
      select from key_reservations k where k.org_id = new.org_id and k.customer_id = new.customer_id and k.state = 'reserved'))
    or (rule.with_key = 'spent' and not exists (
      select from key_reservations k where k.org_id = new.org_id and k.customer_id = new.customer_id and k.state = 'posted' and k.settled_at >= last_at)) then
    raise exception 'insert of customer_moves is refused: status % does not follow % without a new key', new.to_status, stands using errcode = 'restrict_violation';
  end if;
  new.moved_at := kist_now();
  new.txid := pg_current_xact_id();
  return new;
end $$;
