-- Whose number it is. A number that somebody of a shop has logged in with, by a code sent to it, proves nothing of a customer (one that was only written
-- down may be anybody's: no shop makes another's customer unheard by it): no code told from it is kept as a consent, and no text
-- message to it counts. A customer's own login by a code proves the number as well as a consent's code does, for as long as it stands on file.
-- A million users: one column without a value; the table is held exclusively for a moment. Views and functions: nothing is read.
alter table users add column number_proved_at timestamptz;
comment on column users.number_proved_at is 'When somebody logged in with a code sent to this very number; null: never since it stands here.';

create function user_number_proved() returns trigger language plpgsql as $$
begin
  new.number_proved_at := case when new.mobile is distinct from old.mobile then null else least(new.number_proved_at, kist_now()) end;
  return new;
end $$;
create trigger user_number_proved before update of mobile, number_proved_at on users for each row execute function user_number_proved();
alter table users enable always trigger user_number_proved;

-- Whose a number is by who logs in with it: of a shop, or a customer who has told a code from it.
-- Whoever of a shop has a session logged in by a code once.
update users u set number_proved_at = (select min(s.created_at) from sessions s where s.org_id = u.org_id and s.user_id = u.user_id) where u.user_type <> 'customer';

create view login_numbers_view with (security_invoker = true) as
  select org_id, mobile, customer_id, user_type <> 'customer' and number_proved_at is not null as is_of_staff, user_type = 'customer' and number_proved_at is not null as is_proved from users;
comment on view login_numbers_view is 'owner: identity';
grant select on login_numbers_view to kist_app;

create or replace view number_confirmations_view with (security_invoker = true) as
  select c.org_id, c.customer_id,
    not exists (select from login_numbers_view s where s.org_id = c.org_id and s.mobile = c.mobile and s.is_of_staff)
    and (exists (select from consent_confirmations k where k.org_id = c.org_id and k.customer_id = c.customer_id and k.mobile = c.mobile)
      or exists (select from login_numbers_view u where u.org_id = c.org_id and u.mobile = c.mobile and u.customer_id = c.customer_id and u.is_proved)) as is_confirmed
  from customers c;

create or replace function consent_confirmation_fits() returns trigger language plpgsql as $$
begin
  if exists (select from login_numbers_view s where s.org_id = new.org_id and s.mobile = new.mobile and s.is_of_staff) then
    raise exception 'insert of consent_confirmations is refused: the number is of somebody of a shop' using errcode = 'restrict_violation';
  end if;
  new.confirmed_at := least(new.confirmed_at, kist_now());
  return new;
end $$;
grant update (number_proved_at) on users to kist_app;
