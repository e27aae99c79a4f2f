-- Keys pass from a retailer to a mini-retailer of its own, each of its type and lot as before, and to nobody else. What passed is told twice, by a row of
-- `key_transfers` and by a journal for each lot whose two lines name both shops, and the two are held against each other; wallets follow the journal as ever.
-- A million journals: no row is read or written; three functions that judge journals to come are replaced. A line of keys looks up one row more only where its
-- journal passes keys on.
create table key_transfers (
  org_id integer not null references organisations,
  transfer_id uuid not null,
  lot text not null check (lot in ('paid', 'granted')),
  from_user_id uuid not null,
  to_user_id uuid not null,
  plan_type integer not null,
  keys integer not null check (keys > 0),
  made_by uuid not null,
  made_at timestamptz not null,
  txid xid8 not null,
  primary key (org_id, transfer_id, lot),
  foreign key (org_id, from_user_id) references users,
  foreign key (org_id, to_user_id) references users
);
select kist_tenant('key_transfers', 'select, insert');
comment on table key_transfers is 'owner: wallet';
create trigger key_transfers_stay before update or delete on key_transfers for each row execute function kist_refuse('what was written stays');
create trigger key_transfers_are_not_emptied before truncate on key_transfers for each statement execute function kist_refuse('what was written stays');
alter table key_transfers enable always trigger key_transfers_stay;
alter table key_transfers enable always trigger key_transfers_are_not_emptied;

create view key_transfers_view with (security_invoker = true) as
  select org_id, transfer_id, lot, from_user_id, to_user_id, plan_type, keys, made_at from key_transfers;
grant select on key_transfers_view to kist_app;
comment on view key_transfers_view is 'owner: wallet';

-- Down alone, by the shop whose keys they are, to one that may sell.
create function key_transfer_is_down() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.made_by <> new.from_user_id or not exists (
    select from users f join users t on t.org_id = f.org_id and t.parent_user_id = f.user_id
    where f.org_id = new.org_id and f.user_id = new.from_user_id and t.user_id = new.to_user_id and f.user_type = 'retailer' and t.user_type = 'miniretailer'
      and kist_is_there(f.is_active, f.suspended_at) and kist_is_there(t.is_active, t.suspended_at)) then
    raise exception 'insert of key_transfers is refused: a retailer passes its keys to a mini-retailer of its own' using errcode = 'restrict_violation';
  end if;
  new.made_at := kist_now();
  new.txid := pg_current_xact_id();
  return new;
end $$;
create trigger key_transfers_go_down before insert on key_transfers for each row execute function key_transfer_is_down();
alter table key_transfers enable always trigger key_transfers_go_down;

create function key_transfer_is_booked() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare effect text := 'key:pass:' || new.transfer_id || ':' || new.lot;
begin
  if debited_by(new.org_id, effect, 'keys_passed', 'keys_available', new.to_user_id::text, null) <> new.keys
    or debited_by(new.org_id, effect, 'keys_passed', 'keys_available', new.from_user_id::text, null) <> -new.keys then
    raise exception 'the keys of % have no journal that passes them on', new.transfer_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger key_transfer_is_booked after insert on key_transfers deferrable initially deferred for each row execute function key_transfer_is_booked();
alter table key_transfers enable always trigger key_transfer_is_booked;

-- As before, and of keys that pass on.
create or replace function journal_is_named(kind text, effect_key text) returns boolean language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select case kind
    when 'payment' then effect_key like 'payment:%' when 'payment_reversed' then effect_key like 'reversal:payment:%'
    when 'payments_shifted' then effect_key like 'shift:%'
    when 'refund_owed' then effect_key like 'refund_owed:%' when 'refund_paid' then effect_key like 'refund_paid:%'
    when 'refund_withdrawn' then effect_key like 'reversal:refund_owed:%'
    when 'penal_charged' then effect_key like 'penal:%' when 'penal_taken_back' then effect_key like 'reversal:penal:%'
    when 'penal_waived' then effect_key like 'waiver:%' when 'waiver_taken_back' then effect_key like 'reversal:waiver:%'
    when 'agreement_opened' then effect_key like 'agreement:%' when 'agreement_cancelled' then effect_key like 'cancelled:%'
    when 'schedule_opened' then effect_key like 'version:%' and effect_key not like '%:taken_back'
    when 'schedule_taken_back' then effect_key like 'version:%:taken_back'
    when 'key_reserved' then effect_key like 'key:reserve:%' when 'key_spent' then effect_key like 'key:spend:%' when 'key_returned' then effect_key like 'key:void:%'
    when 'keys_passed' then effect_key like 'key:pass:%'
    when 'keys_credited' then effect_key !~ '^(payment|reversal|shift|refund_owed|refund_paid|penal|waiver|agreement|cancelled|version|key):'
    else false end
$$;

create or replace function journal_moves(kind text, code text) returns boolean language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select code = any(case kind
    when 'agreement_opened' then array['receivable_principal', 'receivable_interest', 'receivable_fee', 'sales', 'unearned_interest', 'unearned_fee']
    when 'agreement_cancelled' then array['receivable_principal', 'receivable_interest', 'receivable_fee', 'receivable_penal', 'sales', 'unearned_interest', 'unearned_fee', 'income_penal']
    when 'schedule_opened' then array['receivable_interest', 'receivable_fee', 'unearned_interest', 'unearned_fee']
    when 'schedule_taken_back' then array['receivable_interest', 'receivable_fee', 'unearned_interest', 'unearned_fee']
    when 'payment' then array['clearing_cash', 'clearing_upi', 'clearing_other', 'receivable_principal', 'receivable_interest', 'receivable_fee', 'receivable_penal', 'advance',
      'unearned_interest', 'unearned_fee', 'income_interest', 'income_fee', 'suspense', 'sales']
    when 'payment_reversed' then array['clearing_cash', 'clearing_upi', 'clearing_other', 'receivable_principal', 'receivable_interest', 'receivable_fee', 'receivable_penal', 'advance',
      'unearned_interest', 'unearned_fee', 'income_interest', 'income_fee', 'suspense', 'sales']
    when 'payments_shifted' then array['receivable_principal', 'receivable_interest', 'receivable_fee', 'receivable_penal', 'advance', 'unearned_interest', 'unearned_fee', 'income_interest', 'income_fee']
    when 'refund_owed' then array['suspense', 'refunds_payable', 'sales', 'income_interest', 'income_fee', 'income_penal', 'advance']
    when 'refund_withdrawn' then array['suspense', 'refunds_payable']
    when 'refund_paid' then array['refunds_payable', 'clearing_cash', 'clearing_upi', 'clearing_other']
    when 'penal_charged' then array['receivable_penal', 'income_penal']
    when 'penal_taken_back' then array['receivable_penal', 'income_penal']
    when 'penal_waived' then array['receivable_penal', 'waivers']
    when 'waiver_taken_back' then array['receivable_penal', 'waivers']
    when 'keys_credited' then array['keys_available', 'keys_issued']
    when 'key_reserved' then array['keys_available', 'keys_reserved']
    when 'key_spent' then array['keys_reserved', 'keys_used']
    when 'key_returned' then array['keys_available', 'keys_reserved']
    when 'keys_passed' then array['keys_available']
  end)
$$;

create or replace function keys_move_as_told() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare of record;
begin
  select j.kind, j.effect_key, a.code, a.owner_id, a.owner_kind, a.unit into of from journals j, accounts a
  where j.org_id = new.org_id and j.journal_id = new.journal_id and a.org_id = new.org_id and a.account_id = new.account_id;
  if (of.kind, of.code, new.debit > 0) not in (('keys_credited', 'keys_available', true), ('keys_credited', 'keys_issued', false),
      ('key_reserved', 'keys_reserved', true), ('key_reserved', 'keys_available', false), ('key_spent', 'keys_used', true), ('key_spent', 'keys_reserved', false),
      ('key_returned', 'keys_available', true), ('key_returned', 'keys_reserved', false),
      ('keys_passed', 'keys_available', true), ('keys_passed', 'keys_available', false)) then
    raise exception 'insert of journal_lines is refused: % does not move % that way', of.kind, of.code using errcode = 'restrict_violation';
  end if;
  if of.unit <> new.unit or exists (
    select from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where l.org_id = new.org_id and l.journal_id = new.journal_id
      and (l.unit <> new.unit
        or a.owner_kind = 'user' and of.owner_kind = 'user' and (a.owner_id <> of.owner_id and of.kind <> 'keys_passed' or l.lot is distinct from new.lot))) then
    raise exception 'insert of journal_lines is refused: keys move within one shop and lot' using errcode = 'restrict_violation';
  end if;
  if of.kind = 'keys_credited' and of.code = 'keys_available' and not exists (
    select from key_grants g where g.org_id = new.org_id and g.effect_key = of.effect_key and g.user_id::text = of.owner_id
      and 'KEY:' || g.plan_type = new.unit and g.lot = new.lot
      and g.keys = (select sum(l.debit) from journal_lines l where l.org_id = new.org_id and l.journal_id = new.journal_id)) then
    raise exception 'insert of journal_lines is refused: keys come by a grant' using errcode = 'restrict_violation';
  end if;
  if of.kind = 'keys_passed' and not exists (
    select from key_transfers t where t.org_id = new.org_id and of.effect_key = 'key:pass:' || t.transfer_id || ':' || t.lot and t.txid = pg_current_xact_id()
      and 'KEY:' || t.plan_type = new.unit and t.lot = new.lot and (t.keys, of.owner_id) = (new.debit + new.credit, case when new.debit > 0 then t.to_user_id else t.from_user_id end::text)) then
    raise exception 'insert of journal_lines is refused: keys are passed on as was told' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
