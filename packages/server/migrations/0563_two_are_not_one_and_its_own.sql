-- What takes two people is not agreed to by the retailer of the mini-retailer that asked: it made that one, and would be the same person twice. Until now the
-- database, as the server, looked at the second alone.
-- Who asked for a waiver is looked at again when it is granted, as who asked for an override is: one who is there no more leaves one of two.
-- Functions: a million rows are neither read nor written, and nothing is held.
-- That who agrees is not who asked, the tables say themselves.
create function kist_is_second(org integer, first uuid, second uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from users u where u.org_id = org and u.user_id = second and u.is_active and u.user_type in ('retailer', 'admin')
      and not exists (select from users m where m.org_id = org and m.user_id = first and m.parent_user_id = second))
$$;
create or replace function override_ask_is_of_two() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
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
    if (new.decided_by, new.decided_at) is distinct from (old.decided_by, old.decided_at) or new.note not in (old.note, '—')
      or new.refusal_note is distinct from old.refusal_note and (old.refusal_note is not null and new.refusal_note = '—') is not true then
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
  -- Two who may lock, neither of whom made the other.
  if new.state = 'agreed' and not (kist_may_lock(new.org_id, new.asked_by) and kist_is_second(new.org_id, new.asked_by, new.decided_by)) then
    raise exception 'update of override_asks is refused: it takes two' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create or replace function batch_goes_on() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (old.state, new.state) not in (('waiting', 'asked'), ('waiting', 'stopped'), ('asked', 'running'), ('asked', 'stopped'), ('running', 'stopped'),
      ('running', 'done'), ('asked', 'done')) then
    raise exception 'update of batches is refused: % does not follow %', new.state, old.state using errcode = 'restrict_violation';
  end if;
  -- Another than who asked, and not who made them.
  if old.state = 'waiting' and new.state = 'asked' and not kist_is_second(new.org_id, new.requested_by, new.approved_by) then
    raise exception 'update of batches is refused: nobody has agreed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create or replace function waiver_is_of_people() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare kind text;
begin
  if (tg_op = 'INSERT' or new.state = 'granted') and not kist_shop_sees(new.org_id, new.asked_by, new.agreement_id) then
    raise exception '% of waivers is refused: who asks is nobody who sees this customer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  if new.state = 'granted' and new.decided_by <> new.asked_by then
    select u.user_type into kind from users u where u.org_id = new.org_id and u.user_id = new.decided_by and u.is_active;
    if (kind = 'admin' or kind = 'retailer' and kist_shop_sees(new.org_id, new.decided_by, new.agreement_id)) is not true then
      raise exception '% of waivers is refused: who grants it answers neither for the shop nor for the organisation', lower(tg_op) using errcode = 'restrict_violation';
    end if;
  end if;
  return new;
end $$;
