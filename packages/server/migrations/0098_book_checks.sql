-- Each check of the books: what it saw and what it found. The next one that looks at what moved begins where the last one that found nothing ended.
-- A million agreements: the index on the journals' transactions takes seconds and holds them against writes meanwhile; the rest is a moment.
create table book_checks (
  org_id integer not null references organisations,
  check_id uuid not null,
  checked_at timestamptz not null,
  is_whole boolean not null,
  proved_up_to xid8 not null,
  faults integer not null check (faults >= 0),
  primary key (org_id, check_id)
);
create index book_checks_last on book_checks (org_id, checked_at desc);
select kist_tenant('book_checks', 'select, insert');
comment on table book_checks is 'owner: ledger';
create index journals_txid on journals (org_id, txid);
