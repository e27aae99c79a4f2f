-- Append-only double entry. Units: 'INR' in paise, 'KEY:<plan type>' in whole keys; they never mix.
create table accounts (
  org_id integer not null references organisations,
  account_id uuid not null,
  owner_kind text not null check (owner_kind in ('organisation', 'agreement', 'user')),
  owner_id text not null,
  code text not null,
  unit text not null check (unit = 'INR' or unit ~ '^KEY:[0-9]+$'),
  normal_side text not null check (normal_side in ('debit', 'credit')),
  primary key (org_id, account_id),
  unique (org_id, owner_kind, owner_id, code, unit)
);
select kist_tenant('accounts', 'select, insert');

create table journals (
  org_id integer not null references organisations,
  journal_id uuid not null,
  effect_key text not null,
  kind text not null,
  ref_kind text not null,
  ref_id uuid not null,
  reverses_journal_id uuid,
  business_on date not null,
  posted_at timestamptz not null,
  primary key (org_id, journal_id),
  unique (org_id, effect_key),
  foreign key (org_id, reverses_journal_id) references journals
);
create unique index journals_reversed_once on journals (org_id, reverses_journal_id) where reverses_journal_id is not null;
create index journals_ref on journals (org_id, ref_kind, ref_id);
select kist_tenant('journals', 'select, insert');

create table journal_lines (
  org_id integer not null,
  journal_id uuid not null,
  line_no smallint not null,
  account_id uuid not null,
  unit text not null,
  debit bigint not null default 0 check (debit >= 0),
  credit bigint not null default 0 check (credit >= 0),
  primary key (org_id, journal_id, line_no),
  check ((debit = 0) <> (credit = 0)),
  foreign key (org_id, journal_id) references journals,
  foreign key (org_id, account_id) references accounts
);
create index journal_lines_account on journal_lines (org_id, account_id);
select kist_tenant('journal_lines', 'select, insert');

-- The database itself refuses an unbalanced journal, at commit.
create function journal_balances() returns trigger language plpgsql as $$
declare n integer; bad integer;
begin
  select count(*), count(*) filter (where d <> c) into n, bad from (
    select unit, sum(debit) d, sum(credit) c from journal_lines
    where org_id = new.org_id and journal_id = new.journal_id group by unit) u;
  if n = 0 or bad > 0 then
    raise exception 'journal % does not balance', new.journal_id using errcode = 'check_violation';
  end if;
  if exists (select from journal_lines l join accounts a using (org_id, account_id)
      where l.org_id = new.org_id and l.journal_id = new.journal_id and l.unit <> a.unit) then
    raise exception 'journal % mixes units', new.journal_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger journal_balanced after insert on journals deferrable initially deferred for each row execute function journal_balances();
create constraint trigger journal_line_balanced after insert on journal_lines deferrable initially deferred for each row execute function journal_balances();

create table payments (
  org_id integer not null references organisations,
  payment_id uuid not null,
  agreement_id uuid not null,
  customer_id uuid not null,
  amount_paise bigint not null check (amount_paise > 0),
  method text not null check (method in ('CASH', 'UPI', 'GATEWAY', 'OTHER')),
  reference text not null default '',
  paid_at timestamptz not null,
  paid_on date not null,
  recorded_at timestamptz not null,
  recorded_by uuid not null,
  receipt_no text not null,
  state text not null default 'posted' check (state in ('posted', 'reversed')),
  reversed_at timestamptz,
  reversed_by uuid,
  reverse_reason text,
  primary key (org_id, payment_id),
  unique (org_id, receipt_no),
  foreign key (org_id, agreement_id) references agreements
);
create index payments_agreement on payments (org_id, agreement_id, paid_at, payment_id);
create index payments_day on payments (org_id, paid_on);
select kist_tenant('payments', 'select, insert, update');

-- Where each rupee went, as of the last replay; the journals keep the whole history.
create table allocations (
  org_id integer not null,
  payment_id uuid not null,
  agreement_id uuid not null,
  line_no smallint not null,
  instalment_no integer,
  charge_id uuid,
  bucket text not null check (bucket in ('interest', 'principal', 'fee', 'penal', 'advance')),
  paise bigint not null check (paise > 0),
  primary key (org_id, payment_id, line_no),
  foreign key (org_id, payment_id) references payments
);
create index allocations_agreement on allocations (org_id, agreement_id);
select kist_tenant('allocations');

-- The retailer's keys by plan type and lot. The wallet can not go below zero: the database says so.
create table wallets (
  org_id integer not null references organisations,
  user_id uuid not null,
  plan_type integer not null,
  lot text not null check (lot in ('paid', 'granted')),
  available integer not null default 0 check (available >= 0),
  reserved integer not null default 0 check (reserved >= 0),
  primary key (org_id, user_id, plan_type, lot),
  foreign key (org_id, user_id) references users
);
select kist_tenant('wallets');

create table key_reservations (
  org_id integer not null,
  customer_id uuid not null,
  user_id uuid not null,
  plan_type integer not null,
  lot text not null,
  state text not null check (state in ('reserved', 'posted', 'voided')),
  reserved_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz,
  primary key (org_id, customer_id, reserved_at),
  foreign key (org_id, customer_id) references customers
);
create unique index key_reservations_open on key_reservations (org_id, customer_id) where state = 'reserved';
create index key_reservations_expiry on key_reservations (org_id, expires_at) where state = 'reserved';
select kist_tenant('key_reservations');

-- The daily run: one row for each finished step of each business day.
create table daily_steps (
  org_id integer not null references organisations,
  business_on date not null,
  step text not null,
  finished_at timestamptz not null,
  result jsonb not null default '{}',
  primary key (org_id, business_on, step)
);
select kist_tenant('daily_steps', 'select, insert');
