-- What is owed for a lock that was wrong, or came off too late, was reckoned and shown; that it was paid out stood nowhere. Each payout is written down, never
-- beyond what is owed at that moment, and stays. It is the organisation's own money: no till of a shop, and no journal.
-- A new table, as many rows as payouts.
create table compensation_payouts (
  org_id integer not null,
  payout_id uuid not null,
  agreement_id uuid not null,
  amount_paise bigint not null check (amount_paise > 0),
  method text not null check (method in ('CASH', 'UPI', 'OTHER')),
  reference text not null,
  -- Who says so; the server itself at the desk.
  paid_by uuid not null,
  paid_at timestamptz not null,
  primary key (org_id, payout_id),
  foreign key (org_id, agreement_id) references agreements
);
create index compensation_payouts_agreement on compensation_payouts (org_id, agreement_id);
select kist_tenant('compensation_payouts', 'select, insert');
comment on table compensation_payouts is 'owner: locking';

create trigger compensation_payouts_stay before update or delete on compensation_payouts for each row execute function kist_refuse('what was written stays');
create trigger compensation_payouts_are_not_emptied before truncate on compensation_payouts for each statement execute function kist_refuse('what was written stays');
create function compensation_is_owed() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare owed bigint; paid bigint;
begin
  -- Two payouts at once do not both see the same rest.
  perform from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id for update;
  select coalesce(sum(kist_late_hours(coalesce(w.held_since, c.cured_at), coalesce(c.confirmed_at, kist_now()),
      case when w.held_since is null then (a.policy ->> 'cureWithinMinutes')::int else 0 end) * (a.policy ->> 'compensationPaisePerHour')::bigint), 0) into owed
  from agreements a join cures c on c.org_id = a.org_id and c.agreement_id = a.agreement_id
  cross join lateral (select case when c.withdrawn_at is null then c.held_since end as held_since) w
  where a.org_id = new.org_id and a.agreement_id = new.agreement_id and not (c.began_wrong and c.withdrawn_at is not null);
  select coalesce(sum(p.amount_paise), 0) into paid from compensation_payouts p where p.org_id = new.org_id and p.agreement_id = new.agreement_id;
  if paid + new.amount_paise > owed then
    raise exception 'insert of compensation_payouts is refused: % paise are owed, % were paid out', owed, paid using errcode = 'restrict_violation';
  end if;
  new.paid_at := kist_now();
  return new;
end $$;
create trigger compensation_payouts_are_owed before insert on compensation_payouts for each row execute function compensation_is_owed();
do $$ declare name text; begin
  foreach name in array array['compensation_payouts_stay', 'compensation_payouts_are_not_emptied', 'compensation_payouts_are_owed'] loop
    execute format('alter table compensation_payouts enable always trigger %I', name);
  end loop;
end $$;
