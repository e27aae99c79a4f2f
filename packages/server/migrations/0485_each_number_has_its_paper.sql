-- What somebody with the server's own account could still write: a day that has not come as the last that was run, so that no day is run until then; a sale under
-- another rule of penalties than the one in force, or under none; an agreement of a number of its own; a number of a series with no paper, which is a gap for
-- ever; a sale of last year told as one of today.
-- A million agreements: no row is read or written; agreements, counters and organisations are held exclusively for a moment. Asked of each row as it is written, and
-- of counters at the commit, by keys.
create function daily_run_has_come() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.daily_run_on > kist_today() then
    raise exception '% of organisations is refused: % has not come', lower(tg_op), new.daily_run_on using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger organisations_run_days_that_came before insert or update of daily_run_on on organisations for each row execute function daily_run_has_come();
alter table organisations enable always trigger organisations_run_days_that_came;

-- Where the clock was put elsewhere, as for a demonstration, a shop lives through months in a minute; who serves customers keeps real time (clock.ts).
create function kist_clock_is_real() returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select shift = interval '0' from clock_offset
$$;

-- What a rule puts on an agreement of this lock policy; penal-rules.ts: penalToStamp.
create function kist_penal_stamp(rule penal_rules, policy jsonb) returns jsonb language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select case when rule.charge_paise > 0 then jsonb_build_object('version', rule.version, 'charge_paise', rule.charge_paise, 'grace_days', rule.grace_days,
    'every_days', rule.every_days, 'cap_bps', least(rule.cap_bps, (policy ->> 'penalCapBps')::int), 'is_daily', rule.is_daily) end
$$;

-- Of a book (its number is of another series, and historic_agreements names it: only the command line writes there) there is no rule, and its days are of long ago.
create function sale_is_under_the_rules() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  rule penal_rules; before penal_rules; at timestamptz := kist_now();
  numbered text := (select new.org_id || '-' || lpad(c.last::text, greatest(5, length(c.last::text)), '0') from counters c where c.org_id = new.org_id and c.name = 'agreement');
begin
  if new.agreement_no ~ '^[0-9]+-H[0-9]{5,}$' then return new; end if;
  if new.agreement_no is distinct from numbered then
    raise exception 'insert of agreements is refused: % is not the number that was given', new.agreement_no using errcode = 'restrict_violation';
  end if;
  select * into rule from penal_rules r where r.org_id = new.org_id order by r.version desc limit 1;
  if new.penal is distinct from kist_penal_stamp(rule, new.policy) then
    -- Set while this sale was being made.
    select * into before from penal_rules r where r.org_id = new.org_id and r.version = rule.version - 1;
    if (rule.set_at > at - interval '2 minutes' and new.penal is not distinct from kist_penal_stamp(before, new.policy)) is not true then
      raise exception 'insert of agreements is refused: another rule of penalties is in force' using errcode = 'restrict_violation';
    end if;
  end if;
  if new.delivered_on < (at at time zone 'Asia/Kolkata')::date - 3 and kist_clock_is_real() then
    raise exception 'insert of agreements is refused: what was delivered longer ago comes in by a book' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger agreements_are_under_the_rules before insert on agreements for each row execute function sale_is_under_the_rules();
alter table agreements enable always trigger agreements_are_under_the_rules;

create function agreement_is_of_a_book() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.penal is not null or not exists (select from historic_agreements h where h.org_id = new.org_id and h.agreement_id = new.agreement_id) then
    raise exception 'insert of agreements is refused: % is of no book', new.agreement_no using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger agreements_of_books_are_told after insert on agreements deferrable initially deferred for each row
  when (new.agreement_no ~ '^[0-9]+-H[0-9]{5,}$') execute function agreement_is_of_a_book();
alter table agreements enable always trigger agreements_of_books_are_told;

-- A number goes out with its paper (series.ts: nextNo; agreements.ts: agreementNo).
create function number_has_its_paper() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  series text := split_part(new.name, ':', 1);
  no text := case series
    when 'agreement' then new.org_id || '-' || lpad(new.last::text, greatest(5, length(new.last::text)), '0')
    else (select substr(split_part(new.name, ':', 3), 3) || '/' || lpad(c.last::text, greatest(2, length(c.last::text)), '0') || '/'
        || case series when 'down_payment' then 'D' when 'note' then 'R' else '' end || lpad(new.last::text, greatest(4, length(new.last::text)), '0')
      from counters c where c.org_id = new.org_id and c.name = 'shop:' || split_part(new.name, ':', 2)) end;
  has_paper boolean := case series
    when 'agreement' then exists (select from agreements a where a.org_id = new.org_id and a.agreement_no = no)
    when 'note' then exists (select from payments p where p.org_id = new.org_id and p.note_no = no)
    else exists (select from payments p where p.org_id = new.org_id and p.receipt_no = no) end;
begin
  if not has_paper then
    raise exception '% of counters is refused: % of % is on no paper', lower(tg_op), new.last, new.name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger counters_begin_with_a_paper after insert on counters deferrable initially deferred for each row
  when (new.name = 'agreement' or new.name ~ '^(receipt|down_payment|note):') execute function number_has_its_paper();
create constraint trigger counters_rise_with_a_paper after update of last on counters deferrable initially deferred for each row
  when (new.last <> old.last and (new.name = 'agreement' or new.name ~ '^(receipt|down_payment|note):')) execute function number_has_its_paper();
alter table counters enable always trigger counters_begin_with_a_paper;
alter table counters enable always trigger counters_rise_with_a_paper;

-- For the check of the books: the last day of each organisation, and from when on the database asks how old a sale is.
create view daily_runs_view with (security_invoker = true) as select org_id, daily_run_on from organisations;
comment on view daily_runs_view is 'owner: organisations';
grant select on daily_runs_view to kist_app;
alter table agreements no force row level security;
do $$
begin
  execute format('create function kist_sales_are_new_since() returns timestamptz language sql immutable parallel safe as $f$ select %L::timestamptz $f$',
    case when exists (select from agreements) then kist_now() else '-infinity'::timestamptz end);
end $$;
alter table agreements force row level security;
comment on function kist_sales_are_new_since() is 'Sales signed later were delivered three days before at most, but for those of a book.';
