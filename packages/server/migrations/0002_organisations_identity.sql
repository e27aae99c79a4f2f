create table organisations (
  org_id integer primary key references org_directory,
  org_name text not null,
  company_name text not null,
  parent_company_name text not null default '',
  ai_name text not null default '',
  ai_agent_id text not null default '',
  theme jsonb not null default '{}',
  layout text not null default 'classic',
  antihacking_layout text not null default 'classic',
  flags jsonb not null default '{"witness_signature_layout": false, "payment_gateway": false}',
  allowed_features jsonb not null default '{}',
  support jsonb not null default '{}',
  privacy_policy jsonb not null default '{}',
  holidays date[] not null default '{}',
  daily_run_on date,
  vendor_approvals jsonb not null default '{}',
  created_at timestamptz not null default now()
);
select kist_tenant('organisations');

create table users (
  org_id integer not null references organisations,
  user_id uuid not null,
  user_type text not null check (user_type in ('retailer', 'miniretailer', 'customer')),
  parent_user_id uuid,
  customer_id uuid,
  mobile text not null check (mobile ~ '^\+91[6-9][0-9]{9}$'),
  first_name text not null,
  last_name text not null default '',
  email text,
  shop_name text not null default '',
  address jsonb not null default '{}',
  upi_id text,
  language text not null default 'en',
  birth_on date,
  is_active boolean not null default true,
  user_access jsonb not null default '{"feature_access":"1","lock_unlock":"1","unistall":"1","active_deactive":"1","bulk_retailer":"0"}',
  lock_access jsonb not null default '{"lock":"1","unlock":"1","read":"1","uninstall":"1"}',
  mpin_hash text,
  mpin_set_at timestamptz,
  mpin_failed integer not null default 0,
  mpin_locked_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, user_id),
  unique (org_id, mobile),
  foreign key (org_id, parent_user_id) references users
);
create index users_parent on users (org_id, parent_user_id);
select kist_tenant('users');

create table trusted_devices (
  org_id integer not null,
  user_id uuid not null,
  device_hash bytea not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (org_id, user_id, device_hash),
  foreign key (org_id, user_id) references users on delete cascade
);
select kist_tenant('trusted_devices');

create table otps (
  org_id integer not null,
  otp_id uuid not null,
  mobile text not null,
  purpose text not null check (purpose in ('LOGIN', 'FORGOT_PASSWORD', 'UNINSTALL', 'BYPASS_CODE')),
  customer_id uuid,
  requested_by uuid,
  device_hash bytea,
  code_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  tries integer not null default 0,
  consumed_at timestamptz,
  primary key (org_id, otp_id)
);
create index otps_mobile on otps (org_id, mobile, purpose, created_at desc);
select kist_tenant('otps');

create table sessions (
  org_id integer not null,
  session_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  device jsonb not null default '{}',
  ip text not null default '',
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (org_id, session_id),
  unique (org_id, token_hash),
  foreign key (org_id, user_id) references users on delete cascade
);
create index sessions_user on sessions (org_id, user_id, created_at desc);
select kist_tenant('sessions');

-- One-use proofs: a reset of the M-PIN, or a step-up bound to one customer.
create table proof_tokens (
  org_id integer not null,
  token_hash bytea not null,
  kind text not null check (kind in ('RESET', 'UNINSTALL', 'BYPASS_CODE')),
  user_id uuid not null,
  customer_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (org_id, token_hash)
);
select kist_tenant('proof_tokens');

create table notifications (
  org_id integer not null,
  user_id uuid not null,
  notification_id uuid not null,
  kind text not null,
  data jsonb not null,
  customer_id uuid,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (org_id, user_id, notification_id)
);
select kist_tenant('notifications');
