-- Customers pass from one shop to another with their agreements: who owns them changes with a transfer that tells from whom, to whom and why, and not
-- otherwise. And the statuses of a customer follow one another as the product says, whoever writes.
-- A million customers: one new table, and triggers that look at what is written from now on. customers and agreements are held exclusively for a moment.
create table customer_transfers (
  org_id integer not null,
  transfer_id uuid not null,
  -- Of a draft that was deleted since, nobody is there any more.
  customer_id uuid not null,
  from_user_id uuid not null,
  to_user_id uuid not null check (to_user_id <> from_user_id),
  reason text not null check (btrim(reason) <> ''),
  made_by uuid not null,
  made_at timestamptz not null,
  txid xid8 not null default pg_current_xact_id(),
  primary key (org_id, transfer_id, customer_id),
  foreign key (org_id, from_user_id) references users,
  foreign key (org_id, to_user_id) references users
);
create index customer_transfers_of on customer_transfers (org_id, customer_id, made_at desc);
select kist_tenant('customer_transfers', 'select, insert');
comment on table customer_transfers is 'owner: customers';
create trigger customer_transfers_stay before update or delete on customer_transfers for each row execute function kist_refuse('what was written stays');
create trigger customer_transfers_are_not_emptied before truncate on customer_transfers for each statement execute function kist_refuse('what was written stays');
alter table customer_transfers enable always trigger customer_transfers_stay;
alter table customer_transfers enable always trigger customer_transfers_are_not_emptied;

create function owner_changes_with_a_transfer() returns trigger language plpgsql as $$
begin
  if not exists (select from customer_transfers t where t.org_id = new.org_id and t.customer_id = new.customer_id
    and t.from_user_id = old.owner_user_id and t.to_user_id = new.owner_user_id and t.txid = pg_current_xact_id()) then
    raise exception 'update of % is refused: who owns it changes with a transfer', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger customers_owner_stays before update of owner_user_id on customers for each row
  when (old.owner_user_id is distinct from new.owner_user_id) execute function owner_changes_with_a_transfer();
alter table customers enable always trigger customers_owner_stays;

-- The facts of an agreement as they are guarded now, but for its owner, which has a guard of its own.
do $$ declare facts text; begin
  select string_agg(format('%I', a.attname), ', ' order by a.attnum) into facts
  from pg_trigger t, unnest(t.tgattr::int2[]) as n(attnum) join pg_attribute a on a.attrelid = 'agreements'::regclass and a.attnum = n.attnum
  where t.tgrelid = 'agreements'::regclass and t.tgname = 'agreements_facts_stay' and a.attname <> 'owner_user_id';
  drop trigger agreements_facts_stay on agreements;
  execute format('create trigger agreements_facts_stay before update of %s on agreements for each row execute function kist_refuse(%L)', facts,
    'facts stay as they were written');
end $$;
alter table agreements enable always trigger agreements_facts_stay;
create trigger agreements_owner_stays before update of owner_user_id on agreements for each row
  when (old.owner_user_id is distinct from new.owner_user_id) execute function owner_changes_with_a_transfer();
alter table agreements enable always trigger agreements_owner_stays;
grant update (owner_user_id) on agreements to kist_app;
grant update (owner_user_id) on customers to kist_app;

-- 0 inactive, 1 install, 2 deactivate, 3 uninstall, 4 profile removed; 5 and 6 are reckoned from the agreement and stand nowhere.
create function customer_status_may_follow() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) not in ((0, 1), (1, 2), (1, 3), (1, 4), (2, 1), (3, 0), (4, 1)) then
    raise exception 'update of customers is refused: status % does not follow %', new.status, old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger customers_statuses before update of status on customers for each row when (old.status is distinct from new.status)
  execute function customer_status_may_follow();
alter table customers enable always trigger customers_statuses;
alter table customers add constraint customers_status_is_one check (status between 0 and 4) not valid;
