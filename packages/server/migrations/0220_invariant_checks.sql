-- Each look at the invariants, a row for each of them: when, how much was wrong, and the first of it. Not looked at for a day is as bad as wrong.
-- A million agreements: two new relations and no row read.
create table invariant_checks (
  org_id integer not null references organisations,
  check_id uuid not null,
  invariant text not null check (invariant ~ '^I([1-9]|1[0-2])$'),
  checked_at timestamptz not null,
  parts integer not null check (parts > 0),
  violations integer not null check (violations >= 0),
  -- What single phones say of themselves and nobody else confirms: shown, and no fault of the organisation's.
  claims integer not null check (claims >= 0),
  found jsonb not null,
  primary key (org_id, check_id, invariant)
);
create index invariant_checks_last on invariant_checks (org_id, invariant, checked_at desc);
select kist_tenant('invariant_checks', 'select, insert');
comment on table invariant_checks is 'owner: locking';
