-- The check of the books compares what was written with what was written: a sale with the rule before it by their order, for instants are of a clock that may be
-- put back; the number of an agreement with the one that the audit says was given; a late fee by hand with who the audit says charged it; a day that was run
-- with its steps.
-- A million agreements: a column comes that is empty; rules of penalties are some rows for each organisation, and for each its agreements are read through once
-- (a second for a million); agreements, penal_rules are held exclusively meanwhile.

-- How far the agreements were numbered when a rule was set. Of those from before, as the instants have it.
alter table penal_rules add column numbered integer not null default 0 check (numbered >= 0);
alter table agreements no force row level security;
alter table penal_rules no force row level security;
alter table penal_rules disable trigger penal_rules_stay;
update penal_rules r set numbered = n.last from (
  select p.org_id, p.version, max(split_part(a.agreement_no, '-', 2)::int) as last
  from penal_rules p join agreements a on a.org_id = p.org_id and a.created_at <= p.set_at and a.agreement_no ~ '^[0-9]+-[0-9]{5,9}$' group by 1, 2) n
where r.org_id = n.org_id and r.version = n.version;
alter table penal_rules enable always trigger penal_rules_stay;
create function rule_knows_its_place() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.numbered := coalesce((select c.last from counters c where c.org_id = new.org_id and c.name = 'agreement'), 0);
  return new;
end $$;
create trigger penal_rules_know_their_place before insert on penal_rules for each row execute function rule_knows_its_place();
alter table penal_rules enable always trigger penal_rules_know_their_place;

-- Whether a sale was signed while the clock was the world's: elsewhere days need not follow on one another, and the clock may be the world's again tomorrow.
-- Null: signed before this was written down.
alter table agreements add column is_of_real_time boolean;
create function sale_says_whose_time_it_is() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.is_of_real_time := kist_clock_is_real();
  return new;
end $$;
create trigger agreements_say_whose_time_it_is before insert on agreements for each row execute function sale_says_whose_time_it_is();
create trigger agreements_time_stays before update of is_of_real_time on agreements for each row execute function kist_refuse('facts stay as they were written');
alter table agreements enable always trigger agreements_say_whose_time_it_is;
alter table agreements enable always trigger agreements_time_stays;

-- From when on the books say who charged a late fee by hand, and days tell their steps.
alter table charges no force row level security;
alter table journals no force row level security;
alter table organisations no force row level security;
do $$
begin
  execute format('create function kist_hands_are_named_since() returns timestamptz language sql immutable parallel safe as $f$ select %L::timestamptz $f$',
    coalesce((select max(j.posted_at) from charges c join journals j on j.org_id = c.org_id and j.effect_key = 'penal:hand:' || c.charge_id
      where c.made_by = 'hand' and c.charged_by is null), '-infinity'));
  execute format('create function kist_days_are_told_since() returns date language sql immutable parallel safe as $f$ select %L::date $f$',
    coalesce((select greatest(max(daily_run_on), kist_today()) from organisations having count(*) > 0), '-infinity'));
end $$;
alter table organisations force row level security;
alter table journals force row level security;
alter table charges force row level security;
alter table penal_rules force row level security;
alter table agreements force row level security;
comment on function kist_hands_are_named_since() is 'Late fees by hand that were posted later say who charged them.';
comment on function kist_days_are_told_since() is 'Days after this one were run with all steps of kist_daily_steps(); older builds knew fewer.';

create view finished_steps_view with (security_invoker = true) as select org_id, business_on, step, finished_at from daily_steps;
comment on view finished_steps_view is 'owner: jobs';
create view lock_policies_view with (security_invoker = true) as select org_id, version, policy from lock_policies;
comment on view lock_policies_view is 'owner: locking';
create view agreement_lines_view with (security_invoker = true) as
  select org_id, subject_id, action, actor ->> 'user_id' as done_by, data from audit_lines where subject_kind = 'agreement';
comment on view agreement_lines_view is 'owner: audit';
grant select on finished_steps_view, lock_policies_view, agreement_lines_view to kist_app;
