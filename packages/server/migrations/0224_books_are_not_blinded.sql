-- What a reviewer could still do as the account that serves: lines into a journal whose balance was checked already, keys without their wallet, a row more in
-- a schedule, an agreement completed with dues left, money of nobody, a check of the books that never was or that proves what is still to come.
-- A million agreements: nothing is read or written; the constraints hold for what is written from now on, and each table is held exclusively for a moment.

-- A journal and all its lines are one statement. Deferred, the balance could be asked for early (set constraints … immediate) and lines added behind it; and
-- where a database was moved to another cluster, whose transactions are counted anew, an old journal would take lines again.
create or replace function lines_come_with_their_journal() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select org_id, journal_id, count(*) as n from added group by org_id, journal_id) a
      left join journals j on j.org_id = a.org_id and j.journal_id = a.journal_id
    where j.txid is distinct from pg_current_xact_id()
      or (select count(*) from journal_lines l where l.org_id = a.org_id and l.journal_id = a.journal_id) <> a.n) then
    raise exception 'insert of journal_lines is refused: a line comes with its journal' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- Whoever changes the keys of the ledger changes the wallet in the same transaction, as whoever changes a wallet changes the ledger.
create function ledger_is_what_the_wallet_says() returns trigger language plpgsql as $$
declare said record; held record; whose record;
begin
  select owner_id, unit into whose from accounts where org_id = new.org_id and account_id = new.account_id and owner_kind = 'user';
  if whose is null then return null; end if;
  select available, reserved into held from wallets
  where org_id = new.org_id and user_id = whose.owner_id::uuid and plan_type = substr(new.unit, 5)::int and lot = new.lot;
  select coalesce(sum(b.keys) filter (where a.code = 'keys_available'), 0) as available, coalesce(sum(b.keys) filter (where a.code = 'keys_reserved'), 0) as reserved
    into said from accounts a join key_balances b on b.org_id = a.org_id and b.account_id = a.account_id and b.lot = new.lot
  where a.org_id = new.org_id and a.owner_kind = 'user' and a.owner_id = whose.owner_id and a.unit = new.unit;
  if (coalesce(held.available, 0), coalesce(held.reserved, 0)) is distinct from (said.available::int, said.reserved::int) then
    raise exception 'the ledger has % and % keys of % for %, and the wallet says % and %', said.available, said.reserved, new.unit, whose.owner_id,
      held.available, held.reserved using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_is_what_the_wallet_says after insert on journal_lines deferrable initially deferred
  for each row when (new.unit like 'KEY:%') execute function ledger_is_what_the_wallet_says();
alter table journal_lines enable always trigger ledger_is_what_the_wallet_says;

-- Rupees are always some agreement's.
alter table journal_lines add constraint journal_lines_rupees_of_an_agreement check (unit <> 'INR' or agreement_id is not null) not valid;

-- The first version of a schedule has as many rows as it has instalments, and no later one adds to it.
create function rows_are_of_the_tenure() returns trigger language plpgsql as $$
begin
  if not exists (select from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id
      and a.schedule_version = 1 and new.no between 1 and a.tenure) then
    raise exception 'insert of instalments is refused: the rows of a version in force stay as they are' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger instalments_are_of_the_tenure before insert on instalments for each row when (new.version = 1) execute function rows_are_of_the_tenure();
alter table instalments enable always trigger instalments_are_of_the_tenure;

create trigger agreements_completed_owe_nothing before insert or update on agreements for each row when (new.state = 'completed' and new.outstanding_paise <> 0)
  execute function kist_refuse('something is owed');
alter table agreements enable always trigger agreements_completed_owe_nothing;

-- A step of the day is told when it was done and of a day that has come; a check proves what is committed and nothing that is still to come.
create function step_is_told_when_done() returns trigger language plpgsql as $$
begin
  if new.business_on > kist_today() or abs(extract(epoch from new.finished_at - kist_now())) > 300 then
    raise exception 'insert of daily_steps is refused: a step is told when it is done' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger daily_steps_are_told_when_done before insert on daily_steps for each row execute function step_is_told_when_done();
alter table daily_steps enable always trigger daily_steps_are_told_when_done;
create function check_proves_what_is_done() returns trigger language plpgsql as $$
begin
  if abs(extract(epoch from new.checked_at - kist_now())) > 300 or new.proved_up_to > pg_snapshot_xmax(pg_current_snapshot()) then
    raise exception 'insert of book_checks is refused: a check proves what is done' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger book_checks_prove_what_is_done before insert on book_checks for each row execute function check_proves_what_is_done();
alter table book_checks enable always trigger book_checks_prove_what_is_done;

-- What the check of the books looks at of the moves.
create view payment_moves_view with (security_invoker = true) as select org_id, payment_id, no, to_state from payment_moves;
comment on view payment_moves_view is 'owner: payments';
create view agreement_moves_view with (security_invoker = true) as select org_id, agreement_id, no, to_state from agreement_moves;
comment on view agreement_moves_view is 'owner: agreements';
grant select on payment_moves_view, agreement_moves_view to kist_app;

-- Which reckoning made the schedule: the check of the books reckons it again from the terms. Null: signed before there was a mark, by an older one perhaps.
alter table agreements add column schedule_engine smallint;
alter table agreements alter column schedule_engine set default 1;
create trigger agreements_engine_stays before update of schedule_engine on agreements for each row execute function kist_refuse('facts stay as they were written');
alter table agreements enable always trigger agreements_engine_stays;
