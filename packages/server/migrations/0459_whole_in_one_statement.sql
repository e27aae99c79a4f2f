-- What somebody with the server's own account could still write: guards that are named in `set constraints … immediate` asked before what they ask about is
-- written; no order of rows after an exchange of the phone; a payment whose row or agreement never hears of it; a journal of nothing under the name that an
-- honest one will need; a late fee that is charged to nobody; a payment of any day of history, or with a number that no series gave.
-- A million agreements: no row is read or written; journals, lines and payments are held exclusively for a moment. A journal of a payment reads the lines and rows
-- of its agreement once more, a late fee's its charge.

-- A journal and its lines are one statement: whoever is asked at the end of it sees both.
create function journals_come_with_their_lines() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from added j where not exists (select from journal_lines l where l.org_id = j.org_id and l.journal_id = j.journal_id)) then
    raise exception 'insert of journals is refused: a journal comes with its lines' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger journals_come_with_their_lines after insert on journals referencing new table as added for each statement
  execute function journals_come_with_their_lines();
alter table journals enable always trigger journals_come_with_their_lines;

-- Which accounts a journal of the kind moves. That a till moves by money, and keys by keys, is asked besides.
create function journal_moves(kind text, code text) returns boolean language sql immutable set search_path = pg_catalog, public, pg_temp as $$
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
  end)
$$;

-- A name is taken by a journal that does what its kind does. One that moves another account, moves nothing, or takes nothing back and says so, is none.
create function journals_do_as_they_say() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare odd record;
begin
  select j.kind, j.effect_key into odd
  from (select n.org_id, n.journal_id, array_agg(distinct n.code) as codes, bool_or(n.amount <> 0) as is_something
    from (select l.org_id, l.journal_id, a.code, sum(l.debit - l.credit) as amount
      from added l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
      group by l.org_id, l.journal_id, a.code, l.account_id, l.instalment_no, l.charge_id, l.payment_id, l.lot) n
    group by n.org_id, n.journal_id) t
  join journals j on j.org_id = t.org_id and j.journal_id = t.journal_id
  where not t.is_something or exists (select from unnest(t.codes) as c(code) where journal_moves(j.kind, c.code) is not true)
    or (j.reverses_journal_id is not null) <> (j.kind in ('payment_reversed', 'penal_taken_back', 'waiver_taken_back', 'refund_withdrawn'))
  limit 1;
  if found then
    raise exception 'insert of journal_lines is refused: % is no journal of the kind %', odd.effect_key, odd.kind using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger journals_do_as_they_say after insert on journal_lines referencing new table as added for each statement execute function journals_do_as_they_say();
alter table journal_lines enable always trigger journals_do_as_they_say;

create function journal_is_of_its_change() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not (case new.kind
    when 'agreement_cancelled' then exists (
      select from agreements a where a.org_id = new.org_id and a.agreement_id = new.ref_id and a.state = 'cancelled' and new.effect_key = 'cancelled:' || a.agreement_id)
    when 'penal_charged' then not exists (
      select from journal_lines l where l.org_id = new.org_id and l.journal_id = new.journal_id and l.bucket = 'penal' and not exists (
        select from charges c where c.org_id = l.org_id and c.charge_id = l.charge_id and c.agreement_id = l.agreement_id and c.amount_paise = l.debit
          and new.effect_key = case c.made_by when 'rule' then 'penal:' || c.agreement_id || ':' || c.instalment_no || ':' || c.charged_on else 'penal:hand:' || c.charge_id end))
    when 'penal_waived' then exists (
      select from waivers w where w.org_id = new.org_id and new.effect_key = 'waiver:' || w.waiver_id and w.state = 'granted')
    else exists (
      select from schedule_versions v where v.org_id = new.org_id and v.agreement_id = new.ref_id and v.version > 1
        and new.effect_key = 'version:' || v.agreement_id || ':' || v.version || case new.kind when 'schedule_taken_back' then ':taken_back' else '' end)
    end) then
    raise exception 'journal % is of a change that was not made', new.effect_key using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger journal_is_of_its_change after insert on journals deferrable initially deferred
  for each row when (new.kind in ('agreement_cancelled', 'schedule_opened', 'schedule_taken_back', 'penal_charged', 'penal_waived')) execute function journal_is_of_its_change();
alter table journals enable always trigger journal_is_of_its_change;

create function agreement_owes_otherwise(org integer, agreement uuid) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select (a.outstanding_paise, a.paid_count, a.oldest_due_on, a.oldest_due_paise, a.advance_paise) is distinct from (
    due.outstanding, due.paid, due.oldest_on, due.oldest, due.advance)
  from agreements a cross join lateral (
    select coalesce(sum(i.left_paise), 0)::bigint as outstanding,
      count(*) filter (where i.left_paise = 0 and (i.superseded_by is null or i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise
        < i.principal_paise + i.interest_paise + i.fee_paise))::int as paid,
      (array_agg(i.due_on order by i.due_on, i.no) filter (where i.left_paise > 0))[1] as oldest_on,
      coalesce((array_agg(i.left_paise order by i.due_on, i.no) filter (where i.left_paise > 0))[1], 0)::bigint as oldest,
      (select coalesce(sum(l.credit - l.debit), 0)::bigint from journal_lines l
       where l.org_id = a.org_id and l.agreement_id = a.agreement_id and l.bucket = 'advance') as advance
    from instalments i where i.org_id = a.org_id and i.agreement_id = a.agreement_id) due
  where a.org_id = org and a.agreement_id = agreement
$$;
create or replace function agreement_says_what_it_owes() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if agreement_owes_otherwise(new.org_id, new.agreement_id) then
    raise exception 'agreement %: what it says of its money is not what its instalments and lines say', new.agreement_id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create or replace function rows_are_paid_in_order() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare off text; moved record;
begin
  for moved in
    select distinct a.org_id, a.agreement_id, a.agreement_no, a.state, a.schedule_version, a.advance_paise
    from journal_lines l join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = new.org_id and l.journal_id = new.journal_id and l.bucket is not null
  loop
    -- Each row and charge that it touches says what all lines of it say, and the agreement what its rows say.
    select coalesce(said.charge_id::text, said.instalment_no::text) into off
    from (select l.instalment_no, l.charge_id, l.bucket, sum(l.credit - l.debit)::bigint as paise from journal_lines l
      where l.org_id = new.org_id and l.agreement_id = moved.agreement_id and l.payment_id is not null and l.bucket in ('principal', 'interest', 'fee', 'penal')
      group by l.instalment_no, l.charge_id, l.bucket having bool_or(l.journal_id = new.journal_id)) said
    left join instalments i on said.bucket <> 'penal' and i.org_id = new.org_id and i.agreement_id = moved.agreement_id and i.no = said.instalment_no
    left join charges c on said.bucket = 'penal' and c.org_id = new.org_id and c.charge_id = said.charge_id and c.agreement_id = moved.agreement_id
    where said.paise is distinct from case said.bucket when 'principal' then i.paid_principal_paise when 'interest' then i.paid_interest_paise when 'fee' then i.paid_fee_paise
      else c.paid_paise end
    limit 1;
    if off is not null or agreement_owes_otherwise(new.org_id, moved.agreement_id) then
      raise exception 'journal % of % moved what its rows do not say', new.effect_key, moved.agreement_no using errcode = 'check_violation';
    end if;
    -- Of a version before, what was paid and stands stays where it went.
    if new.kind = 'payments_shifted' and exists (
        select from journal_lines l join payments p on p.org_id = l.org_id and p.payment_id = l.payment_id and p.schedule_version < moved.schedule_version and p.state = 'posted'
        where l.org_id = new.org_id and l.journal_id = new.journal_id and l.agreement_id = moved.agreement_id and l.bucket in ('principal', 'interest', 'fee')
        group by l.payment_id, l.instalment_no, l.bucket having sum(l.credit - l.debit) < 0) then
      raise exception 'journal % moves money of a version of % before', new.journal_id, moved.agreement_no using errcode = 'check_violation';
    end if;
    -- Oldest first, in a row interest, principal, fee, and nothing ahead while something is owed: asked of the money of the version in force and of what this
    -- journal lays, whatever row it went to; of a payment that was taken back nothing lies anywhere. An agreement that was cancelled owes nothing.
    if moved.state <> 'cancelled' and exists (
      select from (select min(i.due_on) as since from instalments i where i.org_id = new.org_id and i.agreement_id = moved.agreement_id and i.left_paise > 0) owed
      where moved.advance_paise > 0 and owed.since is not null
        or exists (
          select from instalments i
          cross join lateral (select i.principal_paise - i.dropped_principal_paise - i.paid_principal_paise as principal,
            i.interest_paise - i.dropped_interest_paise - i.paid_interest_paise as interest) r
          where i.org_id = new.org_id and i.agreement_id = moved.agreement_id and i.paid_principal_paise + i.paid_interest_paise + i.paid_fee_paise > 0
            and (i.due_on > owed.since or r.interest > 0 and i.paid_principal_paise + i.paid_fee_paise > 0 or r.principal > 0 and i.paid_fee_paise > 0)
            and exists (
              select from journal_lines l join payments p on p.org_id = l.org_id and p.payment_id = l.payment_id
              where l.org_id = new.org_id and l.agreement_id = moved.agreement_id and l.instalment_no = i.no and l.bucket in ('principal', 'interest', 'fee')
                and (p.schedule_version = moved.schedule_version or p.state = 'reversed' or l.journal_id = new.journal_id)
                and (i.due_on > owed.since or r.interest > 0 and l.bucket <> 'interest' or r.principal > 0 and l.bucket = 'fee')
              group by l.payment_id, l.bucket having sum(l.credit - l.debit) > 0))) then
      raise exception 'journal % lays money of % out of its order', new.journal_id, moved.agreement_no using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end $$;

-- As whoever takes money asks it; by days, for a book says no hour.
create function payment_is_of_its_time() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.paid_on > ((kist_now() + interval '2 minutes') at time zone 'Asia/Kolkata')::date or new.paid_on is distinct from (new.paid_at at time zone 'Asia/Kolkata')::date
    or new.paid_on < (select a.delivered_on from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id) then
    raise exception 'insert of payments is refused: money is paid between the delivery and now' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payments_are_of_their_time before insert on payments for each row execute function payment_is_of_its_time();
alter table payments enable always trigger payments_are_of_their_time;

-- A number is one that the counter of whoever took the money, or took it back, has given, and bears the shop's own.
create function number_is_given() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  no text := case tg_argv[0] when 'note' then new.note_no else new.receipt_no end;
  series text := case when tg_argv[0] = 'note' then 'note' when new.goes_to = 'down_payment' then 'down_payment' else 'receipt' end;
  person uuid := case tg_argv[0] when 'note' then new.reversed_by else coalesce(new.posted_by, new.recorded_by) end;
begin
  if coalesce((select c.last from counters c where c.org_id = new.org_id and c.name = series || ':' || person || ':20' || substr(no, 1, 5)), 0)
      < ltrim(split_part(no, '/', 3), 'DR')::bigint
    or split_part(no, '/', 2)::bigint is distinct from (select c.last from counters c where c.org_id = new.org_id and c.name = 'shop:' || person) then
    raise exception 'payment % has the number %, which the series of % has not given', new.payment_id, no, person using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger payments_numbers_are_given after insert on payments deferrable initially deferred for each row
  when (new.receipt_no ~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$') execute function number_is_given('receipt');
create constraint trigger payments_numbers_come_by_the_series after update of receipt_no on payments deferrable initially deferred for each row
  when (old.receipt_no is distinct from new.receipt_no and new.receipt_no ~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$') execute function number_is_given('receipt');
create constraint trigger payments_notes_are_given after update of note_no on payments deferrable initially deferred for each row
  when (old.note_no is distinct from new.note_no and new.note_no ~ '^[0-9]{2}-[0-9]{2}/[0-9]+/R?[0-9]{1,15}$') execute function number_is_given('note');
alter table payments enable always trigger payments_numbers_are_given;
alter table payments enable always trigger payments_numbers_come_by_the_series;
alter table payments enable always trigger payments_notes_are_given;

create trigger counters_of_shops_stay before update of last on counters for each row
  when (old.name like 'shop:%' and new.last is distinct from old.last) execute function kist_refuse('facts stay as they were written');
alter table counters enable always trigger counters_of_shops_stay;
