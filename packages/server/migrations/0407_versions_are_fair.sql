-- A version of a schedule is held to what it says, whoever writes it: its total is what is financed with its interest and fee, its rows fall due behind the day it
-- is made on, as many as its terms say and until the day they say; and where on some day more would have fallen due than before, a code of the customer was used
-- for it, whatever its cause. Until now the account that serves could write one that asks thousands more as a rescheduling, or everything tomorrow.
-- A million agreements: no row is read or written; schedule_versions is held exclusively for a moment.
create or replace function schedule_version_is_agreed_to() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (new.consent_otp_id is not null or (new.after ->> 'total_payable_paise')::bigint > (new.before ->> 'total_payable_paise')::bigint)
    and not exists (select from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id
      and kist_code_is_used_now(new.org_id, new.consent_otp_id, a.customer_id, 'TERMS', new.consent_hash)) then
    raise exception 'insert of schedule_versions is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Whether by its rows more falls due until some day than of those that it put aside; of one that a later version put aside again, because a payment taken
-- back had opened it, all that was given up counts. revision.ts: asksMore.
create function schedule_version_asks_more(org integer, agreement uuid, number integer) returns boolean language sql stable as $$
  select exists (
    select from (
      select sum(m.paise) over (order by m.due_on, m.is_new) as more, m.is_new
      from (
        select i.due_on, i.version = number as is_new, case when i.version = number then i.principal_paise + i.interest_paise + i.fee_paise
          else -i.dropped_principal_paise - i.dropped_interest_paise - i.dropped_fee_paise end as paise
        from public.instalments i
        where i.org_id = org and i.agreement_id = agreement and (i.version = number or i.version < number and i.superseded_by >= number)
      ) m
    ) s where s.is_new and s.more > 0)
$$;

create function version_is_fair() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare a record; r record;
begin
  select * into a from agreements g where g.org_id = new.org_id and g.agreement_id = new.agreement_id;
  if (new.after ->> 'total_payable_paise')::bigint is distinct from
    a.financed_paise + (new.after ->> 'total_interest_paise')::bigint + (new.after ->> 'fee_paise')::bigint then
    raise exception 'version % of % says another total than its sums', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  select min(i.due_on) filter (where i.version = new.version) as first_on, max(i.due_on) filter (where i.superseded_by is null) as last_on,
    count(*) filter (where i.superseded_by is null or i.principal_paise + i.interest_paise + i.fee_paise
      > i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise) as rows
    into r from instalments i where i.org_id = new.org_id and i.agreement_id = new.agreement_id;
  if r.first_on <= new.effective_on then
    raise exception 'version % of % asks for what is due already', new.version, new.agreement_id using errcode = 'check_violation';
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
create constraint trigger version_is_fair after insert on schedule_versions deferrable initially deferred for each row execute function version_is_fair();
alter table schedule_versions enable always trigger version_is_fair;
