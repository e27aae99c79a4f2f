-- A version of a schedule puts off nothing that is due: no row of its day or before gives anything up to it, and its first row falls on the earliest day that
-- gave something up, or before it. Until now the account that serves could move what was overdue into next month, or into 2098, as a rescheduling.
-- A million agreements: no row is read or written; two functions are replaced.
create or replace function instalments_are_superseded() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.superseded_by is null or new.superseded_by <= coalesce(old.superseded_by, old.version)
    or new.dropped_principal_paise < old.dropped_principal_paise or new.dropped_interest_paise < old.dropped_interest_paise
    or new.dropped_fee_paise < old.dropped_fee_paise
    or not schedule_version_is_being_made(new.org_id, new.agreement_id, new.superseded_by)
    or new.paid_principal_paise + new.dropped_principal_paise <> new.principal_paise
    or new.paid_interest_paise + new.dropped_interest_paise <> new.interest_paise
    or new.paid_fee_paise + new.dropped_fee_paise <> new.fee_paise then
    raise exception 'update of instalments is refused: the rows of a version in force stay as they are' using errcode = 'restrict_violation';
  end if;
  -- A version is of the day that it is made on (schedule_version_is_next).
  if new.due_on <= kist_today() and (new.dropped_principal_paise, new.dropped_interest_paise, new.dropped_fee_paise)
    is distinct from (old.dropped_principal_paise, old.dropped_interest_paise, old.dropped_fee_paise) then
    raise exception 'update of instalments is refused: what is due is not put off' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create or replace function version_is_fair() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare a record; r record;
begin
  select * into a from agreements g where g.org_id = new.org_id and g.agreement_id = new.agreement_id;
  if (new.after ->> 'total_payable_paise')::bigint is distinct from
    a.financed_paise + (new.after ->> 'total_interest_paise')::bigint + (new.after ->> 'fee_paise')::bigint then
    raise exception 'version % of % says another total than its sums', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  select min(i.due_on) filter (where i.version = new.version) as first_on, max(i.due_on) filter (where i.superseded_by is null) as last_on,
    min(i.due_on) filter (where i.superseded_by = new.version
      and i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise > 0) as dropped_from,
    count(*) filter (where i.superseded_by is null or i.principal_paise + i.interest_paise + i.fee_paise
      > i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise) as rows
    into r from instalments i where i.org_id = new.org_id and i.agreement_id = new.agreement_id;
  if r.first_on <= new.effective_on then
    raise exception 'version % of % asks for what is due already', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  if r.first_on > r.dropped_from then
    raise exception 'version % of % puts off what falls due on %', new.version, new.agreement_id, r.dropped_from using errcode = 'check_violation';
  end if;
  if a.schedule_version = new.version and (r.rows, r.last_on) is distinct from
    ((new.after ->> 'tenure')::bigint, (new.after ->> 'last_due_on')::date) then
    raise exception 'version % of % says another time than its rows', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  if new.consent_otp_id is null and schedule_version_asks_more(new.org_id, new.agreement_id, new.version) then
    raise exception 'version % of % asks more, and no code of the customer was used for it', new.version, new.agreement_id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
