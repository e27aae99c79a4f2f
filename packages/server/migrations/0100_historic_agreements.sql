-- Agreements that ran in the shop's own book before Kist and were brought in by the command line: which row of which book each one is, and what that row said.
-- A million agreements: a new, empty table; agreements and organisations are held for its foreign keys for an instant.
create table historic_agreements (
  org_id integer not null references organisations,
  -- The shop's own name for the row: the same row brought in again is known by it.
  row_ref text not null check (row_ref <> ''),
  agreement_id uuid not null,
  row_hash bytea not null check (length(row_hash) = 32),
  imported_at timestamptz not null,
  primary key (org_id, row_ref),
  unique (org_id, agreement_id),
  foreign key (org_id, agreement_id) references agreements
);
select kist_tenant('historic_agreements', 'select, insert');
comment on table historic_agreements is 'owner: agreements';

create trigger historic_agreements_stay before update or delete on historic_agreements for each row execute function kist_refuse('what was written stays');
alter table historic_agreements enable always trigger historic_agreements_stay;
create trigger historic_agreements_are_not_emptied before truncate on historic_agreements for each statement execute function kist_refuse('what was written stays');
alter table historic_agreements enable always trigger historic_agreements_are_not_emptied;
