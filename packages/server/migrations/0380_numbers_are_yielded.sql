-- A number that a shop wrote down for somebody, and from which nobody of the shop ever told a code, is whose who tells a code from it: a customer who does has
-- their own login. The row of the shop's stays, with the number by which it was known, and signs in with it no more until another is written down.
-- A million users: one column without a value; the unique index is built anew, some seconds, in which nobody is added or changed (sign-ins wait as well).
alter table users add column number_yielded_at timestamptz;
comment on column users.number_yielded_at is 'When a customer told a code from this number, which nobody of the shop had proved: it signs in as the customer. Null: the number is this user''s.';
alter table users drop constraint users_org_id_mobile_key;
create unique index users_org_id_mobile_key on users (org_id, mobile) where number_yielded_at is null;

create or replace function user_number_proved() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.number_proved_at := case when new.mobile is distinct from old.mobile then null else least(new.number_proved_at, kist_now()) end;
  if new.mobile is distinct from old.mobile then
    new.number_yielded_at := null;
  elsif new.number_yielded_at is distinct from old.number_yielded_at then
    if old.user_type = 'customer' or old.number_proved_at is not null or old.number_yielded_at is not null then
      raise exception 'update of users is refused: a number that was proved, or a customer''s, is not yielded' using errcode = 'restrict_violation';
    end if;
    new.number_yielded_at := kist_now();
  end if;
  if new.number_yielded_at is not null then
    new.number_proved_at := null;
  end if;
  return new;
end $$;
drop trigger user_number_proved on users;
create trigger user_number_proved before update of mobile, number_proved_at, number_yielded_at on users for each row execute function user_number_proved();
alter table users enable always trigger user_number_proved;
grant update (number_yielded_at) on users to kist_app;
