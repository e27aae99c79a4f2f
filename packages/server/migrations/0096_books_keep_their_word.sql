-- The database keeps the books' promises itself, whoever asks: triggers that are ALWAYS on stop the owner of the tables too. A migration that must mend rows
-- disables the one it has to, in its own transaction, and says so.
-- A million agreements change nothing here: no row is read or written; each table is held exclusively for a moment.

create function kist_refuse() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: %', lower(tg_op), tg_table_name, tg_argv[0] using errcode = 'restrict_violation';
end $$;

-- Nothing is ever taken out of these, and nothing is ever emptied.
do $$ declare tab text; begin
  foreach tab in array array['journals', 'journal_lines', 'audit_lines', 'audit_heads', 'payments', 'instalments', 'charges', 'counters', 'wallets', 'agreements', 'consents', 'accounts'] loop
    execute format('create trigger %I before delete on %I for each row execute function kist_refuse(%L)', tab || '_stay', tab, 'what was written stays');
    execute format('alter table %I enable always trigger %I', tab, tab || '_stay');
    execute format('create trigger %I before truncate on %I for each statement execute function kist_refuse(%L)', tab || '_are_not_emptied', tab, 'what was written stays');
    execute format('alter table %I enable always trigger %I', tab, tab || '_are_not_emptied');
  end loop;
  -- And these are never changed either.
  foreach tab in array array['journals', 'journal_lines', 'audit_lines', 'consents', 'accounts'] loop
    execute format('create trigger %I before update on %I for each row execute function kist_refuse(%L)', tab || '_are_not_changed', tab, 'a correction is a new row');
    execute format('alter table %I enable always trigger %I', tab, tab || '_are_not_changed');
  end loop;
end $$;

-- Only these columns of a row may change; the rest are facts. A statement that names one of them is refused, and one that does not pays nothing for it.
do $$ declare tab text; may text[]; facts text; begin
  for tab, may in values
    ('payments', array['state', 'reversed_at', 'reversed_by', 'reverse_reason']),
    ('agreements', array['state', 'oldest_due_on', 'oldest_due_paise', 'outstanding_paise', 'paid_count', 'advance_paise', 'completed_at', 'version']),
    ('instalments', array['paid_principal_paise', 'paid_interest_paise', 'paid_fee_paise', 'paid_on']),
    ('charges', array['paid_paise']),
    ('counters', array['last']),
    ('wallets', array['available', 'reserved']),
    ('audit_heads', array['seq', 'hash']) loop
    select string_agg(format('%I', attname), ', ' order by attnum) into facts from pg_attribute
    where attrelid = tab::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> all (may);
    execute format('create trigger %I before update of %s on %I for each row execute function kist_refuse(%L)', tab || '_facts_stay', facts, tab,
      'facts stay as they were written');
    execute format('alter table %I enable always trigger %I', tab, tab || '_facts_stay');
  end loop;
end $$;
alter table audit_heads enable always trigger audit_heads_org;

-- What may follow on what, of payments and agreements. Who and why stand in the audit of the same transaction.
create function state_may_follow() returns trigger language plpgsql as $$
begin
  if new.state is distinct from old.state and not (old.state || '>' || new.state) = any (tg_argv) then
    raise exception 'update of % is refused: % does not follow %', tg_table_name, new.state, old.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger payments_states before update on payments for each row execute function state_may_follow('posted>reversed');
alter table payments enable always trigger payments_states;

create trigger agreements_states before update on agreements for each row
  execute function state_may_follow('active>completed', 'completed>active', 'active>cancelled');
alter table agreements enable always trigger agreements_states;


-- A series has no gap and goes one way.
create function counters_rise() returns trigger language plpgsql as $$
begin
  if new.last not in (old.last, old.last + 1) then
    raise exception 'update of counters is refused: % goes from % by one', old.name, old.last using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger counters_rise before update on counters for each row execute function counters_rise();
alter table counters enable always trigger counters_rise;

-- Lines come with their journal, in its own transaction. `txid` is null for those of before, which take no lines any more.
alter table journals add column txid xid8;
alter table journals alter column txid set default pg_current_xact_id();
create function lines_come_with_their_journal() returns trigger language plpgsql as $$
begin
  if exists (select from added l left join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id
      where j.txid is distinct from pg_current_xact_id()) then
    raise exception 'insert of journal_lines is refused: a line comes with its journal' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger lines_come_with_their_journal after insert on journal_lines referencing new table as added
  for each statement execute function lines_come_with_their_journal();
alter table journal_lines enable always trigger lines_come_with_their_journal;

-- Once for each journal, at commit: debits are credits in every unit, units are those of the accounts, dimensions stand where the account wants them, and a
-- journal that takes another back is its mirror.
drop trigger journal_balanced on journals;
drop trigger journal_line_balanced on journal_lines;
create or replace function journal_balances() returns trigger language plpgsql as $$
declare n integer; bad integer; mixed integer; astray integer;
begin
  select count(*), count(*) filter (where d <> c), sum(m), sum(s) into n, bad, mixed, astray from (
    select l.unit, sum(l.debit) d, sum(l.credit) c, count(*) filter (where l.unit <> a.unit) m,
      count(*) filter (where (a.code like 'receivable\_%' or a.code = 'advance') <> (l.bucket is not null)
        or (l.bucket is not null and a.code <> case l.bucket when 'advance' then 'advance' else 'receivable_' || l.bucket end)) s
    from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where l.org_id = new.org_id and l.journal_id = new.journal_id group by l.unit) u;
  if n = 0 or bad > 0 then
    raise exception 'journal % does not balance', new.journal_id using errcode = 'check_violation';
  end if;
  if mixed > 0 then
    raise exception 'journal % mixes units', new.journal_id using errcode = 'check_violation';
  end if;
  if astray > 0 then
    raise exception 'journal %: a line and its account name different buckets', new.journal_id using errcode = 'check_violation';
  end if;
  if new.reverses_journal_id is not null and exists (
    (select account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot from journal_lines
     where org_id = new.org_id and journal_id = new.journal_id
     except all
     select account_id, unit, credit, debit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot from journal_lines
     where org_id = new.org_id and journal_id = new.reverses_journal_id)
    union all
    (select account_id, unit, credit, debit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot from journal_lines
     where org_id = new.org_id and journal_id = new.reverses_journal_id
     except all
     select account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot from journal_lines
     where org_id = new.org_id and journal_id = new.journal_id)) then
    raise exception 'journal % is no mirror of %', new.journal_id, new.reverses_journal_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger journal_balanced after insert on journals deferrable initially deferred for each row execute function journal_balances();
alter table journals enable always trigger journal_balanced;

-- A wallet says what the ledger says of it: whoever changes one changes the other in the same transaction. The balance of a key account is kept beside it, so
-- that looking costs the same for a shop of ten thousand keys.
create table key_balances (
  org_id integer not null,
  account_id uuid not null,
  lot text not null check (lot in ('paid', 'granted')),
  keys integer not null,
  primary key (org_id, account_id, lot),
  foreign key (org_id, account_id) references accounts
);
select kist_tenant('key_balances', 'select, insert, update');
comment on table key_balances is 'owner: ledger';
alter table accounts no force row level security;
alter table journal_lines no force row level security;
alter table key_balances no force row level security;
insert into key_balances (org_id, account_id, lot, keys)
select l.org_id, l.account_id, l.lot, sum(l.debit - l.credit)::int
from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
where a.owner_kind = 'user' and a.unit like 'KEY:%' and l.lot is not null group by l.org_id, l.account_id, l.lot;
alter table accounts force row level security;
alter table journal_lines force row level security;
alter table key_balances force row level security;

create function key_balances_follow() returns trigger language plpgsql as $$
begin
  insert into key_balances (org_id, account_id, lot, keys)
  select l.org_id, l.account_id, l.lot, sum(l.debit - l.credit)::int
  from added l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
  where a.owner_kind = 'user' and a.unit like 'KEY:%' group by l.org_id, l.account_id, l.lot
  on conflict (org_id, account_id, lot) do update set keys = key_balances.keys + excluded.keys;
  return null;
end $$;
create trigger key_balances_follow after insert on journal_lines referencing new table as added
  for each statement execute function key_balances_follow();
alter table journal_lines enable always trigger key_balances_follow;

-- Written by the trigger above and by nobody: a statement of its own stands one level higher.
create function balances_follow_lines() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% of % is refused: a balance follows the lines', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger balances_follow_lines before insert or update or delete or truncate on key_balances
  for each statement execute function balances_follow_lines();
alter table key_balances enable always trigger balances_follow_lines;

create function wallet_is_what_the_ledger_says() returns trigger language plpgsql as $$
declare said record; held record;
begin
  select available, reserved into held from wallets
  where org_id = new.org_id and user_id = new.user_id and plan_type = new.plan_type and lot = new.lot;
  select coalesce(sum(b.keys) filter (where a.code = 'keys_available'), 0) as available, coalesce(sum(b.keys) filter (where a.code = 'keys_reserved'), 0) as reserved
    into said from accounts a join key_balances b on b.org_id = a.org_id and b.account_id = a.account_id and b.lot = new.lot
  where a.org_id = new.org_id and a.owner_kind = 'user' and a.owner_id = new.user_id::text and a.unit = 'KEY:' || new.plan_type;
  if (held.available, held.reserved) is distinct from (said.available::int, said.reserved::int) then
    raise exception 'the wallet of % has % and % keys of plan type %, and the ledger says % and %', new.user_id, held.available, held.reserved,
      new.plan_type, said.available, said.reserved using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger wallet_is_what_the_ledger_says after insert or update on wallets deferrable initially deferred
  for each row execute function wallet_is_what_the_ledger_says();
alter table wallets enable always trigger wallet_is_what_the_ledger_says;
