-- With who is erased goes what was said of their stolen or lost phone, the number that its code went to, and of orders to it their notes and
-- what came of them, a place or a SIM card. Until now they stayed, and the customer's own file told them. That there was such a word, when, by whom and by which code stays: a lock stood on it.
-- A million customers: rows of those who were erased are written once, found by an index for each of their phones; protection_reports is held exclusively
-- meanwhile, a moment but for an organisation that erased many thousands; of commands only the rows that are written.
create function kist_is_phone_of_erased(org integer, device uuid) returns boolean language sql stable as $$
  select exists (select from devices d join erasures e on e.org_id = d.org_id and e.customer_id = d.customer_id where d.org_id = org and d.device_id = device)
$$;

drop trigger protection_reports_facts_stay on protection_reports;
drop trigger protection_reports_close_once on protection_reports;

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
do $$ declare tab text; begin
  foreach tab in array array['erasures', 'devices', 'protection_reports', 'commands'] loop
    execute format('alter table %I no force row level security', tab);
  end loop;
end $$;
update protection_reports p set note = '', closed_reason = case when p.closed_reason = '' then '' else '—' end, code_mobile = case when p.code_mobile is not null then 'erased' end
from erasures e join devices d on d.org_id = e.org_id and d.customer_id = e.customer_id where p.org_id = d.org_id and p.device_id = d.device_id;
update commands c set note = null, result = null
from erasures e join devices d on d.org_id = e.org_id and d.customer_id = e.customer_id where c.org_id = d.org_id and c.device_id = d.device_id and (c.note is not null or c.result is not null);
-- Constraints of these updates that wait for the end would keep the tables from being altered.
set constraints all immediate;
set constraints all deferred;
do $$ declare tab text; begin
  foreach tab in array array['erasures', 'devices', 'protection_reports', 'commands'] loop
    execute format('alter table %I force row level security', tab);
  end loop;
end $$;

create function protection_report_words_go() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.note <> '' or new.closed_reason not in ('', '—') or new.code_mobile <> 'erased' or (new.closed_at, new.closed_as, new.closed_by, new.closed_otp_id)
      is distinct from (old.closed_at, old.closed_as, old.closed_by, old.closed_otp_id) or not kist_is_phone_of_erased(old.org_id, old.device_id) then
    raise exception 'update of protection_reports is refused: %',
      case when (new.note, new.code_mobile) is distinct from (old.note, old.code_mobile) then 'facts stay as they were written' else 'it is closed once' end
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger protection_reports_facts_stay before update of org_id, report_id, device_id, kind, reported_by, actor_user_id, reported_at, code_otp_id
  on protection_reports for each row execute function kist_refuse('facts stay as they were written');
create trigger protection_reports_close_once before update on protection_reports for each row
  when (old.closed_at is not null and (new.note, new.code_mobile, new.closed_reason) is not distinct from (old.note, old.code_mobile, old.closed_reason))
  execute function kist_refuse('it is closed once');
create trigger protection_reports_words_stay before update on protection_reports for each row
  when ((new.note, new.code_mobile) is distinct from (old.note, old.code_mobile) or old.closed_at is not null and new.closed_reason <> old.closed_reason)
  execute function protection_report_words_go();
do $$ declare name text; begin
  foreach name in array array['protection_reports_facts_stay', 'protection_reports_close_once', 'protection_reports_words_stay'] loop
    execute format('alter table protection_reports enable always trigger %I', name);
  end loop;
end $$;
grant update (note, code_mobile) on protection_reports to kist_app;
