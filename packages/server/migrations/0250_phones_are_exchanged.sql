-- The phone of a running agreement changes: a wrong number put right before any phone was set up, or another phone for the one that was. Which phone went,
-- which came, why and by whom is a row that stays; an agreement names another phone with such a row and not otherwise, and from an exchange on the customer
-- agrees to the clause, and is told of what is late, anew. The key is another one: 0 follows 1 and 4 with an exchange alone.
-- A million agreements: one new table, one column without a value, and triggers that look at what is written from now on. agreements, customers and
-- schedule_versions are held exclusively for a moment; the check of schedule_versions, which holds a row for each change of terms, is read through once.
create table phone_exchanges (
  org_id integer not null,
  agreement_id uuid not null,
  no integer not null check (no > 0),
  from_device_id uuid not null,
  to_device_id uuid not null check (to_device_id <> from_device_id),
  -- False: no phone was ever set up, only its number was wrong.
  was_set_up boolean not null,
  -- When a phone was first set up under the agreement: the one try-out of the lock counts from there, whatever phone it is by now.
  first_enrolled_at timestamptz,
  reason text not null check (btrim(reason) <> ''),
  made_by uuid not null,
  made_at timestamptz not null,
  txid xid8 not null default pg_current_xact_id(),
  primary key (org_id, agreement_id, no),
  unique (org_id, to_device_id),
  foreign key (org_id, agreement_id) references agreements,
  foreign key (org_id, from_device_id) references devices,
  foreign key (org_id, to_device_id) references devices
);
select kist_tenant('phone_exchanges', 'select, insert');
comment on table phone_exchanges is 'owner: agreements';
create trigger phone_exchanges_stay before update or delete on phone_exchanges for each row execute function kist_refuse('what was written stays');
create trigger phone_exchanges_are_not_emptied before truncate on phone_exchanges for each statement execute function kist_refuse('what was written stays');
create function phone_exchange_is_next() returns trigger language plpgsql as $$
begin
  if new.no <> 1 + (select count(*) from phone_exchanges x where x.org_id = new.org_id and x.agreement_id = new.agreement_id) then
    raise exception 'insert of phone_exchanges is refused: % is not the next', new.no using errcode = 'restrict_violation';
  end if;
  new.made_at := kist_now();
  new.txid := pg_current_xact_id();
  return new;
end $$;
create trigger phone_exchanges_are_next before insert on phone_exchanges for each row execute function phone_exchange_is_next();
alter table phone_exchanges enable always trigger phone_exchanges_are_next;
alter table phone_exchanges enable always trigger phone_exchanges_stay;
alter table phone_exchanges enable always trigger phone_exchanges_are_not_emptied;

alter table agreements add column exchanged_at timestamptz;
comment on column agreements.exchanged_at is 'When its phone took the place of one that was set up; null: never.';
-- The facts of an agreement as they are guarded now, but for its phone, which has a guard of its own.
do $$ declare facts text; begin
  select string_agg(format('%I', a.attname), ', ' order by a.attnum) into facts
  from pg_trigger t, unnest(t.tgattr::int2[]) as n(attnum) join pg_attribute a on a.attrelid = 'agreements'::regclass and a.attnum = n.attnum
  where t.tgrelid = 'agreements'::regclass and t.tgname = 'agreements_facts_stay' and a.attname <> 'device_id';
  drop trigger agreements_facts_stay on agreements;
  execute format('create trigger agreements_facts_stay before update of %s on agreements for each row execute function kist_refuse(%L)', facts,
    'facts stay as they were written');
end $$;
alter table agreements enable always trigger agreements_facts_stay;

-- Only of an agreement that runs; the phone that goes is let go before, the one that comes is its customer's and free.
create function phone_changes_with_an_exchange() returns trigger language plpgsql as $$
begin
  if new.state <> 'active' or not exists (
    select from phone_exchanges x
    join devices gone on gone.org_id = x.org_id and gone.device_id = x.from_device_id and gone.released_at is not null
    join devices come on come.org_id = x.org_id and come.device_id = x.to_device_id and come.released_at is null and come.customer_id = new.customer_id
    where x.org_id = new.org_id and x.agreement_id = new.agreement_id and x.txid = pg_current_xact_id()
      and x.from_device_id = old.device_id and x.to_device_id = new.device_id
      and new.exchanged_at is not distinct from case when x.was_set_up then x.made_at else old.exchanged_at end) then
    raise exception 'update of agreements is refused: its phone changes with an exchange' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger agreements_phone_stays before update of device_id, exchanged_at on agreements for each row
  when ((old.device_id, old.exchanged_at) is distinct from (new.device_id, new.exchanged_at)) execute function phone_changes_with_an_exchange();
alter table agreements enable always trigger agreements_phone_stays;
grant update (device_id, exchanged_at) on agreements to kist_app;

create or replace function customer_status_may_follow() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) in ((1, 0), (4, 0)) and exists (
    select from phone_exchanges x join agreements a on a.org_id = x.org_id and a.agreement_id = x.agreement_id
    where a.org_id = new.org_id and a.customer_id = new.customer_id and x.was_set_up and x.txid = pg_current_xact_id()) then
    return new;
  end if;
  if (old.status, new.status) not in ((0, 1), (1, 2), (1, 3), (1, 4), (2, 1), (3, 0), (4, 1)) then
    raise exception 'update of customers is refused: status % does not follow %', new.status, old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- An exchanged phone leaves the terms as they are: its version supersedes nothing and moves nothing over.
alter table schedule_versions drop constraint schedule_versions_principal_paise_check;
alter table schedule_versions add constraint schedule_versions_principal_paise_check check (principal_paise > 0
  or (cause = 'imei_swap' and before = after and principal_paise + interest_paise + fee_paise + dropped_interest_paise + dropped_fee_paise = 0));

create view phone_exchanges_view with (security_invoker = true) as
  select org_id, agreement_id, no, from_device_id, was_set_up, reason, made_at from phone_exchanges;
grant select on phone_exchanges_view to kist_app;
comment on view phone_exchanges_view is 'owner: agreements';

-- The one word for it: a consent counts when it is whole and speaks of the phone that the agreement names now.
create function kist_consent_counts(document_id uuid, confirmation_id uuid, needs_code boolean, accepted_at timestamptz, exchanged_at timestamptz)
  returns boolean language sql immutable as $$
  select kist_consent_counts(document_id, confirmation_id, needs_code) and (exchanged_at is null or accepted_at >= exchanged_at)
$$;
