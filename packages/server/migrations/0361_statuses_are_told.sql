-- What may follow on a customer's status stands in a table, and each change is told in a row: from where, to where, who, why and when, in the transaction that
-- makes it. 0 inactive, 1 install, 2 deactivate, 3 uninstall, 4 profile removed; 5 and 6 are reckoned from the agreement and stand nowhere.
-- A million customers: one new table, and a trigger that looks at what is written from now on; of before, the history of each customer tells. customers is
-- held exclusively for a moment.
create table customer_allowed_moves (
  from_status smallint not null,
  to_status smallint not null,
  -- Only with an exchange of the phone, by the same transaction.
  with_exchange boolean not null default false,
  primary key (from_status, to_status)
);
comment on table customer_allowed_moves is 'owner: customers';
grant select on customer_allowed_moves to kist_app;
insert into customer_allowed_moves (from_status, to_status, with_exchange) values
  (0, 1, false), (1, 2, false), (1, 3, false), (1, 4, false), (2, 1, false), (3, 0, false), (4, 1, false), (1, 0, true), (4, 0, true);
create trigger customer_allowed_moves_stay before insert or update or delete or truncate on customer_allowed_moves for each statement
  execute function kist_refuse('what may follow on what is changed by a migration');
alter table customer_allowed_moves enable always trigger customer_allowed_moves_stay;

create table customer_moves (
  org_id integer not null,
  customer_id uuid not null,
  no integer not null check (no >= 1),
  from_status smallint not null,
  to_status smallint not null,
  moved_by uuid not null,
  moved_at timestamptz not null,
  reason text not null check (btrim(reason) <> ''),
  txid xid8 not null default pg_current_xact_id(),
  primary key (org_id, customer_id, no),
  foreign key (org_id, customer_id) references customers
);
select kist_tenant('customer_moves', 'select, insert');
comment on table customer_moves is 'owner: customers';

-- A move begins where the customer stands, after the one before.
create function customer_move_follows() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare stands smallint; last_no integer; needs_exchange boolean;
begin
  select c.status into stands from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id;
  select coalesce(max(m.no), 0) into last_no from customer_moves m where m.org_id = new.org_id and m.customer_id = new.customer_id;
  select a.with_exchange into needs_exchange from customer_allowed_moves a where a.from_status = new.from_status and a.to_status = new.to_status;
  if needs_exchange is null or (new.no, new.from_status) is distinct from (last_no + 1, stands) or (needs_exchange and not exists (
    select from phone_exchanges x join agreements a on a.org_id = x.org_id and a.agreement_id = x.agreement_id
    where a.org_id = new.org_id and a.customer_id = new.customer_id and x.was_set_up and x.txid = pg_current_xact_id())) then
    raise exception 'insert of customer_moves is refused: status % does not follow %', new.to_status, stands using errcode = 'restrict_violation';
  end if;
  new.moved_at := kist_now();
  new.txid := pg_current_xact_id();
  return new;
end $$;
create trigger customer_moves_follow before insert on customer_moves for each row execute function customer_move_follows();
alter table customer_moves enable always trigger customer_moves_follow;
create trigger customer_moves_stay before update or delete on customer_moves for each row execute function kist_refuse('what was written stays');
create trigger customer_moves_are_not_emptied before truncate on customer_moves for each statement execute function kist_refuse('what was written stays');
alter table customer_moves enable always trigger customer_moves_stay;
alter table customer_moves enable always trigger customer_moves_are_not_emptied;

-- The status changes with its move and not otherwise, and each move with its status.
create or replace function customer_status_may_follow() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from customer_moves m where m.org_id = new.org_id and m.customer_id = new.customer_id and m.from_status = old.status
    and m.to_status = new.status and m.txid = pg_current_xact_id()
    and m.no = (select max(l.no) from customer_moves l where l.org_id = new.org_id and l.customer_id = new.customer_id)) then
    raise exception 'update of customers is refused: status % does not follow % without its move', new.status, old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create function customer_stands_where_moved() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (select c.status from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id) is distinct from (select m.to_status from customer_moves m
    where m.org_id = new.org_id and m.customer_id = new.customer_id order by m.no desc limit 1) then
    raise exception 'customer % stands elsewhere than the last move led', new.customer_id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger customer_moves_are_true after insert on customer_moves deferrable initially deferred for each row
  execute function customer_stands_where_moved();
alter table customer_moves enable always trigger customer_moves_are_true;
