-- A number that a shop changed and that comes back before the other one ever spoke was the customer's word all the time: it waits for nothing, and its login
-- is given back. A row comes from its change alone. Changes of a sale that nobody agreed to yet have their row too, which does not wait: they are counted.
-- A million customers: nothing of them is read or written. number_changes gets columns with constant
-- defaults: none of its rows is written anew, whatever there is of them; its checks read them through once, exclusively.
alter table number_changes
  -- In which order a customer's changes came: several may be of one moment. 0: of before it was counted.
  add column change_no integer not null default 0,
  add column waits boolean not null default true,
  add column is_back boolean not null default false,
  -- Of the customer and the number that spoke last when this was written; it goes when the customer is erased.
  add column spoke_hash bytea check (octet_length(spoke_hash) = 32),
  -- Who signed in as the customer with that number.
  add column login_user_id uuid,
  add constraint number_changes_back check (not is_back or (otp_id is null and not waits));

create function kist_number_hash(customer uuid, mobile text) returns bytea language sql immutable parallel safe
  as $$ select sha256(convert_to(customer::text || ' ' || mobile, 'UTF8')) $$;
comment on function kist_number_hash is 'By which a customer''s number is known again without being kept.';

create or replace function kist_number_speaks_at(org integer, customer uuid) returns timestamptz language sql stable parallel safe
  set search_path = pg_catalog, public, pg_temp
  as $$
    select max(n.changed_at) + interval '24 hours' from number_changes n
    where n.org_id = org and n.customer_id = customer and n.otp_id is null and n.waits
      and n.changed_at > kist_now() - interval '24 hours' and n.changed_at < kist_now() + interval '24 hours'
      and not exists (select from number_changes b
        where b.org_id = org and b.customer_id = customer and b.otp_id is null and b.is_back and b.change_no > n.change_no)
  $$;

create or replace function customer_number_changes() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed uuid;
  last number_changes;
  is_waiting boolean := kist_number_speaks_at(new.org_id, new.customer_id) is not null;
  spoke bytea := kist_number_hash(new.customer_id, old.mobile);
  login uuid;
  comes_back boolean;
begin
  select o.otp_id into agreed from otps o
    where o.org_id = new.org_id and o.customer_id = new.customer_id and o.purpose = 'NUMBER'
      and kist_code_is_used_now(new.org_id, o.otp_id, new.customer_id, 'NUMBER', sha256(convert_to(new.mobile, 'UTF8')));
  select * into last from number_changes n where n.org_id = new.org_id and n.customer_id = new.customer_id order by n.change_no desc, n.changed_at desc limit 1;
  if is_waiting then
    spoke := last.spoke_hash;
    login := last.login_user_id;
  else
    select l.user_id into login from customer_logins l where l.org_id = new.org_id and l.customer_id = new.customer_id;
  end if;
  comes_back := is_waiting and coalesce(spoke = kist_number_hash(new.customer_id, new.mobile), false);
  insert into number_changes (org_id, customer_id, changed_at, otp_id, change_no, waits, is_back, spoke_hash, login_user_id)
  values (new.org_id, new.customer_id, kist_now(), agreed, coalesce(last.change_no, 0) + 1,
    agreed is null and not comes_back and (is_waiting
      or exists (select from consent_confirmations k where k.org_id = new.org_id and k.customer_id = new.customer_id and k.mobile = old.mobile)
      or exists (select from consents c join agreements a on a.org_id = c.org_id and a.agreement_id = c.agreement_id
        where a.org_id = new.org_id and a.customer_id = new.customer_id
          and kist_consent_counts(c.document_id, c.confirmation_id, kist_needs_consent_code(a.policy)))),
    comes_back, spoke, login);
  return null;
end $$;

create function number_change_is_of_its_change() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'insert of number_changes is refused: it comes from its customer' using errcode = 'restrict_violation';
  end if;
  new.changed_at := kist_now();
  return new;
end $$;
create trigger number_changes_come_of_a_change before insert on number_changes for each row execute function number_change_is_of_its_change();
alter table number_changes enable always trigger number_changes_come_of_a_change;

-- What was written stays, but for the mark of a number: it goes with the customer.
drop trigger number_changes_stay on number_changes;
create trigger number_changes_stay
  before update of org_id, change_id, customer_id, changed_at, otp_id, change_no, waits, is_back, login_user_id on number_changes
  for each row execute function kist_refuse('what was written stays');
create trigger number_changes_forget before update on number_changes for each row
  when (new.spoke_hash is not null) execute function kist_refuse('what was written stays');
alter table number_changes enable always trigger number_changes_stay;
alter table number_changes enable always trigger number_changes_forget;
grant update (spoke_hash) on number_changes to kist_app;
