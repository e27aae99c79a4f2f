-- Plans on offer: a plan type with a name and what it allows. Keys are counted by plan type.
create table plans (
  org_id integer not null references organisations,
  plan_id integer not null,
  plan_type integer not null,
  name text not null,
  app_type integer,
  is_active boolean not null default true,
  primary key (org_id, plan_id)
);
select kist_tenant('plans');

create table customers (
  org_id integer not null references organisations,
  customer_id uuid not null,
  owner_user_id uuid not null,
  status smallint not null default 0 check (status between 0 and 4),
  is_draft boolean not null default true,
  plan_type integer not null,
  plan_id integer,
  first_name text not null default '',
  last_name text not null default '',
  mobile text not null default '',
  alternate_mobile text,
  email text,
  address jsonb not null default '{}',
  birth_on date,
  aadhaar_last4 text check (aadhaar_last4 ~ '^[0-9]{4}$'),
  pan_masked text,
  photo_document_id uuid,
  language text not null default 'en',
  draft jsonb not null default '{}',
  search text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (org_id, customer_id),
  foreign key (org_id, owner_user_id) references users
);
create index customers_owner on customers (org_id, owner_user_id, created_at desc, customer_id desc);
create index customers_created on customers (org_id, created_at desc, customer_id desc);
create index customers_search on customers using gin (search gin_trgm_ops);
select kist_tenant('customers');

-- A phone. Lock state belongs to the phone (IMEI, serial) and its agreement, never to an enrolment.
create table devices (
  org_id integer not null references organisations,
  device_id uuid not null,
  customer_id uuid,
  provisioning_type integer not null,
  imei1 text,
  imei2 text,
  serial text,
  brand text not null default '',
  model text not null default '',
  created_at timestamptz not null,
  enrolled_at timestamptz,
  released_at timestamptz,
  last_seq bigint not null default 0,
  primary key (org_id, device_id),
  foreign key (org_id, customer_id) references customers
);
create unique index devices_imei1 on devices (org_id, imei1) where released_at is null and imei1 is not null;
create unique index devices_imei2 on devices (org_id, imei2) where released_at is null and imei2 is not null;
create unique index devices_serial on devices (org_id, serial) where released_at is null and serial is not null;
create index devices_customer on devices (org_id, customer_id);
select kist_tenant('devices');
select kist_machine('devices', 'select, update');

create table agreements (
  org_id integer not null references organisations,
  agreement_id uuid not null,
  agreement_no text not null,
  customer_id uuid not null,
  device_id uuid not null,
  owner_user_id uuid not null,
  plan_type integer not null,
  state text not null default 'active' check (state in ('active', 'completed', 'cancelled')),
  method text not null check (method in ('FLAT', 'REDUCING', 'ZERO')),
  frequency text not null check (frequency in ('MONTHLY', 'FORTNIGHTLY', 'WEEKLY')),
  rounding text not null check (rounding in ('RUPEE', 'PAISE')),
  cash_price_paise bigint not null check (cash_price_paise > 0),
  down_payment_paise bigint not null check (down_payment_paise >= 0),
  fee_paise bigint not null default 0 check (fee_paise >= 0),
  rate_bps integer not null check (rate_bps >= 0),
  tenure integer not null check (tenure > 0),
  delivered_on date not null,
  anchor_day integer,
  financed_paise bigint not null check (financed_paise > 0),
  emi_paise bigint not null,
  total_interest_paise bigint not null,
  total_payable_paise bigint not null,
  apr_bps integer not null,
  is_regulated boolean not null default false,
  policy_version integer not null,
  policy jsonb not null,
  -- snapshot of the schedule after the last posting; recomputed by the nightly check, one paisa off is an alarm
  oldest_due_on date,
  last_due_on date not null,
  oldest_due_paise bigint not null default 0,
  outstanding_paise bigint not null,
  paid_count integer not null default 0,
  advance_paise bigint not null default 0 check (advance_paise >= 0),
  completed_at timestamptz,
  created_at timestamptz not null,
  version integer not null default 1,
  primary key (org_id, agreement_id),
  unique (org_id, agreement_no),
  foreign key (org_id, customer_id) references customers,
  foreign key (org_id, device_id) references devices,
  foreign key (org_id, owner_user_id) references users
);
create index agreements_customer on agreements (org_id, customer_id);
create unique index agreements_device on agreements (org_id, device_id) where state = 'active';
create index agreements_oldest on agreements (org_id, oldest_due_on) where state = 'active';
select kist_tenant('agreements');

create table instalments (
  org_id integer not null,
  agreement_id uuid not null,
  no integer not null check (no >= 1),
  instalment_id uuid not null,
  due_on date not null,
  principal_paise bigint not null check (principal_paise >= 0),
  interest_paise bigint not null check (interest_paise >= 0),
  fee_paise bigint not null default 0 check (fee_paise >= 0),
  balance_paise bigint not null,
  paid_principal_paise bigint not null default 0 check (paid_principal_paise between 0 and principal_paise),
  paid_interest_paise bigint not null default 0 check (paid_interest_paise between 0 and interest_paise),
  paid_fee_paise bigint not null default 0 check (paid_fee_paise between 0 and fee_paise),
  paid_on date,
  primary key (org_id, agreement_id, no),
  unique (org_id, instalment_id),
  check (principal_paise + interest_paise + fee_paise > 0),
  foreign key (org_id, agreement_id) references agreements
);
create index instalments_due on instalments (org_id, due_on);
select kist_tenant('instalments');

-- Penal charges: their own bucket, no interest on them, none on themselves.
create table charges (
  org_id integer not null,
  charge_id uuid not null,
  agreement_id uuid not null,
  instalment_no integer not null,
  amount_paise bigint not null check (amount_paise > 0),
  paid_paise bigint not null default 0 check (paid_paise between 0 and amount_paise),
  charged_on date not null,
  primary key (org_id, charge_id),
  foreign key (org_id, agreement_id, instalment_no) references instalments
);
create index charges_agreement on charges (org_id, agreement_id);
select kist_tenant('charges');

create table consents (
  org_id integer not null,
  consent_id uuid not null,
  agreement_id uuid not null,
  text_version text not null,
  text_hash bytea not null,
  language text not null,
  method text not null check (method in ('signature', 'otp', 'typed')),
  accepted_at timestamptz not null,
  document_id uuid,
  primary key (org_id, consent_id),
  foreign key (org_id, agreement_id) references agreements
);
create index consents_agreement on consents (org_id, agreement_id);
select kist_tenant('consents', 'select, insert');

-- Files of a customer, encrypted before they come here (AES-256-GCM, bound to this row).
create table documents (
  org_id integer not null,
  document_id uuid not null,
  customer_id uuid not null,
  document_type text not null,
  mime text not null,
  bytes integer not null,
  sha256 bytea not null,
  sealed bytea not null,
  created_by uuid not null,
  created_at timestamptz not null,
  primary key (org_id, document_id),
  foreign key (org_id, customer_id) references customers
);
create index documents_customer on documents (org_id, customer_id, document_type, created_at desc);
select kist_tenant('documents', 'select, insert');

-- Gap-free counters: agreement numbers, receipt numbers.
create table counters (
  org_id integer not null,
  name text not null,
  last integer not null,
  primary key (org_id, name)
);
select kist_tenant('counters');
