-- A version of a schedule is made on its day, after the one before, with the terms that stood and those that stand; its sums are those of its rows and of its
-- journals; another phone changes no term and moves no row. From when it counts is its own day. Until now the account that serves could write a version of the
-- year 2099, and with it move what earlier payments are held by.
-- A million agreements: the few versions that there are, are read through once for the check; schedule_versions is held exclusively meanwhile.
alter table schedule_versions add constraint schedule_versions_swap_keeps_terms check (cause <> 'imei_swap'
  or (before = after and principal_paise + interest_paise + fee_paise + dropped_interest_paise + dropped_fee_paise = 0));

-- version-store.ts: TERMS.
create function terms_in_force(a agreements) returns jsonb language sql stable as $$
  select jsonb_build_object('method', a.method, 'rate_bps', a.rate_bps, 'rounding', a.rounding, 'tenure', a.tenure, 'emi_paise', a.emi_paise, 'fee_paise', a.fee_paise,
    'total_interest_paise', a.total_interest_paise, 'total_payable_paise', a.total_payable_paise, 'apr_bps', a.apr_bps, 'last_due_on', to_char(a.last_due_on, 'YYYY-MM-DD'))
$$;

create function schedule_version_is_next() returns trigger language plpgsql as $$
begin
  new.made_at := kist_now();
  new.txid := pg_current_xact_id();
  if new.effective_on <> kist_today() or not exists (
    select from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id and a.state = 'active'
      and a.schedule_version + 1 = new.version and new.effective_on >= coalesce(a.schedule_from, new.effective_on) and a.terms_in_force = new.before) then
    raise exception 'insert of schedule_versions is refused: a version is of its day, and follows the one in force' using errcode = 'restrict_violation';
  end if;
  if new.cause = 'imei_swap' and not exists (
    select from phone_exchanges x where x.org_id = new.org_id and x.agreement_id = new.agreement_id and x.was_set_up and x.txid = pg_current_xact_id()) then
    raise exception 'insert of schedule_versions is refused: no phone was exchanged' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger schedule_versions_are_next before insert on schedule_versions for each row execute function schedule_version_is_next();
alter table schedule_versions enable always trigger schedule_versions_are_next;

create or replace function terms_change_with_a_version() returns trigger language plpgsql as $$
begin
  if new.schedule_version <> old.schedule_version + 1 or not exists (
    select from schedule_versions v where v.org_id = new.org_id and v.agreement_id = new.agreement_id and v.version = new.schedule_version
      and v.txid = pg_current_xact_id() and v.effective_on = new.schedule_from and v.after = terms_in_force(new)) then
    raise exception 'update of agreements is refused: terms change with a version of the schedule' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Asked when the transaction ends: the terms are changed, the rows are written and what they come to is booked.
create function version_is_what_its_rows_say() returns trigger language plpgsql as $$
declare a record; r record; v record; name text := 'version:' || new.agreement_id || ':' || new.version;
begin
  select * into a from agreements g where g.org_id = new.org_id and g.agreement_id = new.agreement_id;
  select coalesce(sum(i.principal_paise) filter (where i.version = new.version), 0) as principal, coalesce(sum(i.interest_paise) filter (where i.version = new.version), 0) as interest,
    coalesce(sum(i.fee_paise) filter (where i.version = new.version), 0) as fee, sum(i.principal_paise - i.dropped_principal_paise) as financed,
    sum(i.interest_paise - i.dropped_interest_paise) as all_interest, sum(i.fee_paise - i.dropped_fee_paise) as all_fee,
    sum(i.dropped_principal_paise) as moved, sum(i.dropped_interest_paise) as dropped_interest, sum(i.dropped_fee_paise) as dropped_fee
    into r from instalments i where i.org_id = new.org_id and i.agreement_id = new.agreement_id;
  select sum(s.principal_paise) as moved, sum(s.dropped_interest_paise) as dropped_interest, sum(s.dropped_fee_paise) as dropped_fee
    into v from schedule_versions s where s.org_id = new.org_id and s.agreement_id = new.agreement_id;
  if a.schedule_version < new.version
    or (r.principal, r.interest, r.fee) is distinct from (new.principal_paise::numeric, new.interest_paise::numeric, new.fee_paise::numeric)
    or (r.financed, r.all_interest, r.all_fee) is distinct from (a.financed_paise::numeric, a.total_interest_paise::numeric, a.fee_paise::numeric)
    or (r.moved, r.dropped_interest, r.dropped_fee) is distinct from (v.moved, v.dropped_interest, v.dropped_fee)
    or (new.interest_paise + new.fee_paise > 0 and not sum_is_booked(new.org_id, name, new.interest_paise + new.fee_paise))
    or (new.dropped_interest_paise + new.dropped_fee_paise > 0
      and not sum_is_booked(new.org_id, name || ':taken_back', new.dropped_interest_paise + new.dropped_fee_paise)) then
    raise exception 'version % of % is not what its rows and journals say', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger version_is_what_its_rows_say after insert on schedule_versions deferrable initially deferred
  for each row execute function version_is_what_its_rows_say();
alter table schedule_versions enable always trigger version_is_what_its_rows_say;

-- For the check of the books.
create or replace view schedule_versions_view with (security_invoker = true) as
  select v.org_id, v.agreement_id, v.version, v.principal_paise, v.interest_paise, v.fee_paise, v.dropped_interest_paise, v.dropped_fee_paise, v.effective_on, v.cause,
    v.made_at, v.before, v.after, exists (select from phone_exchanges x where x.org_id = v.org_id and x.agreement_id = v.agreement_id and x.was_set_up
      and x.txid = v.txid) as has_exchange
  from schedule_versions v;
