-- Who lends the money for phones, set by whoever runs the installation as keys are: the account that serves makes no lender and calls none unregulated; and the loan behind an agreement: whose it is, its account number there, and what was
-- sanctioned. It is written with the agreement and stays; an account number stands once with its financer.
-- A million agreements: two new tables, nothing is read or written; their foreign keys hold agreements for a moment against changes of its shape.
create table financers (
  org_id integer not null references organisations,
  financer_id integer not null check (financer_id > 0),
  name text not null check (btrim(name) <> ''),
  -- A lender that the Reserve Bank of India regulates: its loans hold a phone by the regulator's rules alone.
  is_regulated boolean not null,
  is_active boolean not null default true,
  set_at timestamptz not null,
  primary key (org_id, financer_id)
);
select kist_tenant('financers', 'select');
grant insert, update (name, is_active, set_at) on financers to kist_operator;
comment on table financers is 'owner: catalogue';
create view financers_view with (security_invoker = true) as select org_id, financer_id, name from financers;
grant select on financers_view to kist_app;
comment on view financers_view is 'owner: catalogue';

create table financed_loans (
  org_id integer not null,
  agreement_id uuid not null,
  financer_id integer not null,
  loan_account_no text not null check (btrim(loan_account_no) <> ''),
  sanctioned_paise bigint not null check (sanctioned_paise > 0),
  sanctioned_on date not null,
  recorded_by uuid not null,
  recorded_at timestamptz not null,
  primary key (org_id, agreement_id),
  unique (org_id, financer_id, loan_account_no),
  foreign key (org_id, agreement_id) references agreements,
  foreign key (org_id, financer_id) references financers
);
select kist_tenant('financed_loans', 'select, insert');
comment on table financed_loans is 'owner: agreements';
create trigger financed_loans_stay before update or delete on financed_loans for each row execute function kist_refuse('what was written stays');
create trigger financed_loans_are_not_emptied before truncate on financed_loans for each statement execute function kist_refuse('what was written stays');
alter table financed_loans enable always trigger financed_loans_stay;
alter table financed_loans enable always trigger financed_loans_are_not_emptied;
create function financed_loan_fits() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from agreements a join financers f on f.org_id = a.org_id and f.financer_id = new.financer_id
    where a.org_id = new.org_id and a.agreement_id = new.agreement_id and a.financed_paise <= new.sanctioned_paise and (a.is_regulated or not f.is_regulated)) then
    raise exception 'insert of financed_loans is refused: more than was sanctioned, or another rule than the lender’s' using errcode = 'restrict_violation';
  end if;
  new.recorded_at := kist_now();
  return new;
end $$;
create trigger financed_loans_fit before insert on financed_loans for each row execute function financed_loan_fits();
alter table financed_loans enable always trigger financed_loans_fit;
