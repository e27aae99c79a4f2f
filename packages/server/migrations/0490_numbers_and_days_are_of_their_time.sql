-- What somebody with the server's own account could still write: a receipt of next year's series today, which is that series' first number gone; a sale whose lock
-- policy lets more late fees be charged than the organisation's; a day as run of which no step was done, so that it never is; counters that nothing reads, and
-- numbers of shops that no shop has.
-- A million agreements: no row of theirs is read or written; counters is read once (some rows for each shop); agreements, counters and organisations are held
-- exclusively for a moment. Asked of each row as it is written, of counters and payments at the commit, by keys.

-- As the series name it: 26-27 (dates.ts: financialYear).
create function kist_financial_year(day date) returns text language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select to_char(first % 100, 'FM00') || '-' || to_char((first + 1) % 100, 'FM00') from (select extract(year from day - interval '3 months')::int as first) y
$$;

-- A number is one that the counter of whoever took the money, or took it back, has given, of the year in which it goes out, and bears the shop's own.
create or replace function number_is_given() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  no text := case tg_argv[0] when 'note' then new.note_no else new.receipt_no end;
  series text := case when tg_argv[0] = 'note' then 'note' when new.goes_to = 'down_payment' then 'down_payment' else 'receipt' end;
  person uuid := case tg_argv[0] when 'note' then new.reversed_by else coalesce(new.posted_by, new.recorded_by) end;
begin
  if substr(no, 1, 5) <> kist_financial_year(kist_today()) then
    raise exception 'payment % has the number %, which is of another year', new.payment_id, no using errcode = 'restrict_violation';
  end if;
  if coalesce((select c.last from counters c where c.org_id = new.org_id and c.name = series || ':' || person || ':20' || substr(no, 1, 5)), 0)
      < ltrim(split_part(no, '/', 3), 'DR')::bigint
    or split_part(no, '/', 2)::bigint is distinct from (select c.last from counters c where c.org_id = new.org_id and c.name = 'shop:' || person) then
    raise exception 'payment % has the number %, which the series of % has not given', new.payment_id, no, person using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- What a lock policy says of penalties. One that an organisation never chose is the preset `dealer` (policies.ts).
create function kist_penal_part(policy jsonb) returns jsonb language sql immutable strict parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(policy) where key like 'penal%'
$$;
create function sale_is_under_the_policy() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare latest lock_policies;
begin
  select * into latest from lock_policies p where p.org_id = new.org_id order by p.version desc limit 1;
  if kist_penal_part(new.policy) = coalesce(kist_penal_part(latest.policy), '{"penalCapBps": 500}') then return new; end if;
  -- Chosen while this sale was being made.
  if latest.created_at > kist_now() - interval '2 minutes' and kist_penal_part(new.policy) = coalesce(
      (select kist_penal_part(p.policy) from lock_policies p where p.org_id = new.org_id and p.version < latest.version order by p.version desc limit 1),
      '{"penalCapBps": 500}') then return new; end if;
  raise exception 'insert of agreements is refused: its lock policy says of penalties what the organisation’s does not' using errcode = 'restrict_violation';
end $$;
create trigger agreements_are_under_the_policy before insert on agreements for each row execute function sale_is_under_the_policy();
alter table agreements enable always trigger agreements_are_under_the_policy;

-- What the day is made of; daily-run.ts.
create function kist_daily_steps() returns text[] language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select array['penal', 'notices', 'locks', 'reservations', 'checks', 'audit']
$$;
create or replace function daily_run_has_come() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.daily_run_on > kist_today() then
    raise exception '% of organisations is refused: % has not come', lower(tg_op), new.daily_run_on using errcode = 'restrict_violation';
  end if;
  -- The day itself, and each day between: none is passed over.
  if tg_op = 'UPDATE' and (new.daily_run_on > old.daily_run_on or old.daily_run_on is null) and exists (
      select from generate_series(coalesce(old.daily_run_on + 1, new.daily_run_on), new.daily_run_on, interval '1 day') d, unnest(kist_daily_steps()) s(step)
      where not exists (select from daily_steps t where t.org_id = new.org_id and t.business_on = d::date and t.step = s.step)) then
    raise exception 'update of organisations is refused: a day is not run before its steps are' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Counters are those that something reads (agreements.ts, series.ts), of people of the organisation.
create function counter_is_read() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.name in ('agreement', 'shops') then return new; end if;
  if new.name ~ '^(shop:[^:]+|(receipt|down_payment|note):[^:]+:20[0-9]{2}-[0-9]{2})$'
    and exists (select from users u where u.org_id = new.org_id and u.user_id::text = split_part(new.name, ':', 2)) then return new; end if;
  raise exception 'insert of counters is refused: nothing reads %', new.name using errcode = 'restrict_violation';
end $$;
create trigger counters_are_read before insert on counters for each row execute function counter_is_read();
alter table counters enable always trigger counters_are_read;

-- Two first receipts of one shop at once each took a number, and one was for nobody. From now on none goes out without its shop.
alter table counters no force row level security;
alter table counters disable trigger counters_rise;
update counters c set last = n.last from (select org_id, max(last) as last from counters where name like 'shop:%' group by org_id) n
where c.org_id = n.org_id and c.name = 'shops' and c.last > n.last;
alter table counters enable always trigger counters_rise;
alter table counters force row level security;
create function number_has_its_shop() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from counters c where c.org_id = new.org_id and c.name like 'shop:%' and c.last = new.last) then
    raise exception '% of counters is refused: % is no shop’s number', lower(tg_op), new.last using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger counters_of_shops_begin_with_one after insert on counters deferrable initially deferred for each row
  when (new.name = 'shops') execute function number_has_its_shop();
create constraint trigger counters_of_shops_rise_with_one after update of last on counters deferrable initially deferred for each row
  when (new.last <> old.last and new.name = 'shops') execute function number_has_its_shop();
alter table counters enable always trigger counters_of_shops_begin_with_one;
alter table counters enable always trigger counters_of_shops_rise_with_one;
