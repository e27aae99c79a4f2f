-- A penal charge that money of an earlier day makes unfounded is taken back, and one may be waived, in part or whole: the charge says so itself, next to
-- the journals that did it. Who asked for a waiver, why, and who agreed is kept; beyond the organisation's limit that is a second person.
-- A million agreements: the columns come at once; the checks look at each charge once (seconds where an organisation charges much), and charges are held
-- exclusively meanwhile.
alter table charges
  add column made_by text not null default 'rule' check (made_by in ('rule', 'hand')),
  add column waived_paise bigint not null default 0,
  add column taken_back_at timestamptz,
  -- The payment that did it.
  add column taken_back_for uuid,
  add constraint charges_waived check (waived_paise >= 0 and paid_paise + waived_paise <= amount_paise),
  add constraint charges_taken_back check ((taken_back_at is null) = (taken_back_for is null) and (taken_back_at is null or paid_paise = 0));

grant update (waived_paise, taken_back_at, taken_back_for) on charges to kist_app;

create trigger charges_maker_stays before update of made_by on charges for each row execute function kist_refuse('facts stay as they were written');
alter table charges enable always trigger charges_maker_stays;
create function charges_go_one_way() returns trigger language plpgsql as $$
begin
  if old.taken_back_at is not null and new is distinct from old then
    raise exception 'update of charges is refused: what was taken back stays so' using errcode = 'restrict_violation';
  end if;
  if new.waived_paise < old.waived_paise then
    raise exception 'update of charges is refused: a waiver stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger charges_go_one_way before update on charges for each row execute function charges_go_one_way();
alter table charges enable always trigger charges_go_one_way;

create table waivers (
  org_id integer not null,
  waiver_id uuid not null,
  agreement_id uuid not null,
  charge_id uuid not null,
  amount_paise bigint not null check (amount_paise > 0),
  reason text not null check (reason <> ''),
  -- What one person could waive alone when it was asked for.
  limit_paise bigint not null check (limit_paise >= 0),
  state text not null check (state in ('asked', 'granted', 'refused')),
  asked_by uuid not null,
  asked_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  primary key (org_id, waiver_id),
  foreign key (org_id, charge_id) references charges,
  check ((state = 'asked') = (decided_at is null) and (decided_by is null) = (decided_at is null)),
  constraint waivers_second_person check (state <> 'granted' or amount_paise <= limit_paise or decided_by <> asked_by)
);
create index waivers_charge on waivers (org_id, charge_id);
create index waivers_agreement on waivers (org_id, agreement_id);
create unique index waivers_asked on waivers (org_id, charge_id) where state = 'asked';
select kist_tenant('waivers', 'select, insert');
grant update (state, decided_by, decided_at) on waivers to kist_app;
comment on table waivers is 'owner: payments';

create trigger waivers_stay before delete on waivers for each row execute function kist_refuse('what was written stays');
create trigger waivers_are_not_emptied before truncate on waivers for each statement execute function kist_refuse('what was written stays');
create trigger waivers_facts_stay before update of org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, asked_by, asked_at on waivers
  for each row execute function kist_refuse('facts stay as they were written');
create function waivers_are_decided_once() returns trigger language plpgsql as $$
begin
  if old.state <> 'asked' or new.state = 'asked' then
    raise exception 'update of waivers is refused: it was decided' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger waivers_are_decided_once before update on waivers for each row execute function waivers_are_decided_once();
alter table waivers enable always trigger waivers_stay;
alter table waivers enable always trigger waivers_are_not_emptied;
alter table waivers enable always trigger waivers_facts_stay;
alter table waivers enable always trigger waivers_are_decided_once;

create view waivers_view with (security_invoker = true) as
  select org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, state, asked_by, asked_at from waivers;
grant select on waivers_view to kist_app;
comment on view waivers_view is 'owner: payments';
