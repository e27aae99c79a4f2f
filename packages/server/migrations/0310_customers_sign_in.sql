-- Who signs in as which customers: a number that told the code of a consent opens what was sold to it, in one shop or several, and nothing else. One
-- customer has one login; whose number changes has none until the new one tells a code.
-- A million users: those of customers are read once and have a row each here, a few seconds; `users` is held exclusively for a moment, when the column that
-- held one customer goes. A million consents: each customer whose code was told from the number on file gets the login that the sale did not make before,
-- half a minute; shops that sell meanwhile wait for nothing but the new table.
create table customer_logins (
  org_id integer not null references organisations,
  customer_id uuid not null,
  user_id uuid not null,
  since timestamptz not null,
  primary key (org_id, customer_id),
  foreign key (org_id, user_id) references users on delete cascade,
  foreign key (org_id, customer_id) references customers
);
create index customer_logins_of on customer_logins (org_id, user_id);
select kist_tenant('customer_logins', 'select, insert, delete');
grant update (user_id, since) on customer_logins to kist_app;
select kist_machine('customer_logins', 'select');
comment on table customer_logins is 'owner: identity';

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table users no force row level security;
alter table customers no force row level security;
alter table consent_confirmations no force row level security;
alter table customer_logins no force row level security;

insert into customer_logins (org_id, customer_id, user_id, since)
  select distinct on (u.org_id, u.customer_id) u.org_id, u.customer_id, u.user_id, u.created_at from users u
    join customers c on c.org_id = u.org_id and c.customer_id = u.customer_id
  where u.user_type = 'customer' order by u.org_id, u.customer_id, u.is_active desc, u.created_at;

create temporary table told on commit drop as
  select distinct on (c.org_id, c.customer_id) c.org_id, c.customer_id, c.mobile, c.first_name, c.last_name, c.language, k.confirmed_at
  from customers c join consent_confirmations k on k.org_id = c.org_id and k.customer_id = c.customer_id and k.mobile = c.mobile
  where not exists (select from customer_logins l where l.org_id = c.org_id and l.customer_id = c.customer_id)
  order by c.org_id, c.customer_id, k.confirmed_at desc;
insert into users (org_id, user_id, user_type, mobile, first_name, last_name, language, user_access, lock_access, created_at)
  select distinct on (org_id, mobile) org_id, gen_random_uuid(), 'customer', mobile, first_name, last_name, language,
    '{"feature_access": "0", "lock_unlock": "0", "unistall": "0", "active_deactive": "0", "bulk_retailer": "0"}',
    '{"lock": "0", "unlock": "0", "read": "0", "uninstall": "0"}', confirmed_at
  from told order by org_id, mobile, confirmed_at desc
  on conflict (org_id, mobile) do nothing;
-- A number that went from one person to the next told codes for both: of those to whom something was sold under it, the last one's name counts.
insert into customer_logins (org_id, customer_id, user_id, since)
  select t.org_id, t.customer_id, u.user_id, t.confirmed_at from told t join users u on u.org_id = t.org_id and u.mobile = t.mobile and u.user_type = 'customer' and u.is_active
  where lower(btrim(t.first_name || ' ' || t.last_name)) = lower(btrim(u.first_name || ' ' || u.last_name));

alter table users force row level security;
alter table customers force row level security;
alter table consent_confirmations force row level security;
alter table customer_logins force row level security;

-- Nobody is let into what was sold to another number.
create function customer_login_fits() returns trigger language plpgsql as $$
begin
  if not exists (select from users u join customers c on c.org_id = u.org_id and c.mobile = u.mobile
      where u.org_id = new.org_id and u.user_id = new.user_id and u.user_type = 'customer' and c.customer_id = new.customer_id) then
    raise exception 'a login of customer % is refused: it is not of their number', new.customer_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger customer_login_fits before insert or update on customer_logins for each row execute function customer_login_fits();
alter table customer_logins enable always trigger customer_login_fits;

create trigger customer_logins_new_epoch after insert or update on customer_logins for each row execute function session_epoch_rises();
create trigger customer_logins_gone_epoch after delete on customer_logins for each row execute function session_epoch_rises();

create or replace view login_numbers_view with (security_invoker = true) as
  select u.org_id, u.mobile, l.customer_id, u.user_type <> 'customer' and u.number_proved_at is not null as is_of_staff,
    u.user_type = 'customer' and u.number_proved_at is not null as is_proved
  from users u left join customer_logins l on l.org_id = u.org_id and l.user_id = u.user_id;

drop trigger users_epoch on users;
create trigger users_epoch after update on users for each row
when (
  (old.org_id, old.user_id, old.user_type, old.parent_user_id, old.language, old.is_active, old.user_access, old.lock_access)
  is distinct from
  (new.org_id, new.user_id, new.user_type, new.parent_user_id, new.language, new.is_active, new.user_access, new.lock_access)
) execute function session_epoch_rises();
alter table users drop column customer_id;
