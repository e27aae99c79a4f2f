-- Penal rules: an organisation's versions, each for agreements signed from its day on, and the stamp that an agreement keeps of the one in force when it was
-- signed. What an organisation does later changes no agreement that stands.
-- A million agreements: the column comes at once. Where an organisation made penal charges until now, its agreements that were told of them get their stamp:
-- one write each (a minute), and those rows are held until the end. Organisations without charges, which is how Kist comes, write nothing.
create table penal_rules (
  org_id integer not null references organisations,
  version integer not null check (version > 0),
  -- A fixed sum for each started stretch of `every_days` days; 0: none are made.
  charge_paise bigint not null check (charge_paise between 0 and 100000000),
  grace_days integer not null check (grace_days between 0 and 365),
  every_days integer not null check (every_days between 1 and 365),
  cap_bps integer not null check (cap_bps between 0 and 10000),
  -- By the daily run; otherwise only where the shop makes one by hand.
  is_daily boolean not null,
  -- A waiver beyond this takes a second person.
  waiver_limit_paise bigint not null check (waiver_limit_paise >= 0),
  set_at timestamptz not null,
  set_by text not null check (set_by <> ''),
  reason text not null check (reason <> ''),
  primary key (org_id, version)
);
select kist_tenant('penal_rules', 'select, insert');
comment on table penal_rules is 'owner: agreements';

create trigger penal_rules_stay before update or delete on penal_rules for each row execute function kist_refuse('a new rule is a new version');
alter table penal_rules enable always trigger penal_rules_stay;
create trigger penal_rules_are_not_emptied before truncate on penal_rules for each statement execute function kist_refuse('what was written stays');
alter table penal_rules enable always trigger penal_rules_are_not_emptied;
create function penal_rules_rise() returns trigger language plpgsql as $$
begin
  if new.version <> 1 + coalesce((select max(version) from penal_rules where org_id = new.org_id), 0) then
    raise exception 'insert of penal_rules is refused: versions follow one another' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger penal_rules_rise before insert on penal_rules for each row execute function penal_rules_rise();
alter table penal_rules enable always trigger penal_rules_rise;

alter table agreements add column penal jsonb;
comment on column agreements.penal is 'The penal rule as it stood at signing {version, charge_paise, grace_days, every_days, cap_bps, is_daily}; null: no charge is ever made.';

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table agreements no force row level security;
alter table organisations no force row level security;
alter table penal_rules no force row level security;
insert into penal_rules (org_id, version, charge_paise, grace_days, every_days, cap_bps, is_daily, waiver_limit_paise, set_at, set_by, reason)
select org_id, 1, (penal ->> 'charge_paise')::bigint, (penal ->> 'grace_days')::int, (penal ->> 'every_days')::int, 10000, true, 0, kist_now(), 'Kist',
  'the rule from before there were versions'
from organisations where penal is not null and (penal ->> 'charge_paise')::bigint > 0;
update agreements a set penal = jsonb_build_object('version', 1, 'charge_paise', r.charge_paise, 'grace_days', r.grace_days, 'every_days', r.every_days,
  'cap_bps', least(r.cap_bps, (a.policy ->> 'penalCapBps')::int), 'is_daily', true)
from penal_rules r join organisations o on o.org_id = r.org_id
where a.org_id = r.org_id and a.delivered_on >= (o.penal ->> 'since_on')::date;
alter table agreements force row level security;
alter table organisations force row level security;
alter table penal_rules force row level security;

create trigger agreements_penal_stays before update of penal on agreements for each row execute function kist_refuse('facts stay as they were written');
alter table agreements enable always trigger agreements_penal_stays;

alter table organisations drop column penal;
