-- Whose birthday it is today is asked with every look at Home. Month and day stand in a column of their own, as under row-level security no index is searched
-- for an expression of `birth_on`.
-- A million customers: the column is added without a look at them; the table is held exclusively until those with a date of birth are written once (some ten
-- seconds for a million; until now no screen asked for one) and the index over them is built.
alter table customers add column birth_day smallint;
comment on column customers.birth_day is 'Month and day of birth_on, 229 for 29 February; its trigger keeps it.';

create function customer_birth_day() returns trigger language plpgsql as $$
begin
  new.birth_day := (extract(month from new.birth_on) * 100 + extract(day from new.birth_on))::smallint;
  return new;
end $$;
create trigger customer_birth_day before insert or update of birth_on on customers for each row execute function customer_birth_day();

-- `no force`: the owner's own look at rows of every organisation, in this transaction only.
alter table customers no force row level security;
update customers set birth_on = birth_on where birth_on is not null;
alter table customers force row level security;

create index customers_birthdays on customers (org_id, owner_user_id, birth_day) where birth_day is not null and not is_draft;

create view birthdays_view with (security_invoker = true) as
  select org_id, customer_id, owner_user_id, birth_day, first_name, last_name, mobile, language from customers where birth_day is not null and not is_draft;
comment on view birthdays_view is 'owner: customers';
grant select on birthdays_view to kist_app;
