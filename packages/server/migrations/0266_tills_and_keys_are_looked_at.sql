-- Money is in a till by a payment or a refund and by nothing else; a key that was spent or came back stays so; what is booked of today bears today's day.
-- And since when the till is of who took the money: at the builds before it was of the shop that owned the customer, and those payments stay where they are.
-- A million payments: their till lines are read through once; no row is written, no table is held.
create or replace function lines_come_with_their_journal() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select org_id, journal_id, count(*) as n from added group by org_id, journal_id) a
      left join journals j on j.org_id = a.org_id and j.journal_id = a.journal_id
    where j.txid is distinct from pg_current_xact_id()
      or (select count(*) from journal_lines l where l.org_id = a.org_id and l.journal_id = a.journal_id) <> a.n) then
    raise exception 'insert of journal_lines is refused: a line comes with its journal' using errcode = 'restrict_violation';
  end if;
  if exists (
    select from added l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id and a.code in ('clearing_cash', 'clearing_upi', 'clearing_other')
      join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id
    where not (j.kind in ('payment', 'payment_reversed', 'refund_paid') and l.payment_id is not null or j.kind = 'agreement_opened')) then
    raise exception 'insert of journal_lines is refused: a till moves by a payment or a refund' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- A day may end while a transaction is under way.
create function journal_is_of_its_day() returns trigger language plpgsql as $$
begin
  if new.business_on not between kist_today() - 1 and kist_today() then
    raise exception 'insert of journals is refused: % is of the day on which it is made', new.kind using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger journals_are_of_their_day before insert on journals for each row
  when (new.kind in ('refund_paid', 'refund_owed', 'payment_reversed', 'penal_waived', 'agreement_cancelled')) execute function journal_is_of_its_day();
alter table journals enable always trigger journals_are_of_their_day;

create function key_reservation_is_settled_once() returns trigger language plpgsql as $$
begin
  if (old.org_id, old.customer_id, old.user_id, old.plan_type, old.lot, old.reserved_at) is distinct from
      (new.org_id, new.customer_id, new.user_id, new.plan_type, new.lot, new.reserved_at) or (old.state <> 'reserved' and new.state <> old.state) then
    raise exception 'update of key_reservations is refused: a key is settled once' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger key_reservations_are_settled_once before update on key_reservations for each row execute function key_reservation_is_settled_once();
alter table key_reservations enable always trigger key_reservations_are_settled_once;

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table payments no force row level security;
alter table journal_lines no force row level security;
alter table journals no force row level security;
alter table accounts no force row level security;
do $$ declare since timestamptz; begin
  select max(p.recorded_at) into since from payments p
  join journals j on j.org_id = p.org_id and j.effect_key = 'payment:' || p.payment_id
  join journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id
  join accounts a on a.org_id = l.org_id and a.account_id = l.account_id and a.code in ('clearing_cash', 'clearing_upi', 'clearing_other')
  where a.owner_id <> coalesce(p.posted_by, p.recorded_by)::text;
  execute format('create function kist_tills_since() returns timestamptz language sql immutable parallel safe as $f$ select %L::timestamptz $f$',
    coalesce(since, '-infinity'));
end $$;
comment on function kist_tills_since() is 'Payments recorded later are in the till of who took them; of those before some are in the till of their shop.';
alter table payments force row level security;
alter table journal_lines force row level security;
alter table journals force row level security;
alter table accounts force row level security;
