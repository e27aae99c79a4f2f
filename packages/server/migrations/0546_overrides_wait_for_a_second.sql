-- An override that lacks nothing but a second person waits for one, for a day: until now the first of the two stood among the refused orders alone, so that the
-- other could only say the same by chance, and nobody could say no. What is asked is decided once, by another than who asked, and ends by itself.
-- A new table, and nothing of the old is touched but a view that nobody reads any more. An organisation has a handful of rows a year.
create table override_asks (
  org_id integer not null,
  ask_id uuid not null,
  device_id uuid not null,
  agreement_id uuid not null,
  note text not null check (note <> ''),
  -- `ended`: its day went by without an answer.
  state text not null default 'asked' check (state in ('asked', 'agreed', 'refused', 'ended')),
  asked_by uuid not null,
  asked_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > asked_at),
  decided_by uuid,
  decided_at timestamptz,
  primary key (org_id, ask_id),
  foreign key (org_id, device_id) references devices,
  foreign key (org_id, agreement_id) references agreements,
  foreign key (org_id, asked_by) references users,
  foreign key (org_id, decided_by) references users,
  check ((state = 'asked') = (decided_at is null) and (state in ('agreed', 'refused')) = (decided_by is not null)),
  constraint override_asks_second_person check (state <> 'agreed' or decided_by <> asked_by)
);
create unique index override_asks_open on override_asks (org_id, device_id) where state = 'asked';
create index override_asks_agreement on override_asks (org_id, agreement_id);
select kist_tenant('override_asks', 'select, insert');
grant update (note, state, decided_by, decided_at) on override_asks to kist_app;
comment on table override_asks is 'owner: locking';

create trigger override_asks_stay before delete on override_asks for each row execute function kist_refuse('what was written stays');
create trigger override_asks_are_not_emptied before truncate on override_asks for each statement execute function kist_refuse('what was written stays');
create trigger override_asks_facts_stay before update of org_id, ask_id, device_id, agreement_id, asked_by, asked_at, ends_at on override_asks
  for each row execute function kist_refuse('facts stay as they were written');

-- Whom it takes: somebody who works here now and whose words to lock were not taken away.
create function kist_may_lock(org integer, who uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from users u where u.org_id = org and u.user_id = who and u.is_active
      and (u.user_type = 'admin'
        or u.user_type in ('retailer', 'miniretailer') and u.user_access ->> 'lock_unlock' = '1' and u.lock_access ->> 'lock' = '1'))
$$;
create function override_ask_is_of_two() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    new.asked_at := kist_now();
    new.ends_at := kist_now() + interval '1 day';
    if new.state <> 'asked' or not kist_may_lock(new.org_id, new.asked_by) then
      raise exception 'insert of override_asks is refused: who asks may not lock, or it is decided already' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if new.state = old.state then
    -- The words of somebody who was erased.
    if (new.decided_by, new.decided_at) is distinct from (old.decided_by, old.decided_at) or new.note not in (old.note, '—') then
      raise exception 'update of override_asks is refused: facts stay as they were written' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  new.decided_at := kist_now();
  -- It ends when its day is over, and before where who asked may not lock any more or has nothing to do with the phone.
  if old.state <> 'asked' or new.note <> old.note or (new.state <> 'ended' and old.ends_at <= kist_now()) then
    raise exception 'update of override_asks is refused: % does not follow on % now', new.state, old.state using errcode = 'restrict_violation';
  end if;
  if new.state <> 'ended' and not kist_may_lock(new.org_id, new.decided_by) then
    raise exception 'update of override_asks is refused: who decides it may not lock' using errcode = 'restrict_violation';
  end if;
  -- Two who may lock, of whom the second answers for a shop of its own or the organisation: a mini-retailer is made by its retailer.
  if new.state = 'agreed' and not (kist_may_lock(new.org_id, new.asked_by)
      and exists (select from users u where u.org_id = new.org_id and u.user_id = new.decided_by and u.user_type in ('retailer', 'admin'))) then
    raise exception 'update of override_asks is refused: it takes two' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger override_asks_are_of_two before insert or update on override_asks for each row execute function override_ask_is_of_two();
alter table override_asks enable always trigger override_asks_stay;
alter table override_asks enable always trigger override_asks_are_not_emptied;
alter table override_asks enable always trigger override_asks_facts_stay;
alter table override_asks enable always trigger override_asks_are_of_two;

drop view refused_orders_view;
