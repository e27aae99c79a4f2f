-- What one person may waive alone is what the rule in force says, of all that was waived of the charge, and whoever waives does not say it. Every paisa that is
-- waived of a charge stands in a waiver of that charge. Until now a waiver brought its own limit, and a charge could be waived by a journal without any.
-- A million agreements: no row is read or written; waivers and charges are held exclusively for a moment. Asked of each waiver, not of charges that are made or
-- paid.
create function waiver_is_of_its_rule() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.limit_paise := coalesce((select r.waiver_limit_paise from penal_rules r where r.org_id = new.org_id order by r.version desc limit 1), 0);
  new.asked_at := kist_now();
  return new;
end $$;
create trigger waivers_are_of_their_rule before insert on waivers for each row execute function waiver_is_of_its_rule();
alter table waivers enable always trigger waivers_are_of_their_rule;

-- Asked when the transaction ends: whichever of journal, charge and waiver is written first. Those of one charge wait for one another by its row.
create or replace function waiver_is_booked() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare waived bigint; whose uuid;
begin
  if not sum_is_booked(new.org_id, 'waiver:' || new.waiver_id, new.amount_paise)
    or debited_by(new.org_id, 'waiver:' || new.waiver_id, 'penal_waived', 'receivable_penal', null, new.agreement_id) <> -new.amount_paise then
    raise exception 'waiver % was granted without its journal', new.waiver_id using errcode = 'check_violation';
  end if;
  select c.waived_paise, c.agreement_id into waived, whose from charges c where c.org_id = new.org_id and c.charge_id = new.charge_id;
  if whose <> new.agreement_id
    or waived <> (select sum(w.amount_paise) from waivers w where w.org_id = new.org_id and w.charge_id = new.charge_id and w.state = 'granted') then
    raise exception 'charge % has % paise waived, and its waivers say another sum', new.charge_id, waived using errcode = 'check_violation';
  end if;
  if new.decided_by = new.asked_by and waived > new.limit_paise then
    raise exception 'waiver % makes % paise, more than one person waives alone', new.waiver_id, waived using errcode = 'check_violation';
  end if;
  return null;
end $$;

create function charge_is_waived_by_waivers() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if (select c.waived_paise from charges c where c.org_id = new.org_id and c.charge_id = new.charge_id) <> (
    select coalesce(sum(w.amount_paise), 0) from waivers w where w.org_id = new.org_id and w.charge_id = new.charge_id and w.state = 'granted') then
    raise exception 'charge % has % paise waived, and its waivers say another sum', new.charge_id, new.waived_paise using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger charge_is_waived_by_waivers after update on charges deferrable initially deferred
  for each row when (old.waived_paise <> new.waived_paise) execute function charge_is_waived_by_waivers();
alter table charges enable always trigger charge_is_waived_by_waivers;
