-- tables
table accounts (
  org_id integer not null,
  account_id uuid not null,
  owner_kind text not null,
  owner_id text not null,
  code text not null,
  unit text not null,
  normal_side text not null
);
table agreement_moves (
  org_id integer not null,
  agreement_id uuid not null,
  no integer not null,
  from_state text not null,
  to_state text not null,
  moved_by uuid not null,
  moved_at timestamp with time zone not null,
  reason text not null
);
table agreements (
  org_id integer not null,
  agreement_id uuid not null,
  agreement_no text not null,
  customer_id uuid not null,
  device_id uuid not null,
  owner_user_id uuid not null,
  plan_type integer not null,
  state text not null default 'active'::text,
  method text not null,
  frequency text not null,
  rounding text not null,
  cash_price_paise bigint not null,
  down_payment_paise bigint not null,
  fee_paise bigint not null default 0,
  rate_bps integer not null,
  tenure integer not null,
  delivered_on date not null,
  anchor_day integer,
  financed_paise bigint not null,
  emi_paise bigint not null,
  total_interest_paise bigint not null,
  total_payable_paise bigint not null,
  apr_bps integer not null,
  is_regulated boolean not null default false,
  policy_version integer not null,
  policy jsonb not null,
  oldest_due_on date,
  last_due_on date not null,
  oldest_due_paise bigint not null default 0,
  outstanding_paise bigint not null,
  paid_count integer not null default 0,
  advance_paise bigint not null default 0,
  completed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  penal jsonb,
  schedule_version integer not null default 1,
  schedule_from date,
  schedule_engine smallint default 1,
  exchanged_at timestamp with time zone,
  is_of_real_time boolean
);
table allowed_moves (
  thing text not null,
  from_state text not null,
  to_state text not null
);
table audit_checks (
  org_id integer not null,
  check_id uuid not null,
  checked_at timestamp with time zone not null,
  is_whole boolean not null,
  faults integer not null,
  cluster text default kist_cluster(),
  txid xid8 default pg_current_xact_id()
);
table audit_heads (
  org_id integer not null,
  subject_kind text not null,
  subject_id text not null,
  seq bigint not null,
  hash bytea not null
);
table audit_lines (
  org_id integer not null,
  subject_kind text not null,
  subject_id text not null,
  seq bigint not null,
  at timestamp with time zone not null,
  actor jsonb not null,
  action text not null,
  data jsonb not null,
  prev_hash bytea not null,
  hash bytea not null
);
table audit_root_heads (
  org_id integer not null,
  day date not null,
  subject_kind text not null,
  subject_id text not null,
  seq bigint not null,
  hash bytea not null
);
table audit_roots (
  org_id integer not null,
  day date not null,
  at timestamp with time zone not null,
  heads bigint not null,
  prev_root bytea not null,
  root bytea not null
);
table batch_parts (
  org_id integer not null,
  batch_id uuid not null,
  no integer not null,
  customer_ids uuid[] not null,
  tries smallint not null default 0,
  next_at timestamp with time zone not null default now(),
  done_at timestamp with time zone,
  allowed integer not null default 0,
  refused integer not null default 0,
  refusals jsonb not null default '[]'::jsonb,
  wave smallint not null default 1
);
table batches (
  org_id integer not null,
  batch_id uuid not null,
  command text not null,
  reason text not null,
  requested_by uuid not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  total integer not null default 0,
  allowed integer not null default 0,
  refused integer not null default 0,
  state text not null default 'done'::text,
  stopped_for text,
  actor jsonb not null default '{}'::jsonb,
  room integer,
  approved_by uuid,
  canary integer not null default 0,
  refusal_note text
);
table book_checks (
  org_id integer not null,
  check_id uuid not null,
  checked_at timestamp with time zone not null,
  is_whole boolean not null,
  proved_up_to xid8 not null,
  faults integer not null,
  part smallint,
  cluster text default kist_cluster(),
  noted_in xid8
);
table charges (
  org_id integer not null,
  charge_id uuid not null,
  agreement_id uuid not null,
  instalment_no integer not null,
  amount_paise bigint not null,
  paid_paise bigint not null default 0,
  charged_on date not null,
  made_by text not null default 'rule'::text,
  waived_paise bigint not null default 0,
  taken_back_at timestamp with time zone,
  taken_back_for uuid,
  charged_by uuid
);
table clock_offset (
  one boolean not null default true,
  shift interval not null default '00:00:00'::interval,
  moves integer not null default 0,
  moved_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  earlier jsonb not null default '{}'::jsonb
);
table commands (
  org_id integer not null,
  command_id uuid not null,
  device_id uuid not null,
  seq bigint not null,
  type text not null,
  is_state boolean not null,
  revision bigint,
  args jsonb not null default '{}'::jsonb,
  reason text not null,
  note text,
  state text not null,
  verdict jsonb,
  requested_by uuid,
  batch_id uuid,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  applied_at timestamp with time zone,
  verified_at timestamp with time zone,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  attempts smallint not null default 0,
  result jsonb,
  fail_code text,
  asked_at timestamp with time zone
);
table compensation_payouts (
  org_id integer not null,
  payout_id uuid not null,
  agreement_id uuid not null,
  amount_paise bigint not null,
  method text not null,
  reference text not null,
  paid_by uuid not null,
  paid_at timestamp with time zone not null
);
table consent_confirmations (
  org_id integer not null,
  confirmation_id uuid not null,
  customer_id uuid not null,
  mobile text not null,
  text_version text not null,
  text_hash bytea not null,
  language text not null,
  confirmed_at timestamp with time zone not null,
  confirmed_by uuid not null,
  otp_id uuid,
  deal_hash bytea
);
table consents (
  org_id integer not null,
  consent_id uuid not null,
  agreement_id uuid not null,
  text_version text not null,
  text_hash bytea not null,
  language text not null,
  method text not null,
  accepted_at timestamp with time zone not null,
  document_id uuid,
  confirmation_id uuid
);
table counters (
  org_id integer not null,
  name text not null,
  last integer not null
);
table cures (
  org_id integer not null,
  cure_id uuid not null,
  agreement_id uuid not null,
  device_id uuid not null,
  payment_id uuid,
  cured_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  held_since timestamp with time zone,
  withdrawn_at timestamp with time zone,
  began_wrong boolean not null default false
);
table customer_allowed_moves (
  from_status smallint not null,
  to_status smallint not null,
  with_exchange boolean not null default false,
  with_key text
);
table customer_logins (
  org_id integer not null,
  customer_id uuid not null,
  user_id uuid not null,
  since timestamp with time zone not null
);
table customer_moves (
  org_id integer not null,
  customer_id uuid not null,
  no integer not null,
  from_status smallint not null,
  to_status smallint not null,
  moved_by uuid not null,
  moved_at timestamp with time zone not null,
  reason text not null,
  txid xid8 not null default pg_current_xact_id()
);
table customer_transfers (
  org_id integer not null,
  transfer_id uuid not null,
  customer_id uuid not null,
  from_user_id uuid not null,
  to_user_id uuid not null,
  reason text not null,
  made_by uuid not null,
  made_at timestamp with time zone not null,
  txid xid8 not null default pg_current_xact_id(),
  clock_shift interval not null
);
table customers (
  org_id integer not null,
  customer_id uuid not null,
  owner_user_id uuid not null,
  status smallint not null default 0,
  is_draft boolean not null default true,
  plan_type integer not null,
  plan_id integer,
  first_name text not null default ''::text,
  last_name text not null default ''::text,
  mobile text not null default ''::text,
  alternate_mobile text,
  email text,
  address jsonb not null default '{}'::jsonb,
  birth_on date,
  aadhaar_last4 text,
  pan_masked text,
  photo_document_id uuid,
  language text not null default 'en'::text,
  draft jsonb not null default '{}'::jsonb,
  search text not null default ''::text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  version integer not null default 1,
  birth_day smallint
);
table daily_steps (
  org_id integer not null,
  business_on date not null,
  step text not null,
  finished_at timestamp with time zone not null,
  result jsonb not null default '{}'::jsonb
);
table deliveries (
  org_id integer not null,
  enrolment_id uuid not null,
  device_id uuid not null,
  vendor text not null,
  priority smallint not null,
  next_at timestamp with time zone,
  queued_at timestamp with time zone not null,
  change_no integer not null default 1,
  tries smallint not null default 0,
  operation text,
  revision bigint,
  level smallint,
  why text,
  asked_at timestamp with time zone,
  troubles smallint not null default 0
);
table device_changes (
  org_id integer not null,
  change_id uuid not null,
  device_id uuid not null,
  at timestamp with time zone not null,
  changes jsonb not null
);
table device_desired (
  org_id integer not null,
  device_id uuid not null,
  revision bigint not null,
  lock_level smallint not null default 0,
  document jsonb not null,
  lease json,
  changed_at timestamp with time zone not null,
  lease_seq bigint not null default 0,
  lock_changed_at timestamp with time zone not null default now(),
  document_digest bytea
);
table device_events (
  org_id integer not null,
  device_id uuid not null,
  event_id uuid not null,
  at timestamp with time zone not null,
  kind text not null,
  data jsonb not null default '{}'::jsonb,
  received_on date not null default ((kist_now() AT TIME ZONE 'utc'::text))::date
);
table device_reports (
  org_id integer not null,
  device_id uuid not null,
  revision bigint not null default 0,
  lock_level smallint not null default 0,
  lock_cause text,
  is_strong boolean not null default true,
  boot_count bigint not null default 0,
  elapsed_ms bigint not null default 0,
  wall_clock timestamp with time zone,
  battery smallint,
  agent_version text,
  sims jsonb not null default '[]'::jsonb,
  toggles jsonb not null default '{}'::jsonb,
  lease_seq bigint not null default 0,
  push_token text,
  location jsonb,
  located_at timestamp with time zone,
  reported_at timestamp with time zone,
  level_changed_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  told_revision bigint not null default 0,
  told_lease_seq bigint not null default 0,
  unfit_polls integer not null default 0,
  claimed_revision bigint not null default 0,
  events_dropped bigint not null default 0,
  policy_digest bytea,
  silence_told_of timestamp with time zone
);
table devices (
  org_id integer not null,
  device_id uuid not null,
  customer_id uuid,
  provisioning_type integer not null,
  imei1 text,
  imei2 text,
  serial text,
  brand text not null default ''::text,
  model text not null default ''::text,
  created_at timestamp with time zone not null,
  enrolled_at timestamp with time zone,
  released_at timestamp with time zone,
  last_seq bigint not null default 0,
  first_enrolled_at timestamp with time zone
);
table dispute_allowed_moves (
  from_state text not null,
  to_state text not null,
  moved_as text not null
);
table dispute_moves (
  org_id integer not null,
  dispute_id uuid not null,
  no integer not null,
  from_state text not null,
  to_state text not null,
  moved_as text not null,
  moved_by uuid not null,
  moved_at timestamp with time zone not null,
  reason text not null
);
table disputes (
  org_id integer not null,
  dispute_id uuid not null,
  agreement_id uuid not null,
  text text not null,
  channel text not null,
  opened_at timestamp with time zone not null,
  instalment_no integer,
  state text not null,
  state_since timestamp with time zone not null,
  is_upheld boolean not null default false
);
table document_totals (
  org_id integer not null,
  documents bigint not null,
  bytes bigint not null
);
table documents (
  org_id integer not null,
  document_id uuid not null,
  customer_id uuid not null,
  document_type text not null,
  mime text not null,
  bytes integer not null,
  sha256 bytea not null,
  sealed bytea,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  image_name text,
  key_sealed bytea,
  replaced_at timestamp with time zone,
  gone_at timestamp with time zone,
  deal_hash bytea
);
table enrolment_tests (
  org_id integer not null,
  agreement_id uuid not null,
  device_id uuid not null,
  started_at timestamp with time zone not null
);
table enrolment_tokens (
  org_id integer not null,
  token_hash bytea not null,
  customer_id uuid not null,
  device_id uuid not null,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  sealed bytea,
  vendor text,
  handle text,
  name_sha256 bytea
);
table enrolments (
  org_id integer not null,
  enrolment_id uuid not null,
  device_id uuid not null,
  public_key_spki bytea,
  grade text not null,
  facts jsonb not null default '{}'::jsonb,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  token_hash bytea,
  replaced_by uuid,
  key_sha256 bytea,
  vendor text not null default 'android-agent'::text,
  handle text,
  in_charge boolean not null default true,
  charged_at timestamp with time zone
);
table erasures (
  org_id integer not null,
  customer_id uuid not null,
  erased_at timestamp with time zone not null,
  asked_by uuid not null,
  asked_as text not null,
  evidence_until date not null,
  books_until date not null,
  evidence_gone_at timestamp with time zone
);
table financed_loans (
  org_id integer not null,
  agreement_id uuid not null,
  financer_id integer not null,
  loan_account_no text not null,
  sanctioned_paise bigint not null,
  sanctioned_on date not null,
  recorded_by uuid not null,
  recorded_at timestamp with time zone not null
);
table financers (
  org_id integer not null,
  financer_id integer not null,
  name text not null,
  is_regulated boolean not null,
  is_active boolean not null default true,
  set_at timestamp with time zone not null
);
table historic_agreements (
  org_id integer not null,
  row_ref text not null,
  agreement_id uuid not null,
  row_hash bytea not null,
  imported_at timestamp with time zone not null
);
table holds (
  org_id integer not null,
  hold_id uuid not null,
  agreement_id uuid not null,
  kind text not null,
  until_on date not null,
  note text not null default ''::text,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  due_on date,
  lifted_at timestamp with time zone,
  lifted_by uuid,
  lifted_note text not null default ''::text
);
table idempotency_keys (
  org_id integer not null,
  actor text not null,
  key uuid not null,
  request_hash bytea not null,
  status integer,
  reply jsonb,
  created_at timestamp with time zone not null default now()
);
table identity_providers (
  org_id integer not null,
  issuer text not null,
  client_id text not null,
  secret_sealed bytea,
  claim text not null,
  set_at timestamp with time zone not null default now()
);
table installation (
  one boolean not null default true,
  mode text not null,
  stamped_at timestamp with time zone not null default now(),
  folder_mark text
);
table instalments (
  org_id integer not null,
  agreement_id uuid not null,
  no integer not null,
  instalment_id uuid not null,
  due_on date not null,
  principal_paise bigint not null,
  interest_paise bigint not null,
  fee_paise bigint not null default 0,
  balance_paise bigint not null,
  paid_principal_paise bigint not null default 0,
  paid_interest_paise bigint not null default 0,
  paid_fee_paise bigint not null default 0,
  paid_on date,
  version integer not null default 1,
  superseded_by integer,
  dropped_principal_paise bigint not null default 0,
  dropped_interest_paise bigint not null default 0,
  dropped_fee_paise bigint not null default 0
);
table invariant_checks (
  org_id integer not null,
  check_id uuid not null,
  invariant text not null,
  checked_at timestamp with time zone not null,
  parts integer not null,
  violations integer not null,
  claims integer not null,
  found jsonb not null
);
table journal_lines (
  org_id integer not null,
  journal_id uuid not null,
  line_no smallint not null,
  account_id uuid not null,
  unit text not null,
  debit bigint not null default 0,
  credit bigint not null default 0,
  agreement_id uuid,
  instalment_no integer,
  charge_id uuid,
  bucket text,
  payment_id uuid,
  lot text
);
table journals (
  org_id integer not null,
  journal_id uuid not null,
  effect_key text not null,
  kind text not null,
  ref_kind text not null,
  ref_id uuid not null,
  reverses_journal_id uuid,
  business_on date not null,
  posted_at timestamp with time zone not null,
  txid xid8 default pg_current_xact_id()
);
table key_balances (
  org_id integer not null,
  account_id uuid not null,
  lot text not null,
  keys integer not null
);
table key_grants (
  org_id integer not null,
  effect_key text not null,
  user_id uuid not null,
  plan_type integer not null,
  lot text,
  keys integer not null,
  granted_at timestamp with time zone not null
);
table key_prices (
  org_id integer not null,
  plan_type integer not null,
  price_paise bigint not null,
  set_at timestamp with time zone not null
);
table key_reservations (
  org_id integer not null,
  customer_id uuid not null,
  user_id uuid not null,
  plan_type integer not null,
  lot text not null,
  state text not null,
  reserved_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  settled_at timestamp with time zone
);
table key_transfers (
  org_id integer not null,
  transfer_id uuid not null,
  lot text not null,
  from_user_id uuid not null,
  to_user_id uuid not null,
  plan_type integer not null,
  keys integer not null,
  made_by uuid not null,
  made_at timestamp with time zone not null,
  txid xid8 not null
);
table lock_policies (
  org_id integer not null,
  version integer not null,
  preset text not null,
  policy jsonb not null,
  created_at timestamp with time zone not null
);
table locks (
  org_id integer not null,
  device_id uuid not null,
  cause text not null,
  level smallint not null,
  level_since timestamp with time zone not null,
  agreement_id uuid,
  reason text not null,
  evidence jsonb not null default '{}'::jsonb,
  ends_at timestamp with time zone,
  verdict_id uuid
);
table loose_files (
  org_id integer not null,
  file_key text not null,
  due_at timestamp with time zone not null
);
table notice_link_numbers (
  org_id integer not null,
  agreement_id uuid not null,
  no integer not null,
  changed_at timestamp with time zone not null,
  changed_by uuid not null
);
table notice_proofs (
  org_id integer not null,
  proof_id uuid not null,
  notice_id uuid not null,
  agreement_id uuid not null,
  kind text not null,
  no integer not null,
  due_on date not null,
  channel text not null,
  what text not null,
  at timestamp with time zone not null,
  handed_out_at timestamp with time zone,
  said_at timestamp with time zone,
  is_number_confirmed boolean,
  proof jsonb not null
);
table notices (
  org_id integer not null,
  notice_id uuid not null,
  agreement_id uuid not null,
  customer_id uuid not null,
  kind text not null,
  no integer not null,
  due_on date not null,
  channel text not null,
  language text not null,
  body text not null,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  seen_at timestamp with time zone,
  failed_at timestamp with time zone,
  provider_ref text,
  command_id uuid,
  proof jsonb,
  template_id text
);
table notifications (
  org_id integer not null,
  user_id uuid not null,
  notification_id uuid not null,
  kind text not null,
  data jsonb not null,
  customer_id uuid,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone
);
table number_changes (
  org_id integer not null,
  change_id uuid not null default gen_random_uuid(),
  customer_id uuid not null,
  changed_at timestamp with time zone not null,
  otp_id uuid,
  change_no integer not null default 0,
  waits boolean not null default true,
  is_back boolean not null default false,
  spoke_hash bytea,
  login_user_id uuid
);
table org_directory (
  org_id integer not null,
  slug text not null,
  host text,
  name text not null,
  is_special boolean not null default false
);
table organisation_logos (
  org_id integer not null,
  edge integer not null,
  png bytea not null
);
table organisations (
  org_id integer not null,
  org_name text not null,
  company_name text not null,
  parent_company_name text not null default ''::text,
  ai_name text not null default ''::text,
  ai_agent_id text not null default ''::text,
  theme jsonb not null default '{}'::jsonb,
  layout text not null default 'classic'::text,
  antihacking_layout text not null default 'classic'::text,
  flags jsonb not null default '{"payment_gateway": false, "witness_signature_layout": false}'::jsonb,
  allowed_features jsonb not null default '{}'::jsonb,
  support jsonb not null default '{}'::jsonb,
  privacy_policy jsonb not null default '{}'::jsonb,
  holidays date[] not null default '{}'::date[],
  daily_run_on date,
  vendor_approvals jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  languages text[] not null default '{en,hn,mr,gj,sp,bd,kn,tg,tm,pp}'::text[],
  audit_emails text[] not null default '{}'::text[],
  payment_url text
);
table otps (
  org_id integer not null,
  otp_id uuid not null,
  purpose text not null,
  customer_id uuid,
  requested_by uuid,
  device_hash bytea,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  tries integer not null default 0,
  consumed_at timestamp with time zone,
  mobile_hash bytea not null,
  lane text not null,
  asker bytea not null,
  site bytea,
  about_hash bytea,
  used_txid xid8,
  made_txid xid8,
  deal_hash bytea
);
table outbox (
  org_id integer not null,
  id uuid not null,
  topic text not null,
  payload jsonb,
  created_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  done_at timestamp with time zone,
  last_error text,
  sealed bytea,
  expires_at timestamp with time zone
);
table override_asks (
  org_id integer not null,
  ask_id uuid not null,
  device_id uuid not null,
  agreement_id uuid not null,
  note text not null,
  state text not null default 'asked'::text,
  asked_by uuid not null,
  asked_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  refusal_note text
);
table passkey_challenges (
  org_id integer not null,
  user_id uuid not null,
  device_hash bytea not null,
  kind text not null,
  challenge_hash bytea not null,
  origin text not null,
  expires_at timestamp with time zone not null
);
table passkeys (
  org_id integer not null,
  user_id uuid not null,
  device_hash bytea not null,
  passkey_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  rp_id text not null,
  sign_count bigint not null default 0,
  device jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now()
);
table payment_given_ids (
  org_id integer not null,
  given_id uuid not null,
  payment_id uuid not null,
  given_by uuid not null,
  given_at timestamp with time zone not null
);
table payment_moves (
  org_id integer not null,
  payment_id uuid not null,
  no integer not null,
  from_state text not null,
  to_state text not null,
  moved_by uuid not null,
  moved_at timestamp with time zone not null,
  reason text not null,
  suspensions integer
);
table payments (
  org_id integer not null,
  payment_id uuid not null,
  agreement_id uuid not null,
  customer_id uuid not null,
  amount_paise bigint not null,
  method text not null,
  reference text not null default ''::text,
  paid_at timestamp with time zone not null,
  paid_on date not null,
  recorded_at timestamp with time zone not null,
  recorded_by uuid not null,
  receipt_no text,
  state text not null default 'posted'::text,
  reversed_at timestamp with time zone,
  reversed_by uuid,
  reverse_reason text,
  receipt jsonb,
  held_reference text,
  goes_to text not null default 'dues'::text,
  note_no text,
  posted_by uuid,
  schedule_version integer not null default 1,
  for_charge_id uuid
);
table penal_rules (
  org_id integer not null,
  version integer not null,
  charge_paise bigint not null,
  grace_days integer not null,
  every_days integer not null,
  cap_bps integer not null,
  is_daily boolean not null,
  waiver_limit_paise bigint not null,
  set_at timestamp with time zone not null,
  set_by text not null,
  reason text not null,
  numbered integer not null default 0
);
table phone_claims (
  org_id integer not null,
  claim_id uuid not null,
  agreement_id uuid not null,
  customer_id uuid not null,
  said_at timestamp with time zone not null,
  state text not null default 'open'::text,
  ended_at timestamp with time zone,
  answered_by uuid,
  reason text
);
table phone_exchanges (
  org_id integer not null,
  agreement_id uuid not null,
  no integer not null,
  from_device_id uuid not null,
  to_device_id uuid not null,
  was_set_up boolean not null,
  first_enrolled_at timestamp with time zone,
  reason text not null,
  made_by uuid not null,
  made_at timestamp with time zone not null,
  txid xid8 not null default pg_current_xact_id()
);
table phone_models (
  org_id integer not null,
  tac text not null,
  brand text not null,
  model text not null,
  set_at timestamp with time zone not null
);
table plan_presets (
  org_id integer not null,
  plan_id integer not null,
  name text not null,
  method text not null,
  frequency text not null,
  tenure integer not null,
  down_bps integer not null,
  rate_bps integer not null,
  set_at timestamp with time zone not null
);
table plans (
  org_id integer not null,
  plan_id integer not null,
  plan_type integer not null,
  name text not null,
  app_type integer,
  is_active boolean not null default true,
  provisioning_type integer
);
table privacy_policies (
  org_id integer not null,
  language text not null,
  version integer not null,
  text text not null,
  sha256 bytea not null,
  set_at timestamp with time zone not null
);
table proof_tokens (
  org_id integer not null,
  token_hash bytea not null,
  kind text not null,
  user_id uuid not null,
  customer_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone
);
table protection_reports (
  org_id integer not null,
  report_id uuid not null,
  device_id uuid not null,
  kind text not null,
  reported_by text not null,
  actor_user_id uuid not null,
  note text not null default ''::text,
  reported_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  code_mobile text,
  closed_as text,
  closed_by uuid,
  closed_reason text not null default ''::text,
  code_otp_id uuid,
  closed_otp_id uuid
);
table provider_questions (
  org_id integer not null,
  state_hash bytea not null,
  ticket_hash bytea not null,
  page text not null,
  expires_at timestamp with time zone not null
);
table provider_subjects (
  org_id integer not null,
  user_id uuid not null,
  issuer text not null,
  subject text not null,
  linked_at timestamp with time zone not null
);
unlogged table rate_limits (
  key text not null,
  window_start timestamp with time zone not null,
  count integer not null
);
table refund_tasks (
  org_id integer not null,
  payment_id uuid not null,
  agreement_id uuid not null,
  customer_id uuid not null,
  amount_paise bigint not null,
  state text not null default 'open'::text,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  closed_by uuid,
  method text,
  reference text not null default ''::text
);
table restrictions (
  org_id integer not null,
  device_id uuid not null,
  taken text not null,
  cause text not null,
  agreement_id uuid,
  reason text not null,
  verdict_id uuid not null,
  taken_at timestamp with time zone not null,
  given_back_at timestamp with time zone,
  template_id uuid
);
table schedule_versions (
  org_id integer not null,
  agreement_id uuid not null,
  version integer not null,
  effective_on date not null,
  cause text not null,
  reason text not null,
  made_by uuid not null,
  made_at timestamp with time zone not null,
  after jsonb not null,
  before jsonb not null,
  principal_paise bigint not null,
  interest_paise bigint not null,
  fee_paise bigint not null,
  dropped_interest_paise bigint not null,
  dropped_fee_paise bigint not null,
  txid xid8 not null default pg_current_xact_id(),
  consent_otp_id uuid,
  consent_hash bytea,
  counted_principal_paise bigint not null default 0,
  counted_interest_paise bigint not null default 0
);
table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now()
);
table screen_templates (
  org_id integer not null,
  template_id uuid not null,
  name text not null,
  texts jsonb not null,
  added_by uuid not null,
  added_at timestamp with time zone not null,
  ended_by uuid,
  ended_at timestamp with time zone
);
table secret_marks (
  name text not null,
  mark text not null,
  noted_at timestamp with time zone not null default now()
);
unlogged table seen_requests (
  digest bytea not null,
  seen_at timestamp with time zone not null default now()
);
table session_epochs (
  org_id integer not null,
  epoch bigint not null
);
table sessions (
  org_id integer not null,
  session_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  device jsonb not null default '{}'::jsonb,
  ip text not null default ''::text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  device_hash bytea
);
table signup_requests (
  org_id integer not null,
  request_id uuid not null,
  mobile text not null,
  first_name text not null,
  last_name text not null default ''::text,
  shop_name text not null,
  city text not null default ''::text,
  pincode text not null default ''::text,
  note text not null default ''::text,
  requested_at timestamp with time zone not null,
  state text not null default 'open'::text,
  decided_at timestamp with time zone,
  reason text not null default ''::text,
  user_id uuid,
  language text,
  told_at timestamp with time zone
);
table timer_runs (
  name text not null,
  ticked_at timestamp with time zone not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  failed_at timestamp with time zone
);
table trusted_devices (
  org_id integer not null,
  user_id uuid not null,
  device_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now()
);
table user_pictures (
  org_id integer not null,
  user_id uuid not null,
  kind text not null,
  picture_id uuid not null,
  mime text not null,
  bytes integer not null,
  sealed bytea not null,
  kept_at timestamp with time zone not null
);
table users (
  org_id integer not null,
  user_id uuid not null,
  user_type text not null,
  parent_user_id uuid,
  mobile text not null,
  first_name text not null,
  last_name text not null default ''::text,
  email text,
  shop_name text not null default ''::text,
  address jsonb not null default '{}'::jsonb,
  upi_id text,
  language text not null default 'en'::text,
  birth_on date,
  is_active boolean not null default true,
  user_access jsonb not null default '{"unistall": "1", "lock_unlock": "1", "bulk_retailer": "0", "feature_access": "1", "active_deactive": "1"}'::jsonb,
  lock_access jsonb not null default '{"lock": "1", "read": "1", "unlock": "1", "uninstall": "1"}'::jsonb,
  mpin_hash text,
  mpin_set_at timestamp with time zone,
  mpin_failed integer not null default 0,
  mpin_locked_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  may_add_retailers boolean not null default false,
  suspended_at timestamp with time zone,
  suspended_by uuid,
  suspend_reason text,
  suspended_with uuid,
  updated_at timestamp with time zone,
  number_proved_at timestamp with time zone,
  number_yielded_at timestamp with time zone,
  is_email_vouched boolean not null default false,
  suspended_no integer
);
table vendor_budgets (
  org_id integer not null,
  vendor text not null,
  left_over real not null,
  filled_at timestamp with time zone not null,
  day date not null default '2000-01-01'::date,
  carried integer not null default 0,
  refused_since timestamp with time zone,
  refused_why text,
  refusal_told_at timestamp with time zone
);
table verdicts (
  org_id integer not null,
  verdict_id uuid not null,
  device_id uuid not null,
  agreement_id uuid,
  command_id uuid,
  revision bigint,
  allowed boolean not null,
  rule text not null,
  facts json not null,
  verdict json not null,
  decided_at timestamp with time zone not null
);
table waivers (
  org_id integer not null,
  waiver_id uuid not null,
  agreement_id uuid not null,
  charge_id uuid not null,
  amount_paise bigint not null,
  reason text not null,
  limit_paise bigint not null,
  state text not null,
  asked_by uuid not null,
  asked_at timestamp with time zone not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  refusal_note text
);
table wallets (
  org_id integer not null,
  user_id uuid not null,
  plan_type integer not null,
  lot text not null,
  available integer not null default 0,
  reserved integer not null default 0
);

-- owners
accounts: owner: ledger
accruals_view: owner: agreements
agreement_lines_view: owner: audit
agreement_moves: owner: agreements
agreement_moves_view: owner: agreements
agreements: owner: agreements
agreements_view: owner: agreements
allocations: owner: ledger
allowed_moves: owner: ledger
audit_checks: owner: audit
audit_heads: owner: audit
audit_lines: owner: audit
audit_root_heads: owner: audit
audit_roots: owner: audit
batch_parts: owner: commands
batch_refusals_view: owner: commands
batches: owner: commands
birthdays_view: owner: customers
book_checks: owner: ledger
channels_view: owner: devices
charges: owner: agreements
clock_offset: owner: platform
commands: owner: commands
compensation_payouts: owner: locking
consent_confirmations: owner: customers
consents: owner: agreements
consents_view: owner: agreements
counters: owner: agreements
cures: owner: locking
customer_allowed_moves: owner: customers
customer_births_view: owner: customers
customer_logins: owner: identity
customer_moves: owner: customers
customer_transfers: owner: customers
customer_transfers_view: owner: customers
customers: owner: customers
customers_view: owner: customers
daily_runs_view: owner: organisations
daily_steps: owner: jobs
deliveries: owner: commands
device_changes: owner: devices
device_desired: owner: devices
device_events: owner: devices
device_reports: owner: devices
device_states_view: owner: devices
devices: owner: devices
devices_view: owner: devices
dispute_allowed_moves: owner: locking
dispute_moves: owner: locking
disputes: owner: locking
document_totals: owner: documents
documents: owner: documents
enrolment_tests: owner: locking
enrolment_tokens: owner: devices
enrolments: owner: devices
enrolments_view: owner: devices
erasures: owner: customers
exchanged_customers_view: owner: agreements
financed_loans: owner: agreements
financers: owner: catalogue
financers_view: owner: catalogue
finished_steps_view: owner: jobs
historic_agreements: owner: agreements
historic_agreements_view: owner: agreements
holds: owner: locking
idempotency_keys: owner: platform
identity_providers: owner: identity
installation: owner: platform
instalments: owner: agreements
instalments_view: owner: agreements
invariant_checks: owner: locking
journal_lines: owner: ledger
journals: owner: ledger
key_balances: owner: ledger
key_grants: owner: wallet
key_grants_view: owner: wallet
key_prices: owner: catalogue
key_reservations: owner: wallet
key_transfers: owner: wallet
key_transfers_view: owner: wallet
lease_contacts_view: owner: devices
lock_policies: owner: locking
lock_policies_view: owner: locking
locks: owner: locking
login_numbers_view: owner: identity
loose_files: owner: documents
nightly_checks_view: owner: jobs
notice_deliveries_view: owner: notices
notice_link_numbers: owner: notices
notice_proofs: owner: notices
notices: owner: notices
notices_view: owner: notices
notifications: owner: notices
number_changes: owner: customers
number_confirmations_view: owner: customers
open_claims_view: owner: payments
open_disputes_view: owner: locking
open_phone_claims_view: owner: locking
open_refunds_view: owner: payments
org_directory: owner: organisations
organisation_logos: owner: organisations
organisations: owner: organisations
otps: owner: identity
outbox: owner: platform
override_asks: owner: locking
override_refusals_view: owner: locking
passkey_challenges: owner: identity
passkeys: owner: identity
payment_given_ids: owner: payments
payment_moves: owner: payments
payment_moves_view: owner: payments
payments: owner: payments
payments_view: owner: payments
penal_rules: owner: agreements
phone_claims: owner: locking
phone_exchanges: owner: agreements
phone_exchanges_view: owner: agreements
phone_models: owner: catalogue
plan_presets: owner: catalogue
plans: owner: catalogue
plans_view: owner: catalogue
privacy_policies: owner: organisations
proof_tokens: owner: identity
protection_reports: owner: locking
provider_questions: owner: identity
provider_subjects: owner: identity
rate_limits: owner: platform
receipts_view: owner: payments
refund_tasks: owner: payments
refund_tasks_view: owner: payments
restrictions: owner: locking
reversals_view: owner: payments
same_person_view: owner: customers
schedule_versions: owner: agreements
schedule_versions_view: owner: agreements
schema_migrations: owner: platform
screen_templates: owner: notices
screen_templates_view: owner: notices
secret_marks: owner: platform
seen_requests: owner: platform
session_epochs: owner: identity
sessions: owner: identity
shop_contacts_view: owner: identity
signup_requests: owner: identity
sim_changes_view: owner: devices
timer_runs: owner: platform
trusted_devices: owner: identity
unanswered_commands_view: owner: commands
unread_notifications_view: owner: notices
user_pictures: owner: documents
users: owner: identity
users_view: owner: identity
vendor_budgets: owner: commands
verdicts: owner: locking
waiting_batches_view: owner: commands
waiver_refusals_view: owner: payments
waivers: owner: payments
waivers_view: owner: payments
wallets: owner: wallet
wallets_view: owner: wallet

-- views
view accruals_view with (security_invoker=true) as SELECT org_id,
    agreement_id,
    no,
    due_on,
    (interest_paise - dropped_interest_paise) AS interest_paise,
    (fee_paise - dropped_fee_paise) AS fee_paise,
    paid_interest_paise,
    paid_fee_paise
   FROM instalments
  WHERE ((superseded_by IS NULL) OR (((dropped_principal_paise + dropped_interest_paise) + dropped_fee_paise) < ((principal_paise + interest_paise) + fee_paise)));
view agreement_lines_view with (security_invoker=true) as SELECT org_id,
    subject_id,
    action,
    (actor ->> 'user_id'::text) AS done_by,
    data
   FROM audit_lines
  WHERE (subject_kind = 'agreement'::text);
view agreement_moves_view with (security_invoker=true) as SELECT org_id,
    agreement_id,
    no,
    to_state,
    moved_by
   FROM agreement_moves;
view agreements_view with (security_invoker=true) as SELECT org_id,
    agreement_id,
    agreement_no,
    customer_id,
    device_id,
    owner_user_id,
    state,
    tenure,
    paid_count,
    oldest_due_on,
    oldest_due_paise,
    last_due_on,
    outstanding_paise,
    policy,
    created_at
   FROM agreements;
view allocations with (security_invoker=true) as SELECT org_id,
    agreement_id,
    payment_id,
    bucket,
    instalment_no,
    charge_id,
    (sum((credit - debit)))::bigint AS paise
   FROM journal_lines
  WHERE ((agreement_id IS NOT NULL) AND (payment_id IS NOT NULL) AND (bucket IS NOT NULL))
  GROUP BY org_id, agreement_id, payment_id, bucket, instalment_no, charge_id
 HAVING (sum((credit - debit)) <> (0)::numeric);
view batch_refusals_view with (security_invoker=true) as SELECT org_id,
    batch_id,
    refusal_note
   FROM batches
  WHERE (refusal_note IS NOT NULL);
view birthdays_view with (security_invoker=true) as SELECT org_id,
    customer_id,
    owner_user_id,
    birth_day,
    first_name,
    last_name,
    mobile,
    language
   FROM customers
  WHERE ((birth_day IS NOT NULL) AND (NOT is_draft));
view channels_view with (security_invoker=true) as SELECT e.org_id,
    e.enrolment_id,
    e.device_id,
    e.vendor,
    e.handle,
    e.ended_at,
    v.provisioning_type,
    w.revision AS desired_revision,
    w.document,
    r.revision AS reported_revision,
    r.unfit_polls,
    e.in_charge
   FROM (((enrolments e
     JOIN devices v ON (((v.org_id = e.org_id) AND (v.device_id = e.device_id))))
     JOIN device_desired w ON (((w.org_id = e.org_id) AND (w.device_id = e.device_id))))
     JOIN device_reports r ON (((r.org_id = e.org_id) AND (r.device_id = e.device_id))));
view consents_view with (security_invoker=true) as SELECT org_id,
    agreement_id,
    consent_id,
    text_version,
    text_hash,
    language,
    method,
    accepted_at
   FROM consents;
view customer_births_view with (security_invoker=true) as SELECT org_id,
    customer_id,
    birth_on
   FROM customers
  WHERE (birth_on IS NOT NULL);
view customer_transfers_view with (security_invoker=true) as SELECT org_id,
    customer_id,
    to_user_id,
    made_by
   FROM customer_transfers;
view customers_view with (security_invoker=true) as SELECT org_id,
    customer_id,
    owner_user_id,
    status,
    is_draft,
    plan_type,
    plan_id,
    first_name,
    last_name,
    mobile,
    search,
    created_at
   FROM customers;
view daily_runs_view with (security_invoker=true) as SELECT org_id,
    daily_run_on
   FROM organisations;
view device_states_view with (security_invoker=true) as SELECT r.org_id,
    r.device_id,
    (r.is_strong AND kist_locks((r.lock_level)::integer)) AS is_locked,
    (r.is_strong AND kist_locks((r.lock_level)::integer) AND (NOT kist_locks((w.lock_level)::integer))) AS is_unlock_pending,
    ((w.revision > r.revision) OR (w.lease_seq > r.lease_seq)) AS is_behind
   FROM (device_reports r
     LEFT JOIN device_desired w ON (((w.org_id = r.org_id) AND (w.device_id = r.device_id))));
view devices_view with (security_invoker=true) as SELECT org_id,
    device_id,
    customer_id,
    provisioning_type,
    imei1,
    imei2,
    serial,
    brand,
    model,
    TRIM(BOTH FROM ((brand || ' '::text) || model)) AS name,
    created_at,
    released_at
   FROM devices;
view enrolments_view with (security_invoker=true) as SELECT org_id,
    enrolment_id,
    device_id
   FROM enrolments;
view exchanged_customers_view with (security_invoker=true) as SELECT org_id,
    owner_user_id,
    customer_id
   FROM agreements
  WHERE (exchanged_at IS NOT NULL);
view financers_view with (security_invoker=true) as SELECT org_id,
    financer_id,
    name
   FROM financers;
view finished_steps_view with (security_invoker=true) as SELECT org_id,
    business_on,
    step,
    finished_at
   FROM daily_steps;
view historic_agreements_view with (security_invoker=true) as SELECT org_id,
    agreement_id
   FROM historic_agreements;
view instalments_view with (security_invoker=true) as SELECT org_id,
    agreement_id,
    no,
    due_on,
    paid_on,
    left_paise(i.*) AS left_paise
   FROM instalments i;
view key_grants_view with (security_invoker=true) as SELECT org_id,
    effect_key,
    user_id,
    plan_type,
    lot,
    keys
   FROM key_grants;
view key_transfers_view with (security_invoker=true) as SELECT org_id,
    transfer_id,
    lot,
    from_user_id,
    to_user_id,
    plan_type,
    keys,
    made_at
   FROM key_transfers;
view lease_contacts_view with (security_invoker=true) as SELECT org_id,
    device_id,
    ((lease -> 'screen'::text) ->> 'shop_phone'::text) AS shop_phone,
    ((lease -> 'screen'::text) ->> 'shop'::text) AS shop,
    ((lease -> 'screen'::text) ->> 'upi_uri'::text) AS upi_uri,
    (((lease -> 'screen'::text) ->> 'amount_paise'::text))::bigint AS amount_paise
   FROM device_desired;
view lock_policies_view with (security_invoker=true) as SELECT org_id,
    version,
    policy
   FROM lock_policies;
view login_numbers_view with (security_invoker=true) as SELECT u.org_id,
    u.mobile,
    l.customer_id,
    ((u.user_type <> 'customer'::text) AND (u.number_proved_at IS NOT NULL)) AS is_of_staff,
    ((u.user_type = 'customer'::text) AND (u.number_proved_at IS NOT NULL)) AS is_proved
   FROM (users u
     LEFT JOIN customer_logins l ON (((l.org_id = u.org_id) AND (l.user_id = u.user_id))));
view nightly_checks_view with (security_invoker=true) as SELECT org_id,
    business_on,
    finished_at AS checked_at,
    ((result ->> 'is_balanced'::text))::boolean AS is_balanced
   FROM daily_steps
  WHERE (step = 'checks'::text);
view notice_deliveries_view with (security_invoker=true) as SELECT org_id,
    agreement_id,
    notice_id,
    kind,
    no,
    due_on,
    channel,
    what,
    at,
    COALESCE(said_at, at) AS shown_at,
    is_number_confirmed,
    proof,
    LEAST(COALESCE(handed_out_at, at), at) AS handed_out_at
   FROM notice_proofs;
view notices_view with (security_invoker=true) as SELECT org_id,
    notice_id,
    agreement_id,
    kind,
    channel,
    created_at,
    sent_at,
    delivered_at,
    failed_at
   FROM notices;
view number_confirmations_view with (security_invoker=true) as SELECT org_id,
    customer_id,
    ((NOT (EXISTS ( SELECT
           FROM login_numbers_view s
          WHERE ((s.org_id = c.org_id) AND (s.mobile = c.mobile) AND s.is_of_staff)))) AND ((EXISTS ( SELECT
           FROM consent_confirmations k
          WHERE ((k.org_id = c.org_id) AND (k.customer_id = c.customer_id) AND (k.mobile = c.mobile)))) OR (EXISTS ( SELECT
           FROM login_numbers_view u
          WHERE ((u.org_id = c.org_id) AND (u.mobile = c.mobile) AND (u.customer_id = c.customer_id) AND u.is_proved))))) AS is_confirmed
   FROM customers c;
view open_claims_view with (security_invoker=true) as SELECT org_id,
    customer_id,
    payment_id
   FROM payments
  WHERE (state = 'claimed'::text);
view open_disputes_view with (security_invoker=true) as SELECT org_id,
    agreement_id
   FROM disputes
  WHERE (state = ANY (ARRAY['open'::text, 'undecided'::text, 'escalated'::text]));
view open_phone_claims_view with (security_invoker=true) as SELECT org_id,
    customer_id,
    agreement_id,
    claim_id
   FROM phone_claims
  WHERE (state = 'open'::text);
view open_refunds_view with (security_invoker=true) as SELECT org_id,
    customer_id,
    payment_id
   FROM refund_tasks
  WHERE (state = 'open'::text);
view override_refusals_view with (security_invoker=true) as SELECT org_id,
    ask_id,
    refusal_note
   FROM override_asks
  WHERE (refusal_note IS NOT NULL);
view payment_moves_view with (security_invoker=true) as SELECT org_id,
    payment_id,
    no,
    to_state,
    moved_at,
    moved_by,
    suspensions
   FROM payment_moves;
view payments_view with (security_invoker=true) as SELECT org_id,
    payment_id,
    agreement_id,
    receipt_no,
    amount_paise,
    method,
    reference,
    paid_at,
    paid_on,
    state,
    reversed_at,
    reverse_reason,
    recorded_by
   FROM payments
  WHERE ((goes_to = 'dues'::text) AND (state = ANY (ARRAY['posted'::text, 'reversed'::text])));
view phone_exchanges_view with (security_invoker=true) as SELECT org_id,
    agreement_id,
    no,
    from_device_id,
    was_set_up,
    reason,
    made_at,
    made_by
   FROM phone_exchanges;
view plans_view with (security_invoker=true) as SELECT org_id,
    plan_id,
    name,
    is_active,
    app_type
   FROM plans;
view receipts_view with (security_invoker=true) as SELECT org_id,
    payment_id,
    agreement_id,
    receipt_no,
    amount_paise,
    method,
    reference,
    paid_at,
    paid_on,
    state,
    reversed_at,
    reverse_reason,
    COALESCE(posted_by, recorded_by) AS recorded_by,
    goes_to,
    note_no,
        CASE
            WHEN (state = 'refused'::text) THEN ( SELECT m.reason
               FROM payment_moves m
              WHERE ((m.org_id = p.org_id) AND (m.payment_id = p.payment_id) AND (m.to_state = 'refused'::text))
              ORDER BY m.no DESC
             LIMIT 1)
            ELSE NULL::text
        END AS refuse_reason
   FROM payments p;
view refund_tasks_view with (security_invoker=true) as SELECT org_id,
    payment_id,
    agreement_id,
    amount_paise,
    state,
    customer_id,
    method,
    closed_by
   FROM refund_tasks;
view reversals_view with (security_invoker=true) as SELECT org_id,
    agreement_id,
    max(reversed_at) AS reversed_at
   FROM payments
  WHERE ((reversed_at IS NOT NULL) AND (goes_to = 'dues'::text) AND (for_charge_id IS NULL))
  GROUP BY org_id, agreement_id;
view same_person_view with (security_invoker=true) as SELECT customers.org_id,
    customers.customer_id,
    customers.customer_id AS same_customer_id
   FROM customers
UNION
 SELECT own.org_id,
    own.customer_id,
    c.customer_id AS same_customer_id
   FROM (customers own
     JOIN customers c ON (((c.org_id = own.org_id) AND (c.mobile = own.mobile))))
  WHERE (own.mobile <> ''::text)
UNION
 SELECT own.org_id,
    own.customer_id,
    c.customer_id AS same_customer_id
   FROM (customers own
     JOIN customers c ON (((c.org_id = own.org_id) AND (c.aadhaar_last4 = own.aadhaar_last4) AND ((c.birth_on = own.birth_on) OR (c.pan_masked = own.pan_masked)))))
UNION
 SELECT own.org_id,
    own.customer_id,
    c.customer_id AS same_customer_id
   FROM (customers own
     JOIN customers c ON (((c.org_id = own.org_id) AND (c.pan_masked = own.pan_masked) AND (c.birth_on = own.birth_on))));
view schedule_versions_view with (security_invoker=true) as SELECT org_id,
    agreement_id,
    version,
    principal_paise,
    interest_paise,
    fee_paise,
    dropped_interest_paise,
    dropped_fee_paise,
    effective_on,
    cause,
    made_at,
    before,
    after,
    (EXISTS ( SELECT
           FROM phone_exchanges x
          WHERE ((x.org_id = v.org_id) AND (x.agreement_id = v.agreement_id) AND x.was_set_up AND (x.txid = v.txid)))) AS has_exchange,
    consent_otp_id,
    consent_hash,
    counted_principal_paise,
    counted_interest_paise,
    made_by
   FROM schedule_versions v;
view screen_templates_view with (security_invoker=true) as SELECT org_id,
    template_id,
    name,
    texts
   FROM screen_templates
  WHERE (ended_at IS NULL);
view shop_contacts_view with (security_invoker=true) as SELECT u.org_id,
    u.user_id,
        CASE
            WHEN u.is_active THEN u.shop_name
            WHEN p.is_active THEN p.shop_name
            ELSE o.org_name
        END AS shop_name,
        CASE
            WHEN u.is_active THEN u.first_name
            WHEN p.is_active THEN p.first_name
            ELSE ''::text
        END AS first_name,
        CASE
            WHEN u.is_active THEN u.last_name
            WHEN p.is_active THEN p.last_name
            ELSE ''::text
        END AS last_name,
        CASE
            WHEN u.is_active THEN u.mobile
            WHEN p.is_active THEN p.mobile
            ELSE COALESCE((o.support ->> 'phone'::text), ''::text)
        END AS mobile,
        CASE
            WHEN u.is_active THEN u.upi_id
            WHEN p.is_active THEN p.upi_id
            ELSE NULL::text
        END AS upi_id
   FROM ((users u
     JOIN organisations o ON ((o.org_id = u.org_id)))
     LEFT JOIN users p ON (((p.org_id = u.org_id) AND (p.user_id = u.parent_user_id))));
view sim_changes_view with (security_invoker=true) as SELECT org_id,
    device_id,
    at
   FROM device_events
  WHERE (kind = 'sim_changed'::text);
view unanswered_commands_view with (security_invoker=true) as SELECT org_id,
    device_id
   FROM commands
  WHERE (state = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'DELIVERED'::text]));
view unread_notifications_view with (security_invoker=true) as SELECT org_id,
    user_id
   FROM notifications
  WHERE (read_at IS NULL);
view users_view with (security_invoker=true) as SELECT org_id,
    user_id,
    user_type,
    parent_user_id,
    TRIM(BOTH FROM ((first_name || ' '::text) || last_name)) AS name,
    is_active,
    first_name,
    last_name,
    shop_name,
    mobile,
    (address ->> 'city'::text) AS city,
    suspended_at,
    created_at,
    suspended_no
   FROM users;
view waiting_batches_view with (security_invoker=true) as SELECT org_id,
    batch_id,
    reason,
    requested_by,
    total,
    created_at
   FROM batches
  WHERE (state = 'waiting'::text);
view waiver_refusals_view with (security_invoker=true) as SELECT org_id,
    waiver_id,
    refusal_note
   FROM waivers
  WHERE (refusal_note IS NOT NULL);
view waivers_view with (security_invoker=true) as SELECT org_id,
    waiver_id,
    agreement_id,
    charge_id,
    amount_paise,
    reason,
    state,
    asked_by,
    asked_at,
    decided_by,
    decided_at
   FROM waivers;
view wallets_view with (security_invoker=true) as SELECT org_id,
    user_id,
    plan_type,
    available
   FROM wallets;

-- constraints
accounts: accounts_are_of_whom_the_code_says CHECK ((
CASE
    WHEN (code = ANY (ARRAY['clearing_cash'::text, 'clearing_upi'::text, 'clearing_other'::text, 'keys_available'::text, 'keys_reserved'::text])) THEN ((owner_kind = 'user'::text) AND (owner_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text))
    ELSE ((owner_kind = 'organisation'::text) AND (owner_id = 'organisation'::text))
END AND ((code = ANY (ARRAY['keys_available'::text, 'keys_reserved'::text, 'keys_issued'::text, 'keys_used'::text])) = (unit <> 'INR'::text)))) NOT VALID
accounts: accounts_code_of_the_chart CHECK ((code = ANY (ARRAY['receivable_principal'::text, 'receivable_interest'::text, 'receivable_fee'::text, 'receivable_penal'::text, 'advance'::text, 'clearing_cash'::text, 'clearing_upi'::text, 'clearing_other'::text, 'suspense'::text, 'refunds_payable'::text, 'sales'::text, 'unearned_interest'::text, 'unearned_fee'::text, 'income_interest'::text, 'income_fee'::text, 'income_penal'::text, 'waivers'::text, 'keys_available'::text, 'keys_reserved'::text, 'keys_issued'::text, 'keys_used'::text])))
accounts: accounts_normal_side_check CHECK ((normal_side = ANY (ARRAY['debit'::text, 'credit'::text])))
accounts: accounts_of_keys_are_a_users CHECK (((unit = 'INR'::text) OR ((unit ~ '^KEY:[0-9]{1,9}$'::text) AND
CASE
    WHEN (code = ANY (ARRAY['keys_available'::text, 'keys_reserved'::text])) THEN ((owner_kind = 'user'::text) AND (owner_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text))
    ELSE ((code = ANY (ARRAY['keys_issued'::text, 'keys_used'::text])) AND (owner_kind = 'organisation'::text))
END)))
accounts: accounts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
accounts: accounts_org_id_owner_kind_owner_id_code_unit_key UNIQUE (org_id, owner_kind, owner_id, code, unit)
accounts: accounts_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['organisation'::text, 'agreement'::text, 'user'::text])))
accounts: accounts_pkey PRIMARY KEY (org_id, account_id)
accounts: accounts_unit_check CHECK (((unit = 'INR'::text) OR (unit ~ '^KEY:[0-9]+$'::text)))
agreement_moves: agreement_moves_are_true TRIGGER DEFERRABLE INITIALLY DEFERRED
agreement_moves: agreement_moves_no_check CHECK ((no >= 1))
agreement_moves: agreement_moves_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
agreement_moves: agreement_moves_pkey PRIMARY KEY (org_id, agreement_id, no)
agreement_moves: agreement_moves_reason_check CHECK ((btrim(reason) <> ''::text))
agreements: agreement_begins_with_its_move TRIGGER DEFERRABLE INITIALLY DEFERRED
agreements: agreement_is_cancelled_with_its_journal TRIGGER DEFERRABLE INITIALLY DEFERRED
agreements: agreement_moves_with_its_state TRIGGER DEFERRABLE INITIALLY DEFERRED
agreements: agreement_says_what_it_owes TRIGGER DEFERRABLE INITIALLY DEFERRED
agreements: agreements_advance_paise_check CHECK ((advance_paise >= 0))
agreements: agreements_cash_price_paise_check CHECK ((cash_price_paise > 0))
agreements: agreements_down_payment_paise_check CHECK ((down_payment_paise >= 0))
agreements: agreements_fee_paise_check CHECK ((fee_paise >= 0))
agreements: agreements_financed_paise_check CHECK ((financed_paise > 0))
agreements: agreements_frequency_check CHECK ((frequency = ANY (ARRAY['MONTHLY'::text, 'FORTNIGHTLY'::text, 'WEEKLY'::text])))
agreements: agreements_method_check CHECK ((method = ANY (ARRAY['FLAT'::text, 'REDUCING'::text, 'ZERO'::text])))
agreements: agreements_of_books_are_told TRIGGER DEFERRABLE INITIALLY DEFERRED
agreements: agreements_org_id_agreement_no_key UNIQUE (org_id, agreement_no)
agreements: agreements_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id)
agreements: agreements_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
agreements: agreements_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
agreements: agreements_org_id_owner_user_id_fkey FOREIGN KEY (org_id, owner_user_id) REFERENCES users(org_id, user_id)
agreements: agreements_pkey PRIMARY KEY (org_id, agreement_id)
agreements: agreements_rate_bps_check CHECK ((rate_bps >= 0))
agreements: agreements_rounding_check CHECK ((rounding = ANY (ARRAY['RUPEE'::text, 'PAISE'::text])))
agreements: agreements_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'active'::text, 'completed'::text, 'foreclosed'::text, 'cancelled'::text, 'written_off'::text, 'returned'::text])))
agreements: agreements_tenure_check CHECK ((tenure > 0))
allowed_moves: allowed_moves_pkey PRIMARY KEY (thing, from_state, to_state)
allowed_moves: allowed_moves_thing_check CHECK ((thing = ANY (ARRAY['agreement'::text, 'payment'::text])))
allowed_moves: allowed_moves_to_state_check CHECK ((to_state <> ''::text))
audit_checks: audit_checks_faults_check CHECK ((faults >= 0))
audit_checks: audit_checks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
audit_checks: audit_checks_pkey PRIMARY KEY (org_id, check_id)
audit_heads: audit_heads_pkey PRIMARY KEY (org_id, subject_kind, subject_id)
audit_lines: audit_lines_pkey PRIMARY KEY (org_id, subject_kind, subject_id, seq)
audit_root_heads: audit_root_heads_pkey PRIMARY KEY (org_id, day, subject_kind, subject_id)
audit_roots: audit_roots_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
audit_roots: audit_roots_pkey PRIMARY KEY (org_id, day)
batch_parts: batch_parts_org_id_batch_id_fkey FOREIGN KEY (org_id, batch_id) REFERENCES batches(org_id, batch_id)
batch_parts: batch_parts_pkey PRIMARY KEY (org_id, batch_id, no)
batch_parts: batch_parts_wave_check CHECK ((wave = ANY (ARRAY[1, 2])))
batches: batches_approved_by FOREIGN KEY (org_id, approved_by) REFERENCES users(org_id, user_id)
batches: batches_canary_check CHECK ((canary >= 0))
batches: batches_check CHECK (((refusal_note IS NULL) OR ((refusal_note <> ''::text) AND (stopped_for = 'NOT_APPROVED'::text))))
batches: batches_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
batches: batches_pkey PRIMARY KEY (org_id, batch_id)
batches: batches_room_check CHECK ((room >= 0))
batches: batches_second_person CHECK ((approved_by <> requested_by))
batches: batches_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'asked'::text, 'running'::text, 'stopped'::text, 'done'::text])))
batches: batches_stopped CHECK (((state = 'stopped'::text) = (stopped_for IS NOT NULL)))
batches: batches_stopped_for_check CHECK ((stopped_for = ANY (ARRAY['CAP'::text, 'FAILED'::text, 'NOT_ALLOWED'::text, 'FLEET_UNLOCK'::text, 'ANOMALY'::text, 'NOT_APPROVED'::text])))
book_checks: book_checks_faults_check CHECK ((faults >= 0))
book_checks: book_checks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
book_checks: book_checks_part_check CHECK (((part >= 0) AND (part <= 6)))
book_checks: book_checks_pkey PRIMARY KEY (org_id, check_id)
charges: charge_is_given_up_with_its_journal TRIGGER DEFERRABLE INITIALLY DEFERRED
charges: charge_is_taken_back_for_a_payment TRIGGER DEFERRABLE INITIALLY DEFERRED
charges: charge_is_waived_by_waivers TRIGGER DEFERRABLE INITIALLY DEFERRED
charges: charges_amount_paise_check CHECK ((amount_paise > 0))
charges: charges_by_hand_are_somebodys CHECK (((charged_by IS NULL) OR (made_by = 'hand'::text)))
charges: charges_check CHECK (((paid_paise >= 0) AND (paid_paise <= amount_paise)))
charges: charges_made_by_check CHECK ((made_by = ANY (ARRAY['rule'::text, 'hand'::text])))
charges: charges_org_id_agreement_id_instalment_no_fkey FOREIGN KEY (org_id, agreement_id, instalment_no) REFERENCES instalments(org_id, agreement_id, no)
charges: charges_pkey PRIMARY KEY (org_id, charge_id)
charges: charges_taken_back CHECK ((((taken_back_at IS NULL) = (taken_back_for IS NULL)) AND ((taken_back_at IS NULL) OR (paid_paise = 0))))
charges: charges_waived CHECK (((waived_paise >= 0) AND ((paid_paise + waived_paise) <= amount_paise)))
clock_offset: clock_offset_one_check CHECK (one)
clock_offset: clock_offset_pkey PRIMARY KEY (one)
commands: commands_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
commands: commands_pkey PRIMARY KEY (org_id, command_id)
commands: commands_state_check CHECK ((state = ANY (ARRAY['CREATED'::text, 'REFUSED'::text, 'QUEUED'::text, 'SENT'::text, 'DELIVERED'::text, 'APPLIED'::text, 'VERIFIED'::text, 'EXPIRED'::text, 'SUPERSEDED'::text, 'CANCELLED'::text, 'FAILED'::text])))
compensation_payouts: compensation_payouts_amount_paise_check CHECK ((amount_paise > 0))
compensation_payouts: compensation_payouts_method_check CHECK ((method = ANY (ARRAY['CASH'::text, 'UPI'::text, 'OTHER'::text])))
compensation_payouts: compensation_payouts_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
compensation_payouts: compensation_payouts_pkey PRIMARY KEY (org_id, payout_id)
consent_confirmations: consent_confirmations_deal_hash_check CHECK ((octet_length(deal_hash) = 32))
consent_confirmations: consent_confirmations_org_id_confirmation_id_text_hash_key UNIQUE (org_id, confirmation_id, text_hash)
consent_confirmations: consent_confirmations_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id) ON DELETE CASCADE
consent_confirmations: consent_confirmations_pkey PRIMARY KEY (org_id, confirmation_id)
consents: consents_method_check CHECK ((method = ANY (ARRAY['signature'::text, 'otp'::text, 'typed'::text])))
consents: consents_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
consents: consents_org_id_confirmation_id_text_hash_fkey FOREIGN KEY (org_id, confirmation_id, text_hash) REFERENCES consent_confirmations(org_id, confirmation_id, text_hash)
consents: consents_pkey PRIMARY KEY (org_id, consent_id)
counters: counters_begin_with_a_paper TRIGGER DEFERRABLE INITIALLY DEFERRED
counters: counters_of_shops_begin_with_one TRIGGER DEFERRABLE INITIALLY DEFERRED
counters: counters_of_shops_rise_with_one TRIGGER DEFERRABLE INITIALLY DEFERRED
counters: counters_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
counters: counters_pkey PRIMARY KEY (org_id, name)
counters: counters_rise_with_a_paper TRIGGER DEFERRABLE INITIALLY DEFERRED
cures: cures_held_since_check CHECK ((held_since <= cured_at))
cures: cures_pkey PRIMARY KEY (org_id, cure_id)
cures: cures_withdrawn_at_check CHECK (((withdrawn_at IS NULL) OR (held_since IS NOT NULL)))
customer_allowed_moves: customer_allowed_moves_pkey PRIMARY KEY (from_status, to_status)
customer_allowed_moves: customer_allowed_moves_with_key_check CHECK ((with_key = ANY (ARRAY['set_aside'::text, 'spent'::text])))
customer_logins: customer_logins_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id)
customer_logins: customer_logins_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
customer_logins: customer_logins_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, user_id) ON DELETE CASCADE
customer_logins: customer_logins_pkey PRIMARY KEY (org_id, customer_id)
customer_moves: customer_moves_are_true TRIGGER DEFERRABLE INITIALLY DEFERRED
customer_moves: customer_moves_no_check CHECK ((no >= 1))
customer_moves: customer_moves_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id)
customer_moves: customer_moves_pkey PRIMARY KEY (org_id, customer_id, no)
customer_moves: customer_moves_reason_check CHECK ((btrim(reason) <> ''::text))
customer_transfers: customer_transfers_are_followed TRIGGER DEFERRABLE INITIALLY DEFERRED
customer_transfers: customer_transfers_check CHECK ((to_user_id <> from_user_id))
customer_transfers: customer_transfers_org_id_from_user_id_fkey FOREIGN KEY (org_id, from_user_id) REFERENCES users(org_id, user_id)
customer_transfers: customer_transfers_org_id_to_user_id_fkey FOREIGN KEY (org_id, to_user_id) REFERENCES users(org_id, user_id)
customer_transfers: customer_transfers_pkey PRIMARY KEY (org_id, transfer_id, customer_id)
customer_transfers: customer_transfers_reason_check CHECK ((btrim(reason) <> ''::text))
customers: customers_aadhaar_last4_check CHECK ((aadhaar_last4 ~ '^[0-9]{4}$'::text))
customers: customers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
customers: customers_org_id_owner_user_id_fkey FOREIGN KEY (org_id, owner_user_id) REFERENCES users(org_id, user_id)
customers: customers_pkey PRIMARY KEY (org_id, customer_id)
customers: customers_search_fits CHECK ((octet_length(search) <= 2400))
customers: customers_status_check CHECK (((status >= 0) AND (status <= 4)))
customers: customers_status_is_one CHECK (((status >= 0) AND (status <= 4))) NOT VALID
daily_steps: daily_steps_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
daily_steps: daily_steps_pkey PRIMARY KEY (org_id, business_on, step)
deliveries: deliveries_level_check CHECK (((level >= 0) AND (level <= 4)))
deliveries: deliveries_operation_check CHECK ((length(operation) <= 200))
deliveries: deliveries_org_id_enrolment_id_fkey FOREIGN KEY (org_id, enrolment_id) REFERENCES enrolments(org_id, enrolment_id)
deliveries: deliveries_pkey PRIMARY KEY (org_id, enrolment_id)
deliveries: deliveries_priority_check CHECK (((priority >= 0) AND (priority <= 2)))
deliveries: deliveries_why_check CHECK ((length(why) <= 200))
device_changes: device_changes_pkey PRIMARY KEY (org_id, change_id)
device_desired: device_desired_document_digest_check CHECK ((length(document_digest) = 32))
device_desired: device_desired_lock_level_check CHECK (((lock_level >= 0) AND (lock_level <= 4)))
device_desired: device_desired_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
device_desired: device_desired_pkey PRIMARY KEY (org_id, device_id)
device_events: device_events_pkey PRIMARY KEY (org_id, device_id, event_id)
device_reports: device_reports_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
device_reports: device_reports_pkey PRIMARY KEY (org_id, device_id)
device_reports: device_reports_policy_digest_check CHECK ((length(policy_digest) <= 32))
devices: devices_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id)
devices: devices_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
devices: devices_pkey PRIMARY KEY (org_id, device_id)
dispute_allowed_moves: dispute_allowed_moves_moved_as_check CHECK ((moved_as = ANY (ARRAY['customer'::text, 'shop'::text, 'organisation'::text])))
dispute_allowed_moves: dispute_allowed_moves_pkey PRIMARY KEY (from_state, to_state, moved_as)
dispute_allowed_moves: dispute_allowed_moves_to_state_check CHECK ((to_state = ANY (ARRAY['open'::text, 'undecided'::text, 'answered'::text, 'escalated'::text, 'closed'::text, 'rejected'::text])))
dispute_moves: dispute_moves_are_true TRIGGER DEFERRABLE INITIALLY DEFERRED
dispute_moves: dispute_moves_no_check CHECK ((no >= 1))
dispute_moves: dispute_moves_org_id_dispute_id_fkey FOREIGN KEY (org_id, dispute_id) REFERENCES disputes(org_id, dispute_id)
dispute_moves: dispute_moves_pkey PRIMARY KEY (org_id, dispute_id, no)
dispute_moves: dispute_moves_reason_check CHECK ((btrim(reason) <> ''::text))
disputes: dispute_begins_with_its_move TRIGGER DEFERRABLE INITIALLY DEFERRED
disputes: dispute_moves_with_its_state TRIGGER DEFERRABLE INITIALLY DEFERRED
disputes: disputes_channel_check CHECK ((channel = ANY (ARRAY['phone'::text, 'app'::text, 'shop'::text, 'link'::text]))) NOT VALID
disputes: disputes_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
disputes: disputes_org_id_agreement_id_instalment_no_fkey FOREIGN KEY (org_id, agreement_id, instalment_no) REFERENCES instalments(org_id, agreement_id, no)
disputes: disputes_pkey PRIMARY KEY (org_id, dispute_id)
document_totals: document_totals_bytes_check CHECK ((bytes >= 0))
document_totals: document_totals_documents_check CHECK ((documents >= 0))
document_totals: document_totals_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
document_totals: document_totals_pkey PRIMARY KEY (org_id)
documents: documents_deal_hash_check CHECK ((octet_length(deal_hash) = 32))
documents: documents_image_name_check CHECK (((char_length(image_name) >= 1) AND (char_length(image_name) <= 80)))
documents: documents_key_sealed_check CHECK ((octet_length(key_sealed) = 65))
documents: documents_lie_somewhere CHECK ((num_nonnulls(sealed, key_sealed) =
CASE
    WHEN (gone_at IS NULL) THEN 1
    ELSE 0
END))
documents: documents_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id)
documents: documents_pkey PRIMARY KEY (org_id, document_id)
enrolment_tests: enrolment_tests_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
enrolment_tests: enrolment_tests_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
enrolment_tests: enrolment_tests_pkey PRIMARY KEY (org_id, agreement_id)
enrolment_tokens: enrolment_tokens_handle CHECK (((vendor IS NULL) = (handle IS NULL)))
enrolment_tokens: enrolment_tokens_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
enrolment_tokens: enrolment_tokens_pkey PRIMARY KEY (org_id, token_hash)
enrolments: enrolments_cost_a_key TRIGGER DEFERRABLE INITIALLY DEFERRED
enrolments: enrolments_grade_check CHECK ((grade = ANY (ARRAY['hardware'::text, 'software'::text, 'none'::text])))
enrolments: enrolments_handle_check CHECK (((length(handle) >= 1) AND (length(handle) <= 200)))
enrolments: enrolments_moved_cost_a_key TRIGGER DEFERRABLE INITIALLY DEFERRED
enrolments: enrolments_named CHECK (((public_key_spki IS NULL) <> (handle IS NULL)))
enrolments: enrolments_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
enrolments: enrolments_pkey PRIMARY KEY (org_id, enrolment_id)
enrolments: enrolments_vendor_check CHECK (((length(vendor) >= 1) AND (length(vendor) <= 40)))
erasures: erasures_asked_as_check CHECK ((asked_as = ANY (ARRAY['customer'::text, 'shop'::text, 'operator'::text])))
erasures: erasures_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id)
erasures: erasures_pkey PRIMARY KEY (org_id, customer_id)
financed_loans: financed_loans_loan_account_no_check CHECK ((btrim(loan_account_no) <> ''::text))
financed_loans: financed_loans_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
financed_loans: financed_loans_org_id_financer_id_fkey FOREIGN KEY (org_id, financer_id) REFERENCES financers(org_id, financer_id)
financed_loans: financed_loans_org_id_financer_id_loan_account_no_key UNIQUE (org_id, financer_id, loan_account_no)
financed_loans: financed_loans_pkey PRIMARY KEY (org_id, agreement_id)
financed_loans: financed_loans_sanctioned_paise_check CHECK ((sanctioned_paise > 0))
financers: financers_financer_id_check CHECK ((financer_id > 0))
financers: financers_name_check CHECK ((btrim(name) <> ''::text))
financers: financers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
financers: financers_pkey PRIMARY KEY (org_id, financer_id)
historic_agreements: historic_agreements_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
historic_agreements: historic_agreements_org_id_agreement_id_key UNIQUE (org_id, agreement_id)
historic_agreements: historic_agreements_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
historic_agreements: historic_agreements_pkey PRIMARY KEY (org_id, row_ref)
historic_agreements: historic_agreements_row_hash_check CHECK ((length(row_hash) = 32))
historic_agreements: historic_agreements_row_ref_check CHECK ((row_ref <> ''::text))
historic_agreements: historic_comes_with_its_opening TRIGGER DEFERRABLE INITIALLY DEFERRED
holds: holds_check CHECK (((due_on IS NOT NULL) = (kind = 'claim'::text)))
holds: holds_kind_check CHECK ((kind = ANY (ARRAY['hardship'::text, 'holiday'::text, 'medical'::text, 'manual'::text, 'claim'::text])))
holds: holds_lifted CHECK (((lifted_at IS NULL) = (lifted_by IS NULL)))
holds: holds_lifted_note_check CHECK ((length(lifted_note) <= 500))
holds: holds_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
holds: holds_pkey PRIMARY KEY (org_id, hold_id)
idempotency_keys: idempotency_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
idempotency_keys: idempotency_keys_pkey PRIMARY KEY (org_id, actor, key)
identity_providers: identity_providers_claim_check CHECK ((claim = ANY (ARRAY['email'::text, 'phone_number'::text])))
identity_providers: identity_providers_client_id_check CHECK (((length(client_id) >= 1) AND (length(client_id) <= 300)))
identity_providers: identity_providers_issuer_check CHECK (((issuer ~ '^https?://'::text) AND (length(issuer) <= 500)))
identity_providers: identity_providers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
identity_providers: identity_providers_pkey PRIMARY KEY (org_id)
installation: installation_folder_mark_check CHECK ((folder_mark ~ '^[0-9a-f]{32}$'::text))
installation: installation_mode_check CHECK ((mode = ANY (ARRAY['demo'::text, 'production'::text])))
installation: installation_one_check CHECK (one)
installation: installation_pkey PRIMARY KEY (one)
instalments: instalments_check CHECK (((paid_principal_paise >= 0) AND (paid_principal_paise <= principal_paise)))
instalments: instalments_check1 CHECK (((paid_interest_paise >= 0) AND (paid_interest_paise <= interest_paise)))
instalments: instalments_check2 CHECK (((paid_fee_paise >= 0) AND (paid_fee_paise <= fee_paise)))
instalments: instalments_check3 CHECK ((((principal_paise + interest_paise) + fee_paise) > 0))
instalments: instalments_dropped CHECK (((dropped_principal_paise >= 0) AND (dropped_interest_paise >= 0) AND (dropped_fee_paise >= 0) AND ((paid_principal_paise + dropped_principal_paise) <= principal_paise) AND ((paid_interest_paise + dropped_interest_paise) <= interest_paise) AND ((paid_fee_paise + dropped_fee_paise) <= fee_paise) AND ((superseded_by IS NOT NULL) OR (((dropped_principal_paise + dropped_interest_paise) + dropped_fee_paise) = 0)))) NOT VALID
instalments: instalments_fee_paise_check CHECK ((fee_paise >= 0))
instalments: instalments_interest_paise_check CHECK ((interest_paise >= 0))
instalments: instalments_no_check CHECK ((no >= 1))
instalments: instalments_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
instalments: instalments_org_id_instalment_id_key UNIQUE (org_id, instalment_id)
instalments: instalments_pkey PRIMARY KEY (org_id, agreement_id, no)
instalments: instalments_principal_paise_check CHECK ((principal_paise >= 0))
invariant_checks: invariant_checks_claims_check CHECK ((claims >= 0))
invariant_checks: invariant_checks_invariant_check CHECK ((invariant ~ '^I([1-9]|1[0-2])$'::text))
invariant_checks: invariant_checks_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
invariant_checks: invariant_checks_parts_check CHECK ((parts > 0))
invariant_checks: invariant_checks_pkey PRIMARY KEY (org_id, check_id, invariant)
invariant_checks: invariant_checks_violations_check CHECK ((violations >= 0))
journal_lines: journal_lines_bucket_check CHECK ((bucket = ANY (ARRAY['principal'::text, 'interest'::text, 'fee'::text, 'penal'::text, 'advance'::text])))
journal_lines: journal_lines_check CHECK (((debit = 0) <> (credit = 0)))
journal_lines: journal_lines_check1 CHECK (((instalment_no IS NULL) OR (agreement_id IS NOT NULL)))
journal_lines: journal_lines_check2 CHECK (((bucket IS NULL) OR (agreement_id IS NOT NULL)))
journal_lines: journal_lines_check3 CHECK (((payment_id IS NULL) OR (agreement_id IS NOT NULL)))
journal_lines: journal_lines_credit_check CHECK ((credit >= 0))
journal_lines: journal_lines_debit_check CHECK ((debit >= 0))
journal_lines: journal_lines_lot_check CHECK ((lot = ANY (ARRAY['paid'::text, 'granted'::text])))
journal_lines: journal_lines_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES accounts(org_id, account_id)
journal_lines: journal_lines_org_id_journal_id_fkey FOREIGN KEY (org_id, journal_id) REFERENCES journals(org_id, journal_id)
journal_lines: journal_lines_pkey PRIMARY KEY (org_id, journal_id, line_no)
journal_lines: journal_lines_rupees_of_an_agreement CHECK (((unit <> 'INR'::text) OR (agreement_id IS NOT NULL))) NOT VALID
journal_lines: ledger_is_what_the_wallet_says TRIGGER DEFERRABLE INITIALLY DEFERRED
journals: journal_balanced TRIGGER DEFERRABLE INITIALLY DEFERRED
journals: journal_has_its_cause TRIGGER DEFERRABLE INITIALLY DEFERRED
journals: journal_is_of_its_change TRIGGER DEFERRABLE INITIALLY DEFERRED
journals: journals_org_id_effect_key_key UNIQUE (org_id, effect_key)
journals: journals_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
journals: journals_org_id_reverses_journal_id_fkey FOREIGN KEY (org_id, reverses_journal_id) REFERENCES journals(org_id, journal_id)
journals: journals_pkey PRIMARY KEY (org_id, journal_id)
journals: payment_is_what_its_lines_say TRIGGER DEFERRABLE INITIALLY DEFERRED
journals: rows_are_paid_in_order TRIGGER DEFERRABLE INITIALLY DEFERRED
key_balances: key_balances_lot_check CHECK ((lot = ANY (ARRAY['paid'::text, 'granted'::text])))
key_balances: key_balances_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES accounts(org_id, account_id)
key_balances: key_balances_pkey PRIMARY KEY (org_id, account_id, lot)
key_grants: grant_is_booked TRIGGER DEFERRABLE INITIALLY DEFERRED
key_grants: key_grants_keys_check CHECK ((keys > 0))
key_grants: key_grants_lot_check CHECK ((lot = ANY (ARRAY['paid'::text, 'granted'::text])))
key_grants: key_grants_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
key_grants: key_grants_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, user_id)
key_grants: key_grants_pkey PRIMARY KEY (org_id, effect_key)
key_prices: key_prices_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
key_prices: key_prices_pkey PRIMARY KEY (org_id, plan_type)
key_prices: key_prices_plan_type_check CHECK ((plan_type = ANY (ARRAY[0, 1, 2, 4, 5, 6, 7, 8, 9, 12, 13])))
key_prices: key_prices_price_paise_check CHECK (((price_paise >= 1) AND (price_paise <= 100000000)))
key_reservations: key_is_settled_with_its_journal TRIGGER DEFERRABLE INITIALLY DEFERRED
key_reservations: key_reservations_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id)
key_reservations: key_reservations_pkey PRIMARY KEY (org_id, customer_id, reserved_at)
key_reservations: key_reservations_state_check CHECK ((state = ANY (ARRAY['reserved'::text, 'posted'::text, 'voided'::text])))
key_reservations: reservations_are_of_a_wallet TRIGGER DEFERRABLE INITIALLY DEFERRED
key_transfers: key_transfer_is_booked TRIGGER DEFERRABLE INITIALLY DEFERRED
key_transfers: key_transfers_keys_check CHECK ((keys > 0))
key_transfers: key_transfers_lot_check CHECK ((lot = ANY (ARRAY['paid'::text, 'granted'::text])))
key_transfers: key_transfers_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
key_transfers: key_transfers_org_id_from_user_id_fkey FOREIGN KEY (org_id, from_user_id) REFERENCES users(org_id, user_id)
key_transfers: key_transfers_org_id_to_user_id_fkey FOREIGN KEY (org_id, to_user_id) REFERENCES users(org_id, user_id)
key_transfers: key_transfers_pkey PRIMARY KEY (org_id, transfer_id, lot)
lock_policies: lock_policies_are_read CHECK (kist_policy_is_read(policy))
lock_policies: lock_policies_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
lock_policies: lock_policies_pkey PRIMARY KEY (org_id, version)
locks: locks_cause_check CHECK ((cause = ANY (ARRAY['debt'::text, 'theft'::text, 'customer_request'::text, 'enrolment_test'::text, 'override'::text])))
locks: locks_level_check CHECK (((level >= 0) AND (level <= 4)))
locks: locks_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
locks: locks_pkey PRIMARY KEY (org_id, device_id, cause)
loose_files: loose_files_are_of_their_organisation CHECK (((split_part(file_key, '/'::text, 2) = (org_id)::text) AND (file_key ~ '^documents/[0-9]{1,9}/[0-9a-f]{2}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text)))
loose_files: loose_files_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
loose_files: loose_files_pkey PRIMARY KEY (org_id, file_key)
notice_link_numbers: notice_link_numbers_no_check CHECK ((no >= 2))
notice_link_numbers: notice_link_numbers_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id) ON DELETE CASCADE
notice_link_numbers: notice_link_numbers_pkey PRIMARY KEY (org_id, agreement_id)
notice_proofs: notice_proofs_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'phone'::text])))
notice_proofs: notice_proofs_check CHECK (((channel = 'sms'::text) = (is_number_confirmed IS NOT NULL)))
notice_proofs: notice_proofs_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
notice_proofs: notice_proofs_pkey PRIMARY KEY (org_id, proof_id)
notice_proofs: notice_proofs_what_check CHECK ((what = ANY (ARRAY['delivered'::text, 'seen'::text])))
notices: notices_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'phone'::text])))
notices: notices_kind_check CHECK ((kind = ANY (ARRAY['reminder'::text, 'notice'::text, 'locked'::text, 'unlocked'::text, 'receipt'::text, 'penal'::text, 'penal_waived'::text, 'alert'::text, 'dispute'::text, 'schedule'::text]))) NOT VALID
notices: notices_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
notices: notices_pkey PRIMARY KEY (org_id, notice_id)
notifications: notifications_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
notifications: notifications_pkey PRIMARY KEY (org_id, user_id, notification_id)
number_changes: number_changes_back CHECK (((NOT is_back) OR ((otp_id IS NULL) AND (NOT waits))))
number_changes: number_changes_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id)
number_changes: number_changes_pkey PRIMARY KEY (org_id, change_id)
number_changes: number_changes_spoke_hash_check CHECK ((octet_length(spoke_hash) = 32))
org_directory: org_directory_host CHECK ((host ~ '^[A-Za-z0-9.-]{1,253}$'::text))
org_directory: org_directory_org_id_check CHECK ((org_id > 0))
org_directory: org_directory_pkey PRIMARY KEY (org_id)
org_directory: org_directory_slug CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text))
org_directory: org_directory_slug_key UNIQUE (slug)
organisation_logos: organisation_logos_edge_check CHECK ((edge = ANY (ARRAY[192, 512])))
organisation_logos: organisation_logos_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
organisation_logos: organisation_logos_pkey PRIMARY KEY (org_id, edge)
organisation_logos: organisation_logos_png_check CHECK (((octet_length(png) >= 1) AND (octet_length(png) <= 1048576)))
organisations: organisations_accent CHECK (((theme ->> 'accent'::text) ~ '^#[0-9A-Fa-f]{6}$'::text))
organisations: organisations_antihacking_layout CHECK ((antihacking_layout = ANY (ARRAY['classic'::text, 'steps'::text])))
organisations: organisations_audit_emails_check CHECK ((cardinality(audit_emails) <= 10))
organisations: organisations_languages CHECK (((languages <@ '{en,hn,mr,gj,sp,bd,kn,tg,tm,pp}'::text[]) AND ('en'::text = ANY (languages))))
organisations: organisations_layout CHECK ((layout = ANY (ARRAY['classic'::text, 'compact'::text])))
organisations: organisations_logo CHECK (((theme ->> 'logo'::text) ~ '^[0-9a-f]{12}$'::text))
organisations: organisations_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
organisations: organisations_payment_url CHECK (((payment_url ~ '^https://[^[:space:][:cntrl:]"<>\\]+$'::text) AND (length(payment_url) <= 400)))
organisations: organisations_pkey PRIMARY KEY (org_id)
organisations: organisations_privacy_policy_check CHECK ((NOT (privacy_policy ? 'text'::text)))
otps: otps_about CHECK (((purpose = ANY (ARRAY['CONSENT'::text, 'TERMS'::text, 'NUMBER'::text])) = (about_hash IS NOT NULL)))
otps: otps_deal_hash_check CHECK ((octet_length(deal_hash) = 32))
otps: otps_lane_check CHECK ((lane = ANY (ARRAY['device'::text, 'address'::text, 'stranger'::text, 'session'::text, 'counter'::text])))
otps: otps_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
otps: otps_pkey PRIMARY KEY (org_id, otp_id)
otps: otps_purpose_check CHECK ((purpose = ANY (ARRAY['LOGIN'::text, 'FORGOT_PASSWORD'::text, 'UNINSTALL'::text, 'BYPASS_CODE'::text, 'CONSENT'::text, 'TERMS'::text, 'NUMBER'::text, 'THEFT_REPORT'::text, 'THEFT_LIFT'::text])))
outbox: outbox_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
outbox: outbox_pkey PRIMARY KEY (org_id, id)
override_asks: override_asks_check CHECK ((ends_at > asked_at))
override_asks: override_asks_check1 CHECK ((((state = 'asked'::text) = (decided_at IS NULL)) AND ((state = ANY (ARRAY['agreed'::text, 'refused'::text])) = (decided_by IS NOT NULL))))
override_asks: override_asks_check2 CHECK (((refusal_note IS NULL) OR ((refusal_note <> ''::text) AND (state = 'refused'::text))))
override_asks: override_asks_note_check CHECK ((note <> ''::text))
override_asks: override_asks_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
override_asks: override_asks_org_id_asked_by_fkey FOREIGN KEY (org_id, asked_by) REFERENCES users(org_id, user_id)
override_asks: override_asks_org_id_decided_by_fkey FOREIGN KEY (org_id, decided_by) REFERENCES users(org_id, user_id)
override_asks: override_asks_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
override_asks: override_asks_pkey PRIMARY KEY (org_id, ask_id)
override_asks: override_asks_second_person CHECK (((state <> 'agreed'::text) OR (decided_by <> asked_by)))
override_asks: override_asks_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'agreed'::text, 'refused'::text, 'ended'::text])))
passkey_challenges: passkey_challenges_challenge_hash_check CHECK ((octet_length(challenge_hash) = 32))
passkey_challenges: passkey_challenges_kind_check CHECK ((kind = ANY (ARRAY['add'::text, 'enter'::text])))
passkey_challenges: passkey_challenges_org_id_user_id_device_hash_fkey FOREIGN KEY (org_id, user_id, device_hash) REFERENCES trusted_devices(org_id, user_id, device_hash) ON DELETE CASCADE
passkey_challenges: passkey_challenges_origin_check CHECK (((length(origin) >= 1) AND (length(origin) <= 300)))
passkey_challenges: passkey_challenges_pkey PRIMARY KEY (org_id, user_id, device_hash, kind)
passkeys: passkeys_credential_id_check CHECK (((octet_length(credential_id) >= 1) AND (octet_length(credential_id) <= 1023)))
passkeys: passkeys_org_id_credential_id_key UNIQUE (org_id, credential_id)
passkeys: passkeys_org_id_passkey_id_key UNIQUE (org_id, passkey_id)
passkeys: passkeys_org_id_user_id_device_hash_fkey FOREIGN KEY (org_id, user_id, device_hash) REFERENCES trusted_devices(org_id, user_id, device_hash) ON DELETE CASCADE
passkeys: passkeys_pkey PRIMARY KEY (org_id, user_id, device_hash)
passkeys: passkeys_public_key_check CHECK (((octet_length(public_key) >= 1) AND (octet_length(public_key) <= 1024)))
passkeys: passkeys_rp_id_check CHECK (((length(rp_id) >= 1) AND (length(rp_id) <= 253)))
passkeys: passkeys_sign_count_check CHECK ((sign_count >= 0))
payment_given_ids: payment_given_ids_check CHECK ((payment_id <> given_id))
payment_given_ids: payment_given_ids_org_id_given_by_fkey FOREIGN KEY (org_id, given_by) REFERENCES users(org_id, user_id)
payment_given_ids: payment_given_ids_org_id_payment_id_fkey FOREIGN KEY (org_id, payment_id) REFERENCES payments(org_id, payment_id)
payment_given_ids: payment_given_ids_pkey PRIMARY KEY (org_id, given_id)
payment_moves: payment_moves_are_true TRIGGER DEFERRABLE INITIALLY DEFERRED
payment_moves: payment_moves_no_check CHECK ((no >= 1))
payment_moves: payment_moves_org_id_payment_id_fkey FOREIGN KEY (org_id, payment_id) REFERENCES payments(org_id, payment_id)
payment_moves: payment_moves_pkey PRIMARY KEY (org_id, payment_id, no)
payment_moves: payment_moves_reason_check CHECK ((btrim(reason) <> ''::text))
payments: payment_begins_with_its_move TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payment_changes_with_its_journal TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payment_comes_with_a_number_of_its_series TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payment_comes_with_its_journal TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payment_goes_with_its_note TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payment_is_given_a_number_of_its_series TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payment_moves_with_its_state TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payments_amount_paise_check CHECK ((amount_paise > 0))
payments: payments_check CHECK (((note_no IS NULL) OR (state = 'reversed'::text)))
payments: payments_claims_hold_nothing CHECK (((held_reference IS NULL) OR (state = 'posted'::text)))
payments: payments_for_charge FOREIGN KEY (org_id, for_charge_id) REFERENCES charges(org_id, charge_id) NOT VALID
payments: payments_goes_to_check CHECK ((goes_to = ANY (ARRAY['dues'::text, 'down_payment'::text, 'suspense'::text])))
payments: payments_held_reference_check CHECK ((held_reference <> ''::text))
payments: payments_hold_their_reference TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payments_method_check CHECK ((method = ANY (ARRAY['CASH'::text, 'UPI'::text, 'GATEWAY'::text, 'OTHER'::text])))
payments: payments_notes_are_given TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payments_numbered CHECK (((receipt_no IS NULL) = (state = ANY (ARRAY['claimed'::text, 'pending_approval'::text, 'refused'::text]))))
payments: payments_numbers_are_given TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payments_numbers_come_by_the_series TRIGGER DEFERRABLE INITIALLY DEFERRED
payments: payments_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
payments: payments_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
payments: payments_org_id_receipt_no_key UNIQUE (org_id, receipt_no)
payments: payments_pkey PRIMARY KEY (org_id, payment_id)
payments: payments_reference_of_standing CHECK (((held_reference IS NULL) OR (state <> 'reversed'::text)))
payments: payments_schedule_version_check CHECK ((schedule_version > 0))
payments: payments_state_check CHECK ((state = ANY (ARRAY['claimed'::text, 'pending_approval'::text, 'posted'::text, 'reversed'::text, 'refused'::text])))
payments: suspense_is_of_what_is_over TRIGGER DEFERRABLE INITIALLY DEFERRED
penal_rules: penal_rules_cap_bps_check CHECK (((cap_bps >= 0) AND (cap_bps <= 10000)))
penal_rules: penal_rules_charge_paise_check CHECK (((charge_paise >= 0) AND (charge_paise <= 100000000)))
penal_rules: penal_rules_every_days_check CHECK (((every_days >= 1) AND (every_days <= 365)))
penal_rules: penal_rules_grace_days_check CHECK (((grace_days >= 0) AND (grace_days <= 365)))
penal_rules: penal_rules_numbered_check CHECK ((numbered >= 0))
penal_rules: penal_rules_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
penal_rules: penal_rules_pkey PRIMARY KEY (org_id, version)
penal_rules: penal_rules_reason_check CHECK ((reason <> ''::text))
penal_rules: penal_rules_set_by_check CHECK ((set_by <> ''::text))
penal_rules: penal_rules_version_check CHECK ((version > 0))
penal_rules: penal_rules_waiver_limit_paise_check CHECK ((waiver_limit_paise >= 0))
phone_claims: phone_claims_check CHECK ((((state = 'open'::text) = (ended_at IS NULL)) AND ((state = 'refused'::text) = (answered_by IS NOT NULL)) AND ((state = 'refused'::text) = (reason IS NOT NULL)) AND (reason <> ''::text)))
phone_claims: phone_claims_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
phone_claims: phone_claims_org_id_answered_by_fkey FOREIGN KEY (org_id, answered_by) REFERENCES users(org_id, user_id)
phone_claims: phone_claims_org_id_customer_id_fkey FOREIGN KEY (org_id, customer_id) REFERENCES customers(org_id, customer_id)
phone_claims: phone_claims_pkey PRIMARY KEY (org_id, claim_id)
phone_claims: phone_claims_state_check CHECK ((state = ANY (ARRAY['open'::text, 'told'::text, 'paid'::text, 'refused'::text, 'over'::text])))
phone_exchanges: phone_exchanges_check CHECK ((to_device_id <> from_device_id))
phone_exchanges: phone_exchanges_no_check CHECK ((no > 0))
phone_exchanges: phone_exchanges_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
phone_exchanges: phone_exchanges_org_id_from_device_id_fkey FOREIGN KEY (org_id, from_device_id) REFERENCES devices(org_id, device_id)
phone_exchanges: phone_exchanges_org_id_to_device_id_fkey FOREIGN KEY (org_id, to_device_id) REFERENCES devices(org_id, device_id)
phone_exchanges: phone_exchanges_org_id_to_device_id_key UNIQUE (org_id, to_device_id)
phone_exchanges: phone_exchanges_pkey PRIMARY KEY (org_id, agreement_id, no)
phone_exchanges: phone_exchanges_reason_check CHECK ((btrim(reason) <> ''::text))
phone_models: phone_models_brand_check CHECK ((brand <> ''::text))
phone_models: phone_models_model_check CHECK ((model <> ''::text))
phone_models: phone_models_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
phone_models: phone_models_pkey PRIMARY KEY (org_id, tac)
phone_models: phone_models_tac_check CHECK ((tac ~ '^[0-9]{8}$'::text))
plan_presets: plan_presets_check CHECK (((method <> 'ZERO'::text) OR (rate_bps = 0)))
plan_presets: plan_presets_down_bps_check CHECK (((down_bps >= 0) AND (down_bps <= 9900)))
plan_presets: plan_presets_frequency_check CHECK ((frequency = ANY (ARRAY['MONTHLY'::text, 'FORTNIGHTLY'::text, 'WEEKLY'::text])))
plan_presets: plan_presets_method_check CHECK ((method = ANY (ARRAY['FLAT'::text, 'REDUCING'::text, 'ZERO'::text])))
plan_presets: plan_presets_name_check CHECK ((name <> ''::text))
plan_presets: plan_presets_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
plan_presets: plan_presets_org_id_plan_id_fkey FOREIGN KEY (org_id, plan_id) REFERENCES plans(org_id, plan_id)
plan_presets: plan_presets_pkey PRIMARY KEY (org_id, plan_id, name)
plan_presets: plan_presets_rate_bps_check CHECK (((rate_bps >= 0) AND (rate_bps <= 10000)))
plan_presets: plan_presets_tenure_check CHECK (((tenure >= 1) AND (tenure <= 520)))
plans: plans_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
plans: plans_pkey PRIMARY KEY (org_id, plan_id)
plans: plans_provisioning_fits CHECK (((provisioning_type IS NULL) OR ((plan_type = 0) AND (provisioning_type = ANY (ARRAY[0, 1]))) OR ((plan_type = 9) AND (provisioning_type = 0)) OR ((plan_type = ANY (ARRAY[1, 4, 6, 7, 8, 12, 13])) AND (provisioning_type = 2)) OR ((plan_type = 2) AND (provisioning_type = 3))))
privacy_policies: privacy_policies_language_check CHECK ((language = ANY (ARRAY['en'::text, 'hn'::text, 'mr'::text, 'gj'::text, 'sp'::text, 'bd'::text, 'kn'::text, 'tg'::text, 'tm'::text, 'pp'::text])))
privacy_policies: privacy_policies_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
privacy_policies: privacy_policies_pkey PRIMARY KEY (org_id, language, version)
privacy_policies: privacy_policies_text_check CHECK ((char_length(text) <= 20000))
privacy_policies: privacy_policies_version_check CHECK ((version > 0))
proof_tokens: proof_tokens_kind_check CHECK ((kind = ANY (ARRAY['RESET'::text, 'UNINSTALL'::text, 'BYPASS_CODE'::text])))
proof_tokens: proof_tokens_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
proof_tokens: proof_tokens_pkey PRIMARY KEY (org_id, token_hash)
protection_reports: protection_reports_are_told TRIGGER DEFERRABLE INITIALLY DEFERRED
protection_reports: protection_reports_closed_as CHECK (((closed_as IS NULL) = (closed_by IS NULL)))
protection_reports: protection_reports_closed_as_check CHECK ((closed_as = ANY (ARRAY['customer'::text, 'customer_code'::text, 'organisation'::text])))
protection_reports: protection_reports_closed_reason CHECK (((closed_as IS DISTINCT FROM 'organisation'::text) OR (btrim(closed_reason) <> ''::text)))
protection_reports: protection_reports_code CHECK (((reported_by = 'customer_code'::text) = (code_mobile IS NOT NULL)))
protection_reports: protection_reports_end_is_told TRIGGER DEFERRABLE INITIALLY DEFERRED
protection_reports: protection_reports_kind_check CHECK ((kind = ANY (ARRAY['theft'::text, 'request'::text])))
protection_reports: protection_reports_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
protection_reports: protection_reports_pkey PRIMARY KEY (org_id, report_id)
protection_reports: protection_reports_reported_by_check CHECK ((reported_by = ANY (ARRAY['customer'::text, 'customer_code'::text, 'shop'::text])))
provider_questions: provider_questions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
provider_questions: provider_questions_page_check CHECK (((length(page) >= 1) AND (length(page) <= 500)))
provider_questions: provider_questions_pkey PRIMARY KEY (org_id, state_hash)
provider_questions: provider_questions_state_hash_check CHECK ((octet_length(state_hash) = 32))
provider_questions: provider_questions_ticket_hash_check CHECK ((octet_length(ticket_hash) = 32))
provider_subjects: provider_subjects_org_id_issuer_subject_key UNIQUE (org_id, issuer, subject)
provider_subjects: provider_subjects_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, user_id) ON DELETE CASCADE
provider_subjects: provider_subjects_pkey PRIMARY KEY (org_id, user_id)
provider_subjects: provider_subjects_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 300)))
rate_limits: rate_limits_pkey PRIMARY KEY (key, window_start)
refund_tasks: refund_stands_with_its_journal TRIGGER DEFERRABLE INITIALLY DEFERRED
refund_tasks: refund_tasks_amount_paise_check CHECK ((amount_paise > 0))
refund_tasks: refund_tasks_check CHECK (((state = 'open'::text) = (closed_at IS NULL)))
refund_tasks: refund_tasks_check1 CHECK (((state = 'open'::text) = (closed_by IS NULL)))
refund_tasks: refund_tasks_check2 CHECK (((state = 'done'::text) = (method IS NOT NULL)))
refund_tasks: refund_tasks_method_check CHECK ((method = ANY (ARRAY['CASH'::text, 'UPI'::text, 'GATEWAY'::text, 'OTHER'::text])))
refund_tasks: refund_tasks_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
refund_tasks: refund_tasks_pkey PRIMARY KEY (org_id, payment_id)
refund_tasks: refund_tasks_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'void'::text])))
restrictions: restrictions_cause_check CHECK ((cause = ANY (ARRAY['debt'::text, 'theft'::text, 'customer_request'::text])))
restrictions: restrictions_org_id_device_id_fkey FOREIGN KEY (org_id, device_id) REFERENCES devices(org_id, device_id)
restrictions: restrictions_pkey PRIMARY KEY (org_id, device_id, taken, cause)
restrictions: restrictions_taken_check CHECK ((taken = ANY (ARRAY['app_lock'::text, 'camera_lock'::text, 'wallpaper'::text])))
restrictions: restrictions_template FOREIGN KEY (org_id, template_id) REFERENCES screen_templates(org_id, template_id) NOT VALID
schedule_versions: schedule_versions_cause_check CHECK ((cause = ANY (ARRAY['edit'::text, 'prepayment'::text, 'reschedule'::text, 'pause'::text, 'foreclosure'::text, 'imei_swap'::text])))
schedule_versions: schedule_versions_consent CHECK (((consent_otp_id IS NULL) = (consent_hash IS NULL)))
schedule_versions: schedule_versions_counted_interest_paise_check CHECK ((counted_interest_paise >= 0))
schedule_versions: schedule_versions_counted_principal_paise_check CHECK ((counted_principal_paise >= 0))
schedule_versions: schedule_versions_dropped_fee_paise_check CHECK ((dropped_fee_paise >= 0))
schedule_versions: schedule_versions_dropped_interest_paise_check CHECK ((dropped_interest_paise >= 0))
schedule_versions: schedule_versions_fee_paise_check CHECK ((fee_paise >= 0))
schedule_versions: schedule_versions_interest_paise_check CHECK ((interest_paise >= 0))
schedule_versions: schedule_versions_org_id_agreement_id_fkey FOREIGN KEY (org_id, agreement_id) REFERENCES agreements(org_id, agreement_id)
schedule_versions: schedule_versions_pkey PRIMARY KEY (org_id, agreement_id, version)
schedule_versions: schedule_versions_principal_paise_check CHECK (((principal_paise > 0) OR ((cause = 'imei_swap'::text) AND (before = after) AND (((((principal_paise + interest_paise) + fee_paise) + dropped_interest_paise) + dropped_fee_paise) = 0))))
schedule_versions: schedule_versions_reason_check CHECK ((btrim(reason) <> ''::text))
schedule_versions: schedule_versions_swap_keeps_terms CHECK (((cause <> 'imei_swap'::text) OR ((before = after) AND (((((principal_paise + interest_paise) + fee_paise) + dropped_interest_paise) + dropped_fee_paise) = 0))))
schedule_versions: schedule_versions_version_check CHECK ((version > 1))
schedule_versions: version_counts_what_was_paid TRIGGER DEFERRABLE INITIALLY DEFERRED
schedule_versions: version_is_fair TRIGGER DEFERRABLE INITIALLY DEFERRED
schedule_versions: version_is_what_its_rows_say TRIGGER DEFERRABLE INITIALLY DEFERRED
schema_migrations: schema_migrations_pkey PRIMARY KEY (version)
screen_templates: screen_templates_check CHECK (((ended_at IS NULL) = (ended_by IS NULL)))
screen_templates: screen_templates_name_check CHECK ((name ~ '^[a-z][a-z0-9_]{1,39}$'::text))
screen_templates: screen_templates_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
screen_templates: screen_templates_pkey PRIMARY KEY (org_id, template_id)
secret_marks: secret_marks_mark_check CHECK ((length(mark) = 64))
secret_marks: secret_marks_name_check CHECK ((length(name) <= 40))
secret_marks: secret_marks_pkey PRIMARY KEY (name)
seen_requests: seen_requests_pkey PRIMARY KEY (digest)
session_epochs: session_epochs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
session_epochs: session_epochs_pkey PRIMARY KEY (org_id)
sessions: sessions_org_id_token_hash_key UNIQUE (org_id, token_hash)
sessions: sessions_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, user_id) ON DELETE CASCADE
sessions: sessions_pkey PRIMARY KEY (org_id, session_id)
signup_requests: signup_requests_check CHECK (((state = 'open'::text) = (decided_at IS NULL)))
signup_requests: signup_requests_check1 CHECK (((state <> 'refused'::text) OR (btrim(reason) <> ''::text)))
signup_requests: signup_requests_check2 CHECK (((state = 'approved'::text) = (user_id IS NOT NULL)))
signup_requests: signup_requests_language_check CHECK ((language = ANY (ARRAY['en'::text, 'hn'::text, 'mr'::text, 'gj'::text, 'sp'::text, 'bd'::text, 'kn'::text, 'tg'::text, 'tm'::text, 'pp'::text])))
signup_requests: signup_requests_mobile_check CHECK ((mobile ~ '^\+91[6-9][0-9]{9}$'::text))
signup_requests: signup_requests_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
signup_requests: signup_requests_pkey PRIMARY KEY (org_id, request_id)
signup_requests: signup_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'approved'::text, 'refused'::text])))
timer_runs: timer_runs_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
timer_runs: timer_runs_pkey PRIMARY KEY (name)
trusted_devices: trusted_devices_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, user_id) ON DELETE CASCADE
trusted_devices: trusted_devices_pkey PRIMARY KEY (org_id, user_id, device_hash)
user_pictures: user_pictures_bytes_check CHECK ((bytes > 0))
user_pictures: user_pictures_kind_check CHECK ((kind = ANY (ARRAY['qr'::text, 'signature'::text])))
user_pictures: user_pictures_mime_check CHECK ((mime = ANY (ARRAY['image/png'::text, 'image/jpeg'::text])))
user_pictures: user_pictures_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, user_id)
user_pictures: user_pictures_pkey PRIMARY KEY (org_id, user_id, kind)
users: users_mobile_check CHECK (((mobile ~ '^\+91[6-9][0-9]{9}$'::text) OR ((mobile = ('erased:'::text || (user_id)::text)) AND (user_type = 'customer'::text) AND (NOT is_active))))
users: users_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
users: users_org_id_parent_user_id_fkey FOREIGN KEY (org_id, parent_user_id) REFERENCES users(org_id, user_id)
users: users_pkey PRIMARY KEY (org_id, user_id)
users: users_user_type_check CHECK ((user_type = ANY (ARRAY['retailer'::text, 'miniretailer'::text, 'customer'::text, 'admin'::text])))
vendor_budgets: vendor_budgets_org_id_fkey FOREIGN KEY (org_id) REFERENCES org_directory(org_id)
vendor_budgets: vendor_budgets_pkey PRIMARY KEY (org_id, vendor)
vendor_budgets: vendor_budgets_refused CHECK ((((refused_since IS NULL) = (refused_why IS NULL)) AND ((refusal_told_at IS NULL) OR (refused_since IS NOT NULL))))
vendor_budgets: vendor_budgets_refused_why_check CHECK ((length(refused_why) <= 200))
verdicts: verdicts_pkey PRIMARY KEY (org_id, verdict_id)
waivers: waiver_is_decided_with_its_journal TRIGGER DEFERRABLE INITIALLY DEFERRED
waivers: waiver_is_granted_with_its_journal TRIGGER DEFERRABLE INITIALLY DEFERRED
waivers: waivers_amount_paise_check CHECK ((amount_paise > 0))
waivers: waivers_check CHECK ((((state = 'asked'::text) = (decided_at IS NULL)) AND ((decided_by IS NULL) = (decided_at IS NULL))))
waivers: waivers_check1 CHECK (((refusal_note IS NULL) OR ((refusal_note <> ''::text) AND (state = 'refused'::text))))
waivers: waivers_limit_paise_check CHECK ((limit_paise >= 0))
waivers: waivers_org_id_charge_id_fkey FOREIGN KEY (org_id, charge_id) REFERENCES charges(org_id, charge_id)
waivers: waivers_pkey PRIMARY KEY (org_id, waiver_id)
waivers: waivers_reason_check CHECK ((reason <> ''::text))
waivers: waivers_second_person CHECK (((state <> 'granted'::text) OR (amount_paise <= limit_paise) OR (decided_by <> asked_by)))
waivers: waivers_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'granted'::text, 'refused'::text])))
wallets: keys_set_aside_are_somebodys TRIGGER DEFERRABLE INITIALLY DEFERRED
wallets: wallet_is_what_the_ledger_says TRIGGER DEFERRABLE INITIALLY DEFERRED
wallets: wallets_available_check CHECK ((available >= 0))
wallets: wallets_lot_check CHECK ((lot = ANY (ARRAY['paid'::text, 'granted'::text])))
wallets: wallets_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(org_id)
wallets: wallets_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES users(org_id, user_id)
wallets: wallets_pkey PRIMARY KEY (org_id, user_id, plan_type, lot)
wallets: wallets_reserved_check CHECK ((reserved >= 0))

-- indexes
CREATE UNIQUE INDEX accounts_org_id_owner_kind_owner_id_code_unit_key ON public.accounts USING btree (org_id, owner_kind, owner_id, code, unit);
CREATE UNIQUE INDEX accounts_pkey ON public.accounts USING btree (org_id, account_id);
CREATE UNIQUE INDEX agreement_moves_pkey ON public.agreement_moves USING btree (org_id, agreement_id, no);
CREATE INDEX agreements_customer ON public.agreements USING btree (org_id, customer_id);
CREATE UNIQUE INDEX agreements_device ON public.agreements USING btree (org_id, device_id) WHERE (state = 'active'::text);
CREATE INDEX agreements_exchanged ON public.agreements USING btree (org_id, owner_user_id) INCLUDE (customer_id) WHERE (exchanged_at IS NOT NULL);
CREATE INDEX agreements_of_shop ON public.agreements USING btree (org_id, owner_user_id, agreement_id) INCLUDE (customer_id, state, created_at, oldest_due_on, last_due_on, device_id);
CREATE INDEX agreements_oldest ON public.agreements USING btree (org_id, oldest_due_on) WHERE (state = 'active'::text);
CREATE UNIQUE INDEX agreements_one_runs ON public.agreements USING btree (org_id, customer_id) WHERE (state = 'active'::text);
CREATE UNIQUE INDEX agreements_org_id_agreement_no_key ON public.agreements USING btree (org_id, agreement_no);
CREATE UNIQUE INDEX agreements_pkey ON public.agreements USING btree (org_id, agreement_id);
CREATE INDEX agreements_running ON public.agreements USING btree (org_id, owner_user_id, oldest_due_on) INCLUDE (agreement_id, customer_id, device_id, last_due_on) WHERE (state = 'active'::text);
CREATE UNIQUE INDEX allowed_moves_pkey ON public.allowed_moves USING btree (thing, from_state, to_state);
CREATE INDEX audit_checks_last ON public.audit_checks USING btree (org_id, cluster, txid DESC);
CREATE UNIQUE INDEX audit_checks_pkey ON public.audit_checks USING btree (org_id, check_id);
CREATE UNIQUE INDEX audit_heads_pkey ON public.audit_heads USING btree (org_id, subject_kind, subject_id);
CREATE INDEX audit_at ON public.audit_lines USING btree (org_id, at);
CREATE UNIQUE INDEX audit_lines_pkey ON public.audit_lines USING btree (org_id, subject_kind, subject_id, seq);
CREATE UNIQUE INDEX audit_root_heads_pkey ON public.audit_root_heads USING btree (org_id, day, subject_kind, subject_id);
CREATE INDEX audit_root_heads_subject ON public.audit_root_heads USING btree (org_id, subject_kind, subject_id, seq);
CREATE UNIQUE INDEX audit_roots_pkey ON public.audit_roots USING btree (org_id, day);
CREATE INDEX batch_parts_open ON public.batch_parts USING btree (org_id, batch_id, no) WHERE (done_at IS NULL);
CREATE UNIQUE INDEX batch_parts_pkey ON public.batch_parts USING btree (org_id, batch_id, no);
CREATE INDEX batches_ended ON public.batches USING btree (org_id, finished_at) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX batches_pkey ON public.batches USING btree (org_id, batch_id);
CREATE INDEX batches_recent ON public.batches USING btree (org_id, created_at);
CREATE INDEX batches_unfinished ON public.batches USING btree (org_id) WHERE (state = ANY (ARRAY['asked'::text, 'running'::text]));
CREATE INDEX batches_waiting ON public.batches USING btree (org_id) WHERE (state = 'waiting'::text);
CREATE INDEX book_checks_last ON public.book_checks USING btree (org_id, checked_at DESC);
CREATE UNIQUE INDEX book_checks_pkey ON public.book_checks USING btree (org_id, check_id);
CREATE INDEX charges_agreement ON public.charges USING btree (org_id, agreement_id);
CREATE UNIQUE INDEX charges_pkey ON public.charges USING btree (org_id, charge_id);
CREATE UNIQUE INDEX clock_offset_pkey ON public.clock_offset USING btree (one);
CREATE INDEX commands_age ON public.commands USING btree (org_id, created_at) WHERE (state = ANY (ARRAY['REFUSED'::text, 'VERIFIED'::text, 'EXPIRED'::text, 'SUPERSEDED'::text, 'CANCELLED'::text, 'FAILED'::text]));
CREATE INDEX commands_batch ON public.commands USING btree (org_id, batch_id) WHERE (batch_id IS NOT NULL);
CREATE INDEX commands_expiring ON public.commands USING btree (org_id, expires_at) WHERE (state = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'DELIVERED'::text]));
CREATE INDEX commands_open ON public.commands USING btree (org_id, device_id, seq) WHERE (state = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'DELIVERED'::text, 'APPLIED'::text]));
CREATE UNIQUE INDEX commands_pkey ON public.commands USING btree (org_id, command_id);
CREATE INDEX commands_recent ON public.commands USING btree (org_id, device_id, created_at DESC);
CREATE UNIQUE INDEX commands_seq ON public.commands USING btree (org_id, device_id, seq);
CREATE INDEX compensation_payouts_agreement ON public.compensation_payouts USING btree (org_id, agreement_id);
CREATE UNIQUE INDEX compensation_payouts_pkey ON public.compensation_payouts USING btree (org_id, payout_id);
CREATE INDEX consent_confirmations_customer ON public.consent_confirmations USING btree (org_id, customer_id, mobile, text_hash);
CREATE UNIQUE INDEX consent_confirmations_org_id_confirmation_id_text_hash_key ON public.consent_confirmations USING btree (org_id, confirmation_id, text_hash);
CREATE UNIQUE INDEX consent_confirmations_otp ON public.consent_confirmations USING btree (org_id, otp_id) WHERE (otp_id <> '00000000-0000-0000-0000-000000000000'::uuid);
CREATE UNIQUE INDEX consent_confirmations_pkey ON public.consent_confirmations USING btree (org_id, confirmation_id);
CREATE INDEX consents_agreement ON public.consents USING btree (org_id, agreement_id);
CREATE INDEX consents_document ON public.consents USING btree (org_id, document_id) WHERE (document_id IS NOT NULL);
CREATE UNIQUE INDEX consents_pkey ON public.consents USING btree (org_id, consent_id);
CREATE UNIQUE INDEX counters_pkey ON public.counters USING btree (org_id, name);
CREATE INDEX cures_agreement ON public.cures USING btree (org_id, agreement_id);
CREATE INDEX cures_cured ON public.cures USING btree (org_id, cured_at);
CREATE INDEX cures_open ON public.cures USING btree (org_id, device_id) WHERE (confirmed_at IS NULL);
CREATE UNIQUE INDEX cures_pkey ON public.cures USING btree (org_id, cure_id);
CREATE UNIQUE INDEX customer_allowed_moves_pkey ON public.customer_allowed_moves USING btree (from_status, to_status);
CREATE INDEX customer_logins_of ON public.customer_logins USING btree (org_id, user_id);
CREATE UNIQUE INDEX customer_logins_pkey ON public.customer_logins USING btree (org_id, customer_id);
CREATE UNIQUE INDEX customer_moves_pkey ON public.customer_moves USING btree (org_id, customer_id, no);
CREATE INDEX customer_transfers_of ON public.customer_transfers USING btree (org_id, customer_id, made_at DESC);
CREATE UNIQUE INDEX customer_transfers_pkey ON public.customer_transfers USING btree (org_id, transfer_id, customer_id);
CREATE INDEX customers_aadhaar ON public.customers USING btree (org_id, aadhaar_last4) WHERE (aadhaar_last4 IS NOT NULL);
CREATE INDEX customers_birthdays ON public.customers USING btree (org_id, owner_user_id, birth_day) WHERE ((birth_day IS NOT NULL) AND (NOT is_draft));
CREATE INDEX customers_created ON public.customers USING btree (org_id, created_at DESC, customer_id DESC);
CREATE INDEX customers_mobile ON public.customers USING btree (org_id, mobile);
CREATE INDEX customers_of_shop ON public.customers USING btree (org_id, owner_user_id, created_at DESC, customer_id DESC) INCLUDE (status, is_draft, plan_type, plan_id, search);
CREATE INDEX customers_pan ON public.customers USING btree (org_id, pan_masked) WHERE (pan_masked IS NOT NULL);
CREATE UNIQUE INDEX customers_pkey ON public.customers USING btree (org_id, customer_id);
CREATE INDEX customers_search ON public.customers USING gin (search gin_trgm_ops);
CREATE UNIQUE INDEX daily_steps_pkey ON public.daily_steps USING btree (org_id, business_on, step);
CREATE UNIQUE INDEX deliveries_pkey ON public.deliveries USING btree (org_id, enrolment_id);
CREATE INDEX deliveries_unconfirmed ON public.deliveries USING btree (org_id, asked_at) WHERE (asked_at IS NOT NULL);
CREATE INDEX deliveries_waiting ON public.deliveries USING btree (vendor, org_id, priority, next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX device_changes_at ON public.device_changes USING btree (at);
CREATE UNIQUE INDEX device_changes_pkey ON public.device_changes USING btree (org_id, change_id);
CREATE UNIQUE INDEX device_desired_pkey ON public.device_desired USING btree (org_id, device_id);
CREATE INDEX device_events_age ON public.device_events USING btree (org_id, received_on);
CREATE INDEX device_events_at ON public.device_events USING btree (org_id, device_id, at DESC);
CREATE INDEX device_events_kind ON public.device_events USING btree (org_id, kind, at DESC);
CREATE UNIQUE INDEX device_events_pkey ON public.device_events USING btree (org_id, device_id, event_id);
CREATE INDEX device_events_received ON public.device_events USING btree (org_id, device_id, kind, received_on);
CREATE UNIQUE INDEX device_reports_pkey ON public.device_reports USING btree (org_id, device_id);
CREATE INDEX devices_any_imei1 ON public.devices USING btree (org_id, imei1) WHERE (imei1 IS NOT NULL);
CREATE INDEX devices_any_serial ON public.devices USING btree (org_id, serial) WHERE (serial IS NOT NULL);
CREATE INDEX devices_customer ON public.devices USING btree (org_id, customer_id);
CREATE UNIQUE INDEX devices_imei1 ON public.devices USING btree (org_id, imei1) WHERE ((released_at IS NULL) AND (imei1 IS NOT NULL));
CREATE UNIQUE INDEX devices_imei2 ON public.devices USING btree (org_id, imei2) WHERE ((released_at IS NULL) AND (imei2 IS NOT NULL));
CREATE UNIQUE INDEX devices_pkey ON public.devices USING btree (org_id, device_id);
CREATE UNIQUE INDEX devices_serial ON public.devices USING btree (org_id, serial) WHERE ((released_at IS NULL) AND (serial IS NOT NULL));
CREATE UNIQUE INDEX dispute_allowed_moves_pkey ON public.dispute_allowed_moves USING btree (from_state, to_state, moved_as);
CREATE UNIQUE INDEX dispute_moves_pkey ON public.dispute_moves USING btree (org_id, dispute_id, no);
CREATE INDEX disputes_agreement ON public.disputes USING btree (org_id, agreement_id, instalment_no);
CREATE UNIQUE INDEX disputes_pkey ON public.disputes USING btree (org_id, dispute_id);
CREATE UNIQUE INDEX disputes_waiting ON public.disputes USING btree (org_id, agreement_id, instalment_no) WHERE (state = ANY (ARRAY['open'::text, 'undecided'::text, 'escalated'::text]));
CREATE UNIQUE INDEX document_totals_pkey ON public.document_totals USING btree (org_id);
CREATE INDEX documents_customer ON public.documents USING btree (org_id, customer_id, document_type, created_at DESC);
CREATE INDEX documents_kept ON public.documents USING btree (org_id, customer_id) INCLUDE (bytes) WHERE (gone_at IS NULL);
CREATE UNIQUE INDEX documents_pkey ON public.documents USING btree (org_id, document_id);
CREATE INDEX documents_replaced ON public.documents USING btree (org_id, replaced_at) WHERE ((replaced_at IS NOT NULL) AND (gone_at IS NULL));
CREATE UNIQUE INDEX enrolment_tests_pkey ON public.enrolment_tests USING btree (org_id, agreement_id);
CREATE INDEX enrolment_tokens_device ON public.enrolment_tokens USING btree (org_id, device_id);
CREATE UNIQUE INDEX enrolment_tokens_handle ON public.enrolment_tokens USING btree (org_id, vendor, handle) WHERE ((used_at IS NULL) AND (handle IS NOT NULL));
CREATE INDEX enrolment_tokens_name ON public.enrolment_tokens USING btree (org_id, name_sha256) WHERE (name_sha256 IS NOT NULL);
CREATE INDEX enrolment_tokens_nameless ON public.enrolment_tokens USING btree (org_id, expires_at) WHERE ((name_sha256 IS NULL) AND (vendor IS NULL));
CREATE UNIQUE INDEX enrolment_tokens_pkey ON public.enrolment_tokens USING btree (org_id, token_hash);
CREATE INDEX enrolments_device ON public.enrolments USING btree (org_id, device_id, started_at);
CREATE UNIQUE INDEX enrolments_handle ON public.enrolments USING btree (org_id, vendor, handle) WHERE ((ended_at IS NULL) AND (handle IS NOT NULL));
CREATE UNIQUE INDEX enrolments_in_charge ON public.enrolments USING btree (org_id, device_id) WHERE ((ended_at IS NULL) AND in_charge);
CREATE UNIQUE INDEX enrolments_key ON public.enrolments USING btree (org_id, key_sha256) WHERE (ended_at IS NULL);
CREATE INDEX enrolments_key_earlier ON public.enrolments USING btree (org_id, key_sha256, ended_at) WHERE ((ended_at IS NOT NULL) AND (replaced_by IS NOT NULL));
CREATE UNIQUE INDEX enrolments_of_vendor ON public.enrolments USING btree (org_id, device_id, vendor) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX enrolments_pkey ON public.enrolments USING btree (org_id, enrolment_id);
CREATE INDEX erasures_evidence ON public.erasures USING btree (org_id, evidence_until) WHERE (evidence_gone_at IS NULL);
CREATE UNIQUE INDEX erasures_pkey ON public.erasures USING btree (org_id, customer_id);
CREATE UNIQUE INDEX financed_loans_once ON public.financed_loans USING btree (org_id, financer_id, upper(NORMALIZE(loan_account_no, NFKC)));
CREATE UNIQUE INDEX financed_loans_org_id_financer_id_loan_account_no_key ON public.financed_loans USING btree (org_id, financer_id, loan_account_no);
CREATE UNIQUE INDEX financed_loans_pkey ON public.financed_loans USING btree (org_id, agreement_id);
CREATE UNIQUE INDEX financers_pkey ON public.financers USING btree (org_id, financer_id);
CREATE UNIQUE INDEX historic_agreements_org_id_agreement_id_key ON public.historic_agreements USING btree (org_id, agreement_id);
CREATE UNIQUE INDEX historic_agreements_pkey ON public.historic_agreements USING btree (org_id, row_ref);
CREATE INDEX holds_agreement ON public.holds USING btree (org_id, agreement_id);
CREATE UNIQUE INDEX holds_claim_once ON public.holds USING btree (org_id, agreement_id, due_on) WHERE (kind = 'claim'::text);
CREATE UNIQUE INDEX holds_pkey ON public.holds USING btree (org_id, hold_id);
CREATE INDEX idempotency_age ON public.idempotency_keys USING btree (created_at);
CREATE UNIQUE INDEX idempotency_keys_pkey ON public.idempotency_keys USING btree (org_id, actor, key);
CREATE UNIQUE INDEX identity_providers_pkey ON public.identity_providers USING btree (org_id);
CREATE UNIQUE INDEX installation_pkey ON public.installation USING btree (one);
CREATE INDEX instalments_in_order ON public.instalments USING btree (org_id, due_on, agreement_id, no);
CREATE UNIQUE INDEX instalments_org_id_instalment_id_key ON public.instalments USING btree (org_id, instalment_id);
CREATE UNIQUE INDEX instalments_pkey ON public.instalments USING btree (org_id, agreement_id, no);
CREATE INDEX invariant_checks_last ON public.invariant_checks USING btree (org_id, invariant, checked_at DESC);
CREATE UNIQUE INDEX invariant_checks_pkey ON public.invariant_checks USING btree (org_id, check_id, invariant);
CREATE INDEX journal_lines_account ON public.journal_lines USING btree (org_id, account_id);
CREATE INDEX journal_lines_agreement ON public.journal_lines USING btree (org_id, agreement_id, payment_id) WHERE (agreement_id IS NOT NULL);
CREATE UNIQUE INDEX journal_lines_pkey ON public.journal_lines USING btree (org_id, journal_id, line_no);
CREATE UNIQUE INDEX journals_org_id_effect_key_key ON public.journals USING btree (org_id, effect_key);
CREATE UNIQUE INDEX journals_pkey ON public.journals USING btree (org_id, journal_id);
CREATE INDEX journals_ref ON public.journals USING btree (org_id, ref_kind, ref_id);
CREATE UNIQUE INDEX journals_reversed_once ON public.journals USING btree (org_id, reverses_journal_id) WHERE (reverses_journal_id IS NOT NULL);
CREATE INDEX journals_txid ON public.journals USING btree (org_id, txid);
CREATE UNIQUE INDEX key_balances_pkey ON public.key_balances USING btree (org_id, account_id, lot);
CREATE UNIQUE INDEX key_grants_pkey ON public.key_grants USING btree (org_id, effect_key);
CREATE UNIQUE INDEX key_prices_pkey ON public.key_prices USING btree (org_id, plan_type);
CREATE INDEX key_reservations_expiry ON public.key_reservations USING btree (org_id, expires_at) WHERE (state = 'reserved'::text);
CREATE INDEX key_reservations_of_wallet ON public.key_reservations USING btree (org_id, user_id, plan_type, lot) WHERE (state = 'reserved'::text);
CREATE UNIQUE INDEX key_reservations_open ON public.key_reservations USING btree (org_id, customer_id) WHERE (state = 'reserved'::text);
CREATE UNIQUE INDEX key_reservations_pkey ON public.key_reservations USING btree (org_id, customer_id, reserved_at);
CREATE INDEX key_reservations_posted ON public.key_reservations USING btree (org_id, customer_id) WHERE (state = 'posted'::text);
CREATE INDEX key_reservations_used ON public.key_reservations USING btree (org_id, user_id, plan_type, lot, reserved_at) WHERE (state <> 'voided'::text);
CREATE INDEX key_transfers_between ON public.key_transfers USING btree (org_id, from_user_id, to_user_id);
CREATE UNIQUE INDEX key_transfers_pkey ON public.key_transfers USING btree (org_id, transfer_id, lot);
CREATE UNIQUE INDEX lock_policies_pkey ON public.lock_policies USING btree (org_id, version);
CREATE INDEX locks_ending ON public.locks USING btree (org_id, ends_at) WHERE ((ends_at IS NOT NULL) AND (level > 0));
CREATE INDEX locks_held ON public.locks USING btree (org_id, cause) WHERE (level > 0);
CREATE UNIQUE INDEX locks_pkey ON public.locks USING btree (org_id, device_id, cause);
CREATE INDEX loose_files_due ON public.loose_files USING btree (org_id, due_at);
CREATE UNIQUE INDEX loose_files_pkey ON public.loose_files USING btree (org_id, file_key);
CREATE UNIQUE INDEX notice_link_numbers_pkey ON public.notice_link_numbers USING btree (org_id, agreement_id);
CREATE INDEX notice_proofs_agreement ON public.notice_proofs USING btree (org_id, agreement_id, kind, due_on);
CREATE UNIQUE INDEX notice_proofs_pkey ON public.notice_proofs USING btree (org_id, proof_id);
CREATE INDEX notices_agreement ON public.notices USING btree (org_id, agreement_id, created_at);
CREATE INDEX notices_command ON public.notices USING btree (org_id, command_id) WHERE (command_id IS NOT NULL);
CREATE UNIQUE INDEX notices_once ON public.notices USING btree (org_id, agreement_id, kind, no, due_on, channel);
CREATE UNIQUE INDEX notices_pkey ON public.notices USING btree (org_id, notice_id);
CREATE UNIQUE INDEX notices_provider ON public.notices USING btree (org_id, provider_ref) WHERE (provider_ref IS NOT NULL);
CREATE INDEX notices_waiting ON public.notices USING btree (org_id, created_at) WHERE ((sent_at IS NULL) AND (failed_at IS NULL));
CREATE INDEX notifications_bell ON public.notifications USING btree (org_id, user_id, created_at DESC, notification_id DESC);
CREATE UNIQUE INDEX notifications_pkey ON public.notifications USING btree (org_id, user_id, notification_id);
CREATE INDEX number_changes_customer ON public.number_changes USING btree (org_id, customer_id, changed_at);
CREATE UNIQUE INDEX number_changes_pkey ON public.number_changes USING btree (org_id, change_id);
CREATE INDEX number_changes_waiting ON public.number_changes USING btree (org_id, customer_id, changed_at) WHERE (otp_id IS NULL);
CREATE UNIQUE INDEX org_directory_host_any_letters ON public.org_directory USING btree (lower(host));
CREATE UNIQUE INDEX org_directory_pkey ON public.org_directory USING btree (org_id);
CREATE UNIQUE INDEX org_directory_slug_key ON public.org_directory USING btree (slug);
CREATE UNIQUE INDEX organisation_logos_pkey ON public.organisation_logos USING btree (org_id, edge);
CREATE UNIQUE INDEX organisations_pkey ON public.organisations USING btree (org_id);
CREATE INDEX otps_counter ON public.otps USING btree (org_id, asker, created_at) WHERE (lane = 'counter'::text);
CREATE INDEX otps_mobile ON public.otps USING btree (org_id, mobile_hash, purpose, created_at DESC);
CREATE UNIQUE INDEX otps_pkey ON public.otps USING btree (org_id, otp_id);
CREATE INDEX outbox_due ON public.outbox USING btree (next_attempt_at) WHERE (done_at IS NULL);
CREATE INDEX outbox_expiry ON public.outbox USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE UNIQUE INDEX outbox_pkey ON public.outbox USING btree (org_id, id);
CREATE INDEX override_asks_agreement ON public.override_asks USING btree (org_id, agreement_id);
CREATE UNIQUE INDEX override_asks_open ON public.override_asks USING btree (org_id, device_id) WHERE (state = 'asked'::text);
CREATE UNIQUE INDEX override_asks_pkey ON public.override_asks USING btree (org_id, ask_id);
CREATE UNIQUE INDEX passkey_challenges_pkey ON public.passkey_challenges USING btree (org_id, user_id, device_hash, kind);
CREATE UNIQUE INDEX passkeys_org_id_credential_id_key ON public.passkeys USING btree (org_id, credential_id);
CREATE UNIQUE INDEX passkeys_org_id_passkey_id_key ON public.passkeys USING btree (org_id, passkey_id);
CREATE UNIQUE INDEX passkeys_pkey ON public.passkeys USING btree (org_id, user_id, device_hash);
CREATE INDEX payment_given_ids_of ON public.payment_given_ids USING btree (org_id, payment_id);
CREATE UNIQUE INDEX payment_given_ids_pkey ON public.payment_given_ids USING btree (org_id, given_id);
CREATE UNIQUE INDEX payment_moves_pkey ON public.payment_moves USING btree (org_id, payment_id, no);
CREATE INDEX payments_agreement ON public.payments USING btree (org_id, agreement_id, paid_at, payment_id);
CREATE INDEX payments_cash ON public.payments USING btree (org_id, customer_id, paid_on) WHERE ((method = 'CASH'::text) AND (state = 'posted'::text));
CREATE INDEX payments_claimed ON public.payments USING btree (org_id, customer_id) WHERE (state = 'claimed'::text);
CREATE INDEX payments_day ON public.payments USING btree (org_id, paid_on);
CREATE UNIQUE INDEX payments_down_payment ON public.payments USING btree (org_id, agreement_id) WHERE ((goes_to = 'down_payment'::text) AND (state <> 'reversed'::text));
CREATE UNIQUE INDEX payments_note ON public.payments USING btree (org_id, note_no) WHERE (note_no IS NOT NULL);
CREATE UNIQUE INDEX payments_org_id_receipt_no_key ON public.payments USING btree (org_id, receipt_no);
CREATE UNIQUE INDEX payments_pkey ON public.payments USING btree (org_id, payment_id);
CREATE UNIQUE INDEX payments_reference ON public.payments USING btree (org_id, held_reference) WHERE (held_reference IS NOT NULL);
CREATE UNIQUE INDEX payments_rest_serves_once ON public.payments USING btree (org_id, (((receipt #>> '{overpaid,payment_id}'::text[]))::uuid)) WHERE (receipt ? 'overpaid'::text);
CREATE INDEX payments_reversed ON public.payments USING btree (org_id, agreement_id, reversed_at) WHERE (reversed_at IS NOT NULL);
CREATE UNIQUE INDEX penal_rules_pkey ON public.penal_rules USING btree (org_id, version);
CREATE INDEX phone_claims_agreement ON public.phone_claims USING btree (org_id, agreement_id, said_at);
CREATE INDEX phone_claims_customer ON public.phone_claims USING btree (org_id, customer_id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX phone_claims_open ON public.phone_claims USING btree (org_id, agreement_id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX phone_claims_pkey ON public.phone_claims USING btree (org_id, claim_id);
CREATE UNIQUE INDEX phone_exchanges_org_id_to_device_id_key ON public.phone_exchanges USING btree (org_id, to_device_id);
CREATE UNIQUE INDEX phone_exchanges_pkey ON public.phone_exchanges USING btree (org_id, agreement_id, no);
CREATE INDEX phone_models_names ON public.phone_models USING btree (org_id, brand, model);
CREATE UNIQUE INDEX phone_models_pkey ON public.phone_models USING btree (org_id, tac);
CREATE UNIQUE INDEX plan_presets_pkey ON public.plan_presets USING btree (org_id, plan_id, name);
CREATE UNIQUE INDEX plans_pkey ON public.plans USING btree (org_id, plan_id);
CREATE UNIQUE INDEX privacy_policies_pkey ON public.privacy_policies USING btree (org_id, language, version);
CREATE UNIQUE INDEX proof_tokens_pkey ON public.proof_tokens USING btree (org_id, token_hash);
CREATE UNIQUE INDEX protection_reports_code_otp ON public.protection_reports USING btree (org_id, code_otp_id) WHERE (code_otp_id <> '00000000-0000-0000-0000-000000000000'::uuid);
CREATE INDEX protection_reports_device ON public.protection_reports USING btree (org_id, device_id);
CREATE UNIQUE INDEX protection_reports_open ON public.protection_reports USING btree (org_id, device_id, kind, reported_by) WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX protection_reports_pkey ON public.protection_reports USING btree (org_id, report_id);
CREATE UNIQUE INDEX provider_questions_pkey ON public.provider_questions USING btree (org_id, state_hash);
CREATE UNIQUE INDEX provider_subjects_org_id_issuer_subject_key ON public.provider_subjects USING btree (org_id, issuer, subject);
CREATE UNIQUE INDEX provider_subjects_pkey ON public.provider_subjects USING btree (org_id, user_id);
CREATE UNIQUE INDEX rate_limits_pkey ON public.rate_limits USING btree (key, window_start);
CREATE INDEX refund_tasks_customer ON public.refund_tasks USING btree (org_id, customer_id);
CREATE INDEX refund_tasks_open ON public.refund_tasks USING btree (org_id, customer_id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX refund_tasks_pkey ON public.refund_tasks USING btree (org_id, payment_id);
CREATE INDEX restrictions_held ON public.restrictions USING btree (org_id, device_id) WHERE (given_back_at IS NULL);
CREATE UNIQUE INDEX restrictions_pkey ON public.restrictions USING btree (org_id, device_id, taken, cause);
CREATE UNIQUE INDEX schedule_versions_consent_otp ON public.schedule_versions USING btree (org_id, consent_otp_id) WHERE (consent_otp_id IS NOT NULL);
CREATE UNIQUE INDEX schedule_versions_pkey ON public.schedule_versions USING btree (org_id, agreement_id, version);
CREATE UNIQUE INDEX schema_migrations_pkey ON public.schema_migrations USING btree (version);
CREATE UNIQUE INDEX screen_templates_live ON public.screen_templates USING btree (org_id, name) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX screen_templates_pkey ON public.screen_templates USING btree (org_id, template_id);
CREATE UNIQUE INDEX secret_marks_pkey ON public.secret_marks USING btree (name);
CREATE INDEX seen_requests_age ON public.seen_requests USING btree (seen_at);
CREATE UNIQUE INDEX seen_requests_pkey ON public.seen_requests USING btree (digest);
CREATE UNIQUE INDEX session_epochs_pkey ON public.session_epochs USING btree (org_id);
CREATE UNIQUE INDEX sessions_org_id_token_hash_key ON public.sessions USING btree (org_id, token_hash);
CREATE UNIQUE INDEX sessions_pkey ON public.sessions USING btree (org_id, session_id);
CREATE INDEX sessions_user ON public.sessions USING btree (org_id, user_id, created_at DESC);
CREATE INDEX signup_requests_in_order ON public.signup_requests USING btree (org_id, state, requested_at, request_id);
CREATE UNIQUE INDEX signup_requests_open ON public.signup_requests USING btree (org_id, mobile) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX signup_requests_pkey ON public.signup_requests USING btree (org_id, request_id);
CREATE INDEX signup_requests_told ON public.signup_requests USING btree (org_id, mobile, told_at) WHERE ((told_at IS NOT NULL) AND (state = 'refused'::text));
CREATE UNIQUE INDEX timer_runs_pkey ON public.timer_runs USING btree (name);
CREATE UNIQUE INDEX trusted_devices_pkey ON public.trusted_devices USING btree (org_id, user_id, device_hash);
CREATE UNIQUE INDEX user_pictures_pkey ON public.user_pictures USING btree (org_id, user_id, kind);
CREATE INDEX users_email ON public.users USING btree (org_id, lower(email)) WHERE ((user_type <> 'customer'::text) AND (email IS NOT NULL));
CREATE UNIQUE INDEX users_org_id_mobile_key ON public.users USING btree (org_id, mobile) WHERE (number_yielded_at IS NULL);
CREATE INDEX users_parent ON public.users USING btree (org_id, parent_user_id);
CREATE UNIQUE INDEX users_pkey ON public.users USING btree (org_id, user_id);
CREATE INDEX users_shops ON public.users USING btree (org_id, created_at DESC, user_id DESC) WHERE (user_type = ANY (ARRAY['retailer'::text, 'miniretailer'::text]));
CREATE UNIQUE INDEX vendor_budgets_pkey ON public.vendor_budgets USING btree (org_id, vendor);
CREATE INDEX verdicts_agreement ON public.verdicts USING btree (org_id, agreement_id, decided_at DESC);
CREATE INDEX verdicts_device ON public.verdicts USING btree (org_id, device_id, decided_at DESC);
CREATE UNIQUE INDEX verdicts_pkey ON public.verdicts USING btree (org_id, verdict_id);
CREATE INDEX verdicts_recent ON public.verdicts USING btree (org_id, decided_at) WHERE (revision IS NOT NULL);
CREATE INDEX verdicts_without_change ON public.verdicts USING btree (org_id, decided_at) WHERE (revision IS NULL);
CREATE INDEX waivers_agreement ON public.waivers USING btree (org_id, agreement_id);
CREATE UNIQUE INDEX waivers_asked ON public.waivers USING btree (org_id, charge_id) WHERE (state = 'asked'::text);
CREATE INDEX waivers_charge ON public.waivers USING btree (org_id, charge_id);
CREATE UNIQUE INDEX waivers_pkey ON public.waivers USING btree (org_id, waiver_id);
CREATE UNIQUE INDEX wallets_pkey ON public.wallets USING btree (org_id, user_id, plan_type, lot);

-- policies
accounts: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
agreement_moves: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
agreements: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
audit_checks: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
audit_heads: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
audit_lines: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
audit_root_heads: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
audit_roots: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
batch_parts: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
batches: machine to kist_device for ALL using (true) with check (true)
batches: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
book_checks: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
charges: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
commands: machine to kist_device for ALL using (true) with check (true)
commands: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
compensation_payouts: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
consent_confirmations: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
consents: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
counters: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
cures: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
customer_logins: machine to kist_device for ALL using (true) with check (true)
customer_logins: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
customer_moves: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
customer_transfers: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
customers: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
daily_steps: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
deliveries: machine to kist_device for ALL using (true) with check (true)
deliveries: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
device_changes: machine to kist_device for ALL using (true) with check (true)
device_changes: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
device_desired: machine to kist_device for ALL using (true) with check (true)
device_desired: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
device_events: machine to kist_device for ALL using (true) with check (true)
device_events: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
device_reports: machine to kist_device for ALL using (true) with check (true)
device_reports: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
devices: machine to kist_device for ALL using (true) with check (true)
devices: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
dispute_moves: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
disputes: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
document_totals: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
documents: documents_of_drafts to kist_app for DELETE using (((EXISTS ( SELECT
   FROM customers c
  WHERE ((c.org_id = documents.org_id) AND (c.customer_id = documents.customer_id) AND c.is_draft))) AND (NOT (EXISTS ( SELECT
   FROM consents s
  WHERE ((s.org_id = documents.org_id) AND (s.document_id = documents.document_id))))))) with check ()
documents: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
enrolment_tests: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
enrolment_tokens: machine to kist_device for SELECT using (true) with check ()
enrolment_tokens: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
enrolments: machine to kist_device for ALL using (true) with check (true)
enrolments: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
erasures: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
financed_loans: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
financers: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
historic_agreements: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
holds: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
idempotency_keys: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
identity_providers: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
instalments: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
invariant_checks: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
journal_lines: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
journals: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
key_balances: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
key_grants: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
key_prices: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
key_reservations: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
key_transfers: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
lock_policies: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
locks: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
loose_files: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
notice_link_numbers: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
notice_proofs: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
notices: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
notifications: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
number_changes: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
organisation_logos: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
organisations: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
otps: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
outbox: machine to kist_device for ALL using (true) with check (true)
outbox: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
override_asks: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
passkey_challenges: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
passkeys: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
payment_given_ids: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
payment_moves: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
payments: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
penal_rules: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
phone_claims: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
phone_exchanges: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
phone_models: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
plan_presets: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
plans: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
privacy_policies: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
proof_tokens: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
protection_reports: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
provider_questions: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
provider_subjects: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
refund_tasks: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
restrictions: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
schedule_versions: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
screen_templates: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
session_epochs: machine to kist_device for ALL using (true) with check (true)
session_epochs: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
sessions: machine to kist_device for ALL using (true) with check (true)
sessions: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
signup_requests: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
trusted_devices: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
user_pictures: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
users: machine to kist_device for SELECT using (true) with check ()
users: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
vendor_budgets: machine to kist_device for ALL using (true) with check (true)
vendor_budgets: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
verdicts: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
waivers: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))
wallets: tenant to public for ALL using ((org_id = kist_org())) with check ((org_id = kist_org()))

-- isolation
accounts: row level security forced
agreement_moves: row level security forced
agreements: row level security forced
allowed_moves: row level security off
audit_checks: row level security forced
audit_heads: row level security forced
audit_lines: row level security forced
audit_root_heads: row level security forced
audit_roots: row level security forced
batch_parts: row level security forced
batches: row level security forced
book_checks: row level security forced
charges: row level security forced
clock_offset: row level security off
commands: row level security forced
compensation_payouts: row level security forced
consent_confirmations: row level security forced
consents: row level security forced
counters: row level security forced
cures: row level security forced
customer_allowed_moves: row level security off
customer_logins: row level security forced
customer_moves: row level security forced
customer_transfers: row level security forced
customers: row level security forced
daily_steps: row level security forced
deliveries: row level security forced
device_changes: row level security forced
device_desired: row level security forced
device_events: row level security forced
device_reports: row level security forced
devices: row level security forced
dispute_allowed_moves: row level security off
dispute_moves: row level security forced
disputes: row level security forced
document_totals: row level security forced
documents: row level security forced
enrolment_tests: row level security forced
enrolment_tokens: row level security forced
enrolments: row level security forced
erasures: row level security forced
financed_loans: row level security forced
financers: row level security forced
historic_agreements: row level security forced
holds: row level security forced
idempotency_keys: row level security forced
identity_providers: row level security forced
installation: row level security off
instalments: row level security forced
invariant_checks: row level security forced
journal_lines: row level security forced
journals: row level security forced
key_balances: row level security forced
key_grants: row level security forced
key_prices: row level security forced
key_reservations: row level security forced
key_transfers: row level security forced
lock_policies: row level security forced
locks: row level security forced
loose_files: row level security forced
notice_link_numbers: row level security forced
notice_proofs: row level security forced
notices: row level security forced
notifications: row level security forced
number_changes: row level security forced
org_directory: row level security off
organisation_logos: row level security forced
organisations: row level security forced
otps: row level security forced
outbox: row level security forced
override_asks: row level security forced
passkey_challenges: row level security forced
passkeys: row level security forced
payment_given_ids: row level security forced
payment_moves: row level security forced
payments: row level security forced
penal_rules: row level security forced
phone_claims: row level security forced
phone_exchanges: row level security forced
phone_models: row level security forced
plan_presets: row level security forced
plans: row level security forced
privacy_policies: row level security forced
proof_tokens: row level security forced
protection_reports: row level security forced
provider_questions: row level security forced
provider_subjects: row level security forced
rate_limits: row level security off
refund_tasks: row level security forced
restrictions: row level security forced
schedule_versions: row level security forced
schema_migrations: row level security off
screen_templates: row level security forced
secret_marks: row level security off
seen_requests: row level security off
session_epochs: row level security forced
sessions: row level security forced
signup_requests: row level security forced
timer_runs: row level security off
trusted_devices: row level security forced
user_pictures: row level security forced
users: row level security forced
vendor_budgets: row level security forced
verdicts: row level security forced
waivers: row level security forced
wallets: row level security forced

-- grants
accounts: insert, select to kist_app
accruals_view: select to kist_app
agreement_lines_view: select to kist_app
agreement_moves: insert, select to kist_app
agreement_moves_view: select to kist_app
agreements: insert, select to kist_app
agreements_view: select to kist_app
allocations: select to kist_app
allowed_moves: select to kist_app
audit_checks: insert, select to kist_app
audit_heads: insert, select to kist_app
audit_lines: insert, select to kist_app
audit_root_heads: insert, select to kist_app
audit_roots: insert, select to kist_app
batch_parts: insert, select to kist_app
batch_refusals_view: select to kist_app
batches: insert, select to kist_app
batches: select to kist_device
birthdays_view: select to kist_app
book_checks: insert, select to kist_app
channels_view: select to kist_app
channels_view: select to kist_device
charges: insert, select to kist_app
clock_offset: select to kist_app
clock_offset: select to kist_device
commands: delete, insert, select, update to kist_app
commands: select, update to kist_device
compensation_payouts: insert, select to kist_app
consent_confirmations: insert, select to kist_app
consents: insert, select to kist_app
consents_view: select to kist_app
counters: insert, select to kist_app
cures: insert, select to kist_app
customer_allowed_moves: select to kist_app
customer_births_view: select to kist_app
customer_logins: delete, insert, select to kist_app
customer_logins: select to kist_device
customer_moves: insert, select to kist_app
customer_transfers: insert, select to kist_app
customer_transfers_view: select to kist_app
customers: delete, insert, select to kist_app
customers_view: select to kist_app
daily_runs_view: select to kist_app
daily_steps: insert, select to kist_app
deliveries: insert, select to kist_app
deliveries: select, update to kist_device
device_changes: delete, select, update to kist_app
device_changes: insert, select to kist_device
device_desired: insert, select, update to kist_app
device_desired: select to kist_device
device_events: delete, insert, select to kist_app
device_events: insert, select to kist_device
device_reports: insert, select, update to kist_app
device_reports: insert, select, update to kist_device
device_states_view: select to kist_app
devices: insert, select to kist_app
devices: select to kist_device
devices_view: select to kist_app
dispute_allowed_moves: select to kist_app
dispute_moves: insert, select to kist_app
disputes: insert, select to kist_app
document_totals: insert, select to kist_app
documents: delete, insert, select to kist_app
enrolment_tests: insert, select to kist_app
enrolment_tokens: insert, select, update to kist_app
enrolments: insert, select, update to kist_app
enrolments: select to kist_device
enrolments_view: select to kist_app
erasures: insert, select to kist_app
exchanged_customers_view: select to kist_app
financed_loans: insert, select to kist_app
financers: select to kist_app
financers_view: select to kist_app
finished_steps_view: select to kist_app
historic_agreements: select to kist_app
historic_agreements_view: select to kist_app
holds: insert, select to kist_app
idempotency_keys: delete, insert, select, update to kist_app
identity_providers: select to kist_app
installation: select to kist_app
installation: select to kist_device
instalments: insert, select to kist_app
instalments_view: select to kist_app
invariant_checks: insert, select to kist_app
journal_lines: insert, select to kist_app
journals: insert, select to kist_app
key_balances: insert, select to kist_app
key_grants: select to kist_app
key_grants_view: select to kist_app
key_prices: delete, insert, select to kist_app
key_reservations: insert, select to kist_app
key_transfers: insert, select to kist_app
key_transfers_view: select to kist_app
lease_contacts_view: select to kist_app
lock_policies: insert, select to kist_app
lock_policies_view: select to kist_app
locks: insert, select to kist_app
login_numbers_view: select to kist_app
loose_files: delete, insert, select to kist_app
nightly_checks_view: select to kist_app
notice_deliveries_view: select to kist_app
notice_link_numbers: insert, select to kist_app
notice_proofs: insert, select to kist_app
notices: insert, select to kist_app
notices_view: select to kist_app
notifications: insert, select to kist_app
number_changes: insert, select to kist_app
number_confirmations_view: select to kist_app
open_claims_view: select to kist_app
open_disputes_view: select to kist_app
open_phone_claims_view: select to kist_app
open_refunds_view: select to kist_app
org_directory: select to kist_app
org_directory: select to kist_device
organisation_logos: select to kist_app
organisations: select to kist_app
otps: delete, insert, select to kist_app
outbox: delete, insert, select, update to kist_app
outbox: delete, select, update to kist_device
override_asks: insert, select to kist_app
override_refusals_view: select to kist_app
passkey_challenges: delete, insert, select, update to kist_app
passkeys: delete, insert, select, update to kist_app
payment_given_ids: insert, select to kist_app
payment_moves: insert, select to kist_app
payment_moves_view: select to kist_app
payments: insert, select to kist_app
payments_view: select to kist_app
penal_rules: select to kist_app
phone_claims: insert, select to kist_app
phone_exchanges: insert, select to kist_app
phone_exchanges_view: select to kist_app
phone_models: insert, select to kist_app
plan_presets: delete, insert, select to kist_app
plans: insert, select, update to kist_app
plans_view: select to kist_app
privacy_policies: select to kist_app
proof_tokens: delete, insert, select, update to kist_app
protection_reports: insert, select to kist_app
provider_questions: delete, insert, select to kist_app
provider_subjects: insert, select to kist_app
rate_limits: delete, insert, select, update to kist_app
rate_limits: delete, insert, select, update to kist_device
receipts_view: select to kist_app
refund_tasks: insert, select to kist_app
refund_tasks_view: select to kist_app
restrictions: insert, select, update to kist_app
reversals_view: select to kist_app
same_person_view: select to kist_app
schedule_versions: insert, select to kist_app
schedule_versions_view: select to kist_app
schema_migrations: select to kist_app
screen_templates: select to kist_app
screen_templates_view: select to kist_app
secret_marks: select to kist_app
seen_requests: delete, insert, select to kist_app
seen_requests: delete, insert, select to kist_device
session_epochs: insert, select, update to kist_app
session_epochs: select to kist_device
sessions: delete, insert, select to kist_app
shop_contacts_view: select to kist_app
signup_requests: delete, insert, select to kist_app
sim_changes_view: select to kist_app
timer_runs: insert, select, update to kist_app
trusted_devices: delete, insert, select, update to kist_app
unanswered_commands_view: select to kist_app
unread_notifications_view: select to kist_app
user_pictures: insert, select to kist_app
users: insert, select to kist_app
users_view: select to kist_app
vendor_budgets: select to kist_app
vendor_budgets: insert, select, update to kist_device
verdicts: delete, insert, select to kist_app
waiting_batches_view: select to kist_app
waiver_refusals_view: select to kist_app
waivers: insert, select to kist_app
waivers_view: select to kist_app
wallets: insert, select to kist_app
wallets_view: select to kist_app

-- triggers
accounts: CREATE TRIGGER accounts_are_not_changed BEFORE UPDATE ON public.accounts FOR EACH ROW EXECUTE FUNCTION kist_refuse('a correction is a new row')
accounts: CREATE TRIGGER accounts_are_not_emptied BEFORE TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
accounts: CREATE TRIGGER accounts_stay BEFORE DELETE ON public.accounts FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
agreement_moves: CREATE TRIGGER agreement_moves_are_not_emptied BEFORE TRUNCATE ON public.agreement_moves FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
agreement_moves: CREATE TRIGGER agreement_moves_are_of_now AFTER INSERT ON public.agreement_moves REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION moves_are_of_now()
agreement_moves: CREATE TRIGGER agreement_moves_are_of_their_people AFTER INSERT ON public.agreement_moves FOR EACH ROW EXECUTE FUNCTION row_is_of_its_people('moved_by', 'or the server')
agreement_moves: CREATE CONSTRAINT TRIGGER agreement_moves_are_true AFTER INSERT ON public.agreement_moves DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION agreement_stands_where_it_moved()
agreement_moves: CREATE TRIGGER agreement_moves_follow BEFORE INSERT ON public.agreement_moves FOR EACH ROW EXECUTE FUNCTION move_follows('agreement')
agreement_moves: CREATE TRIGGER agreement_moves_stay BEFORE DELETE OR UPDATE ON public.agreement_moves FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
agreements: CREATE CONSTRAINT TRIGGER agreement_begins_with_its_move AFTER INSERT ON public.agreements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION agreement_stands_where_it_moved()
agreements: CREATE CONSTRAINT TRIGGER agreement_is_cancelled_with_its_journal AFTER UPDATE ON public.agreements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state = 'active'::text) AND (new.state = 'cancelled'::text))) EXECUTE FUNCTION agreement_is_cancelled_on_the_books()
agreements: CREATE TRIGGER agreement_is_of_somebody BEFORE INSERT ON public.agreements FOR EACH ROW EXECUTE FUNCTION agreement_is_of_somebody()
agreements: CREATE CONSTRAINT TRIGGER agreement_moves_with_its_state AFTER UPDATE ON public.agreements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION agreement_stands_where_it_moved()
agreements: CREATE CONSTRAINT TRIGGER agreement_says_what_it_owes AFTER UPDATE OF outstanding_paise, paid_count, oldest_due_on, oldest_due_paise, advance_paise ON public.agreements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION agreement_says_what_it_owes()
agreements: CREATE TRIGGER agreements_are_completed_now BEFORE INSERT OR UPDATE OF state, completed_at ON public.agreements FOR EACH ROW EXECUTE FUNCTION completion_is_of_now()
agreements: CREATE TRIGGER agreements_are_not_emptied BEFORE TRUNCATE ON public.agreements FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
agreements: CREATE TRIGGER agreements_are_not_given_up BEFORE UPDATE OF state ON public.agreements FOR EACH ROW WHEN (((new.state = ANY (ARRAY['foreclosed'::text, 'written_off'::text, 'returned'::text])) AND (old.state <> new.state))) EXECUTE FUNCTION kist_refuse('no journal gives it up')
agreements: CREATE TRIGGER agreements_are_signed_now BEFORE INSERT ON public.agreements FOR EACH ROW EXECUTE FUNCTION sale_is_of_now()
agreements: CREATE TRIGGER agreements_are_under_the_policy BEFORE INSERT ON public.agreements FOR EACH ROW EXECUTE FUNCTION sale_is_under_the_policy()
agreements: CREATE TRIGGER agreements_are_under_the_rules BEFORE INSERT ON public.agreements FOR EACH ROW EXECUTE FUNCTION sale_is_under_the_rules()
agreements: CREATE TRIGGER agreements_come_with_nothing_given_up BEFORE INSERT ON public.agreements FOR EACH ROW WHEN ((new.state = ANY (ARRAY['foreclosed'::text, 'written_off'::text, 'returned'::text]))) EXECUTE FUNCTION kist_refuse('no journal gives it up')
agreements: CREATE TRIGGER agreements_completed_owe_nothing BEFORE INSERT OR UPDATE ON public.agreements FOR EACH ROW WHEN (((new.state = 'completed'::text) AND (new.outstanding_paise <> 0))) EXECUTE FUNCTION kist_refuse('something is owed')
agreements: CREATE TRIGGER agreements_end_phone_claims AFTER UPDATE OF state ON public.agreements FOR EACH ROW WHEN ((new.state = 'cancelled'::text)) EXECUTE FUNCTION phone_claim_is_over()
agreements: CREATE TRIGGER agreements_engine_stays BEFORE UPDATE OF schedule_engine ON public.agreements FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
agreements: CREATE TRIGGER agreements_facts_stay BEFORE UPDATE OF org_id, agreement_id, agreement_no, customer_id, plan_type, frequency, cash_price_paise, down_payment_paise, delivered_on, anchor_day, financed_paise, is_regulated, policy_version, policy, created_at, penal ON public.agreements FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
agreements: CREATE TRIGGER agreements_name_their_engine BEFORE INSERT ON public.agreements FOR EACH ROW WHEN ((new.schedule_engine IS NULL)) EXECUTE FUNCTION kist_refuse('it names the reckoning that signed it')
agreements: CREATE CONSTRAINT TRIGGER agreements_of_books_are_told AFTER INSERT ON public.agreements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.agreement_no ~ '^[0-9]+-H[0-9]{5,}$'::text)) EXECUTE FUNCTION agreement_is_of_a_book()
agreements: CREATE TRIGGER agreements_owner_stays BEFORE UPDATE OF owner_user_id ON public.agreements FOR EACH ROW WHEN ((old.owner_user_id IS DISTINCT FROM new.owner_user_id)) EXECUTE FUNCTION owner_changes_with_a_transfer()
agreements: CREATE TRIGGER agreements_penal_stays BEFORE UPDATE OF penal ON public.agreements FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
agreements: CREATE TRIGGER agreements_phone_stays BEFORE UPDATE OF device_id, exchanged_at ON public.agreements FOR EACH ROW WHEN (((old.device_id IS DISTINCT FROM new.device_id) OR (old.exchanged_at IS DISTINCT FROM new.exchanged_at))) EXECUTE FUNCTION phone_changes_with_an_exchange()
agreements: CREATE TRIGGER agreements_run_for_somebody BEFORE UPDATE OF state ON public.agreements FOR EACH ROW WHEN (((new.state = 'active'::text) AND (old.state IS DISTINCT FROM 'active'::text))) EXECUTE FUNCTION nothing_begins_for_erased()
agreements: CREATE TRIGGER agreements_say_whose_time_it_is BEFORE INSERT ON public.agreements FOR EACH ROW EXECUTE FUNCTION sale_says_whose_time_it_is()
agreements: CREATE TRIGGER agreements_states BEFORE UPDATE ON public.agreements FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION state_may_follow('agreement')
agreements: CREATE TRIGGER agreements_stay BEFORE DELETE ON public.agreements FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
agreements: CREATE TRIGGER agreements_terms_stay BEFORE UPDATE OF method, rate_bps, rounding, tenure, emi_paise, fee_paise, total_interest_paise, total_payable_paise, apr_bps, last_due_on, schedule_version, schedule_from ON public.agreements FOR EACH ROW EXECUTE FUNCTION terms_change_with_a_version()
agreements: CREATE TRIGGER agreements_time_stays BEFORE UPDATE OF is_of_real_time ON public.agreements FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
allowed_moves: CREATE TRIGGER allowed_moves_stay BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.allowed_moves FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what may follow on what is changed by a migration')
audit_checks: CREATE TRIGGER audit_checks_are_not_emptied BEFORE TRUNCATE ON public.audit_checks FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
audit_checks: CREATE TRIGGER audit_checks_are_of_now BEFORE INSERT ON public.audit_checks FOR EACH ROW EXECUTE FUNCTION audit_check_is_of_now()
audit_checks: CREATE TRIGGER audit_checks_stay BEFORE DELETE OR UPDATE ON public.audit_checks FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
audit_heads: CREATE TRIGGER audit_heads_are_not_emptied BEFORE TRUNCATE ON public.audit_heads FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
audit_heads: CREATE TRIGGER audit_heads_facts_stay BEFORE UPDATE OF org_id, subject_kind, subject_id ON public.audit_heads FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
audit_heads: CREATE TRIGGER audit_heads_org BEFORE INSERT ON public.audit_heads FOR EACH STATEMENT EXECUTE FUNCTION org_must_exist()
audit_heads: CREATE TRIGGER audit_heads_stay BEFORE DELETE ON public.audit_heads FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
audit_lines: CREATE TRIGGER audit_lines_are_not_changed BEFORE UPDATE ON public.audit_lines FOR EACH ROW EXECUTE FUNCTION kist_refuse('a correction is a new row')
audit_lines: CREATE TRIGGER audit_lines_are_not_emptied BEFORE TRUNCATE ON public.audit_lines FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
audit_lines: CREATE TRIGGER audit_lines_stay BEFORE DELETE ON public.audit_lines FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
audit_root_heads: CREATE TRIGGER audit_root_heads_are_not_emptied BEFORE TRUNCATE ON public.audit_root_heads FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
audit_root_heads: CREATE TRIGGER audit_root_heads_fit AFTER INSERT ON public.audit_root_heads REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION audit_root_heads_fit()
audit_root_heads: CREATE TRIGGER audit_root_heads_stay BEFORE DELETE OR UPDATE ON public.audit_root_heads FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
audit_roots: CREATE TRIGGER audit_root_fits BEFORE INSERT ON public.audit_roots FOR EACH ROW EXECUTE FUNCTION audit_root_fits()
audit_roots: CREATE TRIGGER audit_roots_are_not_emptied BEFORE TRUNCATE ON public.audit_roots FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
audit_roots: CREATE TRIGGER audit_roots_stay BEFORE DELETE OR UPDATE ON public.audit_roots FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
batches: CREATE TRIGGER batches_go_on BEFORE UPDATE OF state ON public.batches FOR EACH ROW WHEN ((new.state <> old.state)) EXECUTE FUNCTION batch_goes_on()
batches: CREATE TRIGGER batches_refusal_stays BEFORE UPDATE OF refusal_note ON public.batches FOR EACH ROW WHEN ((new.refusal_note IS DISTINCT FROM old.refusal_note)) EXECUTE FUNCTION batch_refusal_stays()
book_checks: CREATE TRIGGER book_checks_are_not_emptied BEFORE TRUNCATE ON public.book_checks FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
book_checks: CREATE TRIGGER book_checks_prove_what_is_done BEFORE INSERT ON public.book_checks FOR EACH ROW EXECUTE FUNCTION check_proves_what_is_done()
book_checks: CREATE TRIGGER book_checks_stay BEFORE DELETE OR UPDATE ON public.book_checks FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
charges: CREATE CONSTRAINT TRIGGER charge_is_given_up_with_its_journal AFTER UPDATE ON public.charges DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.waived_paise <> new.waived_paise) OR (old.taken_back_at IS DISTINCT FROM new.taken_back_at))) EXECUTE FUNCTION charge_is_booked()
charges: CREATE CONSTRAINT TRIGGER charge_is_taken_back_for_a_payment AFTER UPDATE OF taken_back_at, taken_back_for ON public.charges DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.taken_back_at IS NOT NULL)) EXECUTE FUNCTION charge_is_taken_back_for_a_payment()
charges: CREATE CONSTRAINT TRIGGER charge_is_waived_by_waivers AFTER UPDATE ON public.charges DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.waived_paise <> new.waived_paise)) EXECUTE FUNCTION charge_is_waived_by_waivers()
charges: CREATE TRIGGER charges_are_not_emptied BEFORE TRUNCATE ON public.charges FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
charges: CREATE TRIGGER charges_are_what_lines_say AFTER UPDATE ON public.charges REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION paid_is_what_lines_say()
charges: CREATE TRIGGER charges_begin_unpaid BEFORE INSERT ON public.charges FOR EACH ROW WHEN ((new.paid_paise <> 0)) EXECUTE FUNCTION begins_unpaid()
charges: CREATE TRIGGER charges_by_hand_are_of_their_people AFTER INSERT ON public.charges FOR EACH ROW WHEN ((new.made_by = 'hand'::text)) EXECUTE FUNCTION charge_is_of_its_shop()
charges: CREATE TRIGGER charges_charger_stays BEFORE UPDATE OF charged_by ON public.charges FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
charges: CREATE TRIGGER charges_come_after_their_journal AFTER INSERT ON public.charges REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION charges_are_booked()
charges: CREATE TRIGGER charges_facts_stay BEFORE UPDATE OF org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on ON public.charges FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
charges: CREATE TRIGGER charges_go_now BEFORE UPDATE OF taken_back_at ON public.charges FOR EACH ROW WHEN (((old.taken_back_at IS NULL) AND (new.taken_back_at IS NOT NULL))) EXECUTE FUNCTION charge_goes_now()
charges: CREATE TRIGGER charges_go_one_way BEFORE UPDATE ON public.charges FOR EACH ROW EXECUTE FUNCTION charges_go_one_way()
charges: CREATE TRIGGER charges_maker_stays BEFORE UPDATE OF made_by ON public.charges FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
charges: CREATE TRIGGER charges_stay BEFORE DELETE ON public.charges FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
clock_offset: CREATE TRIGGER clock_is_moved BEFORE UPDATE ON public.clock_offset FOR EACH ROW EXECUTE FUNCTION clock_is_moved()
commands: CREATE TRIGGER commands_kept BEFORE DELETE ON public.commands FOR EACH ROW WHEN (((old.created_at >= (kist_now() - '400 days'::interval)) OR (old.state <> ALL (ARRAY['REFUSED'::text, 'VERIFIED'::text, 'EXPIRED'::text, 'SUPERSEDED'::text, 'CANCELLED'::text, 'FAILED'::text])) OR ((old.type = ANY (ARRAY['lock'::text, 'unlock'::text])) AND (old.state <> 'REFUSED'::text)))) EXECUTE FUNCTION kist_refuse('orders are kept for 400 days, those of a lock for ever')
commands: CREATE TRIGGER commands_queued AFTER INSERT ON public.commands REFERENCING NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION queue_orders()
compensation_payouts: CREATE TRIGGER compensation_payouts_are_not_emptied BEFORE TRUNCATE ON public.compensation_payouts FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
compensation_payouts: CREATE TRIGGER compensation_payouts_are_owed BEFORE INSERT ON public.compensation_payouts FOR EACH ROW EXECUTE FUNCTION compensation_is_owed()
compensation_payouts: CREATE TRIGGER compensation_payouts_stay BEFORE DELETE OR UPDATE ON public.compensation_payouts FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
consent_confirmations: CREATE TRIGGER consent_confirmation_fits BEFORE INSERT ON public.consent_confirmations FOR EACH ROW EXECUTE FUNCTION consent_confirmation_fits()
consent_confirmations: CREATE TRIGGER consent_confirmation_has_its_code BEFORE INSERT ON public.consent_confirmations FOR EACH ROW EXECUTE FUNCTION consent_confirmation_has_its_code()
consent_confirmations: CREATE TRIGGER consent_confirmations_are_not_changed BEFORE UPDATE ON public.consent_confirmations FOR EACH ROW EXECUTE FUNCTION confirmations_stay()
consent_confirmations: CREATE TRIGGER consent_confirmations_are_not_emptied BEFORE TRUNCATE ON public.consent_confirmations FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
consent_confirmations: CREATE TRIGGER consent_confirmations_are_of_now BEFORE INSERT ON public.consent_confirmations FOR EACH ROW EXECUTE FUNCTION consent_confirmation_is_of_now()
consents: CREATE TRIGGER consents_are_not_changed BEFORE UPDATE ON public.consents FOR EACH ROW EXECUTE FUNCTION kist_refuse('a correction is a new row')
consents: CREATE TRIGGER consents_are_not_emptied BEFORE TRUNCATE ON public.consents FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
consents: CREATE TRIGGER consents_stay BEFORE DELETE ON public.consents FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
counters: CREATE TRIGGER counters_are_not_emptied BEFORE TRUNCATE ON public.counters FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
counters: CREATE TRIGGER counters_are_read BEFORE INSERT ON public.counters FOR EACH ROW EXECUTE FUNCTION counter_is_read()
counters: CREATE TRIGGER counters_begin_at_one BEFORE INSERT ON public.counters FOR EACH ROW WHEN (((new.last <> 1) AND (new.name !~~ 'shop:%'::text))) EXECUTE FUNCTION counters_begin_at_one()
counters: CREATE CONSTRAINT TRIGGER counters_begin_with_a_paper AFTER INSERT ON public.counters DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.name = 'agreement'::text) OR (new.name ~ '^(receipt|down_payment|note):'::text))) EXECUTE FUNCTION number_has_its_paper()
counters: CREATE TRIGGER counters_facts_stay BEFORE UPDATE OF org_id, name ON public.counters FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
counters: CREATE TRIGGER counters_of_shops_are_next BEFORE INSERT ON public.counters FOR EACH ROW WHEN ((new.name ~~ 'shop:%'::text)) EXECUTE FUNCTION shop_number_is_the_next()
counters: CREATE CONSTRAINT TRIGGER counters_of_shops_begin_with_one AFTER INSERT ON public.counters DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.name = 'shops'::text)) EXECUTE FUNCTION number_has_its_shop()
counters: CREATE CONSTRAINT TRIGGER counters_of_shops_rise_with_one AFTER UPDATE OF last ON public.counters DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.last <> old.last) AND (new.name = 'shops'::text))) EXECUTE FUNCTION number_has_its_shop()
counters: CREATE TRIGGER counters_of_shops_stay BEFORE UPDATE OF last ON public.counters FOR EACH ROW WHEN (((old.name ~~ 'shop:%'::text) AND (new.last IS DISTINCT FROM old.last))) EXECUTE FUNCTION kist_refuse('facts stay as they were written')
counters: CREATE TRIGGER counters_rise BEFORE UPDATE ON public.counters FOR EACH ROW EXECUTE FUNCTION counters_rise()
counters: CREATE CONSTRAINT TRIGGER counters_rise_with_a_paper AFTER UPDATE OF last ON public.counters DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.last <> old.last) AND ((new.name = 'agreement'::text) OR (new.name ~ '^(receipt|down_payment|note):'::text)))) EXECUTE FUNCTION number_has_its_paper()
counters: CREATE TRIGGER counters_stay BEFORE DELETE ON public.counters FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
cures: CREATE TRIGGER cures_confirmed_stays BEFORE UPDATE OF confirmed_at ON public.cures FOR EACH ROW WHEN (((old.confirmed_at IS NOT NULL) AND (new.confirmed_at IS DISTINCT FROM old.confirmed_at))) EXECUTE FUNCTION kist_refuse('facts stay as they were written')
cures: CREATE TRIGGER cures_held_since_stays BEFORE UPDATE OF held_since ON public.cures FOR EACH ROW WHEN (((old.held_since IS NOT NULL) AND (new.held_since IS DISTINCT FROM old.held_since))) EXECUTE FUNCTION kist_refuse('facts stay as they were written')
customer_allowed_moves: CREATE TRIGGER customer_allowed_moves_stay BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.customer_allowed_moves FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what may follow on what is changed by a migration')
customer_logins: CREATE TRIGGER customer_login_fits BEFORE INSERT OR UPDATE ON public.customer_logins FOR EACH ROW EXECUTE FUNCTION customer_login_fits()
customer_logins: CREATE TRIGGER customer_logins_gone_epoch AFTER DELETE ON public.customer_logins FOR EACH ROW EXECUTE FUNCTION session_epoch_rises()
customer_logins: CREATE TRIGGER customer_logins_new_epoch AFTER INSERT OR UPDATE ON public.customer_logins FOR EACH ROW EXECUTE FUNCTION session_epoch_rises()
customer_moves: CREATE TRIGGER customer_moves_are_not_emptied BEFORE TRUNCATE ON public.customer_moves FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
customer_moves: CREATE CONSTRAINT TRIGGER customer_moves_are_true AFTER INSERT ON public.customer_moves DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION customer_stands_where_moved()
customer_moves: CREATE TRIGGER customer_moves_follow BEFORE INSERT ON public.customer_moves FOR EACH ROW EXECUTE FUNCTION customer_move_follows()
customer_moves: CREATE TRIGGER customer_moves_stay BEFORE DELETE OR UPDATE ON public.customer_moves FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
customer_transfers: CREATE CONSTRAINT TRIGGER customer_transfers_are_followed AFTER INSERT ON public.customer_transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION transfer_is_followed()
customer_transfers: CREATE TRIGGER customer_transfers_are_not_emptied BEFORE TRUNCATE ON public.customer_transfers FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
customer_transfers: CREATE TRIGGER customer_transfers_are_of_now BEFORE INSERT ON public.customer_transfers FOR EACH ROW EXECUTE FUNCTION transfer_is_of_now()
customer_transfers: CREATE TRIGGER customer_transfers_stay BEFORE DELETE OR UPDATE ON public.customer_transfers FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
customers: CREATE TRIGGER customer_birth_day BEFORE INSERT OR UPDATE OF birth_on ON public.customers FOR EACH ROW EXECUTE FUNCTION customer_birth_day()
customers: CREATE TRIGGER customer_number_changes AFTER UPDATE OF mobile ON public.customers FOR EACH ROW WHEN (((old.mobile IS DISTINCT FROM new.mobile) AND (NOT old.is_draft) AND (new.mobile <> ''::text))) EXECUTE FUNCTION customer_number_changes()
customers: CREATE TRIGGER customers_owner_stays BEFORE UPDATE OF owner_user_id ON public.customers FOR EACH ROW WHEN ((old.owner_user_id IS DISTINCT FROM new.owner_user_id)) EXECUTE FUNCTION owner_changes_with_a_transfer()
customers: CREATE TRIGGER customers_statuses BEFORE UPDATE OF status ON public.customers FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION customer_status_may_follow()
customers: CREATE TRIGGER erased_customer_stays_so BEFORE UPDATE OF first_name, last_name, mobile, alternate_mobile, email, address, birth_on, aadhaar_last4, pan_masked, photo_document_id, draft, search ON public.customers FOR EACH ROW EXECUTE FUNCTION erased_customer_stays_so()
customers: CREATE TRIGGER sales_stay_sales BEFORE UPDATE OF is_draft ON public.customers FOR EACH ROW WHEN ((new.is_draft AND (NOT old.is_draft))) EXECUTE FUNCTION kist_refuse('a sale is no draft again')
daily_steps: CREATE TRIGGER daily_steps_are_told_when_done BEFORE INSERT ON public.daily_steps FOR EACH ROW EXECUTE FUNCTION step_is_told_when_done()
device_desired: CREATE TRIGGER device_desired_digest BEFORE INSERT ON public.device_desired FOR EACH ROW EXECUTE FUNCTION document_has_digest()
device_desired: CREATE TRIGGER device_desired_digest_anew BEFORE UPDATE ON public.device_desired FOR EACH ROW WHEN ((new.document IS DISTINCT FROM old.document)) EXECUTE FUNCTION document_has_digest()
device_desired: CREATE TRIGGER device_desired_queued AFTER UPDATE ON public.device_desired REFERENCING OLD TABLE AS old_row NEW TABLE AS new_row FOR EACH STATEMENT EXECUTE FUNCTION queue_desired()
device_desired: CREATE TRIGGER device_desired_rises BEFORE UPDATE ON public.device_desired FOR EACH ROW EXECUTE FUNCTION revision_rises()
device_events: CREATE TRIGGER device_events_kept BEFORE DELETE ON public.device_events FOR EACH ROW WHEN ((old.received_on >= (kist_today_utc() - 90))) EXECUTE FUNCTION device_events_kept()
dispute_allowed_moves: CREATE TRIGGER dispute_allowed_moves_stay BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.dispute_allowed_moves FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what may follow on what is changed by a migration')
dispute_moves: CREATE TRIGGER dispute_moves_are_not_emptied BEFORE TRUNCATE ON public.dispute_moves FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
dispute_moves: CREATE CONSTRAINT TRIGGER dispute_moves_are_true AFTER INSERT ON public.dispute_moves DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dispute_stands_where_it_moved()
dispute_moves: CREATE TRIGGER dispute_moves_follow BEFORE INSERT ON public.dispute_moves FOR EACH ROW EXECUTE FUNCTION dispute_move_follows()
dispute_moves: CREATE TRIGGER dispute_moves_stay BEFORE DELETE ON public.dispute_moves FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
dispute_moves: CREATE TRIGGER dispute_moves_words_stay BEFORE UPDATE ON public.dispute_moves FOR EACH ROW EXECUTE FUNCTION dispute_move_words_go()
disputes: CREATE CONSTRAINT TRIGGER dispute_begins_with_its_move AFTER INSERT ON public.disputes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dispute_stands_where_it_moved()
disputes: CREATE CONSTRAINT TRIGGER dispute_moves_with_its_state AFTER UPDATE ON public.disputes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dispute_stands_where_it_moved()
disputes: CREATE TRIGGER disputes_are_not_emptied BEFORE TRUNCATE ON public.disputes FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
disputes: CREATE TRIGGER disputes_are_upheld_by_an_answer BEFORE UPDATE OF is_upheld ON public.disputes FOR EACH ROW WHEN ((new.is_upheld IS DISTINCT FROM old.is_upheld)) EXECUTE FUNCTION dispute_is_upheld_with_its_answer()
disputes: CREATE TRIGGER disputes_begin_unheard BEFORE INSERT ON public.disputes FOR EACH ROW WHEN (new.is_upheld) EXECUTE FUNCTION dispute_is_upheld_with_its_answer()
disputes: CREATE TRIGGER disputes_facts_stay BEFORE UPDATE OF org_id, dispute_id, agreement_id, instalment_no, channel, opened_at ON public.disputes FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
disputes: CREATE TRIGGER disputes_name_an_instalment BEFORE INSERT ON public.disputes FOR EACH ROW WHEN ((new.instalment_no IS NULL)) EXECUTE FUNCTION kist_refuse('it is about one instalment')
disputes: CREATE TRIGGER disputes_stay BEFORE DELETE ON public.disputes FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
disputes: CREATE TRIGGER disputes_words_stay BEFORE UPDATE OF text ON public.disputes FOR EACH ROW EXECUTE FUNCTION dispute_words_go()
document_totals: CREATE TRIGGER totals_follow_documents BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.document_totals FOR EACH STATEMENT EXECUTE FUNCTION totals_follow_documents()
documents: CREATE TRIGGER document_totals_fall AFTER DELETE ON public.documents REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION document_totals_follow()
documents: CREATE TRIGGER document_totals_rise AFTER INSERT ON public.documents REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION document_totals_follow()
documents: CREATE TRIGGER document_totals_turn AFTER UPDATE ON public.documents REFERENCING OLD TABLE AS went NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION document_totals_follow()
documents: CREATE TRIGGER documents_are_of_somebody BEFORE INSERT ON public.documents FOR EACH ROW EXECUTE FUNCTION nothing_begins_for_erased()
documents: CREATE TRIGGER documents_are_replaced_now BEFORE UPDATE OF replaced_at ON public.documents FOR EACH ROW WHEN (((old.replaced_at IS NULL) AND (new.replaced_at IS NOT NULL))) EXECUTE FUNCTION documents_are_replaced_now()
documents: CREATE TRIGGER documents_go_late BEFORE UPDATE OF gone_at ON public.documents FOR EACH ROW EXECUTE FUNCTION documents_go_late()
documents: CREATE TRIGGER documents_names_stay BEFORE UPDATE OF image_name ON public.documents FOR EACH ROW WHEN ((new.image_name IS DISTINCT FROM old.image_name)) EXECUTE FUNCTION picture_name_goes()
documents: CREATE TRIGGER documents_open_as_they_did BEFORE UPDATE OF sealed, key_sealed ON public.documents FOR EACH ROW EXECUTE FUNCTION documents_open_as_they_did()
documents: CREATE TRIGGER documents_replaced_once BEFORE UPDATE OF replaced_at ON public.documents FOR EACH ROW WHEN ((old.replaced_at IS NOT NULL)) EXECUTE FUNCTION kist_refuse('it was replaced once')
enrolments: CREATE CONSTRAINT TRIGGER enrolments_cost_a_key AFTER INSERT ON public.enrolments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION enrolment_cost_a_key()
enrolments: CREATE CONSTRAINT TRIGGER enrolments_moved_cost_a_key AFTER UPDATE OF device_id, org_id ON public.enrolments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION enrolment_cost_a_key()
enrolments: CREATE TRIGGER enrolments_queued AFTER INSERT ON public.enrolments FOR EACH ROW WHEN (((new.vendor <> 'android-agent'::text) AND new.in_charge)) EXECUTE FUNCTION queue_channel()
enrolments: CREATE TRIGGER enrolments_took_charge AFTER UPDATE OF in_charge ON public.enrolments FOR EACH ROW WHEN ((new.in_charge AND (NOT old.in_charge) AND (new.ended_at IS NULL))) EXECUTE FUNCTION queue_channel()
erasures: CREATE TRIGGER erasure_evidence_goes_late BEFORE UPDATE ON public.erasures FOR EACH ROW EXECUTE FUNCTION erasure_evidence_goes_late()
erasures: CREATE TRIGGER erasure_may_be BEFORE INSERT ON public.erasures FOR EACH ROW EXECUTE FUNCTION erasure_may_be()
erasures: CREATE TRIGGER erasures_are_not_emptied BEFORE TRUNCATE ON public.erasures FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
erasures: CREATE TRIGGER erasures_end_phone_claims AFTER INSERT ON public.erasures FOR EACH ROW EXECUTE FUNCTION phone_claim_is_over()
erasures: CREATE TRIGGER erasures_stay BEFORE DELETE ON public.erasures FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
financed_loans: CREATE TRIGGER financed_loans_are_not_emptied BEFORE TRUNCATE ON public.financed_loans FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
financed_loans: CREATE TRIGGER financed_loans_fit BEFORE INSERT ON public.financed_loans FOR EACH ROW EXECUTE FUNCTION financed_loan_fits()
financed_loans: CREATE TRIGGER financed_loans_stay BEFORE DELETE OR UPDATE ON public.financed_loans FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
historic_agreements: CREATE TRIGGER historic_agreements_are_not_emptied BEFORE TRUNCATE ON public.historic_agreements FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
historic_agreements: CREATE TRIGGER historic_agreements_stay BEFORE DELETE OR UPDATE ON public.historic_agreements FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
historic_agreements: CREATE CONSTRAINT TRIGGER historic_comes_with_its_opening AFTER INSERT ON public.historic_agreements DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION historic_comes_with_its_opening()
holds: CREATE TRIGGER holds_are_not_emptied BEFORE TRUNCATE ON public.holds FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
holds: CREATE TRIGGER holds_facts_stay BEFORE UPDATE OF org_id, hold_id, agreement_id, kind, until_on, due_on, created_by, created_at ON public.holds FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
holds: CREATE TRIGGER holds_lift_once BEFORE UPDATE OF lifted_at, lifted_by ON public.holds FOR EACH ROW WHEN (((old.lifted_at IS NOT NULL) OR (new.lifted_at IS NULL) OR (new.lifted_by IS NULL))) EXECUTE FUNCTION kist_refuse('it is lifted once, with who')
holds: CREATE TRIGGER holds_stay BEFORE DELETE ON public.holds FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
holds: CREATE TRIGGER holds_words_stay BEFORE UPDATE ON public.holds FOR EACH ROW WHEN (((new.note IS DISTINCT FROM old.note) OR ((new.lifted_note IS DISTINCT FROM old.lifted_note) AND (NOT (new.lifted_at IS DISTINCT FROM old.lifted_at))))) EXECUTE FUNCTION hold_words_go()
instalments: CREATE TRIGGER instalments_are_not_emptied BEFORE TRUNCATE ON public.instalments FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
instalments: CREATE TRIGGER instalments_are_of_the_tenure BEFORE INSERT ON public.instalments FOR EACH ROW WHEN ((new.version = 1)) EXECUTE FUNCTION rows_are_of_the_tenure()
instalments: CREATE TRIGGER instalments_are_paid_on_a_day BEFORE INSERT OR UPDATE ON public.instalments FOR EACH ROW WHEN (((new.paid_on IS NULL) <> ((((((new.paid_principal_paise + new.paid_interest_paise) + new.paid_fee_paise) + new.dropped_principal_paise) + new.dropped_interest_paise) + new.dropped_fee_paise) < ((new.principal_paise + new.interest_paise) + new.fee_paise)))) EXECUTE FUNCTION kist_refuse('paid on a day is what nothing is left of')
instalments: CREATE TRIGGER instalments_are_superseded BEFORE UPDATE OF superseded_by, dropped_principal_paise, dropped_interest_paise, dropped_fee_paise ON public.instalments FOR EACH ROW EXECUTE FUNCTION instalments_are_superseded()
instalments: CREATE TRIGGER instalments_are_what_lines_say AFTER UPDATE ON public.instalments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION paid_is_what_lines_say()
instalments: CREATE TRIGGER instalments_begin_unpaid BEFORE INSERT ON public.instalments FOR EACH ROW WHEN (((new.paid_principal_paise <> 0) OR (new.paid_interest_paise <> 0) OR (new.paid_fee_paise <> 0))) EXECUTE FUNCTION begins_unpaid()
instalments: CREATE TRIGGER instalments_come_with_their_version BEFORE INSERT ON public.instalments FOR EACH ROW WHEN ((new.version <> 1)) EXECUTE FUNCTION instalments_come_with_their_version()
instalments: CREATE TRIGGER instalments_facts_stay BEFORE UPDATE OF org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, fee_paise, balance_paise ON public.instalments FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
instalments: CREATE TRIGGER instalments_stay BEFORE DELETE ON public.instalments FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
instalments: CREATE TRIGGER instalments_version_stays BEFORE UPDATE OF version ON public.instalments FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
journal_lines: CREATE TRIGGER journal_lines_are_not_changed BEFORE UPDATE ON public.journal_lines FOR EACH ROW EXECUTE FUNCTION kist_refuse('a correction is a new row')
journal_lines: CREATE TRIGGER journal_lines_are_not_emptied BEFORE TRUNCATE ON public.journal_lines FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
journal_lines: CREATE TRIGGER journal_lines_stay BEFORE DELETE ON public.journal_lines FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
journal_lines: CREATE TRIGGER journals_do_as_they_say AFTER INSERT ON public.journal_lines REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION journals_do_as_they_say()
journal_lines: CREATE TRIGGER key_balances_follow AFTER INSERT ON public.journal_lines REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION key_balances_follow()
journal_lines: CREATE TRIGGER keys_move_as_told AFTER INSERT ON public.journal_lines FOR EACH ROW WHEN ((new.unit ~~ 'KEY:%'::text)) EXECUTE FUNCTION keys_move_as_told()
journal_lines: CREATE CONSTRAINT TRIGGER ledger_is_what_the_wallet_says AFTER INSERT ON public.journal_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.unit ~~ 'KEY:%'::text)) EXECUTE FUNCTION ledger_is_what_the_wallet_says()
journal_lines: CREATE TRIGGER lines_come_with_their_journal AFTER INSERT ON public.journal_lines REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION lines_come_with_their_journal()
journal_lines: CREATE TRIGGER penalties_are_charged AFTER INSERT ON public.journal_lines REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION penalties_are_charged()
journals: CREATE CONSTRAINT TRIGGER journal_balanced AFTER INSERT ON public.journals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION journal_balances()
journals: CREATE CONSTRAINT TRIGGER journal_has_its_cause AFTER INSERT ON public.journals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['payments_shifted'::text, 'refund_owed'::text, 'refund_paid'::text, 'refund_withdrawn'::text]))) EXECUTE FUNCTION journal_has_its_cause()
journals: CREATE CONSTRAINT TRIGGER journal_is_of_its_change AFTER INSERT ON public.journals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['agreement_cancelled'::text, 'schedule_opened'::text, 'schedule_taken_back'::text, 'penal_charged'::text, 'penal_waived'::text]))) EXECUTE FUNCTION journal_is_of_its_change()
journals: CREATE TRIGGER journals_are_named AFTER INSERT ON public.journals REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION journals_are_named()
journals: CREATE TRIGGER journals_are_not_changed BEFORE UPDATE ON public.journals FOR EACH ROW EXECUTE FUNCTION kist_refuse('a correction is a new row')
journals: CREATE TRIGGER journals_are_not_emptied BEFORE TRUNCATE ON public.journals FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
journals: CREATE TRIGGER journals_are_of_now AFTER INSERT ON public.journals REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION journals_are_of_now()
journals: CREATE TRIGGER journals_come_with_their_lines AFTER INSERT ON public.journals REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION journals_come_with_their_lines()
journals: CREATE TRIGGER journals_stay BEFORE DELETE ON public.journals FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
journals: CREATE CONSTRAINT TRIGGER payment_is_what_its_lines_say AFTER INSERT ON public.journals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['payment'::text, 'payment_reversed'::text, 'payments_shifted'::text, 'refund_owed'::text, 'refund_paid'::text, 'refund_withdrawn'::text]))) EXECUTE FUNCTION payment_is_what_its_lines_say()
journals: CREATE CONSTRAINT TRIGGER rows_are_paid_in_order AFTER INSERT ON public.journals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['payment'::text, 'payment_reversed'::text, 'payments_shifted'::text]))) EXECUTE FUNCTION rows_are_paid_in_order()
key_balances: CREATE TRIGGER balances_follow_lines BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.key_balances FOR EACH STATEMENT EXECUTE FUNCTION balances_follow_lines()
key_grants: CREATE CONSTRAINT TRIGGER grant_is_booked AFTER INSERT ON public.key_grants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION grant_is_booked()
key_grants: CREATE TRIGGER key_grants_are_not_emptied BEFORE TRUNCATE ON public.key_grants FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
key_grants: CREATE TRIGGER key_grants_stay BEFORE DELETE OR UPDATE ON public.key_grants FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
key_prices: CREATE TRIGGER key_prices_are_of_now BEFORE INSERT OR UPDATE ON public.key_prices FOR EACH ROW EXECUTE FUNCTION key_price_is_of_now()
key_reservations: CREATE CONSTRAINT TRIGGER key_is_settled_with_its_journal AFTER INSERT OR UPDATE OF state ON public.key_reservations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.state <> 'reserved'::text)) EXECUTE FUNCTION key_is_settled_with_its_journal()
key_reservations: CREATE TRIGGER key_reservations_are_not_emptied BEFORE TRUNCATE ON public.key_reservations FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
key_reservations: CREATE TRIGGER key_reservations_are_of_now BEFORE INSERT OR UPDATE ON public.key_reservations FOR EACH ROW EXECUTE FUNCTION key_is_set_aside_for_days()
key_reservations: CREATE TRIGGER key_reservations_are_of_their_plan BEFORE INSERT ON public.key_reservations FOR EACH ROW EXECUTE FUNCTION key_is_of_its_plan()
key_reservations: CREATE TRIGGER key_reservations_are_settled_once BEFORE UPDATE ON public.key_reservations FOR EACH ROW EXECUTE FUNCTION key_reservation_is_settled_once()
key_reservations: CREATE TRIGGER key_reservations_stay BEFORE DELETE ON public.key_reservations FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
key_reservations: CREATE CONSTRAINT TRIGGER reservations_are_of_a_wallet AFTER INSERT OR UPDATE OF state ON public.key_reservations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keys_set_aside_are_somebodys()
key_transfers: CREATE CONSTRAINT TRIGGER key_transfer_is_booked AFTER INSERT ON public.key_transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION key_transfer_is_booked()
key_transfers: CREATE TRIGGER key_transfers_are_not_emptied BEFORE TRUNCATE ON public.key_transfers FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
key_transfers: CREATE TRIGGER key_transfers_go_down BEFORE INSERT ON public.key_transfers FOR EACH ROW EXECUTE FUNCTION key_transfer_is_down()
key_transfers: CREATE TRIGGER key_transfers_stay BEFORE DELETE OR UPDATE ON public.key_transfers FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
loose_files: CREATE TRIGGER loose_files_are_nobodys BEFORE INSERT ON public.loose_files FOR EACH ROW EXECUTE FUNCTION loose_files_are_nobodys()
notice_link_numbers: CREATE TRIGGER notice_link_numbers_rise BEFORE UPDATE ON public.notice_link_numbers FOR EACH ROW EXECUTE FUNCTION link_numbers_rise()
notice_proofs: CREATE TRIGGER notice_proof_fits BEFORE INSERT ON public.notice_proofs FOR EACH ROW EXECUTE FUNCTION notice_proof_fits()
notice_proofs: CREATE TRIGGER notice_proofs_are_not_emptied BEFORE TRUNCATE ON public.notice_proofs FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
notice_proofs: CREATE TRIGGER notice_proofs_stay BEFORE DELETE OR UPDATE ON public.notice_proofs FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
notices: CREATE TRIGGER notice_proved AFTER INSERT OR UPDATE OF delivered_at, seen_at ON public.notices FOR EACH ROW EXECUTE FUNCTION notice_proved()
notices: CREATE TRIGGER notices_are_not_emptied BEFORE TRUNCATE ON public.notices FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
notices: CREATE TRIGGER notices_delivered_stay BEFORE UPDATE ON public.notices FOR EACH ROW WHEN ((old.delivered_at IS NOT NULL)) EXECUTE FUNCTION delivery_stays()
notices: CREATE TRIGGER notices_facts_stay BEFORE UPDATE OF org_id, agreement_id, customer_id, kind, no, due_on, channel ON public.notices FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
notices: CREATE TRIGGER notices_stay BEFORE DELETE ON public.notices FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
notices: CREATE TRIGGER notices_unsent_stay BEFORE UPDATE OF notice_id, body, language, template_id, created_at ON public.notices FOR EACH ROW WHEN (((old.delivered_at IS NULL) AND (((((new.notice_id IS DISTINCT FROM old.notice_id) OR (new.body IS DISTINCT FROM old.body)) OR (new.language IS DISTINCT FROM old.language)) OR (new.template_id IS DISTINCT FROM old.template_id)) OR (new.created_at IS DISTINCT FROM old.created_at)))) EXECUTE FUNCTION unreceipted_text_stays()
number_changes: CREATE TRIGGER number_changes_come_of_a_change BEFORE INSERT ON public.number_changes FOR EACH ROW EXECUTE FUNCTION number_change_is_of_its_change()
number_changes: CREATE TRIGGER number_changes_forget BEFORE UPDATE ON public.number_changes FOR EACH ROW WHEN ((new.spoke_hash IS NOT NULL)) EXECUTE FUNCTION kist_refuse('what was written stays')
number_changes: CREATE TRIGGER number_changes_stay BEFORE UPDATE OF org_id, change_id, customer_id, changed_at, otp_id, change_no, waits, is_back, login_user_id ON public.number_changes FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
organisations: CREATE TRIGGER organisations_run_days_that_came BEFORE INSERT OR UPDATE OF daily_run_on ON public.organisations FOR EACH ROW EXECUTE FUNCTION daily_run_has_come()
otps: CREATE TRIGGER otps_are_made_before BEFORE INSERT OR UPDATE ON public.otps FOR EACH ROW EXECUTE FUNCTION otp_is_made_before()
otps: CREATE TRIGGER otps_are_used_once BEFORE INSERT OR UPDATE OF consumed_at, used_txid ON public.otps FOR EACH ROW EXECUTE FUNCTION otp_is_used_once()
otps: CREATE TRIGGER otps_deal_runs BEFORE UPDATE OF deal_hash ON public.otps FOR EACH ROW WHEN ((new.deal_hash IS DISTINCT FROM old.deal_hash)) EXECUTE FUNCTION otp_deal_runs()
override_asks: CREATE TRIGGER override_asks_are_not_emptied BEFORE TRUNCATE ON public.override_asks FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
override_asks: CREATE TRIGGER override_asks_are_of_two BEFORE INSERT OR UPDATE ON public.override_asks FOR EACH ROW EXECUTE FUNCTION override_ask_is_of_two()
override_asks: CREATE TRIGGER override_asks_facts_stay BEFORE UPDATE OF org_id, ask_id, device_id, agreement_id, asked_by, asked_at, ends_at ON public.override_asks FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
override_asks: CREATE TRIGGER override_asks_stay BEFORE DELETE ON public.override_asks FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
payment_given_ids: CREATE TRIGGER payment_given_ids_are_not_emptied BEFORE TRUNCATE ON public.payment_given_ids FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
payment_given_ids: CREATE TRIGGER payment_given_ids_stay BEFORE DELETE OR UPDATE ON public.payment_given_ids FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
payment_moves: CREATE TRIGGER payment_moves_are_not_emptied BEFORE TRUNCATE ON public.payment_moves FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
payment_moves: CREATE TRIGGER payment_moves_are_of_now AFTER INSERT ON public.payment_moves REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION moves_are_of_now()
payment_moves: CREATE TRIGGER payment_moves_are_of_their_people AFTER INSERT ON public.payment_moves FOR EACH ROW WHEN ((new.to_state = ANY (ARRAY['refused'::text, 'pending_approval'::text]))) EXECUTE FUNCTION claim_is_refused_by_its_people()
payment_moves: CREATE CONSTRAINT TRIGGER payment_moves_are_true AFTER INSERT ON public.payment_moves DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payment_stands_where_it_moved()
payment_moves: CREATE TRIGGER payment_moves_follow BEFORE INSERT ON public.payment_moves FOR EACH ROW EXECUTE FUNCTION move_follows('payment')
payment_moves: CREATE TRIGGER payment_moves_know_their_place BEFORE INSERT ON public.payment_moves FOR EACH ROW EXECUTE FUNCTION move_knows_its_place()
payment_moves: CREATE TRIGGER payment_moves_stay BEFORE DELETE OR UPDATE ON public.payment_moves FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
payments: CREATE TRIGGER claims_are_not_endless BEFORE UPDATE OF state ON public.payments FOR EACH ROW WHEN (((new.amount_paise > '10000000000'::bigint) AND (old.state = 'claimed'::text) AND (new.state = 'posted'::text))) EXECUTE FUNCTION kist_refuse('a payment is ten crore rupees at most')
payments: CREATE TRIGGER claims_are_of_somebody BEFORE INSERT ON public.payments FOR EACH ROW WHEN ((new.state = 'claimed'::text)) EXECUTE FUNCTION nothing_begins_for_erased()
payments: CREATE CONSTRAINT TRIGGER payment_begins_with_its_move AFTER INSERT ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION payment_stands_where_it_moved()
payments: CREATE CONSTRAINT TRIGGER payment_changes_with_its_journal AFTER UPDATE ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) AND (new.state = ANY (ARRAY['posted'::text, 'reversed'::text])))) EXECUTE FUNCTION payment_is_booked()
payments: CREATE CONSTRAINT TRIGGER payment_comes_with_a_number_of_its_series AFTER INSERT ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.receipt_no !~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$'::text)) EXECUTE FUNCTION payment_is_of_a_book()
payments: CREATE CONSTRAINT TRIGGER payment_comes_with_its_journal AFTER INSERT ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.state = ANY (ARRAY['posted'::text, 'reversed'::text]))) EXECUTE FUNCTION payment_is_booked()
payments: CREATE CONSTRAINT TRIGGER payment_goes_with_its_note AFTER UPDATE ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state <> 'reversed'::text) AND (new.state = 'reversed'::text))) EXECUTE FUNCTION payment_goes_with_its_note()
payments: CREATE CONSTRAINT TRIGGER payment_is_given_a_number_of_its_series AFTER UPDATE ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.receipt_no IS DISTINCT FROM old.receipt_no) AND (new.receipt_no !~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$'::text))) EXECUTE FUNCTION payment_is_of_a_book()
payments: CREATE CONSTRAINT TRIGGER payment_moves_with_its_state AFTER UPDATE ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION payment_stands_where_it_moved()
payments: CREATE TRIGGER payments_amounts_stay BEFORE UPDATE OF amount_paise ON public.payments FOR EACH ROW WHEN ((new.amount_paise <> old.amount_paise)) EXECUTE FUNCTION payment_keeps_its_amount()
payments: CREATE TRIGGER payments_are_claimed_by_customers AFTER INSERT ON public.payments FOR EACH ROW WHEN ((new.state = 'claimed'::text)) EXECUTE FUNCTION claim_is_of_a_customer()
payments: CREATE TRIGGER payments_are_not_emptied BEFORE TRUNCATE ON public.payments FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
payments: CREATE TRIGGER payments_are_not_endless BEFORE INSERT ON public.payments FOR EACH ROW WHEN ((new.amount_paise > '10000000000'::bigint)) EXECUTE FUNCTION kist_refuse('a payment is ten crore rupees at most')
payments: CREATE TRIGGER payments_are_of_now AFTER INSERT ON public.payments REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payments_are_of_now()
payments: CREATE TRIGGER payments_are_of_their_people AFTER INSERT ON public.payments FOR EACH ROW WHEN ((new.state = ANY (ARRAY['posted'::text, 'reversed'::text]))) EXECUTE FUNCTION payment_is_of_its_people()
payments: CREATE TRIGGER payments_are_of_their_time BEFORE INSERT ON public.payments FOR EACH ROW EXECUTE FUNCTION payment_is_of_its_time()
payments: CREATE TRIGGER payments_are_posted_in_the_version_in_force BEFORE UPDATE OF schedule_version ON public.payments FOR EACH ROW WHEN ((new.state = 'posted'::text)) EXECUTE FUNCTION payment_is_of_the_version_in_force()
payments: CREATE TRIGGER payments_come_in_the_version_in_force BEFORE INSERT ON public.payments FOR EACH ROW WHEN ((new.state = 'posted'::text)) EXECUTE FUNCTION payment_is_of_the_version_in_force()
payments: CREATE TRIGGER payments_end_phone_claims AFTER INSERT OR UPDATE OF state ON public.payments FOR EACH ROW WHEN ((new.state = 'posted'::text)) EXECUTE FUNCTION payment_ends_phone_claim()
payments: CREATE TRIGGER payments_facts_stay BEFORE UPDATE OF org_id, payment_id, agreement_id, customer_id, method, reference, paid_at, paid_on, recorded_at, recorded_by, for_charge_id ON public.payments FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
payments: CREATE CONSTRAINT TRIGGER payments_hold_their_reference AFTER INSERT OR UPDATE OF state, held_reference ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.state = 'posted'::text)) EXECUTE FUNCTION reference_is_held()
payments: CREATE TRIGGER payments_move_by_their_people AFTER UPDATE OF state ON public.payments FOR EACH ROW WHEN (((new.state = ANY (ARRAY['posted'::text, 'reversed'::text])) AND (new.state IS DISTINCT FROM old.state))) EXECUTE FUNCTION payment_is_of_its_people()
payments: CREATE TRIGGER payments_note_stays BEFORE UPDATE OF note_no ON public.payments FOR EACH ROW WHEN ((old.note_no IS NOT NULL)) EXECUTE FUNCTION kist_refuse('facts stay as they were written')
payments: CREATE CONSTRAINT TRIGGER payments_notes_are_given AFTER UPDATE OF note_no ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.note_no IS DISTINCT FROM new.note_no) AND (new.note_no ~ '^[0-9]{2}-[0-9]{2}/[0-9]+/R?[0-9]{1,15}$'::text))) EXECUTE FUNCTION number_is_given('note')
payments: CREATE CONSTRAINT TRIGGER payments_numbers_are_given AFTER INSERT ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.receipt_no ~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$'::text)) EXECUTE FUNCTION number_is_given('receipt')
payments: CREATE CONSTRAINT TRIGGER payments_numbers_come_by_the_series AFTER UPDATE OF receipt_no ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.receipt_no IS DISTINCT FROM new.receipt_no) AND (new.receipt_no ~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$'::text))) EXECUTE FUNCTION number_is_given('receipt')
payments: CREATE TRIGGER payments_numbers_stay BEFORE UPDATE OF receipt_no, receipt, goes_to, posted_by ON public.payments FOR EACH ROW WHEN ((old.state <> ALL (ARRAY['claimed'::text, 'pending_approval'::text]))) EXECUTE FUNCTION kist_refuse('facts stay as they were written')
payments: CREATE TRIGGER payments_references_are_held BEFORE UPDATE OF held_reference ON public.payments FOR EACH ROW WHEN (((old.held_reference IS NOT NULL) AND (new.state = 'posted'::text))) EXECUTE FUNCTION kist_refuse('facts stay as they were written')
payments: CREATE TRIGGER payments_reversals_stay BEFORE UPDATE OF reversed_at, reversed_by, reverse_reason ON public.payments FOR EACH ROW WHEN ((old.state = 'reversed'::text)) EXECUTE FUNCTION kist_refuse('facts stay as they were written')
payments: CREATE TRIGGER payments_states BEFORE UPDATE ON public.payments FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION state_may_follow('payment')
payments: CREATE TRIGGER payments_stay BEFORE DELETE ON public.payments FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
payments: CREATE TRIGGER payments_that_stand_tell_of_no_reversal BEFORE INSERT OR UPDATE ON public.payments FOR EACH ROW WHEN (((new.state <> 'reversed'::text) AND ((new.reversed_at IS NOT NULL) OR (new.reversed_by IS NOT NULL) OR (new.reverse_reason IS NOT NULL)))) EXECUTE FUNCTION kist_refuse('only what was taken back says so')
payments: CREATE TRIGGER payments_version_stays BEFORE UPDATE OF schedule_version ON public.payments FOR EACH ROW WHEN (((old.state <> 'claimed'::text) OR (new.state <> 'posted'::text))) EXECUTE FUNCTION kist_refuse('facts stay as they were written')
payments: CREATE TRIGGER payments_wait_for_approval_by_their_people AFTER INSERT ON public.payments FOR EACH ROW WHEN ((new.state = 'pending_approval'::text)) EXECUTE FUNCTION row_is_of_its_people('recorded_by', '')
payments: CREATE CONSTRAINT TRIGGER suspense_is_of_what_is_over AFTER INSERT OR UPDATE OF state ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.goes_to = 'suspense'::text) AND (new.state = 'posted'::text))) EXECUTE FUNCTION suspense_is_of_what_is_over()
penal_rules: CREATE TRIGGER penal_rules_are_not_emptied BEFORE TRUNCATE ON public.penal_rules FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
penal_rules: CREATE TRIGGER penal_rules_know_their_place BEFORE INSERT ON public.penal_rules FOR EACH ROW EXECUTE FUNCTION rule_knows_its_place()
penal_rules: CREATE TRIGGER penal_rules_rise BEFORE INSERT ON public.penal_rules FOR EACH ROW EXECUTE FUNCTION penal_rules_rise()
penal_rules: CREATE TRIGGER penal_rules_stay BEFORE DELETE OR UPDATE ON public.penal_rules FOR EACH ROW EXECUTE FUNCTION kist_refuse('a new rule is a new version')
phone_claims: CREATE TRIGGER phone_claims_are_not_emptied BEFORE TRUNCATE ON public.phone_claims FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
phone_claims: CREATE TRIGGER phone_claims_end_once BEFORE INSERT OR UPDATE ON public.phone_claims FOR EACH ROW EXECUTE FUNCTION phone_claim_ends_once()
phone_claims: CREATE TRIGGER phone_claims_facts_stay BEFORE UPDATE OF org_id, claim_id, agreement_id, customer_id, said_at ON public.phone_claims FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
phone_claims: CREATE TRIGGER phone_claims_stay BEFORE DELETE ON public.phone_claims FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
phone_exchanges: CREATE TRIGGER phone_exchanges_are_next BEFORE INSERT ON public.phone_exchanges FOR EACH ROW EXECUTE FUNCTION phone_exchange_is_next()
phone_exchanges: CREATE TRIGGER phone_exchanges_are_not_emptied BEFORE TRUNCATE ON public.phone_exchanges FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
phone_exchanges: CREATE TRIGGER phone_exchanges_are_of_their_people AFTER INSERT ON public.phone_exchanges FOR EACH ROW EXECUTE FUNCTION row_is_of_its_people('made_by', 'or the server')
phone_exchanges: CREATE TRIGGER phone_exchanges_stay BEFORE DELETE OR UPDATE ON public.phone_exchanges FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
privacy_policies: CREATE TRIGGER privacy_policies_are_not_emptied BEFORE TRUNCATE ON public.privacy_policies FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was published stays')
privacy_policies: CREATE TRIGGER privacy_policies_stay BEFORE DELETE OR UPDATE ON public.privacy_policies FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was published stays')
privacy_policies: CREATE TRIGGER privacy_policy_follows BEFORE INSERT ON public.privacy_policies FOR EACH ROW EXECUTE FUNCTION privacy_policy_follows()
protection_reports: CREATE TRIGGER protection_report_has_its_code BEFORE INSERT OR UPDATE ON public.protection_reports FOR EACH ROW EXECUTE FUNCTION protection_report_has_its_code()
protection_reports: CREATE TRIGGER protection_reports_are_not_emptied BEFORE TRUNCATE ON public.protection_reports FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
protection_reports: CREATE TRIGGER protection_reports_are_of_now BEFORE INSERT ON public.protection_reports FOR EACH ROW EXECUTE FUNCTION protection_report_is_of_now()
protection_reports: CREATE CONSTRAINT TRIGGER protection_reports_are_told AFTER INSERT ON public.protection_reports DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.reported_by <> 'shop'::text)) EXECUTE FUNCTION protection_report_is_told()
protection_reports: CREATE TRIGGER protection_reports_close_once BEFORE UPDATE ON public.protection_reports FOR EACH ROW WHEN (((old.closed_at IS NOT NULL) AND (NOT (((new.note IS DISTINCT FROM old.note) OR (new.code_mobile IS DISTINCT FROM old.code_mobile)) OR (new.closed_reason IS DISTINCT FROM old.closed_reason))))) EXECUTE FUNCTION kist_refuse('it is closed once')
protection_reports: CREATE CONSTRAINT TRIGGER protection_reports_end_is_told AFTER UPDATE ON public.protection_reports DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.closed_at IS NULL) AND (new.closed_as IS NOT NULL))) EXECUTE FUNCTION protection_report_is_told()
protection_reports: CREATE TRIGGER protection_reports_facts_stay BEFORE UPDATE OF org_id, report_id, device_id, kind, reported_by, actor_user_id, reported_at, code_otp_id ON public.protection_reports FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
protection_reports: CREATE TRIGGER protection_reports_stay BEFORE DELETE ON public.protection_reports FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
protection_reports: CREATE TRIGGER protection_reports_theft_ends_by_its_owner BEFORE UPDATE ON public.protection_reports FOR EACH ROW WHEN (((old.kind = 'theft'::text) AND (old.reported_by <> 'shop'::text) AND (old.closed_at IS NULL) AND (new.closed_at IS NOT NULL) AND (new.closed_as IS NULL))) EXECUTE FUNCTION kist_refuse('the customer says that it is found, or the organisation')
protection_reports: CREATE TRIGGER protection_reports_times BEFORE INSERT OR UPDATE OF closed_at ON public.protection_reports FOR EACH ROW EXECUTE FUNCTION protection_report_times()
protection_reports: CREATE TRIGGER protection_reports_words_stay BEFORE UPDATE ON public.protection_reports FOR EACH ROW WHEN ((((new.note IS DISTINCT FROM old.note) OR (new.code_mobile IS DISTINCT FROM old.code_mobile)) OR ((old.closed_at IS NOT NULL) AND (new.closed_reason <> old.closed_reason)))) EXECUTE FUNCTION protection_report_words_go()
refund_tasks: CREATE CONSTRAINT TRIGGER refund_stands_with_its_journal AFTER INSERT OR UPDATE ON public.refund_tasks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refund_is_booked()
refund_tasks: CREATE TRIGGER refund_tasks_are_not_emptied BEFORE TRUNCATE ON public.refund_tasks FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
refund_tasks: CREATE TRIGGER refund_tasks_are_of_their_shop BEFORE INSERT OR UPDATE ON public.refund_tasks FOR EACH ROW EXECUTE FUNCTION refund_is_of_its_shop()
refund_tasks: CREATE TRIGGER refund_tasks_are_withdrawn_by_their_people AFTER INSERT OR UPDATE ON public.refund_tasks FOR EACH ROW WHEN ((new.state = 'void'::text)) EXECUTE FUNCTION row_is_of_its_people('closed_by', '')
refund_tasks: CREATE TRIGGER refund_tasks_close_once BEFORE UPDATE ON public.refund_tasks FOR EACH ROW WHEN ((old.state <> 'open'::text)) EXECUTE FUNCTION kist_refuse('it is closed once')
refund_tasks: CREATE TRIGGER refund_tasks_facts_stay BEFORE UPDATE OF org_id, payment_id, agreement_id, customer_id, amount_paise, opened_at ON public.refund_tasks FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
refund_tasks: CREATE TRIGGER refund_tasks_stay BEFORE DELETE ON public.refund_tasks FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
schedule_versions: CREATE TRIGGER schedule_versions_are_agreed_to BEFORE INSERT ON public.schedule_versions FOR EACH ROW EXECUTE FUNCTION schedule_version_is_agreed_to()
schedule_versions: CREATE TRIGGER schedule_versions_are_next BEFORE INSERT ON public.schedule_versions FOR EACH ROW EXECUTE FUNCTION schedule_version_is_next()
schedule_versions: CREATE TRIGGER schedule_versions_are_not_emptied BEFORE TRUNCATE ON public.schedule_versions FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
schedule_versions: CREATE TRIGGER schedule_versions_are_of_their_people AFTER INSERT ON public.schedule_versions FOR EACH ROW EXECUTE FUNCTION row_is_of_its_people('made_by', 'or the server')
schedule_versions: CREATE TRIGGER schedule_versions_stay BEFORE DELETE OR UPDATE ON public.schedule_versions FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
schedule_versions: CREATE CONSTRAINT TRIGGER version_counts_what_was_paid AFTER INSERT ON public.schedule_versions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.counted_principal_paise + new.counted_interest_paise) > 0)) EXECUTE FUNCTION version_counts_what_was_paid()
schedule_versions: CREATE CONSTRAINT TRIGGER version_is_fair AFTER INSERT ON public.schedule_versions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION version_is_fair()
schedule_versions: CREATE CONSTRAINT TRIGGER version_is_what_its_rows_say AFTER INSERT ON public.schedule_versions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION version_is_what_its_rows_say()
screen_templates: CREATE TRIGGER screen_templates_are_not_emptied BEFORE TRUNCATE ON public.screen_templates FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
screen_templates: CREATE TRIGGER screen_templates_end_once BEFORE UPDATE ON public.screen_templates FOR EACH ROW WHEN ((old.ended_at IS NOT NULL)) EXECUTE FUNCTION kist_refuse('it is ended once')
screen_templates: CREATE TRIGGER screen_templates_facts_stay BEFORE UPDATE OF org_id, template_id, name, texts, added_by, added_at ON public.screen_templates FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
screen_templates: CREATE TRIGGER screen_templates_stay BEFORE DELETE ON public.screen_templates FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
sessions: CREATE TRIGGER sessions_epoch AFTER UPDATE ON public.sessions FOR EACH ROW WHEN (((((((old.org_id IS DISTINCT FROM new.org_id) OR (old.session_id IS DISTINCT FROM new.session_id)) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.token_hash IS DISTINCT FROM new.token_hash)) OR (old.revoked_at IS DISTINCT FROM new.revoked_at)) OR (new.expires_at < old.expires_at))) EXECUTE FUNCTION session_epoch_rises()
sessions: CREATE TRIGGER sessions_gone_epoch AFTER DELETE ON public.sessions FOR EACH ROW WHEN ((old.revoked_at IS NULL)) EXECUTE FUNCTION session_epoch_rises()
signup_requests: CREATE TRIGGER signup_requests_decided_stay BEFORE UPDATE ON public.signup_requests FOR EACH ROW WHEN ((old.state <> 'open'::text)) EXECUTE FUNCTION kist_refuse('what was decided stays')
users: CREATE TRIGGER user_number_proved BEFORE UPDATE OF mobile, number_proved_at, number_yielded_at ON public.users FOR EACH ROW EXECUTE FUNCTION user_number_proved()
users: CREATE TRIGGER users_are_suspended_now BEFORE UPDATE ON public.users FOR EACH ROW WHEN (((old.suspended_at IS DISTINCT FROM new.suspended_at) OR (old.suspended_no IS DISTINCT FROM new.suspended_no))) EXECUTE FUNCTION suspension_is_of_now()
users: CREATE TRIGGER users_come_without_suspension BEFORE INSERT ON public.users FOR EACH ROW WHEN (((new.suspended_at IS NOT NULL) OR (new.suspended_no IS NOT NULL))) EXECUTE FUNCTION user_comes_without_suspension()
users: CREATE TRIGGER users_epoch AFTER UPDATE ON public.users FOR EACH ROW WHEN (((((((((old.org_id IS DISTINCT FROM new.org_id) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.user_type IS DISTINCT FROM new.user_type)) OR (old.parent_user_id IS DISTINCT FROM new.parent_user_id)) OR (old.language IS DISTINCT FROM new.language)) OR (old.is_active IS DISTINCT FROM new.is_active)) OR (old.user_access IS DISTINCT FROM new.user_access)) OR (old.lock_access IS DISTINCT FROM new.lock_access))) EXECUTE FUNCTION session_epoch_rises()
users: CREATE TRIGGER users_gone_epoch AFTER DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION session_epoch_rises()
users: CREATE TRIGGER users_new_epoch AFTER INSERT ON public.users FOR EACH ROW WHEN ((new.parent_user_id IS NOT NULL)) EXECUTE FUNCTION session_epoch_rises()
verdicts: CREATE TRIGGER verdicts_are_not_emptied BEFORE TRUNCATE ON public.verdicts FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
verdicts: CREATE TRIGGER verdicts_kept BEFORE DELETE ON public.verdicts FOR EACH ROW WHEN (((old.revision IS NOT NULL) OR (old.decided_at >= (kist_now() - '400 days'::interval)))) EXECUTE FUNCTION kist_refuse('verdicts are kept for 400 days, those of a lock for ever')
waivers: CREATE CONSTRAINT TRIGGER waiver_is_decided_with_its_journal AFTER UPDATE ON public.waivers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.state = 'granted'::text) AND (old.state <> 'granted'::text))) EXECUTE FUNCTION waiver_is_booked()
waivers: CREATE CONSTRAINT TRIGGER waiver_is_granted_with_its_journal AFTER INSERT ON public.waivers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.state = 'granted'::text)) EXECUTE FUNCTION waiver_is_booked()
waivers: CREATE TRIGGER waivers_are_decided_once BEFORE UPDATE ON public.waivers FOR EACH ROW EXECUTE FUNCTION waivers_are_decided_once()
waivers: CREATE TRIGGER waivers_are_not_emptied BEFORE TRUNCATE ON public.waivers FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
waivers: CREATE TRIGGER waivers_are_of_now BEFORE UPDATE ON public.waivers FOR EACH ROW WHEN (((new.state IS DISTINCT FROM old.state) OR (new.decided_at IS DISTINCT FROM old.decided_at))) EXECUTE FUNCTION waiver_is_of_now()
waivers: CREATE TRIGGER waivers_are_of_now_at_first BEFORE INSERT ON public.waivers FOR EACH ROW EXECUTE FUNCTION waiver_is_of_now()
waivers: CREATE TRIGGER waivers_are_of_people BEFORE UPDATE ON public.waivers FOR EACH ROW WHEN ((new.state <> old.state)) EXECUTE FUNCTION waiver_is_of_people()
waivers: CREATE TRIGGER waivers_are_of_people_at_first BEFORE INSERT ON public.waivers FOR EACH ROW EXECUTE FUNCTION waiver_is_of_people()
waivers: CREATE TRIGGER waivers_are_of_their_rule BEFORE INSERT ON public.waivers FOR EACH ROW EXECUTE FUNCTION waiver_is_of_its_rule()
waivers: CREATE TRIGGER waivers_are_refused_by_their_people AFTER UPDATE ON public.waivers FOR EACH ROW WHEN (((new.state = 'refused'::text) AND (old.state <> 'refused'::text) AND (new.decided_by IS DISTINCT FROM new.asked_by))) EXECUTE FUNCTION row_is_of_its_people('decided_by', '')
waivers: CREATE TRIGGER waivers_come_refused_by_their_people AFTER INSERT ON public.waivers FOR EACH ROW WHEN (((new.state = 'refused'::text) AND (new.decided_by IS DISTINCT FROM new.asked_by))) EXECUTE FUNCTION row_is_of_its_people('decided_by', '')
waivers: CREATE TRIGGER waivers_facts_stay BEFORE UPDATE OF org_id, waiver_id, agreement_id, charge_id, amount_paise, limit_paise, asked_by, asked_at ON public.waivers FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
waivers: CREATE TRIGGER waivers_stay BEFORE DELETE ON public.waivers FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')
wallets: CREATE CONSTRAINT TRIGGER keys_set_aside_are_somebodys AFTER INSERT OR UPDATE OF reserved ON public.wallets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keys_set_aside_are_somebodys()
wallets: CREATE CONSTRAINT TRIGGER wallet_is_what_the_ledger_says AFTER INSERT OR UPDATE ON public.wallets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wallet_is_what_the_ledger_says()
wallets: CREATE TRIGGER wallets_are_not_emptied BEFORE TRUNCATE ON public.wallets FOR EACH STATEMENT EXECUTE FUNCTION kist_refuse('what was written stays')
wallets: CREATE TRIGGER wallets_facts_stay BEFORE UPDATE OF org_id, user_id, plan_type, lot ON public.wallets FOR EACH ROW EXECUTE FUNCTION kist_refuse('facts stay as they were written')
wallets: CREATE TRIGGER wallets_stay BEFORE DELETE ON public.wallets FOR EACH ROW EXECUTE FUNCTION kist_refuse('what was written stays')

-- functions
CREATE OR REPLACE FUNCTION public.agreement_is_cancelled_on_the_books()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from journals j where j.org_id = new.org_id and j.effect_key = 'cancelled:' || new.agreement_id and j.kind = 'agreement_cancelled') then
    raise exception 'agreement % is cancelled without its journal', new.agreement_id using errcode = 'check_violation';
  end if;
  if agreement_left_on_the_books(new.org_id, new.agreement_id) <> 0 then
    raise exception 'agreement % is cancelled, and something of it is left on the books', new.agreement_id using errcode = 'check_violation';
  end if;
  -- Each with a task of its own, which the trigger above holds against its journal.
  if exists (select from payments p where p.org_id = new.org_id and p.agreement_id = new.agreement_id and p.state = 'posted'
      and not exists (select from refund_tasks t where t.org_id = p.org_id and t.payment_id = p.payment_id)) then
    raise exception 'agreement % is cancelled, and a payment of it is not owed back', new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.agreement_is_of_a_book()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.penal is not null or not exists (select from historic_agreements h where h.org_id = new.org_id and h.agreement_id = new.agreement_id) then
    raise exception 'insert of agreements is refused: % is of no book', new.agreement_no using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.agreement_is_of_somebody()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if kist_is_erased(new.org_id, new.customer_id) then
    raise exception 'insert of agreements is refused: the customer was erased' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.agreement_left_on_the_books(org integer, agreement uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  -- Of every account of an agreement but tills, keys and what is owed back; a late fee that was waived stands on two sides.
  select coalesce(sum(abs(paise)), 0)::bigint from (
    select case when a.code in ('income_penal', 'waivers') then 'penal' else a.code end as code, sum(l.debit - l.credit) as paise
    from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where l.org_id = org and l.agreement_id = agreement and a.unit = 'INR' and a.code not like 'clearing\_%' and a.code <> 'refunds_payable'
    group by 1) x
$function$
;
CREATE OR REPLACE FUNCTION public.agreement_owes_otherwise(org integer, agreement uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select (a.outstanding_paise, a.paid_count, a.oldest_due_on, a.oldest_due_paise, a.advance_paise) is distinct from (
    due.outstanding, due.paid, due.oldest_on, due.oldest, due.advance)
  from agreements a cross join lateral (
    select coalesce(sum(i.left_paise), 0)::bigint as outstanding,
      count(*) filter (where i.left_paise = 0 and (i.superseded_by is null or i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise
        < i.principal_paise + i.interest_paise + i.fee_paise))::int as paid,
      (array_agg(i.due_on order by i.due_on, i.no) filter (where i.left_paise > 0))[1] as oldest_on,
      coalesce((array_agg(i.left_paise order by i.due_on, i.no) filter (where i.left_paise > 0))[1], 0)::bigint as oldest,
      (select coalesce(sum(l.credit - l.debit), 0)::bigint from journal_lines l
       where l.org_id = a.org_id and l.agreement_id = a.agreement_id and l.bucket = 'advance') as advance
    from instalments i where i.org_id = a.org_id and i.agreement_id = a.agreement_id) due
  where a.org_id = org and a.agreement_id = agreement
$function$
;
CREATE OR REPLACE FUNCTION public.agreement_says_what_it_owes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if agreement_owes_otherwise(new.org_id, new.agreement_id) then
    raise exception 'agreement %: what it says of its money is not what its instalments and lines say', new.agreement_id using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.agreement_stands_where_it_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare stands text; led text;
begin
  select a.state, (select m.to_state from agreement_moves m where m.org_id = a.org_id and m.agreement_id = a.agreement_id order by m.no desc limit 1)
    into stands, led from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id;
  if stands is distinct from led then
    raise exception 'agreement % is %, and its last move led to %', new.agreement_id, stands, coalesce(led, 'nothing') using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.audit_append(kind text, ids text[], actor jsonb, act text, datas jsonb[])
 RETURNS void
 LANGUAGE sql
 SET enable_seqscan TO 'off'
AS $function$
  with clock as materialized (
    select kist_now() as at
  ), given as (
    select t.id, t.data, clock.at from unnest(ids, datas) as t(id, data) cross join clock order by t.id
  ), chained as (
    select g.id, g.data, g.at, coalesce(h.seq, 0) + 1 as seq, coalesce(h.hash, ''::bytea) as prev
    from given g left join lateral (
      select seq, hash from audit_heads where org_id = kist_org() and subject_kind = kind and subject_id = g.id for update
    ) h on true
  ), hashed as (
    select *, audit_hash(prev, kist_org(), kind, id, seq, at, actor, act, data) as hash from chained
  ), lines as (
    insert into audit_lines (org_id, subject_kind, subject_id, seq, at, actor, action, data, prev_hash, hash)
    select kist_org(), kind, id, seq, at, actor, act, data, prev, hash from hashed
  )
  insert into audit_heads (org_id, subject_kind, subject_id, seq, hash)
  select kist_org(), kind, id, seq, hash from hashed
  on conflict (org_id, subject_kind, subject_id) do update set seq = excluded.seq, hash = excluded.hash
$function$
;
CREATE OR REPLACE FUNCTION public.audit_check_is_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if abs(extract(epoch from new.checked_at - kist_now())) > 300 or new.cluster is distinct from kist_cluster() or new.txid is distinct from pg_current_xact_id() then
    raise exception 'insert of audit_checks is refused: a check tells of now and here' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.audit_hash(prev bytea, org integer, kind text, id text, n bigint, at timestamp with time zone, actor jsonb, action text, data jsonb)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select sha256(prev || convert_to(concat_ws(E'\x1f', org, kind, id, n,
    to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor::text, action, data::text), 'UTF8'))
$function$
;
CREATE OR REPLACE FUNCTION public.audit_root_fits()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  last audit_roots%rowtype;
begin
  select * into last from audit_roots where org_id = new.org_id order by day desc limit 1;
  if new.day <> kist_today() or new.day <= last.day then
    raise exception 'insert of audit_roots is refused: % is not today, or not after %', new.day, last.day using errcode = 'restrict_violation';
  end if;
  new.at := kist_now();
  new.prev_root := coalesce(last.root, ''::bytea);
  new.heads := (select count(*) from audit_root_heads where org_id = new.org_id and day = new.day);
  new.root := audit_root_of(new.org_id, new.day, new.prev_root);
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.audit_root_heads_fit()
 RETURNS trigger
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (select from added a where a.day <> kist_today())
      or exists (select from audit_roots r where r.day >= kist_today() and r.org_id in (select org_id from added)) then
    raise exception 'insert of audit_root_heads is refused: the day is not open' using errcode = 'restrict_violation';
  end if;
  if exists (select from added a left join audit_heads h using (org_id, subject_kind, subject_id)
      where (h.seq, h.hash) is distinct from (a.seq, a.hash)) then
    raise exception 'insert of audit_root_heads is refused: not a head' using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.audit_root_of(org integer, of_day date, prev bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(prev || convert_to(concat_ws(E'\x1f', org, of_day, coalesce(sum(count), 0)), 'UTF8') || coalesce(string_agg(digest, ''::bytea order by part), ''::bytea))
  from (
    select left(md5(subject_id), 2) as part, count(*) as count, sha256(string_agg(
      convert_to(concat_ws(E'\x1f', subject_kind, subject_id, seq, ''), 'UTF8') || hash, ''::bytea
      order by subject_kind collate "C", subject_id collate "C")) as digest
    from audit_root_heads where org_id = org and day = of_day group by 1
  ) parts
$function$
;
CREATE OR REPLACE FUNCTION public.balances_follow_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% of % is refused: a balance follows the lines', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.batch_goes_on()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (old.state, new.state) not in (('waiting', 'asked'), ('waiting', 'stopped'), ('asked', 'running'), ('asked', 'stopped'), ('running', 'stopped'),
      ('running', 'done'), ('asked', 'done')) then
    raise exception 'update of batches is refused: % does not follow %', new.state, old.state using errcode = 'restrict_violation';
  end if;
  -- Another than who asked, and not who made them.
  if old.state = 'waiting' and new.state = 'asked' and not kist_is_second(new.org_id, new.requested_by, new.approved_by) then
    raise exception 'update of batches is refused: nobody has agreed' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.batch_refusal_stays()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if old.state <> 'waiting' and (old.refusal_note is not null and new.refusal_note = '—' and kist_is_batch_of_erased(old.org_id, old.batch_id)) is not true then
    raise exception 'update of batches is refused: it is said with the no' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.begins_unpaid()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  raise exception 'insert of % is refused: it begins unpaid', tg_table_name using errcode = 'restrict_violation';
end $function$
;
CREATE OR REPLACE FUNCTION public.charge_goes_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.taken_back_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.charge_is_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare owed bigint := case when new.taken_back_at is null then new.amount_paise - new.waived_paise else 0 end; booked bigint;
begin
  select coalesce(sum(l.debit - l.credit), 0) into booked from journal_lines l
  where l.org_id = new.org_id and l.agreement_id = new.agreement_id and l.charge_id = new.charge_id and l.bucket = 'penal' and l.payment_id is null;
  if booked <> owed then
    raise exception 'charge % stands at % paise, and the lines say %', new.charge_id, owed, booked using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.charge_is_of_its_shop()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not kist_shop_sees(new.org_id, new.charged_by, new.agreement_id) then
    raise exception '% of charges is refused: who does it is nobody who answers for this customer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.charge_is_taken_back_for_a_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from payments p join payment_moves m on m.org_id = p.org_id and m.payment_id = p.payment_id and m.to_state = 'posted' and m.moved_at = new.taken_back_at
    where p.org_id = new.org_id and p.payment_id = new.taken_back_for and p.agreement_id = new.agreement_id
      and p.state in ('posted', 'reversed') and p.paid_on < new.charged_on) then
    raise exception 'charge % is taken back for no payment of a day before it', new.charge_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.charge_is_waived_by_waivers()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (select c.waived_paise from charges c where c.org_id = new.org_id and c.charge_id = new.charge_id) <> (
    select coalesce(sum(w.amount_paise), 0) from waivers w where w.org_id = new.org_id and w.charge_id = new.charge_id and w.state = 'granted') then
    raise exception 'charge % has % paise waived, and its waivers say another sum', new.charge_id, new.waived_paise using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.charges_are_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (
    with keyed as materialized (select c.*, case c.made_by when 'rule' then 'penal:' || c.agreement_id || ':' || c.instalment_no || ':' || c.charged_on
      else 'penal:hand:' || c.charge_id end as effect_key from added c)
    select from keyed c
      left join lateral (select * from journals j where j.org_id = c.org_id and j.effect_key = c.effect_key limit 1) j on j.kind = 'penal_charged'
      left join lateral (select l.debit from journal_lines l where l.org_id = c.org_id and l.journal_id = j.journal_id and l.charge_id = c.charge_id
        and l.bucket = 'penal' limit 1) l on true
    where l.debit is distinct from c.amount_paise or c.waived_paise <> 0 or c.taken_back_at is not null) then
    raise exception 'insert of charges is refused: a charge comes after its journal' using errcode = 'restrict_violation';
  end if;
  if exists (
    select from (select org_id, agreement_id, instalment_no, max(charged_on) as charged_on from added group by 1, 2, 3) n
      left join lateral (select a.penal from agreements a where a.org_id = n.org_id and a.agreement_id = n.agreement_id and a.state = 'active' limit 1) a on true
      left join lateral (select i.due_on, i.left_paise from instalments i
        where i.org_id = n.org_id and i.agreement_id = n.agreement_id and i.no = n.instalment_no limit 1) i on true
      cross join lateral (select sum(c.amount_paise) as paise from charges c
        where c.org_id = n.org_id and c.agreement_id = n.agreement_id and c.instalment_no = n.instalment_no and c.taken_back_at is null) made
    where (n.charged_on <= (select kist_today()) and made.paise <= kist_penal_limit(a.penal, i.due_on, n.charged_on, i.left_paise)) is not true) then
    raise exception 'insert of charges is refused: a charge keeps to its rule' using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.charges_go_one_way()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if old.taken_back_at is not null and new is distinct from old then
    raise exception 'update of charges is refused: what was taken back stays so' using errcode = 'restrict_violation';
  end if;
  if new.waived_paise < old.waived_paise then
    raise exception 'update of charges is refused: a waiver stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.check_proves_what_is_done()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if abs(extract(epoch from new.checked_at - kist_now())) > 300 or new.proved_up_to > pg_snapshot_xmax(pg_current_snapshot()) or new.cluster is distinct from kist_cluster() then
    raise exception 'insert of book_checks is refused: a check proves what is done' using errcode = 'restrict_violation';
  end if;
  new.noted_in := pg_current_xact_id();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.claim_is_of_a_customer()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from agreements a join users u on u.org_id = a.org_id and u.user_id = new.recorded_by and u.user_type = 'customer'
    where a.org_id = new.org_id and a.agreement_id = new.agreement_id and a.customer_id = new.customer_id and (
      exists (select from customer_logins l where l.org_id = a.org_id and l.customer_id = a.customer_id and l.user_id = u.user_id)
      -- Whose number was changed while the claim was under way; as kist_is_there has it.
      or exists (select from number_changes n where n.org_id = a.org_id and n.customer_id = a.customer_id and n.login_user_id = u.user_id
        and n.changed_at between kist_now() - interval '2 minutes' and kist_now() + interval '2 minutes'))) then
    raise exception 'insert of payments is refused: who claims it is not this customer' using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.claim_is_refused_by_its_people()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from payments p where p.org_id = new.org_id and p.payment_id = new.payment_id and kist_answers_for(p.org_id, new.moved_by, p.customer_id)) then
    raise exception 'insert of payment_moves is refused: who does it is nobody who answers for this customer' using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.clock_is_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.moves := old.moves + 1;
  new.moved_at := clock_timestamp();
  select jsonb_object_agg(no, was) into new.earlier from (
    select key as no, value as was from jsonb_each(old.earlier) where (value ->> 'until')::timestamptz > clock_timestamp() - interval '10 minutes'
    union all
    select old.moves::text, jsonb_build_object('seconds', extract(epoch from old.shift), 'until', clock_timestamp())) kept;
  -- Whoever moves it goes by the new one.
  perform set_config('kist.clock', new.moves::text, true);
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.compensation_is_owed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare owed bigint; paid bigint; typed text := upper(regexp_replace(new.reference, '\s+', '', 'g') collate "C");
begin
  -- Two payouts at once do not both see the same rest.
  perform from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id for update;
  if typed <> '' and exists (select from compensation_payouts p where p.org_id = new.org_id and p.agreement_id = new.agreement_id
      and upper(regexp_replace(p.reference, '\s+', '', 'g') collate "C") = typed) then
    raise exception 'insert of compensation_payouts is refused: % was written down before', new.reference using errcode = 'restrict_violation';
  end if;
  owed := kist_owed_for_locks(new.org_id, new.agreement_id);
  select coalesce(sum(p.amount_paise), 0) into paid from compensation_payouts p where p.org_id = new.org_id and p.agreement_id = new.agreement_id;
  if paid + new.amount_paise > owed then
    raise exception 'insert of compensation_payouts is refused: % paise are owed, % were paid out', owed, paid using errcode = 'restrict_violation';
  end if;
  new.paid_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.completion_is_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.completed_at is distinct from (case
      when new.state <> 'completed' then null
      when tg_op = 'UPDATE' and old.state = 'completed' and (old.completed_at is not null or new.completed_at is null) then old.completed_at
      else kist_now() end) then
    raise exception '% of agreements is refused: it is completed when its last dues are paid', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.confirmations_stay()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (to_jsonb(new) - 'mobile') is distinct from (to_jsonb(old) - 'mobile') or new.mobile <> 'erased' or not kist_is_evidence_over(old.org_id, old.customer_id) then
    raise exception 'update of consent_confirmations is refused: a correction is a new row' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.consent_confirmation_fits()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (select from login_numbers_view s where s.org_id = new.org_id and s.mobile = new.mobile and s.is_of_staff) then
    raise exception 'insert of consent_confirmations is refused: the number is of somebody of a shop' using errcode = 'restrict_violation';
  end if;
  new.confirmed_at := least(new.confirmed_at, kist_now());
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.consent_confirmation_has_its_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not kist_code_is_used_now(new.org_id, new.otp_id, new.customer_id, 'CONSENT', new.text_hash)
    or not exists (select from otps o where o.org_id = new.org_id and o.otp_id = new.otp_id and o.deal_hash is not distinct from new.deal_hash)
    or not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.mobile = new.mobile) then
    raise exception 'insert of consent_confirmations is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.consent_confirmation_is_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform kist_must_be_now(new.confirmed_at, 'consent_confirmations');
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.counter_is_read()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.name in ('agreement', 'shops', 'suspensions') then return new; end if;
  if new.name ~ '^(shop:[^:]+|(receipt|down_payment|note):[^:]+:20[0-9]{2}-[0-9]{2})$'
    and exists (select from users u where u.org_id = new.org_id and u.user_id::text = split_part(new.name, ':', 2)) then return new; end if;
  raise exception 'insert of counters is refused: nothing reads %', new.name using errcode = 'restrict_violation';
end $function$
;
CREATE OR REPLACE FUNCTION public.counters_begin_at_one()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  raise exception 'insert of counters is refused: % begins at 1', new.name using errcode = 'restrict_violation';
end $function$
;
CREATE OR REPLACE FUNCTION public.counters_rise()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.last not in (old.last, old.last + 1) then
    raise exception 'update of counters is refused: % goes from % by one', old.name, old.last using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.credited_by(org integer, effect text, of_kind text, of_payment uuid, account text, owner text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(l.credit - l.debit), 0)::bigint
  from journals j join journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
  where j.org_id = org and j.effect_key = effect and j.kind = of_kind and l.payment_id = of_payment and a.code = account and (owner is null or a.owner_id = owner)
$function$
;
CREATE OR REPLACE FUNCTION public.customer_birth_day()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.birth_day := (extract(month from new.birth_on) * 100 + extract(day from new.birth_on))::smallint;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.customer_login_fits()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from users u join customers c on c.org_id = u.org_id and c.mobile = u.mobile
      where u.org_id = new.org_id and u.user_id = new.user_id and u.user_type = 'customer' and c.customer_id = new.customer_id) then
    raise exception 'a login of customer % is refused: it is not of their number', new.customer_id using errcode = 'check_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.customer_move_follows()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare stands smallint; last_no integer; last_at timestamptz; rule record;
begin
  select c.status into stands from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id;
  select coalesce(max(m.no), 0), max(m.moved_at) into last_no, last_at from customer_moves m where m.org_id = new.org_id and m.customer_id = new.customer_id;
  select a.with_exchange, a.with_key into rule from customer_allowed_moves a where a.from_status = new.from_status and a.to_status = new.to_status;
  if rule is null or (new.no, new.from_status) is distinct from (last_no + 1, stands) or (rule.with_exchange and not exists (
    select from phone_exchanges x join agreements a on a.org_id = x.org_id and a.agreement_id = x.agreement_id
    where a.org_id = new.org_id and a.customer_id = new.customer_id and x.was_set_up and x.txid = pg_current_xact_id())) then
    raise exception 'insert of customer_moves is refused: status % does not follow %', new.to_status, stands using errcode = 'restrict_violation';
  end if;
  if (rule.with_key = 'set_aside' and not exists (
      select from key_reservations k where k.org_id = new.org_id and k.customer_id = new.customer_id and k.state = 'reserved'))
    or (rule.with_key = 'spent' and not exists (
      select from key_reservations k where k.org_id = new.org_id and k.customer_id = new.customer_id and k.state = 'posted' and k.settled_at >= last_at)) then
    raise exception 'insert of customer_moves is refused: status % does not follow % without a new key', new.to_status, stands using errcode = 'restrict_violation';
  end if;
  new.moved_at := kist_now();
  new.txid := pg_current_xact_id();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.customer_number_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  agreed uuid;
  last number_changes;
  is_waiting boolean := kist_number_speaks_at(new.org_id, new.customer_id) is not null;
  spoke bytea := kist_number_hash(new.customer_id, old.mobile);
  login uuid;
  comes_back boolean;
begin
  select o.otp_id into agreed from otps o
    where o.org_id = new.org_id and o.customer_id = new.customer_id and o.purpose = 'NUMBER'
      and kist_code_is_used_now(new.org_id, o.otp_id, new.customer_id, 'NUMBER', sha256(convert_to(new.mobile, 'UTF8')));
  select * into last from number_changes n where n.org_id = new.org_id and n.customer_id = new.customer_id order by n.change_no desc, n.changed_at desc limit 1;
  if is_waiting then
    spoke := last.spoke_hash;
    login := last.login_user_id;
  else
    select l.user_id into login from customer_logins l where l.org_id = new.org_id and l.customer_id = new.customer_id;
  end if;
  comes_back := is_waiting and coalesce(spoke = kist_number_hash(new.customer_id, new.mobile), false);
  insert into number_changes (org_id, customer_id, changed_at, otp_id, change_no, waits, is_back, spoke_hash, login_user_id)
  values (new.org_id, new.customer_id, kist_now(), agreed, coalesce(last.change_no, 0) + 1,
    agreed is null and not comes_back and (is_waiting
      or exists (select from consent_confirmations k where k.org_id = new.org_id and k.customer_id = new.customer_id and k.mobile = old.mobile)
      or exists (select from consents c join agreements a on a.org_id = c.org_id and a.agreement_id = c.agreement_id
        where a.org_id = new.org_id and a.customer_id = new.customer_id
          and kist_consent_counts(c.document_id, c.confirmation_id, kist_needs_consent_code(a.policy)))),
    comes_back, spoke, login);
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.customer_stands_where_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (select c.status from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id) is distinct from (select m.to_status from customer_moves m
    where m.org_id = new.org_id and m.customer_id = new.customer_id order by m.no desc limit 1) then
    raise exception 'customer % stands elsewhere than the last move led', new.customer_id using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.customer_status_may_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from customer_moves m where m.org_id = new.org_id and m.customer_id = new.customer_id and m.from_status = old.status
    and m.to_status = new.status and m.txid = pg_current_xact_id()
    and m.no = (select max(l.no) from customer_moves l where l.org_id = new.org_id and l.customer_id = new.customer_id)) then
    raise exception 'update of customers is refused: status % does not follow % without its move', new.status, old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.daily_run_has_come()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.daily_run_on > kist_today() then
    raise exception '% of organisations is refused: % has not come', lower(tg_op), new.daily_run_on using errcode = 'restrict_violation';
  end if;
  -- The day itself, and each day between: none is passed over.
  if tg_op = 'UPDATE' and (new.daily_run_on > old.daily_run_on or old.daily_run_on is null) and exists (
      select from generate_series(coalesce(old.daily_run_on + 1, new.daily_run_on), new.daily_run_on, interval '1 day') d, unnest(kist_daily_steps()) s(step)
      where not exists (select from daily_steps t where t.org_id = new.org_id and t.business_on = d::date and t.step = s.step)) then
    raise exception 'update of organisations is refused: a day is not run before its steps are' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.debited_by(org integer, effect text, of_kind text, account text, owner text, agreement uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(l.debit - l.credit), 0)::bigint
  from public.journals j join public.journal_lines l on l.org_id = j.org_id and l.journal_id = j.journal_id
  join public.accounts a on a.org_id = l.org_id and a.account_id = l.account_id
  where j.org_id = org and j.effect_key = effect and j.kind = of_kind and a.code = account
    and (owner is null or a.owner_id = owner) and (agreement is null or l.agreement_id = agreement)
$function$
;
CREATE OR REPLACE FUNCTION public.delivery_stays()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if ((new.delivered_at, new.proof, new.notice_id, new.body, new.language, new.template_id, new.created_at)
      is distinct from (old.delivered_at, old.proof, old.notice_id, old.body, old.language, old.template_id, old.created_at)
    or old.seen_at is not null and new.seen_at is distinct from old.seen_at) and new.proof -> 'before' is distinct from notice_set_aside(old) then
    raise exception 'update of notices is refused: what was delivered stays as it was' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.device_events_kept()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from devices d where d.org_id = old.org_id and d.device_id = old.device_id and d.customer_id is not null
      and kist_is_erased(d.org_id, d.customer_id)) then
    raise exception 'delete of device_events is refused: events are kept for 90 days' using errcode = 'restrict_violation';
  end if;
  return old;
end $function$
;
CREATE OR REPLACE FUNCTION public.dispute_is_upheld_with_its_answer()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not new.is_upheld or tg_op = 'INSERT' or new.state not in ('answered', 'closed') or old.state not in ('open', 'escalated') then
    raise exception '% of disputes is refused: it is upheld by its answer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.dispute_move_follows()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare last_no integer; last_state text; last_at timestamptz;
begin
  select m.no, m.to_state, m.moved_at into last_no, last_state, last_at from dispute_moves m
  where m.org_id = new.org_id and m.dispute_id = new.dispute_id order by m.no desc limit 1;
  if (new.no, new.from_state) is distinct from (coalesce(last_no, 0) + 1, coalesce(last_state, ''))
    or not exists (select from dispute_allowed_moves a where a.from_state = new.from_state and a.to_state = new.to_state and a.moved_as = new.moved_as)
    or (new.to_state = 'escalated' and last_at + interval '7 days' <= kist_now()) then
    raise exception 'insert of dispute_moves is refused: % by % does not follow %', new.to_state, new.moved_as, coalesce(last_state, 'nothing')
      using errcode = 'restrict_violation';
  end if;
  new.moved_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.dispute_move_words_go()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (to_jsonb(new) - 'reason') is distinct from (to_jsonb(old) - 'reason') or new.reason <> '—' or not exists (
      select from disputes d where d.org_id = old.org_id and d.dispute_id = old.dispute_id and kist_is_of_erased(d.org_id, d.agreement_id)) then
    raise exception 'update of dispute_moves is refused: what was written stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.dispute_stands_where_it_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare stands text; since timestamptz; led text; led_at timestamptz;
begin
  select d.state, d.state_since into stands, since from disputes d where d.org_id = new.org_id and d.dispute_id = new.dispute_id;
  select m.to_state, m.moved_at into led, led_at from dispute_moves m where m.org_id = new.org_id and m.dispute_id = new.dispute_id order by m.no desc limit 1;
  if (stands, since) is distinct from (led, led_at) then
    raise exception 'dispute % is % since %, and its last move led to % at %', new.dispute_id, stands, since, coalesce(led, 'nothing'), led_at
      using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.dispute_words_go()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.text <> '—' or not kist_is_of_erased(old.org_id, old.agreement_id) then
    raise exception 'update of disputes is refused: facts stay as they were written' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.document_has_digest()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.document_digest := kist_digest(new.document);
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.document_totals_add(org integer, more bigint, more_bytes bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update document_totals t set documents = greatest(t.documents + more, 0), bytes = greatest(t.bytes + more_bytes, 0) where t.org_id = org;
  if found then return; end if;
  insert into document_totals as t (org_id, documents, bytes) values (org, greatest(more, 0), greatest(more_bytes, 0))
  on conflict (org_id) do update set documents = greatest(t.documents + more, 0), bytes = greatest(t.bytes + more_bytes, 0);
end $function$
;
CREATE OR REPLACE FUNCTION public.document_totals_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    perform document_totals_add(c.org_id, count(*), sum(c.bytes)) from came c where c.gone_at is null group by c.org_id;
  elsif tg_op = 'DELETE' then
    perform document_totals_add(w.org_id, -count(*), -sum(w.bytes)) from went w where w.gone_at is null group by w.org_id;
  else
    perform document_totals_add(d.org_id, sum(d.more), sum(d.bytes)) from (
      select c.org_id, 1 as more, c.bytes from came c where c.gone_at is null
      union all select w.org_id, -1, -w.bytes from went w where w.gone_at is null
    ) d group by d.org_id having sum(d.more) <> 0 or sum(d.bytes) <> 0;
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.documents_are_replaced_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.replaced_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.documents_go_late()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if old.gone_at is not null or new.gone_at is null
    or not (old.replaced_at is not null and old.replaced_at <= kist_now() - interval '30 days' or kist_is_erased(old.org_id, old.customer_id))
    or kist_is_agreed_on(old.org_id, old.document_id) and not kist_is_evidence_over(old.org_id, old.customer_id) then
    raise exception 'update of documents is refused: what is in use, what was just replaced and what a consent refers to stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.documents_open_as_they_did()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (new.sealed is distinct from old.sealed or new.key_sealed is distinct from old.key_sealed)
    and not (old.gone_at is null and new.gone_at is not null and new.sealed is null and new.key_sealed is null)
    and not pg_has_role(current_user, 'kist_operator', 'member') then
    raise exception 'update of documents is refused: what opens a picture is renewed by the operator alone' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.enrolment_cost_a_key()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare customer uuid; phones bigint; keys bigint;
begin
  select d.customer_id into customer from devices d where d.org_id = new.org_id and d.device_id = new.device_id;
  -- Two that enrol at once wait for one another, or each would count the other's key as its own. The service holds the row already.
  perform from customers c where c.org_id = new.org_id and c.customer_id = customer for no key update;
  select count(*) into phones from devices d
  where d.org_id = new.org_id and d.customer_id = customer and exists (select from enrolments e where e.org_id = d.org_id and e.device_id = d.device_id);
  select count(*) into keys from key_reservations k where k.org_id = new.org_id and k.customer_id = customer and k.state = 'posted';
  if keys = 0 or keys < phones then
    raise exception 'no key was spent for device %', new.device_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.erased_customer_stays_so()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (new.first_name, new.last_name, new.mobile, new.search) is distinct from ('—', '', '', '') or new.address <> '{}' or new.draft <> '{}'
    or num_nonnulls(new.alternate_mobile, new.email, new.birth_on, new.aadhaar_last4, new.pan_masked, new.photo_document_id) > 0 then
    if kist_is_erased(new.org_id, new.customer_id) then
      raise exception 'update of customers is refused: an erased customer has no name any more' using errcode = 'restrict_violation';
    end if;
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.erasure_evidence_goes_late()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if old.evidence_gone_at is not null or old.evidence_until > kist_today() then
    raise exception 'update of erasures is refused: what proves a consent is kept until its time' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.erasure_may_be()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare open_of_locks text;
begin
  if exists (select from agreements a where a.org_id = new.org_id and a.customer_id = new.customer_id and a.state = 'active') then
    raise exception 'insert of erasures is refused: an agreement runs' using errcode = 'restrict_violation';
  end if;
  if exists (select from payments p where p.org_id = new.org_id and p.customer_id = new.customer_id and p.state = 'claimed') then
    raise exception 'insert of erasures is refused: the shop has not answered what was claimed' using errcode = 'restrict_violation';
  end if;
  if exists (select from refund_tasks r where r.org_id = new.org_id and r.customer_id = new.customer_id and r.state = 'open') then
    raise exception 'insert of erasures is refused: a refund is owed' using errcode = 'restrict_violation';
  end if;
  open_of_locks := kist_open_of_locks(new.org_id, new.customer_id);
  if open_of_locks is not null then
    raise exception 'insert of erasures is refused: a lock left open %', open_of_locks using errcode = 'restrict_violation';
  end if;
  new.erased_at := kist_now();
  new.evidence_gone_at := null;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.financed_loan_fits()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from agreements a join financers f on f.org_id = a.org_id and f.financer_id = new.financer_id
    where a.org_id = new.org_id and a.agreement_id = new.agreement_id and a.financed_paise <= new.sanctioned_paise and (a.is_regulated or not f.is_regulated)) then
    raise exception 'insert of financed_loans is refused: more than was sanctioned, or another rule than the lender’s' using errcode = 'restrict_violation';
  end if;
  if new.sanctioned_on > kist_today() or not exists (select from journals j
    where j.org_id = new.org_id and j.effect_key = 'agreement:' || new.agreement_id and j.txid = pg_current_xact_id()) then
    raise exception 'insert of financed_loans is refused: a loan comes with its agreement, and was sanctioned before' using errcode = 'restrict_violation';
  end if;
  new.recorded_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.grant_is_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not sum_is_booked(new.org_id, new.effect_key, new.keys)
    or debited_by(new.org_id, new.effect_key, 'keys_credited', 'keys_available', new.user_id::text, null) <> new.keys then
    raise exception 'the grant % has no journal', new.effect_key using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.historic_comes_with_its_opening()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from journals j where j.org_id = new.org_id and j.ref_kind = 'agreement' and j.ref_id = new.agreement_id and j.kind = 'agreement_opened'
      and j.txid = pg_current_xact_id()) then
    raise exception 'insert of historic_agreements is refused: agreement % was not opened with it', new.agreement_id using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.hold_words_go()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (new.note, new.lifted_note) is distinct from ('', '') or not kist_is_of_erased(old.org_id, old.agreement_id) then
    raise exception 'update of holds is refused: %', case when new.note <> old.note then 'facts stay as they were written' else 'it is lifted once, with who' end
      using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.instalments_are_superseded()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.superseded_by is null or new.superseded_by <= coalesce(old.superseded_by, old.version)
    or new.dropped_principal_paise < old.dropped_principal_paise or new.dropped_interest_paise < old.dropped_interest_paise
    or new.dropped_fee_paise < old.dropped_fee_paise
    or not schedule_version_is_being_made(new.org_id, new.agreement_id, new.superseded_by)
    or new.paid_principal_paise + new.dropped_principal_paise <> new.principal_paise
    or new.paid_interest_paise + new.dropped_interest_paise <> new.interest_paise
    or new.paid_fee_paise + new.dropped_fee_paise <> new.fee_paise then
    raise exception 'update of instalments is refused: the rows of a version in force stay as they are' using errcode = 'restrict_violation';
  end if;
  -- A version is of the day that it is made on (schedule_version_is_next).
  if new.due_on <= kist_today() and (new.dropped_principal_paise, new.dropped_interest_paise, new.dropped_fee_paise)
    is distinct from (old.dropped_principal_paise, old.dropped_interest_paise, old.dropped_fee_paise) then
    raise exception 'update of instalments is refused: what is due is not put off' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.instalments_come_with_their_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not schedule_version_is_being_made(new.org_id, new.agreement_id, new.version) then
    raise exception 'insert of instalments is refused: rows come with their version' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.journal_balances()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare n integer; bad integer; mixed integer; astray integer;
begin
  select count(*), count(*) filter (where d <> c), sum(m), sum(s) into n, bad, mixed, astray from (
    select l.unit, sum(l.debit) d, sum(l.credit) c, count(*) filter (where l.unit <> a.unit) m,
      count(*) filter (where (a.code like 'receivable\_%' or a.code = 'advance') <> (l.bucket is not null)
        or (l.bucket is not null and a.code <> case l.bucket when 'advance' then 'advance' else 'receivable_' || l.bucket end)) s
    from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where l.org_id = new.org_id and l.journal_id = new.journal_id group by l.unit) u;
  if n = 0 or bad > 0 then
    raise exception 'journal % does not balance', new.journal_id using errcode = 'check_violation';
  end if;
  if mixed > 0 then
    raise exception 'journal % mixes units', new.journal_id using errcode = 'check_violation';
  end if;
  if astray > 0 then
    raise exception 'journal %: a line and its account name different buckets', new.journal_id using errcode = 'check_violation';
  end if;
  if new.reverses_journal_id is not null and exists (
    (select account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot from journal_lines
     where org_id = new.org_id and journal_id = new.journal_id
     except all
     select account_id, unit, credit, debit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot from journal_lines
     where org_id = new.org_id and journal_id = new.reverses_journal_id)
    union all
    (select account_id, unit, credit, debit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot from journal_lines
     where org_id = new.org_id and journal_id = new.reverses_journal_id
     except all
     select account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket, payment_id, lot from journal_lines
     where org_id = new.org_id and journal_id = new.journal_id)) then
    raise exception 'journal % is no mirror of %', new.journal_id, new.reverses_journal_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.journal_has_its_cause()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare of_payment uuid;
begin
  if new.kind = 'payments_shifted' then
    if new.effect_key ~ '^shift:(recorded|reversed):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      of_payment := split_part(new.effect_key, ':', 3)::uuid;
    end if;
    if not exists (
      select from payments p join payment_moves m on m.org_id = p.org_id and m.payment_id = p.payment_id and m.moved_at = new.posted_at
      where p.org_id = new.org_id and p.payment_id = of_payment and p.agreement_id = new.ref_id
        and m.to_state = case split_part(new.effect_key, ':', 2) when 'recorded' then 'posted' else 'reversed' end
        and not exists (select from journal_lines l where l.org_id = new.org_id and l.journal_id = new.journal_id and l.agreement_id is distinct from p.agreement_id)) then
      raise exception 'journal % shifts payments, and no payment of its agreement was recorded or taken back with it', new.journal_id using errcode = 'check_violation';
    end if;
  elsif not exists (
    select from refund_tasks t where t.org_id = new.org_id and t.payment_id = new.ref_id
      and case new.kind
        when 'refund_owed' then new.effect_key = 'refund_owed:' || t.payment_id
        when 'refund_paid' then new.effect_key = 'refund_paid:' || t.payment_id and t.state = 'done'
        else t.state = 'void' and exists (
          select from journals o where o.org_id = new.org_id and o.journal_id = new.reverses_journal_id and o.effect_key = 'refund_owed:' || t.payment_id) end) then
    raise exception 'journal % is of a refund that no task asks for', new.journal_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.journal_is_named(kind text, effect_key text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select case kind
    when 'payment' then effect_key like 'payment:%' when 'payment_reversed' then effect_key like 'reversal:payment:%'
    when 'payments_shifted' then effect_key like 'shift:%'
    when 'refund_owed' then effect_key like 'refund_owed:%' when 'refund_paid' then effect_key like 'refund_paid:%'
    when 'refund_withdrawn' then effect_key like 'reversal:refund_owed:%'
    when 'penal_charged' then effect_key like 'penal:%' when 'penal_taken_back' then effect_key like 'reversal:penal:%'
    when 'penal_waived' then effect_key like 'waiver:%' when 'waiver_taken_back' then effect_key like 'reversal:waiver:%'
    when 'agreement_opened' then effect_key like 'agreement:%' when 'agreement_cancelled' then effect_key like 'cancelled:%'
    when 'schedule_opened' then effect_key like 'version:%' and effect_key not like '%:taken_back'
    when 'schedule_taken_back' then effect_key like 'version:%:taken_back'
    when 'key_reserved' then effect_key like 'key:reserve:%' when 'key_spent' then effect_key like 'key:spend:%' when 'key_returned' then effect_key like 'key:void:%'
    when 'keys_passed' then effect_key like 'key:pass:%'
    when 'keys_credited' then effect_key !~ '^(payment|reversal|shift|refund_owed|refund_paid|penal|waiver|agreement|cancelled|version|key):'
    else false end
$function$
;
CREATE OR REPLACE FUNCTION public.journal_is_of_its_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not (case new.kind
    when 'agreement_cancelled' then exists (
      select from agreements a where a.org_id = new.org_id and a.agreement_id = new.ref_id and a.state = 'cancelled' and new.effect_key = 'cancelled:' || a.agreement_id)
    when 'penal_charged' then not exists (
      select from journal_lines l where l.org_id = new.org_id and l.journal_id = new.journal_id and l.bucket = 'penal' and not exists (
        select from charges c where c.org_id = l.org_id and c.charge_id = l.charge_id and c.agreement_id = l.agreement_id and c.amount_paise = l.debit
          and new.effect_key = case c.made_by when 'rule' then 'penal:' || c.agreement_id || ':' || c.instalment_no || ':' || c.charged_on else 'penal:hand:' || c.charge_id end))
    when 'penal_waived' then exists (
      select from waivers w where w.org_id = new.org_id and new.effect_key = 'waiver:' || w.waiver_id and w.state = 'granted')
    else exists (
      select from schedule_versions v where v.org_id = new.org_id and v.agreement_id = new.ref_id and v.version > 1
        and new.effect_key = 'version:' || v.agreement_id || ':' || v.version || case new.kind when 'schedule_taken_back' then ':taken_back' else '' end)
    end) then
    raise exception 'journal % is of a change that was not made', new.effect_key using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.journal_moves(kind text, code text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select code = any(case kind
    when 'agreement_opened' then array['receivable_principal', 'receivable_interest', 'receivable_fee', 'sales', 'unearned_interest', 'unearned_fee']
    when 'agreement_cancelled' then array['receivable_principal', 'receivable_interest', 'receivable_fee', 'receivable_penal', 'sales', 'unearned_interest', 'unearned_fee', 'income_penal']
    when 'schedule_opened' then array['receivable_interest', 'receivable_fee', 'unearned_interest', 'unearned_fee']
    when 'schedule_taken_back' then array['receivable_interest', 'receivable_fee', 'unearned_interest', 'unearned_fee']
    when 'payment' then array['clearing_cash', 'clearing_upi', 'clearing_other', 'receivable_principal', 'receivable_interest', 'receivable_fee', 'receivable_penal', 'advance',
      'unearned_interest', 'unearned_fee', 'income_interest', 'income_fee', 'suspense', 'sales']
    when 'payment_reversed' then array['clearing_cash', 'clearing_upi', 'clearing_other', 'receivable_principal', 'receivable_interest', 'receivable_fee', 'receivable_penal', 'advance',
      'unearned_interest', 'unearned_fee', 'income_interest', 'income_fee', 'suspense', 'sales']
    when 'payments_shifted' then array['receivable_principal', 'receivable_interest', 'receivable_fee', 'receivable_penal', 'advance', 'unearned_interest', 'unearned_fee', 'income_interest', 'income_fee']
    when 'refund_owed' then array['suspense', 'refunds_payable', 'sales', 'income_interest', 'income_fee', 'income_penal', 'advance']
    when 'refund_withdrawn' then array['suspense', 'refunds_payable']
    when 'refund_paid' then array['refunds_payable', 'clearing_cash', 'clearing_upi', 'clearing_other']
    when 'penal_charged' then array['receivable_penal', 'income_penal']
    when 'penal_taken_back' then array['receivable_penal', 'income_penal']
    when 'penal_waived' then array['receivable_penal', 'waivers']
    when 'waiver_taken_back' then array['receivable_penal', 'waivers']
    when 'keys_credited' then array['keys_available', 'keys_issued']
    when 'key_reserved' then array['keys_available', 'keys_reserved']
    when 'key_spent' then array['keys_reserved', 'keys_used']
    when 'key_returned' then array['keys_available', 'keys_reserved']
    when 'keys_passed' then array['keys_available']
  end)
$function$
;
CREATE OR REPLACE FUNCTION public.journals_are_named()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare odd journals;
begin
  select * into odd from added j where not journal_is_named(j.kind, j.effect_key) limit 1;
  if found then
    raise exception 'insert of journals is refused: % is no name of a journal of the kind %', odd.effect_key, odd.kind using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.journals_are_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare at timestamptz := kist_now(); today date := kist_today(); late journals;
begin
  select * into late from added j where j.posted_at is distinct from at
    or j.business_on not between today - 1 and today and j.kind <> 'agreement_opened' and not (j.kind = 'penal_charged' and j.effect_key not like 'penal:hand:%')
      and not (j.kind = 'payment' and exists (
        select from journal_lines l join historic_agreements h on h.org_id = l.org_id and h.agreement_id = l.agreement_id
          join journals o on o.org_id = l.org_id and o.ref_kind = 'agreement' and o.ref_id = l.agreement_id and o.kind = 'agreement_opened'
        where l.org_id = j.org_id and l.journal_id = j.journal_id and o.txid = pg_current_xact_id()))
  limit 1;
  if found then
    raise exception 'insert of journals is refused: % is of the moment and the day on which it is made', late.kind using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.journals_come_with_their_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (select from added j where not exists (select from journal_lines l where l.org_id = j.org_id and l.journal_id = j.journal_id)) then
    raise exception 'insert of journals is refused: a journal comes with its lines' using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.journals_do_as_they_say()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare odd record;
begin
  select j.kind, j.effect_key into odd
  from (select n.org_id, n.journal_id, array_agg(distinct n.code) as codes, bool_or(n.amount <> 0) as is_something
    from (select l.org_id, l.journal_id, a.code, sum(l.debit - l.credit) as amount
      from added l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
      group by l.org_id, l.journal_id, a.code, l.account_id, l.instalment_no, l.charge_id, l.payment_id, l.lot) n
    group by n.org_id, n.journal_id) t
  join journals j on j.org_id = t.org_id and j.journal_id = t.journal_id
  where not t.is_something or exists (select from unnest(t.codes) as c(code) where journal_moves(j.kind, c.code) is not true)
    or (j.reverses_journal_id is not null) <> (j.kind in ('payment_reversed', 'penal_taken_back', 'waiver_taken_back', 'refund_withdrawn'))
  limit 1;
  if found then
    raise exception 'insert of journal_lines is refused: % is no journal of the kind %', odd.effect_key, odd.kind using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.key_balances_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into key_balances (org_id, account_id, lot, keys)
  select l.org_id, l.account_id, l.lot, sum(l.debit - l.credit)::int
  from added l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
  where a.owner_kind = 'user' and a.unit like 'KEY:%' group by l.org_id, l.account_id, l.lot order by l.org_id, l.account_id, l.lot
  on conflict (org_id, account_id, lot) do update set keys = key_balances.keys + excluded.keys;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.key_is_of_its_plan()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.plan_type is distinct from (select c.plan_type from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id) then
    raise exception 'insert of key_reservations is refused: it is a key of another plan' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.key_is_set_aside_for_days()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare at timestamptz := kist_now();
begin
  if tg_op = 'INSERT' then
    if not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.owner_user_id = new.user_id) then
      raise exception 'insert of key_reservations is refused: a key is set aside for a customer of its own shop' using errcode = 'restrict_violation';
    end if;
    if new.reserved_at is distinct from at or new.expires_at not between at and at + interval '7 days'
      or new.settled_at is distinct from (case when new.state <> 'reserved' then at end) then
      raise exception 'insert of key_reservations is refused: a key is set aside now, for seven days at most' using errcode = 'restrict_violation';
    end if;
  elsif new.expires_at is distinct from old.expires_at and (new.state <> 'reserved' or new.expires_at not between old.expires_at and at + interval '7 days')
    or new.settled_at is distinct from (case when new.state = old.state then old.settled_at else at end) then
    raise exception 'update of key_reservations is refused: a key is settled when that is written, and set aside for seven days at most'
      using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.key_is_settled_with_its_journal()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  is_spent boolean := new.state = 'posted';
  effect text := case when is_spent then 'key:spend:' else 'key:void:' end || new.customer_id || ':' || floor(extract(epoch from new.reserved_at) * 1000)::bigint;
begin
  if not exists (
    select from journals j where j.org_id = new.org_id and j.effect_key = effect and j.kind = case when is_spent then 'key_spent' else 'key_returned' end
      and (select sum(l.debit) = 1 and sum(l.credit) filter (where a.code = 'keys_reserved' and a.owner_id = new.user_id::text
          and l.unit = 'KEY:' || new.plan_type and l.lot = new.lot) = 1
        from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id where l.org_id = j.org_id and l.journal_id = j.journal_id)) then
    raise exception 'the key of % is % without its journal', new.customer_id, new.state using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.key_price_is_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.set_at is distinct from kist_now() then
    raise exception '% of key_prices is refused: it is set when it is written', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.key_reservation_is_settled_once()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (old.org_id, old.customer_id, old.user_id, old.plan_type, old.lot, old.reserved_at) is distinct from
      (new.org_id, new.customer_id, new.user_id, new.plan_type, new.lot, new.reserved_at) or (old.state <> 'reserved' and new.state <> old.state) then
    raise exception 'update of key_reservations is refused: a key is settled once' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.key_transfer_is_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare effect text := 'key:pass:' || new.transfer_id || ':' || new.lot;
begin
  if debited_by(new.org_id, effect, 'keys_passed', 'keys_available', new.to_user_id::text, null) <> new.keys
    or debited_by(new.org_id, effect, 'keys_passed', 'keys_available', new.from_user_id::text, null) <> -new.keys then
    raise exception 'the keys of % have no journal that passes them on', new.transfer_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.key_transfer_is_down()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare passed bigint;
begin
  if new.made_by in (new.to_user_id, '00000000-0000-0000-0000-000000000000') and exists (
    select from users f join users t on t.org_id = f.org_id and t.user_id = f.parent_user_id
    where f.org_id = new.org_id and f.user_id = new.from_user_id and t.user_id = new.to_user_id and f.user_type = 'miniretailer' and t.user_type = 'retailer'
      and kist_is_there(t.is_active, t.suspended_at)) then
    -- Two at once do not both see what was passed down.
    perform from wallets w where w.org_id = new.org_id and w.user_id = new.from_user_id and w.plan_type = new.plan_type and w.lot = new.lot for update;
    passed := kist_keys_to_come_back(new.org_id, new.to_user_id, new.from_user_id, new.plan_type, new.lot);
    if new.keys > passed then
      raise exception 'insert of key_transfers is refused: % keys of that lot were passed down and not used, and no more come back', passed using errcode = 'restrict_violation';
    end if;
  elsif new.made_by <> new.from_user_id or not exists (
    select from users f join users t on t.org_id = f.org_id and t.parent_user_id = f.user_id
    where f.org_id = new.org_id and f.user_id = new.from_user_id and t.user_id = new.to_user_id and f.user_type = 'retailer' and t.user_type = 'miniretailer'
      and kist_is_there(f.is_active, f.suspended_at) and kist_is_there(t.is_active, t.suspended_at)) then
    raise exception 'insert of key_transfers is refused: a retailer passes its keys to a mini-retailer of its own' using errcode = 'restrict_violation';
  end if;
  new.made_at := kist_now();
  new.txid := pg_current_xact_id();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.keys_move_as_told()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare of record;
begin
  select j.kind, j.effect_key, a.code, a.owner_id, a.owner_kind, a.unit into of from journals j, accounts a
  where j.org_id = new.org_id and j.journal_id = new.journal_id and a.org_id = new.org_id and a.account_id = new.account_id;
  if (of.kind, of.code, new.debit > 0) not in (('keys_credited', 'keys_available', true), ('keys_credited', 'keys_issued', false),
      ('key_reserved', 'keys_reserved', true), ('key_reserved', 'keys_available', false), ('key_spent', 'keys_used', true), ('key_spent', 'keys_reserved', false),
      ('key_returned', 'keys_available', true), ('key_returned', 'keys_reserved', false),
      ('keys_passed', 'keys_available', true), ('keys_passed', 'keys_available', false)) then
    raise exception 'insert of journal_lines is refused: % does not move % that way', of.kind, of.code using errcode = 'restrict_violation';
  end if;
  if of.unit <> new.unit or exists (
    select from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where l.org_id = new.org_id and l.journal_id = new.journal_id
      and (l.unit <> new.unit
        or a.owner_kind = 'user' and of.owner_kind = 'user' and (a.owner_id <> of.owner_id and of.kind <> 'keys_passed' or l.lot is distinct from new.lot))) then
    raise exception 'insert of journal_lines is refused: keys move within one shop and lot' using errcode = 'restrict_violation';
  end if;
  if of.kind = 'keys_credited' and of.code = 'keys_available' and not exists (
    select from key_grants g where g.org_id = new.org_id and g.effect_key = of.effect_key and g.user_id::text = of.owner_id
      and 'KEY:' || g.plan_type = new.unit and g.lot = new.lot
      and g.keys = (select sum(l.debit) from journal_lines l where l.org_id = new.org_id and l.journal_id = new.journal_id)) then
    raise exception 'insert of journal_lines is refused: keys come by a grant' using errcode = 'restrict_violation';
  end if;
  if of.kind = 'keys_passed' and not exists (
    select from key_transfers t where t.org_id = new.org_id and of.effect_key = 'key:pass:' || t.transfer_id || ':' || t.lot and t.txid = pg_current_xact_id()
      and 'KEY:' || t.plan_type = new.unit and t.lot = new.lot and (t.keys, of.owner_id) = (new.debit + new.credit, case when new.debit > 0 then t.to_user_id else t.from_user_id end::text)) then
    raise exception 'insert of journal_lines is refused: keys are passed on as was told' using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.keys_set_aside_are_somebodys()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare waiting bigint; held integer;
begin
  select count(*) into waiting from key_reservations r
  where r.org_id = new.org_id and r.user_id = new.user_id and r.plan_type = new.plan_type and r.lot = new.lot and r.state = 'reserved';
  select w.reserved into held from wallets w
  where w.org_id = new.org_id and w.user_id = new.user_id and w.plan_type = new.plan_type and w.lot = new.lot;
  if coalesce(held, 0) <> waiting then
    raise exception 'the wallet of % has % keys set aside, and % customers wait for one', new.user_id, held, waiting using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.kist_acts_for(org integer, who uuid, agreement uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from agreements a where a.org_id = org and a.agreement_id = agreement and kist_answers_for(org, who, a.customer_id))
$function$
;
CREATE OR REPLACE FUNCTION public.kist_answered_for(org integer, who uuid, customer uuid, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select from (
      select t.from_user_id, t.made_at from customer_transfers t where t.org_id = org and t.customer_id = customer and t.made_at >= at order by t.made_at limit 1) t
      join users o on o.org_id = org and o.user_id = t.from_user_id join users u on u.org_id = org and u.user_id = who
    where t.made_at > kist_now() - interval '30 days' and kist_is_there(u.is_active, u.suspended_at)
      and (u.user_id = o.user_id or u.user_type = 'retailer' and o.parent_user_id = u.user_id))
$function$
;
CREATE OR REPLACE FUNCTION public.kist_answers_for(org integer, who uuid, customer uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select from customers c join users u on u.org_id = c.org_id and u.user_id = who left join users o on o.org_id = c.org_id and o.user_id = c.owner_user_id
    where c.org_id = org and c.customer_id = customer and kist_is_there(u.is_active, u.suspended_at)
      and (u.user_id = c.owner_user_id or u.user_type = 'retailer' and o.parent_user_id = u.user_id or u.user_type = 'admin'))
$function$
;
CREATE OR REPLACE FUNCTION public.kist_clock_is_real()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select shift = interval '0' from clock_offset
$function$
;
CREATE OR REPLACE FUNCTION public.kist_cluster()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select (select system_identifier from pg_control_system()) || ':' || (select oid from pg_database where datname = current_database())
$function$
;
CREATE OR REPLACE FUNCTION public.kist_code_is_used_now(org integer, code uuid, customer uuid, what text, about bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from otps o where o.org_id = org and o.otp_id = code and o.customer_id = customer and o.purpose = what and o.about_hash is not distinct from about
      and o.used_txid = pg_current_xact_id_if_assigned())
    and kist_number_speaks_at(org, customer) is null
$function$
;
CREATE OR REPLACE FUNCTION public.kist_consent_counts(document_id uuid, confirmation_id uuid, needs_code boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select document_id is not null and (confirmation_id is not null or not needs_code)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_consent_counts(document_id uuid, confirmation_id uuid, needs_code boolean, accepted_at timestamp with time zone, exchanged_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select kist_consent_counts(document_id, confirmation_id, needs_code) and (exchanged_at is null or accepted_at >= exchanged_at)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_daily_steps()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select array['penal', 'notices', 'locks', 'reservations', 'checks', 'audit']
$function$
;
CREATE OR REPLACE FUNCTION public.kist_day_begins(day date)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select (day::timestamp - interval '5 hours 30 minutes') at time zone 'utc' $function$
;
CREATE OR REPLACE FUNCTION public.kist_days_are_told_since()
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select '-infinity'::date $function$
;
CREATE OR REPLACE FUNCTION public.kist_days_past_due(due_on date, today date)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select case when due_on < today then today - due_on else 0 end $function$
;
CREATE OR REPLACE FUNCTION public.kist_digest(document jsonb)
 RETURNS bytea
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  held jsonb := document -> 'lock';
  shown jsonb := held -> 'screen';
  switched jsonb := document -> 'toggles';
  written text;
begin
  if jsonb_typeof(held) = 'object' and jsonb_typeof(switched) = 'object' and jsonb_typeof(shown) in ('object', 'null')
    and document - '{lock,released,toggles,wallpaper_text}'::text[] = '{}' and held - '{cause,level,screen}'::text[] = '{}'
    and switched - '{app_lock,camera_lock,wallpaper}'::text[] = '{}'
    and (jsonb_typeof(shown) = 'null'
      or shown - '{agreement_no,amount_paise,due_since,instalments_due,language,reason,shop,shop_phone,upi_uri}'::text[] = '{}') then
    -- What is not there makes the whole null.
    written := '{"lock":{"cause":' || (held -> 'cause')::text || ',"level":' || (held -> 'level')::text || ',"screen":'
      || case when jsonb_typeof(shown) = 'null' then 'null' else
        '{"agreement_no":' || (shown -> 'agreement_no')::text || ',"amount_paise":' || (shown -> 'amount_paise')::text
        || ',"due_since":' || (shown -> 'due_since')::text || ',"instalments_due":' || (shown -> 'instalments_due')::text
        || ',"language":' || (shown -> 'language')::text || ',"reason":' || (shown -> 'reason')::text || ',"shop":' || (shown -> 'shop')::text
        || ',"shop_phone":' || (shown -> 'shop_phone')::text || ',"upi_uri":' || (shown -> 'upi_uri')::text || '}' end
      || '},"released":' || (document -> 'released')::text || ',"toggles":{"app_lock":' || (switched -> 'app_lock')::text
      || ',"camera_lock":' || (switched -> 'camera_lock')::text || ',"wallpaper":' || (switched -> 'wallpaper')::text
      || '},"wallpaper_text":' || (document -> 'wallpaper_text')::text || '}';
  end if;
  return sha256(convert_to(coalesce(written, kist_jcs(document)), 'UTF8'));
end $function$
;
CREATE OR REPLACE FUNCTION public.kist_engines_are_named_since()
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select '-infinity'::timestamptz $function$
;
CREATE OR REPLACE FUNCTION public.kist_financial_year(day date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select to_char(first % 100, 'FM00') || '-' || to_char((first + 1) % 100, 'FM00') from (select extract(year from day - interval '3 months')::int as first) y
$function$
;
CREATE OR REPLACE FUNCTION public.kist_hands_are_named_since()
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select '-infinity'::timestamptz $function$
;
CREATE OR REPLACE FUNCTION public.kist_instalment_place(org integer, agreement uuid, number integer)
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    select nullif(count(*) filter (where i.no <= number), 0)::integer from instalments i
    where i.org_id = org and i.agreement_id = agreement
      and (i.superseded_by is null or i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise < i.principal_paise + i.interest_paise + i.fee_paise)
    having bool_or(i.no = number)
  $function$
;
CREATE OR REPLACE FUNCTION public.kist_is_agreed_on(org integer, document uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from consents s where s.org_id = org and s.document_id = document)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_agreement_of_erased(org integer, agreement uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from agreements a join erasures e on e.org_id = a.org_id and e.customer_id = a.customer_id where a.org_id = org and a.agreement_id = agreement)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_another_model(org integer, one uuid, other uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select from devices a join devices b on b.org_id = a.org_id and b.device_id = other
    where a.org_id = org and a.device_id = one
      and lower(regexp_replace(btrim(a.brand), '\s+', ' ', 'g') || '/' || regexp_replace(btrim(a.model), '\s+', ' ', 'g'))
        <> lower(regexp_replace(btrim(b.brand), '\s+', ' ', 'g') || '/' || regexp_replace(btrim(b.model), '\s+', ' ', 'g')))
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_batch_of_erased(org integer, batch uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (select from batch_parts p join erasures e on e.org_id = p.org_id and e.customer_id = any(p.customer_ids) where p.org_id = org and p.batch_id = batch)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_erased(org integer, customer uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from erasures e where e.org_id = org and e.customer_id = customer)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_evidence_over(org integer, customer uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from erasures e where e.org_id = org and e.customer_id = customer and e.evidence_until <= kist_today())
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_file_of_picture(org integer, key text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from documents d where d.org_id = org and d.document_id = right(key, 36)::uuid and d.gone_at is null)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_maturing(last_due_on date, today date)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select last_due_on between today and today + 30 $function$
;
CREATE OR REPLACE FUNCTION public.kist_is_of_erased(org integer, agreement uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from agreements a join erasures e on e.org_id = a.org_id and e.customer_id = a.customer_id where a.org_id = org and a.agreement_id = agreement)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_overdue(due_on date, today date)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select due_on < today $function$
;
CREATE OR REPLACE FUNCTION public.kist_is_phone_of_erased(org integer, device uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from devices d join erasures e on e.org_id = d.org_id and e.customer_id = d.customer_id where d.org_id = org and d.device_id = device)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_second(org integer, first uuid, second uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select from users u where u.org_id = org and u.user_id = second and u.is_active and u.user_type in ('retailer', 'admin')
      and not exists (select from users m where m.org_id = org and m.user_id = first and m.parent_user_id = second))
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_shown_as_written(name text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select length(name) <= 120 and name !~ '  |^ | $' and name = normalize(name)
    and name ~ '^([ -~\u20b9\u00a1-\u00ac\u00ae-\u02ff\u0900-\u0dff]|(?<=[\u0900-\u0dff])[\u200c\u200d](?=[\u0900-\u0dff]))+$'
$function$
;
CREATE OR REPLACE FUNCTION public.kist_is_there(is_active boolean, suspended_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select is_active or coalesce(suspended_at between kist_now() - interval '2 minutes' and kist_now() + interval '2 minutes', false)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_jcs(value jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  case jsonb_typeof(value)
    when 'object' then
      return (select '{' || coalesce(string_agg(to_json(m.key)::text || ':'
        || case when jsonb_typeof(m.value) in ('object', 'array') then kist_jcs(m.value) else m.value::text end, ',' order by m.key collate "C"), '') || '}'
        from jsonb_each(value) m);
    when 'array' then
      return (select '[' || coalesce(string_agg(kist_jcs(m.value), ',' order by m.nth), '') || ']' from jsonb_array_elements(value) with ordinality m(value, nth));
    else return value::text;
  end case;
end $function$
;
CREATE OR REPLACE FUNCTION public.kist_keys_to_come_back(org integer, above uuid, below uuid, of_plan integer, of_lot text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  with moves as (
    select t.made_at as at, case when t.from_user_id = above then t.keys else -t.keys end as keys from key_transfers t
    where t.org_id = org and t.plan_type = of_plan and t.lot = of_lot
      and (t.from_user_id = above and t.to_user_id = below or t.from_user_id = below and t.to_user_id = above)
    union all
    select r.reserved_at, -1 from key_reservations r
    where r.org_id = org and r.user_id = below and r.plan_type = of_plan and r.lot = of_lot and r.state <> 'voided'
  ), counted as (
    select sum(keys) over (order by at, keys desc rows unbounded preceding) as so_far from moves
  )
  select coalesce((select sum(keys) from moves), 0)::bigint - least(0, coalesce((select min(so_far) from counted), 0))::bigint
$function$
;
CREATE OR REPLACE FUNCTION public.kist_largest_emi(a agreements)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select case when a.schedule_version = 1 then a.emi_paise else greatest(a.emi_paise, (
    select max((v.before ->> 'emi_paise')::bigint) from public.schedule_versions v where v.org_id = a.org_id and v.agreement_id = a.agreement_id)) end
$function$
;
CREATE OR REPLACE FUNCTION public.kist_late_hours(cured_at timestamp with time zone, freed_at timestamp with time zone, free_minutes integer)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select ceil(greatest(0, extract(epoch from date_trunc('milliseconds', freed_at) - date_trunc('milliseconds', cured_at)) - free_minutes * 60) / 3600)::bigint $function$
;
CREATE OR REPLACE FUNCTION public.kist_locks(level integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select level >= 3 $function$
;
CREATE OR REPLACE FUNCTION public.kist_machine(tab regclass, privileges text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  execute format('create policy machine on %s to kist_device using (true) with check (true)', tab);
  execute format('grant %s on %s to kist_device', privileges, tab);
end $function$
;
CREATE OR REPLACE FUNCTION public.kist_may_lock(org integer, who uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select from users u where u.org_id = org and u.user_id = who and u.is_active
      and (u.user_type = 'admin'
        or u.user_type in ('retailer', 'miniretailer') and u.user_access ->> 'lock_unlock' = '1' and u.lock_access ->> 'lock' = '1'))
$function$
;
CREATE OR REPLACE FUNCTION public.kist_must_be_now(said timestamp with time zone, what text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if said is null or abs(extract(epoch from said - kist_now())) > 60 then
    raise exception 'insert of % is refused: it is not said now', what using errcode = 'restrict_violation';
  end if;
end $function$
;
CREATE OR REPLACE FUNCTION public.kist_needs_consent_code(policy jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select policy ->> 'preset' is distinct from 'dealer' or policy -> 'consentCodeRequired' is distinct from 'false'::jsonb
$function$
;
CREATE OR REPLACE FUNCTION public.kist_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select now() + (
    select case when moved_at < now() - interval '1 minute' then shift
      else coalesce(make_interval(secs => (earlier -> current_setting('kist.clock', true) ->> 'seconds')::float8), shift) end
    from public.clock_offset)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_number_hash(customer uuid, mobile text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select sha256(convert_to(customer::text || ' ' || mobile, 'UTF8')) $function$
;
CREATE OR REPLACE FUNCTION public.kist_number_speaks_at(org integer, customer uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    select max(n.changed_at) + interval '24 hours' from number_changes n
    where n.org_id = org and n.customer_id = customer and n.otp_id is null and n.waits
      and n.changed_at > kist_now() - interval '24 hours' and n.changed_at < kist_now() + interval '24 hours'
      and not exists (select from number_changes b
        where b.org_id = org and b.customer_id = customer and b.otp_id is null and b.is_back and b.change_no > n.change_no)
  $function$
;
CREATE OR REPLACE FUNCTION public.kist_open_of_locks(org integer, customer uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select case
    when exists (
      select from agreements a join disputes d on d.org_id = a.org_id and d.agreement_id = a.agreement_id
      where a.org_id = org and a.customer_id = customer and (d.state in ('open', 'undecided', 'escalated')
        -- An answer can be taken further for some days, until another agreement follows.
        or d.state in ('answered') and d.state_since > kist_now() - interval '7 days' and a.state in ('active', 'completed') and not exists (
          select from agreements n where n.org_id = a.org_id and n.customer_id = a.customer_id and n.state <> 'cancelled' and n.created_at > a.created_at))
    ) then 'DISPUTE_OPEN'
    when exists (
      select from agreements a join cures c on c.org_id = a.org_id and c.agreement_id = a.agreement_id
      where a.org_id = org and a.customer_id = customer and c.confirmed_at is null and not (c.began_wrong and c.withdrawn_at is not null)
        -- Only the enrolment that held the lock can say that it is off: once that is over nobody waits for it.
        and exists (select from enrolments e where e.org_id = c.org_id and e.device_id = c.device_id and e.in_charge and e.ended_at is null
          and coalesce(e.charged_at, e.started_at) <= c.cured_at)
    ) then 'UNLOCK_OPEN'
    when exists (
      select from agreements a
      where a.org_id = org and a.customer_id = customer and kist_owed_for_locks(a.org_id, a.agreement_id) > (
        select coalesce(sum(p.amount_paise), 0) from compensation_payouts p where p.org_id = a.org_id and p.agreement_id = a.agreement_id)
    ) then 'COMPENSATION_OPEN'
  end
$function$
;
CREATE OR REPLACE FUNCTION public.kist_org()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('kist.org_id', true), '')::integer $function$
;
CREATE OR REPLACE FUNCTION public.kist_owed_for_locks(org integer, agreement uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(sum(kist_late_hours(coalesce(w.held_since, c.cured_at), coalesce(c.confirmed_at, kist_now()),
    case when w.held_since is null then (a.policy ->> 'cureWithinMinutes')::int else 0 end) * (a.policy ->> 'compensationPaisePerHour')::bigint), 0)::bigint
  from agreements a join cures c on c.org_id = a.org_id and c.agreement_id = a.agreement_id
  cross join lateral (select case when c.withdrawn_at is null then c.held_since end as held_since) w
  where a.org_id = org and a.agreement_id = agreement and not (c.began_wrong and c.withdrawn_at is not null)
$function$
;
CREATE OR REPLACE FUNCTION public.kist_part(ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE ROWS 100
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  return query select unnest(ids);
end $function$
;
CREATE OR REPLACE FUNCTION public.kist_pays_another(uri text, amount_paise bigint, upi_id text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select amount_paise > 0 and case when upi_id <> ''
    then coalesce(not starts_with(uri, 'upi://pay?pa=' || regexp_replace(upi_id, '[^A-Za-z0-9.@_-]', '', 'g') || '&'), true)
    else uri is not null end
$function$
;
CREATE OR REPLACE FUNCTION public.kist_penal_limit(rule jsonb, due_on date, charged_on date, overdue_paise bigint)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when charged_on - due_on > (rule ->> 'grace_days')::int then
    least((1 + (charged_on - due_on - (rule ->> 'grace_days')::int - 1) / (rule ->> 'every_days')::int) * (rule ->> 'charge_paise')::numeric,
      round(overdue_paise * (rule ->> 'cap_bps')::numeric / 10000)) else 0 end
$function$
;
CREATE OR REPLACE FUNCTION public.kist_penal_part(policy jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(policy) where key like 'penal%'
$function$
;
CREATE OR REPLACE FUNCTION public.kist_penal_stamp(rule penal_rules, policy jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select case when rule.charge_paise > 0 then jsonb_build_object('version', rule.version, 'charge_paise', rule.charge_paise, 'grace_days', rule.grace_days,
    'every_days', rule.every_days, 'cap_bps', least(rule.cap_bps, (policy ->> 'penalCapBps')::int), 'is_daily', rule.is_daily) end
$function$
;
CREATE OR REPLACE FUNCTION public.kist_policy_is_read(policy jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
    select coalesce(jsonb_typeof(policy -> 'notices') = 'array' and jsonb_typeof(policy -> 'steps') = 'array' and jsonb_typeof(policy -> 'reminderOffsetDays') = 'array', false)
      and coalesce(bool_and(jsonb_typeof(v) = 'number' and v::text ~ '^-?\d{1,9}$'), true)
      and coalesce(policy -> 'silentAfterDays' between to_jsonb(1) and to_jsonb(90), true)
    from (
      select policy #> path as v from (values ('{silentAfterDays}'::text[]), ('{cureWithinMinutes}'), ('{compensationPaisePerHour}'), ('{automaticHours,fromHour}'),
        ('{automaticHours,toHour}'), ('{tooLittle,paise}'), ('{tooLittle,bpsOfEmi}'),
        ('{penalCapBps}')) as p(path)
      union all select jsonb_path_query(policy, '$.notices[*].fromDpd') union all select jsonb_path_query(policy, '$.steps[*].fromDpd')
      union all select jsonb_path_query(policy, '$.steps[*].level') union all select jsonb_path_query(policy, '$.reminderOffsetDays[*]')
    ) f where v is not null
  $function$
;
CREATE OR REPLACE FUNCTION public.kist_refuse()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  raise exception '% of % is refused: %', lower(tg_op), tg_table_name, tg_argv[0] using errcode = 'restrict_violation';
end $function$
;
CREATE OR REPLACE FUNCTION public.kist_sales_are_new_since()
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select '-infinity'::timestamptz $function$
;
CREATE OR REPLACE FUNCTION public.kist_shop_sees(org integer, who uuid, agreement uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select exists (
    select from users u join agreements a on a.org_id = u.org_id and a.agreement_id = agreement
      join customers c on c.org_id = a.org_id and c.customer_id = a.customer_id
      left join users o on o.org_id = c.org_id and o.user_id = c.owner_user_id
    where u.org_id = org and u.user_id = who and kist_is_there(u.is_active, u.suspended_at) and u.lock_access ->> 'read' = '1'
      and (u.user_type in ('retailer', 'miniretailer') and c.owner_user_id = u.user_id or u.user_type = 'retailer' and o.parent_user_id = u.user_id))
$function$
;
CREATE OR REPLACE FUNCTION public.kist_tenant(tab regclass, privileges text DEFAULT 'select, insert, update, delete'::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  execute format('alter table %s enable row level security', tab);
  execute format('alter table %s force row level security', tab);
  execute format('create policy tenant on %s to public using (org_id = kist_org()) with check (org_id = kist_org())', tab);
  execute format('grant %s on %s to kist_app', privileges, tab);
end $function$
;
CREATE OR REPLACE FUNCTION public.kist_tills_since()
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select '-infinity'::timestamptz $function$
;
CREATE OR REPLACE FUNCTION public.kist_today()
 RETURNS date
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select (kist_now() at time zone 'utc' + interval '5 hours 30 minutes')::date $function$
;
CREATE OR REPLACE FUNCTION public.kist_today_utc()
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$ select (kist_now() at time zone 'utc')::date $function$
;
CREATE OR REPLACE FUNCTION public.ledger_is_what_the_wallet_says()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare said record; held record; whose record;
begin
  select owner_id, unit into whose from accounts where org_id = new.org_id and account_id = new.account_id and owner_kind = 'user';
  if whose is null then return null; end if;
  select available, reserved into held from wallets
  where org_id = new.org_id and user_id = whose.owner_id::uuid and plan_type = substr(new.unit, 5)::int and lot = new.lot;
  select coalesce(sum(b.keys) filter (where a.code = 'keys_available'), 0) as available, coalesce(sum(b.keys) filter (where a.code = 'keys_reserved'), 0) as reserved
    into said from accounts a join key_balances b on b.org_id = a.org_id and b.account_id = a.account_id and b.lot = new.lot
  where a.org_id = new.org_id and a.owner_kind = 'user' and a.owner_id = whose.owner_id and a.unit = new.unit;
  if (coalesce(held.available, 0), coalesce(held.reserved, 0)) is distinct from (said.available::int, said.reserved::int) then
    raise exception 'the ledger has % and % keys of % for %, and the wallet says % and %', said.available, said.reserved, new.unit, whose.owner_id,
      held.available, held.reserved using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.left_paise(i instalments)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select i.principal_paise + i.interest_paise + i.fee_paise - i.dropped_principal_paise - i.dropped_interest_paise - i.dropped_fee_paise
    - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise
$function$
;
CREATE OR REPLACE FUNCTION public.lines_come_with_their_journal()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (
    select from (select org_id, journal_id, count(*) as n from added group by org_id, journal_id) a
      left join journals j on j.org_id = a.org_id and j.journal_id = a.journal_id
    where j.txid is distinct from pg_current_xact_id()
      or (select count(*) from journal_lines l where l.org_id = a.org_id and l.journal_id = a.journal_id) <> a.n) then
    raise exception 'insert of journal_lines is refused: a line comes with its journal' using errcode = 'restrict_violation';
  end if;
  if exists (
    select from added l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id and a.code in ('clearing_cash', 'clearing_upi', 'clearing_other')
      join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id
    where not (j.kind in ('payment', 'payment_reversed', 'refund_paid') and l.payment_id is not null)) then
    raise exception 'insert of journal_lines is refused: a till moves by a payment or a refund' using errcode = 'restrict_violation';
  end if;
  if exists (
    select from added l join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id
    where l.payment_id is not null and j.kind not in ('payment', 'payment_reversed', 'payments_shifted', 'refund_owed', 'refund_paid', 'refund_withdrawn')) then
    raise exception 'insert of journal_lines is refused: a payment moves by a journal of payments' using errcode = 'restrict_violation';
  end if;
  if exists (
    select from (select distinct org_id, agreement_id from added where agreement_id is not null) l
    where not exists (select from agreements a where a.org_id = l.org_id and a.agreement_id = l.agreement_id)) then
    raise exception 'insert of journal_lines is refused: there is no such agreement' using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.link_numbers_rise()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.no <> old.no + 1 then
    raise exception 'update of notice_link_numbers is refused: % does not follow %', new.no, old.no using errcode = 'restrict_violation';
  end if;
  new.changed_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.loose_files_are_nobodys()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  -- Before a check looks at it a key may be anything.
  if new.file_key ~ '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' and kist_is_file_of_picture(new.org_id, new.file_key) then
    raise exception 'insert of loose_files is refused: a picture is opened from that file' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.move_follows()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare last_no integer; last_state text;
begin
  if tg_argv[0] = 'agreement' then
    select m.no, m.to_state into last_no, last_state from agreement_moves m
    where m.org_id = new.org_id and m.agreement_id = new.agreement_id order by m.no desc limit 1;
  else
    select m.no, m.to_state into last_no, last_state from payment_moves m
    where m.org_id = new.org_id and m.payment_id = new.payment_id order by m.no desc limit 1;
  end if;
  if (new.no, new.from_state) is distinct from (coalesce(last_no, 0) + 1, coalesce(last_state, ''))
    or not exists (select from allowed_moves a where a.thing = tg_argv[0] and a.from_state = new.from_state and a.to_state = new.to_state) then
    raise exception 'insert of % is refused: % does not follow %', tg_table_name, new.to_state, coalesce(last_state, 'nothing')
      using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.move_knows_its_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.suspensions := coalesce((select c.last from counters c where c.org_id = new.org_id and c.name = 'suspensions'), 0);
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.moves_are_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare at timestamptz := kist_now();
begin
  if exists (select from added where moved_at is distinct from at) then
    raise exception 'insert of % is refused: a move is told when it is made', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.nothing_begins_for_erased()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  perform from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id for share;
  if kist_is_erased(new.org_id, new.customer_id) then
    raise exception '% of % is refused: the customer was erased', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.notice_proof_fits()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'insert of notice_proofs is refused: a proof comes from its notice' using errcode = 'restrict_violation';
  end if;
  new.at := least(new.at, kist_now());
  new.said_at := least(greatest(new.said_at, new.handed_out_at), new.at);
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.notice_proved()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.proof is not null and new.delivered_at is not null and (tg_op = 'INSERT' or old.delivered_at is distinct from new.delivered_at) then
    insert into notice_proofs (org_id, proof_id, notice_id, agreement_id, kind, no, due_on, channel, what, at, handed_out_at, said_at, is_number_confirmed, proof)
    values (new.org_id, gen_random_uuid(), new.notice_id, new.agreement_id, new.kind, new.no, new.due_on, new.channel, 'delivered', new.delivered_at,
      case when tg_op = 'UPDATE' then old.sent_at end, (new.proof ->> 'said_at')::timestamptz,
      case new.channel when 'sms' then coalesce((select is_confirmed from number_confirmations_view where org_id = new.org_id and customer_id = new.customer_id), false) end,
      new.proof - 'before');
  end if;
  if new.seen_at is not null and new.proof is not null and (tg_op = 'INSERT' or old.seen_at is null) then
    insert into notice_proofs (org_id, proof_id, notice_id, agreement_id, kind, no, due_on, channel, what, at, handed_out_at, is_number_confirmed, proof)
    values (new.org_id, gen_random_uuid(), new.notice_id, new.agreement_id, new.kind, new.no, new.due_on, new.channel, 'seen', new.seen_at, new.sent_at,
      case new.channel when 'sms' then false end, new.proof - 'before');
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.notice_set_aside(n notices)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  select jsonb_build_object('body', n.body, 'created_at', n.created_at, 'sent_at', n.sent_at, 'delivered_at', n.delivered_at, 'proof', n.proof)
$function$
;
CREATE OR REPLACE FUNCTION public.number_change_is_of_its_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'insert of number_changes is refused: it comes from its customer' using errcode = 'restrict_violation';
  end if;
  new.changed_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.number_has_its_paper()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  series text := split_part(new.name, ':', 1);
  no text := case series
    when 'agreement' then new.org_id || '-' || lpad(new.last::text, greatest(5, length(new.last::text)), '0')
    else (select substr(split_part(new.name, ':', 3), 3) || '/' || lpad(c.last::text, greatest(2, length(c.last::text)), '0') || '/'
        || case series when 'down_payment' then 'D' when 'note' then 'R' else '' end || lpad(new.last::text, greatest(4, length(new.last::text)), '0')
      from counters c where c.org_id = new.org_id and c.name = 'shop:' || split_part(new.name, ':', 2)) end;
  has_paper boolean := case series
    when 'agreement' then exists (select from agreements a where a.org_id = new.org_id and a.agreement_no = no)
    when 'note' then exists (select from payments p where p.org_id = new.org_id and p.note_no = no)
    else exists (select from payments p where p.org_id = new.org_id and p.receipt_no = no) end;
begin
  if not has_paper then
    raise exception '% of counters is refused: % of % is on no paper', lower(tg_op), new.last, new.name using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.number_has_its_shop()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from counters c where c.org_id = new.org_id and c.name like 'shop:%' and c.last = new.last) then
    raise exception '% of counters is refused: % is no shop’s number', lower(tg_op), new.last using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.number_is_given()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  no text := case tg_argv[0] when 'note' then new.note_no else new.receipt_no end;
  series text := case when tg_argv[0] = 'note' then 'note' when new.goes_to = 'down_payment' then 'down_payment' else 'receipt' end;
  person uuid := case tg_argv[0] when 'note' then new.reversed_by else coalesce(new.posted_by, new.recorded_by) end;
begin
  if substr(no, 1, 5) <> kist_financial_year(kist_today()) then
    raise exception 'payment % has the number %, which is of another year', new.payment_id, no using errcode = 'restrict_violation';
  end if;
  if coalesce((select c.last from counters c where c.org_id = new.org_id and c.name = series || ':' || person || ':20' || substr(no, 1, 5)), 0)
      < ltrim(split_part(no, '/', 3), 'DR')::bigint
    or split_part(no, '/', 2)::bigint is distinct from (select c.last from counters c where c.org_id = new.org_id and c.name = 'shop:' || person) then
    raise exception 'payment % has the number %, which the series of % has not given', new.payment_id, no, person using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.org_must_exist()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if kist_org() is not null and not exists (select from org_directory where org_id = kist_org()) then
    raise foreign_key_violation using message = 'no such organisation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.otp_deal_runs()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.deal_hash is not null or old.consumed_at is not null or old.purpose <> 'CONSENT'
    or not exists (select from agreements a where a.org_id = old.org_id and a.customer_id = old.customer_id and a.state = 'active') then
    raise exception 'update of otps is refused: what a code was sent for stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.otp_is_made_before()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    new.made_txid := pg_current_xact_id();
    return new;
  end if;
  new.made_txid := old.made_txid;
  if old.consumed_at is null and new.consumed_at is not null and old.made_txid = pg_current_xact_id() then
    raise exception 'update of otps is refused: it was made just now, and nobody was told it yet' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.otp_is_used_once()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.consumed_at is not null then
      raise exception 'insert of otps is refused: nobody was told it yet' using errcode = 'restrict_violation';
    end if;
    new.used_txid := null;
    return new;
  end if;
  if old.consumed_at is not null then
    if new.consumed_at is distinct from old.consumed_at then
      raise exception 'update of otps is refused: it was used' using errcode = 'restrict_violation';
    end if;
    new.used_txid := old.used_txid;
  elsif new.consumed_at is not null then
    if old.expires_at <= now() then
      raise exception 'update of otps is refused: its time is over' using errcode = 'restrict_violation';
    end if;
    new.consumed_at := now();
    new.used_txid := pg_current_xact_id();
  else
    new.used_txid := null;
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.override_ask_is_of_two()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    new.asked_at := kist_now();
    new.ends_at := kist_now() + interval '1 day';
    if new.state <> 'asked' or not kist_may_lock(new.org_id, new.asked_by) then
      raise exception 'insert of override_asks is refused: who asks may not lock, or it is decided already' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if new.state = old.state then
    -- The words of somebody who was erased.
    if (new.decided_by, new.decided_at) is distinct from (old.decided_by, old.decided_at) or new.note not in (old.note, '—')
      or new.refusal_note is distinct from old.refusal_note and (old.refusal_note is not null and new.refusal_note = '—') is not true then
      raise exception 'update of override_asks is refused: facts stay as they were written' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  new.decided_at := kist_now();
  -- It ends when its day is over, and before where who asked may not lock any more or has nothing to do with the phone.
  if old.state <> 'asked' or new.note <> old.note or (new.state <> 'ended' and old.ends_at <= kist_now()) then
    raise exception 'update of override_asks is refused: % does not follow on % now', new.state, old.state using errcode = 'restrict_violation';
  end if;
  if new.state <> 'ended' and not kist_may_lock(new.org_id, new.decided_by) then
    raise exception 'update of override_asks is refused: who decides it may not lock' using errcode = 'restrict_violation';
  end if;
  -- Two who may lock, neither of whom made the other.
  if new.state = 'agreed' and not (kist_may_lock(new.org_id, new.asked_by) and kist_is_second(new.org_id, new.asked_by, new.decided_by)) then
    raise exception 'update of override_asks is refused: it takes two' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.owner_changes_with_a_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from customer_transfers t where t.org_id = new.org_id and t.customer_id = new.customer_id
    and t.from_user_id = old.owner_user_id and t.to_user_id = new.owner_user_id and t.txid = pg_current_xact_id()) then
    raise exception 'update of % is refused: who owns it changes with a transfer', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.paid_is_what_lines_say()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare off text;
begin
  if tg_table_name = 'instalments' then
    select k.agreement_id || ' ' || k.no || ' ' || k.bucket into off from (
      select c.org_id, c.agreement_id, c.no, b.bucket, b.paid from changed c, lateral (values
        ('principal', c.paid_principal_paise), ('interest', c.paid_interest_paise), ('fee', c.paid_fee_paise)) as b(bucket, paid)
    ) k left join (
      select l.org_id, l.agreement_id, l.instalment_no, l.bucket, sum(l.credit - l.debit) as paise
      from (select distinct org_id, agreement_id from changed) a join journal_lines l on l.org_id = a.org_id and l.agreement_id = a.agreement_id
      where l.payment_id is not null and l.bucket in ('principal', 'interest', 'fee') group by 1, 2, 3, 4
    ) s on s.org_id = k.org_id and s.agreement_id = k.agreement_id and s.instalment_no = k.no and s.bucket = k.bucket
    where k.paid <> coalesce(s.paise, 0) limit 1;
  else
    select c.charge_id::text into off from changed c left join (
      select l.org_id, l.charge_id, sum(l.credit - l.debit) as paise
      from (select distinct org_id, agreement_id from changed) a join journal_lines l on l.org_id = a.org_id and l.agreement_id = a.agreement_id
      where l.payment_id is not null and l.bucket = 'penal' group by 1, 2
    ) s on s.org_id = c.org_id and s.charge_id = c.charge_id
    where c.paid_paise <> coalesce(s.paise, 0) limit 1;
  end if;
  if off is not null then
    raise exception '% of % is refused: what is paid of % is not what the lines say', lower(tg_op), tg_table_name, off using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_ends_phone_claim()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update phone_claims p set state = 'paid', ended_at = kist_now()
  where p.org_id = new.org_id and p.agreement_id = new.agreement_id and p.state = 'open';
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_goes_with_its_note()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from payments p join payment_moves m on m.org_id = p.org_id and m.payment_id = p.payment_id and m.to_state = 'reversed'
    where p.org_id = new.org_id and p.payment_id = new.payment_id and p.note_no is not null and p.reversed_at = m.moved_at and p.reversed_by = m.moved_by) then
    raise exception 'payment % is taken back without its note, or by another and at another moment than its move says', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_is_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare booked record;
begin
  select j.journal_id, (select sum(l.debit) from journal_lines l join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
      where l.org_id = j.org_id and l.journal_id = j.journal_id and l.payment_id = new.payment_id and a.code like 'clearing\_%') as paise
    into booked from journals j where j.org_id = new.org_id and j.effect_key = 'payment:' || new.payment_id and j.kind = 'payment';
  if booked.paise is distinct from new.amount_paise then
    raise exception 'payment % of % paise has % in its journal', new.payment_id, new.amount_paise, booked.paise using errcode = 'check_violation';
  end if;
  if new.state = 'reversed' and not exists (select from journals r where r.org_id = new.org_id and r.reverses_journal_id = booked.journal_id) then
    raise exception 'payment % was taken back without a journal', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_is_of_a_book()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (
    select from historic_agreements h
      join agreements a on a.org_id = h.org_id and a.agreement_id = h.agreement_id
      join journals j on j.org_id = h.org_id and j.ref_kind = 'agreement' and j.ref_id = h.agreement_id and j.kind = 'agreement_opened'
    where h.org_id = new.org_id and h.agreement_id = new.agreement_id and j.txid = pg_current_xact_id()
      and starts_with(new.receipt_no, a.agreement_no || '/')) then
    raise exception 'payment % has the number %, which is of no series', new.payment_id, new.receipt_no using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_is_of_its_people()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare who uuid := case new.state when 'reversed' then new.reversed_by else coalesce(new.posted_by, new.recorded_by) end;
begin
  if kist_answers_for(new.org_id, who, new.customer_id) then return null; end if;
  -- Taken back it is by who answers now.
  if tg_op = 'INSERT' and new.state = 'posted' and kist_answered_for(new.org_id, who, new.customer_id, new.paid_at) then return null; end if;
  raise exception '% of payments is refused: who does it is nobody who answers for this customer', lower(tg_op) using errcode = 'restrict_violation';
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_is_of_its_time()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.paid_on > ((kist_now() + interval '2 minutes') at time zone 'Asia/Kolkata')::date or new.paid_on is distinct from (new.paid_at at time zone 'Asia/Kolkata')::date
    or new.paid_on < (select a.delivered_on from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id) then
    raise exception 'insert of payments is refused: money is paid between the delivery and now' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_is_of_the_version_in_force()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.schedule_version is distinct from (select a.schedule_version from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id) then
    raise exception '% of payments is refused: a payment is laid out in the version in force', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  if new.for_charge_id is not null and not exists (select from charges c
    where c.org_id = new.org_id and c.charge_id = new.for_charge_id and c.agreement_id = new.agreement_id) then
    raise exception '% of payments is refused: the charge is not of this agreement', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_is_what_its_lines_say()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare off text;
begin
  select o.payment_id::text into off
  from (select l.payment_id, array_agg(distinct l.agreement_id) as agreements from journal_lines l
    where l.org_id = new.org_id and l.journal_id = new.journal_id and l.payment_id is not null group by l.payment_id) o
  left join payments p on p.org_id = new.org_id and p.payment_id = o.payment_id
  left join lateral (
    select coalesce(sum(l.debit - l.credit) filter (where a.code like 'clearing\_%'), 0)::bigint as till,
      coalesce(sum(l.debit - l.credit) filter (where a.code like 'clearing\_%'
        and (a.owner_id = coalesce(p.posted_by, p.recorded_by)::text or p.recorded_at <= kist_tills_since())), 0)::bigint as own_till,
      coalesce(sum(l.credit - l.debit) filter (where case p.goes_to when 'dues' then l.bucket is not null when 'suspense' then a.code = 'suspense' else a.code = 'sales' end), 0)::bigint as parts
    from journal_lines l join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where l.org_id = p.org_id and l.agreement_id = p.agreement_id and l.payment_id = p.payment_id and j.kind not like 'refund\_%') s on true
  cross join lateral (select case p.state when 'posted' then p.amount_paise when 'reversed' then 0 end as due) d
  where o.agreements is distinct from array[p.agreement_id] or d.due is null or (s.till, s.own_till, s.parts) is distinct from (d.due, d.due, d.due)
    or (new.kind in ('payment', 'refund_owed', 'refund_paid') and new.effect_key <> new.kind || ':' || o.payment_id)
  limit 1;
  if off is not null then
    raise exception 'the lines of payment % are not what it says', off using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_keeps_its_amount()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if old.state <> 'claimed' or new.state <> 'posted' or new.amount_paise > old.amount_paise or not exists (
      select from payments rest
      where rest.org_id = new.org_id and rest.payment_id = (new.receipt #>> '{overpaid,payment_id}')::uuid and rest.agreement_id = new.agreement_id
        and rest.goes_to = 'suspense' and rest.state = 'posted' and rest.recorded_at = kist_now()
        and rest.amount_paise = old.amount_paise - new.amount_paise) then
    raise exception 'update of payments is refused: facts stay as they were written' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.payment_stands_where_it_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare stands text; who uuid; of_book boolean; led text; mover uuid;
begin
  select p.state, case p.state when 'claimed' then p.recorded_by when 'posted' then coalesce(p.posted_by, p.recorded_by) when 'reversed' then p.reversed_by end,
      p.receipt_no !~ '^[0-9]{2}-[0-9]{2}/[0-9]+/D?[0-9]{1,15}$', m.to_state, m.moved_by into stands, who, of_book, led, mover
    from payments p left join lateral (
      select * from payment_moves m where m.org_id = p.org_id and m.payment_id = p.payment_id order by m.no desc limit 1) m on true
    where p.org_id = new.org_id and p.payment_id = new.payment_id;
  if stands is distinct from led then
    raise exception 'payment % is %, and its last move led to %', new.payment_id, stands, coalesce(led, 'nothing') using errcode = 'restrict_violation';
  end if;
  if who <> mover and (of_book and mover = '00000000-0000-0000-0000-000000000000') is not true then
    raise exception 'payment % is refused: its move tells of another than did it', new.payment_id using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.payments_are_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare at timestamptz := kist_now();
begin
  if exists (select from added where recorded_at is distinct from at) then
    raise exception 'insert of payments is refused: it is recorded when it is written' using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.penal_rules_rise()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.version <> 1 + coalesce((select max(version) from penal_rules where org_id = new.org_id), 0) then
    raise exception 'insert of penal_rules is refused: versions follow one another' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.penalties_are_charged()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (
    select from added l join journals j on j.org_id = l.org_id and j.journal_id = l.journal_id and j.kind = 'penal_charged'
      join accounts a on a.org_id = l.org_id and a.account_id = l.account_id
    where case when l.debit > 0 then a.code <> 'receivable_penal' or l.charge_id is null else a.code <> 'income_penal' end) then
    raise exception 'insert of journal_lines is refused: a late fee is owed by who was late, and earned' using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.phone_changes_with_an_exchange()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.state <> 'active' or not exists (
    select from phone_exchanges x
    join devices gone on gone.org_id = x.org_id and gone.device_id = x.from_device_id and gone.released_at is not null
    join devices come on come.org_id = x.org_id and come.device_id = x.to_device_id and come.released_at is null and come.customer_id = new.customer_id
    where x.org_id = new.org_id and x.agreement_id = new.agreement_id and x.txid = pg_current_xact_id()
      and x.from_device_id = old.device_id and x.to_device_id = new.device_id
      and new.exchanged_at is not distinct from case when x.was_set_up or kist_is_another_model(x.org_id, x.from_device_id, x.to_device_id) then x.made_at
        else old.exchanged_at end) then
    raise exception 'update of agreements is refused: its phone changes with an exchange' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.phone_claim_ends_once()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    new.said_at := kist_now();
    if new.state <> 'open' then
      raise exception 'insert of phone_claims is refused: it is answered after it was said' using errcode = 'restrict_violation';
    end if;
    if kist_is_erased(new.org_id, new.customer_id) then
      raise exception 'insert of phone_claims is refused: the customer was erased' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if new.state = old.state then
    -- The words of the shop about somebody who was erased.
    if (new.ended_at, new.answered_by) is distinct from (old.ended_at, old.answered_by)
      or new.reason is distinct from old.reason and (new.reason <> '—' or not kist_is_erased(old.org_id, old.customer_id)) then
      raise exception 'update of phone_claims is refused: facts stay as they were written' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if old.state <> 'open' then
    raise exception 'update of phone_claims is refused: % does not follow on %', new.state, old.state using errcode = 'restrict_violation';
  end if;
  if new.state = 'refused' and kist_is_erased(old.org_id, old.customer_id) then
    raise exception 'update of phone_claims is refused: the customer was erased' using errcode = 'restrict_violation';
  end if;
  new.ended_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.phone_claim_is_over()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  update phone_claims p set state = 'over', ended_at = kist_now()
  where p.org_id = new.org_id and p.customer_id = new.customer_id and p.state = 'open'
    and (tg_table_name = 'erasures' or p.agreement_id::text = to_jsonb(new) ->> 'agreement_id');
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.phone_exchange_is_next()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.no <> 1 + (select count(*) from phone_exchanges x where x.org_id = new.org_id and x.agreement_id = new.agreement_id) then
    raise exception 'insert of phone_exchanges is refused: % is not the next', new.no using errcode = 'restrict_violation';
  end if;
  new.made_at := kist_now();
  new.txid := pg_current_xact_id();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.picture_name_goes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.image_name is not null or not kist_is_erased(old.org_id, old.customer_id) then
    raise exception 'update of documents is refused: facts stay as they were written' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.privacy_policy_follows()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.version := coalesce((select max(version) from privacy_policies where org_id = new.org_id and language = new.language), 0) + 1;
  new.sha256 := sha256(convert_to(new.text, 'UTF8'));
  new.set_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.protection_report_has_its_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare whose uuid;
begin
  select d.customer_id into whose from devices d where d.org_id = new.org_id and d.device_id = new.device_id;
  if tg_op = 'INSERT' then
    if new.reported_by = 'customer_code' and not kist_code_is_used_now(new.org_id, new.code_otp_id, whose, 'THEFT_REPORT', null) then
      raise exception 'insert of protection_reports is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
    end if;
  elsif new.closed_as = 'customer_code' and old.closed_at is null and not kist_code_is_used_now(new.org_id, new.closed_otp_id, whose, 'THEFT_LIFT', null) then
    raise exception 'update of protection_reports is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.protection_report_is_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  -- One of the future is set to now by another trigger.
  perform kist_must_be_now(least(new.reported_at, kist_now()), 'protection_reports');
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.protection_report_is_told()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare told text := case when tg_op = 'INSERT' then 'lost_reported' else 'theft_lifted' end;
  as_whom text := case when tg_op = 'INSERT' then new.reported_by else new.closed_as end;
begin
  if not exists (
    select from audit_lines l where l.org_id = new.org_id and l.subject_kind = 'device' and l.subject_id = new.device_id::text and l.action = told
      and as_whom in (l.data ->> 'by', l.data ->> 'as') and l.at >= case when tg_op = 'INSERT' then new.reported_at else new.closed_at end - interval '1 minute') then
    raise exception '% of protection_reports is refused: no line of the phone’s history tells of it', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.protection_report_times()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then new.reported_at := least(new.reported_at, kist_now()); end if;
  if new.closed_at is not null then new.closed_at := greatest(new.reported_at, kist_now()); end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.protection_report_words_go()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.note <> '' or new.closed_reason not in ('', '—') or new.code_mobile <> 'erased' or (new.closed_at, new.closed_as, new.closed_by, new.closed_otp_id)
      is distinct from (old.closed_at, old.closed_as, old.closed_by, old.closed_otp_id) or not kist_is_phone_of_erased(old.org_id, old.device_id) then
    raise exception 'update of protection_reports is refused: %',
      case when (new.note, new.code_mobile) is distinct from (old.note, old.code_mobile) then 'facts stay as they were written' else 'it is closed once' end
      using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.queue_channel()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  values (new.org_id, new.enrolment_id, new.device_id, new.vendor, 1, kist_now(), kist_now())
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, tries = 0, troubles = 0, why = null,
    priority = 1;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.queue_desired()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  with at as materialized (
    select kist_now() as now
  ), changed as materialized (
    select new_row.org_id, new_row.device_id,
      case when new_row.lock_level < old_row.lock_level or (new_row.document ->> 'released')::boolean
          or (new_row.document -> 'toggles' <> old_row.document -> 'toggles'
            and exists (select from jsonb_each(old_row.document -> 'toggles') t where t.value = 'true' and new_row.document -> 'toggles' -> t.key = 'false')) then 0
        when new_row.lock_level > old_row.lock_level or new_row.document -> 'toggles' <> old_row.document -> 'toggles' then 2
        else 1 end as priority
    from new_row join old_row using (org_id, device_id)
  )
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  select e.org_id, e.enrolment_id, c.device_id, e.vendor, c.priority, at.now, at.now
  -- For each its own look-up, by the index, which is no join that could be another.
  from changed c cross join lateral (
    select o.org_id, o.enrolment_id, o.vendor from enrolments o
    where o.org_id = c.org_id and o.device_id = c.device_id and o.ended_at is null and o.in_charge offset 0
  ) e cross join at
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, tries = 0, troubles = 0, why = null,
    priority = case
      -- Its vendor holds it tighter than it shall be: this gives back, whatever it shall be was meanwhile.
      when d.level > 0 and d.level > (select w.lock_level from device_desired w where w.org_id = d.org_id and w.device_id = d.device_id) then 0
      when d.next_at is null then excluded.priority
      when excluded.priority = 1 then least(d.priority, 1)
      -- What takes nothing is no lock: what waits to be given back is not put behind any by it.
      when d.priority = 0 and (select w.lock_level < 3 and not exists (select from jsonb_each(w.document -> 'toggles') t where t.value = 'true')
        from device_desired w where w.org_id = d.org_id and w.device_id = d.device_id) then 0
      else excluded.priority end;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.queue_orders()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  with at as materialized (select kist_now() as now)
  insert into deliveries as d (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
  select distinct on (e.org_id, e.enrolment_id) e.org_id, e.enrolment_id, e.device_id, e.vendor, 1, at.now, at.now
  from new_row join enrolments e on e.org_id = new_row.org_id and e.device_id = new_row.device_id and e.ended_at is null
    and (e.in_charge or not exists (select from enrolments g where g.org_id = e.org_id and g.device_id = e.device_id and g.ended_at is null and g.in_charge
      and g.vendor = 'android-agent'))
  cross join at
  where not new_row.is_state and new_row.state = 'QUEUED'
  on conflict (org_id, enrolment_id) do update set next_at = excluded.next_at, queued_at = excluded.queued_at, change_no = d.change_no + 1, tries = 0, troubles = 0, why = null,
    priority = case when d.next_at is null then 1 else least(d.priority, 1) end;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.reference_is_held()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare typed text := case new.method when 'UPI' then nullif(upper(regexp_replace(new.reference, '\s+', '', 'g') collate "C"), '') end;
begin
  -- Of letters beyond ASCII the two may not agree which are large and what is a space; a payment is never refused over that.
  if octet_length(new.reference) > length(new.reference) then return null; end if;
  if new.state = 'posted' and new.goes_to is distinct from 'down_payment' and (new.held_reference is distinct from typed and new.held_reference is not null
      or typed is not null and not exists (select from payments p where p.org_id = new.org_id and p.held_reference = typed)) then
    raise exception '% of payments is refused: another reference is held than it has', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.refund_is_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  paid record;
  till text := case new.method when 'CASH' then 'clearing_cash' when 'UPI' then 'clearing_upi' else 'clearing_other' end;
begin
  select p.agreement_id, p.customer_id, p.amount_paise, p.state, p.goes_to, a.state as agreement_state into paid
    from payments p join agreements a on a.org_id = p.org_id and a.agreement_id = p.agreement_id where p.org_id = new.org_id and p.payment_id = new.payment_id;
  if (new.agreement_id, new.customer_id, new.amount_paise) is distinct from (paid.agreement_id, paid.customer_id, paid.amount_paise) then
    raise exception 'the refund of % is not of its payment', new.payment_id using errcode = 'check_violation';
  end if;
  if paid.goes_to <> 'suspense' and paid.agreement_state <> 'cancelled' then
    raise exception 'the refund of % is of a payment that pays what is owed', new.payment_id using errcode = 'check_violation';
  end if;
  if (new.state = 'void') <> (paid.state = 'reversed') then
    raise exception 'the refund of % is %, its payment %', new.payment_id, new.state, paid.state using errcode = 'check_violation';
  end if;
  if not sum_is_booked(new.org_id, 'refund_owed:' || new.payment_id, new.amount_paise)
    or credited_by(new.org_id, 'refund_owed:' || new.payment_id, 'refund_owed', new.payment_id, 'refunds_payable', null) <> new.amount_paise then
    raise exception 'the refund of % is owed without its journal', new.payment_id using errcode = 'check_violation';
  end if;
  if new.state = 'done' and (not sum_is_booked(new.org_id, 'refund_paid:' || new.payment_id, new.amount_paise)
    or credited_by(new.org_id, 'refund_paid:' || new.payment_id, 'refund_paid', new.payment_id, 'refunds_payable', null) <> -new.amount_paise
    or credited_by(new.org_id, 'refund_paid:' || new.payment_id, 'refund_paid', new.payment_id, till, new.closed_by::text) <> new.amount_paise) then
    raise exception 'the refund of % is done without its journal', new.payment_id using errcode = 'check_violation';
  end if;
  if new.state = 'void' and not exists (select from journals j join journals r on r.org_id = j.org_id and r.reverses_journal_id = j.journal_id
      where j.org_id = new.org_id and j.effect_key = 'refund_owed:' || new.payment_id) then
    raise exception 'the refund of % is withdrawn without its journal', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.refund_is_of_its_shop()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' and new.opened_at is distinct from kist_now() or new.closed_at is distinct from (case when new.state <> 'open' then kist_now() end) then
    raise exception '% of refund_tasks is refused: it is opened and closed when that is written', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  if new.state = 'done' and not kist_shop_sees(new.org_id, new.closed_by, new.agreement_id) then
    raise exception '% of refund_tasks is refused: who gives it back is nobody who sees this customer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.revision_rises()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.revision < old.revision then
    raise exception 'revision of device % would fall', new.device_id using errcode = 'check_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.row_is_of_its_people()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare who uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  if (who = '00000000-0000-0000-0000-000000000000' and tg_argv[1] = 'or the server') is not true and not kist_acts_for(new.org_id, who, new.agreement_id) then
    raise exception '% of % is refused: who does it is nobody who answers for this customer', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.rows_are_of_the_tenure()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id
      and a.schedule_version = 1 and new.no between 1 and a.tenure) then
    raise exception 'insert of instalments is refused: the rows of a version in force stay as they are' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.rows_are_paid_in_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare off text; moved record;
begin
  for moved in
    select distinct a.org_id, a.agreement_id, a.agreement_no, a.state, a.schedule_version, a.advance_paise
    from journal_lines l join agreements a on a.org_id = l.org_id and a.agreement_id = l.agreement_id
    where l.org_id = new.org_id and l.journal_id = new.journal_id and l.bucket is not null
  loop
    -- Each row and charge that it touches says what all lines of it say, and the agreement what its rows say.
    select coalesce(said.charge_id::text, said.instalment_no::text) into off
    from (select l.instalment_no, l.charge_id, l.bucket, sum(l.credit - l.debit)::bigint as paise from journal_lines l
      where l.org_id = new.org_id and l.agreement_id = moved.agreement_id and l.payment_id is not null and l.bucket in ('principal', 'interest', 'fee', 'penal')
      group by l.instalment_no, l.charge_id, l.bucket having bool_or(l.journal_id = new.journal_id)) said
    left join instalments i on said.bucket <> 'penal' and i.org_id = new.org_id and i.agreement_id = moved.agreement_id and i.no = said.instalment_no
    left join charges c on said.bucket = 'penal' and c.org_id = new.org_id and c.charge_id = said.charge_id and c.agreement_id = moved.agreement_id
    where said.paise is distinct from case said.bucket when 'principal' then i.paid_principal_paise when 'interest' then i.paid_interest_paise when 'fee' then i.paid_fee_paise
      else c.paid_paise end
    limit 1;
    if off is not null or agreement_owes_otherwise(new.org_id, moved.agreement_id) then
      raise exception 'journal % of % moved what its rows do not say', new.effect_key, moved.agreement_no using errcode = 'check_violation';
    end if;
    -- Of a version before, what was paid and stands stays where it went.
    if new.kind = 'payments_shifted' and exists (
        select from journal_lines l join payments p on p.org_id = l.org_id and p.payment_id = l.payment_id and p.schedule_version < moved.schedule_version and p.state = 'posted'
        where l.org_id = new.org_id and l.journal_id = new.journal_id and l.agreement_id = moved.agreement_id and l.bucket in ('principal', 'interest', 'fee')
        group by l.payment_id, l.instalment_no, l.bucket having sum(l.credit - l.debit) < 0) then
      raise exception 'journal % moves money of a version of % before', new.journal_id, moved.agreement_no using errcode = 'check_violation';
    end if;
    -- Oldest first, in a row interest, principal, fee, and nothing ahead while something is owed: asked of the money of the version in force and of what this
    -- journal lays, whatever row it went to; of a payment that was taken back nothing lies anywhere. An agreement that was cancelled owes nothing.
    if moved.state <> 'cancelled' and exists (
      select from (select min(i.due_on) as since from instalments i where i.org_id = new.org_id and i.agreement_id = moved.agreement_id and i.left_paise > 0) owed
      where moved.advance_paise > 0 and owed.since is not null
        or exists (
          select from instalments i
          cross join lateral (select i.principal_paise - i.dropped_principal_paise - i.paid_principal_paise as principal,
            i.interest_paise - i.dropped_interest_paise - i.paid_interest_paise as interest) r
          where i.org_id = new.org_id and i.agreement_id = moved.agreement_id and i.paid_principal_paise + i.paid_interest_paise + i.paid_fee_paise > 0
            and (i.due_on > owed.since or r.interest > 0 and i.paid_principal_paise + i.paid_fee_paise > 0 or r.principal > 0 and i.paid_fee_paise > 0)
            and exists (
              select from journal_lines l join payments p on p.org_id = l.org_id and p.payment_id = l.payment_id
              where l.org_id = new.org_id and l.agreement_id = moved.agreement_id and l.instalment_no = i.no and l.bucket in ('principal', 'interest', 'fee')
                and (p.schedule_version = moved.schedule_version or p.state = 'reversed' or l.journal_id = new.journal_id)
                and (i.due_on > owed.since or r.interest > 0 and l.bucket <> 'interest' or r.principal > 0 and l.bucket = 'fee')
              group by l.payment_id, l.bucket having sum(l.credit - l.debit) > 0))) then
      raise exception 'journal % lays money of % out of its order', new.journal_id, moved.agreement_no using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.rule_knows_its_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.numbered := coalesce((select c.last from counters c where c.org_id = new.org_id and c.name = 'agreement'), 0);
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.sale_is_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.created_at is distinct from kist_now() then
    raise exception 'insert of agreements is refused: a sale is signed when it is written' using errcode = 'restrict_violation';
  end if;
  if new.delivered_on > (new.created_at at time zone 'Asia/Kolkata')::date then
    raise exception 'insert of agreements is refused: nothing is delivered tomorrow' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.sale_is_under_the_policy()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare latest lock_policies;
begin
  select * into latest from lock_policies p where p.org_id = new.org_id order by p.version desc limit 1;
  if kist_penal_part(new.policy) = coalesce(kist_penal_part(latest.policy), '{"penalCapBps": 500}') then return new; end if;
  -- Chosen while this sale was being made.
  if latest.created_at > kist_now() - interval '2 minutes' and kist_penal_part(new.policy) = coalesce(
      (select kist_penal_part(p.policy) from lock_policies p where p.org_id = new.org_id and p.version < latest.version order by p.version desc limit 1),
      '{"penalCapBps": 500}') then return new; end if;
  raise exception 'insert of agreements is refused: its lock policy says of penalties what the organisation’s does not' using errcode = 'restrict_violation';
end $function$
;
CREATE OR REPLACE FUNCTION public.sale_is_under_the_rules()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare
  rule penal_rules; before penal_rules; at timestamptz := kist_now();
  numbered text := (select new.org_id || '-' || lpad(c.last::text, greatest(5, length(c.last::text)), '0') from counters c where c.org_id = new.org_id and c.name = 'agreement');
begin
  if new.agreement_no ~ '^[0-9]+-H[0-9]{5,}$' then return new; end if;
  if new.agreement_no is distinct from numbered then
    raise exception 'insert of agreements is refused: % is not the number that was given', new.agreement_no using errcode = 'restrict_violation';
  end if;
  select * into rule from penal_rules r where r.org_id = new.org_id order by r.version desc limit 1;
  if new.penal is distinct from kist_penal_stamp(rule, new.policy) then
    -- Set while this sale was being made.
    select * into before from penal_rules r where r.org_id = new.org_id and r.version = rule.version - 1;
    if (rule.set_at > at - interval '2 minutes' and new.penal is not distinct from kist_penal_stamp(before, new.policy)) is not true then
      raise exception 'insert of agreements is refused: another rule of penalties is in force' using errcode = 'restrict_violation';
    end if;
  end if;
  if new.delivered_on < (at at time zone 'Asia/Kolkata')::date - 3 and kist_clock_is_real() then
    raise exception 'insert of agreements is refused: what was delivered longer ago comes in by a book' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.sale_says_whose_time_it_is()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.is_of_real_time := kist_clock_is_real();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.schedule_version_asks_more(org integer, agreement uuid, number integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from (
      select sum(m.paise) over (order by m.due_on, m.is_new) as more, m.is_new
      from (
        select i.due_on, i.version = number as is_new, case when i.version = number then i.principal_paise + i.interest_paise + i.fee_paise
          else -i.dropped_principal_paise - i.dropped_interest_paise - i.dropped_fee_paise end as paise
        from public.instalments i
        where i.org_id = org and i.agreement_id = agreement and (i.version = number or i.version < number and i.superseded_by >= number)
      ) m
    ) s where s.is_new and s.more > 0)
$function$
;
CREATE OR REPLACE FUNCTION public.schedule_version_is_agreed_to()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (new.consent_otp_id is not null or (new.after ->> 'total_payable_paise')::bigint > (new.before ->> 'total_payable_paise')::bigint)
    and not exists (select from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id
      and kist_code_is_used_now(new.org_id, new.consent_otp_id, a.customer_id, 'TERMS', new.consent_hash)) then
    raise exception 'insert of schedule_versions is refused: no code of this customer was used for it' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.schedule_version_is_being_made(org integer, agreement uuid, number integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from public.schedule_versions v join public.agreements a on a.org_id = v.org_id and a.agreement_id = v.agreement_id
    where v.org_id = org and v.agreement_id = agreement and v.version = number and v.txid = pg_current_xact_id() and a.schedule_version < v.version)
$function$
;
CREATE OR REPLACE FUNCTION public.schedule_version_is_next()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.made_at := kist_now();
  new.txid := pg_current_xact_id();
  if new.effective_on <> kist_today() or not exists (
    select from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id and a.state = 'active'
      and a.schedule_version + 1 = new.version and new.effective_on >= coalesce(a.schedule_from, new.effective_on) and a.terms_in_force = new.before) then
    raise exception 'insert of schedule_versions is refused: a version is of its day, and follows the one in force' using errcode = 'restrict_violation';
  end if;
  if new.cause = 'imei_swap' and not exists (
    select from phone_exchanges x where x.org_id = new.org_id and x.agreement_id = new.agreement_id and x.was_set_up and x.txid = pg_current_xact_id()) then
    raise exception 'insert of schedule_versions is refused: no phone was exchanged' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.session_epoch_rises()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  insert into session_epochs as s (org_id, epoch) values (coalesce(new.org_id, old.org_id), 1)
  on conflict (org_id) do update set epoch = s.epoch + 1;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.shop_number_is_the_next()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.last is distinct from (select c.last from counters c where c.org_id = new.org_id and c.name = 'shops')
    or exists (select from counters c where c.org_id = new.org_id and c.name like 'shop:%' and c.last = new.last) then
    raise exception 'insert of counters is refused: % is not the next number of a shop', new.last using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.state_may_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from allowed_moves a where a.thing = tg_argv[0] and a.from_state = old.state and a.to_state = new.state) then
    raise exception 'update of % is refused: % does not follow %', tg_table_name, new.state, old.state using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.step_is_told_when_done()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.business_on > kist_today() or abs(extract(epoch from new.finished_at - kist_now())) > 300 then
    raise exception 'insert of daily_steps is refused: a step is told when it is done' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.sum_is_booked(org integer, effect text, paise bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from journals j where j.org_id = org and j.effect_key = effect
    and (select sum(l.debit) from journal_lines l where l.org_id = org and l.journal_id = j.journal_id) = paise)
$function$
;
CREATE OR REPLACE FUNCTION public.suspense_is_of_what_is_over()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (select from agreements a where a.org_id = new.org_id and a.agreement_id = new.agreement_id and a.state = 'active'
      and (a.outstanding_paise > 0 or exists (select from charges c where c.org_id = a.org_id and c.agreement_id = a.agreement_id
        and c.taken_back_at is null and c.amount_paise - c.waived_paise - c.paid_paise > 0))) then
    raise exception 'payment % is put aside, and its agreement owes something', new.payment_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.suspension_is_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.is_active and new.suspended_at is null then
    new.suspended_no := null;
    return new;
  end if;
  if new.is_active or not old.is_active or new.suspended_at is null then
    raise exception 'update of users is refused: a suspension stays as of when it began, until it ends' using errcode = 'restrict_violation';
  end if;
  new.suspended_at := kist_now();
  insert into counters as c (org_id, name, last) values (new.org_id, 'suspensions', 1)
    on conflict (org_id, name) do update set last = c.last + 1 returning c.last into new.suspended_no;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.terms_change_with_a_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.schedule_version <> old.schedule_version + 1 or not exists (
    select from schedule_versions v where v.org_id = new.org_id and v.agreement_id = new.agreement_id and v.version = new.schedule_version
      and v.txid = pg_current_xact_id() and v.effective_on = new.schedule_from and v.after = terms_in_force(new)) then
    raise exception 'update of agreements is refused: terms change with a version of the schedule' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.terms_in_force(a agreements)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('method', a.method, 'rate_bps', a.rate_bps, 'rounding', a.rounding, 'tenure', a.tenure, 'emi_paise', a.emi_paise, 'fee_paise', a.fee_paise,
    'total_interest_paise', a.total_interest_paise, 'total_payable_paise', a.total_payable_paise, 'apr_bps', a.apr_bps, 'last_due_on', to_char(a.last_due_on, 'YYYY-MM-DD'))
$function$
;
CREATE OR REPLACE FUNCTION public.totals_follow_documents()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if pg_trigger_depth() < 2 then
    raise exception '% of % is refused: a total follows the documents', lower(tg_op), tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.transfer_is_followed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.owner_user_id = new.to_user_id)
    or exists (select from customer_transfers t where t.org_id = new.org_id and t.customer_id = new.customer_id and t.txid = new.txid and t.from_user_id = new.to_user_id)
    or not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id) then return null; end if;
  raise exception 'insert of customer_transfers is refused: the customer did not pass on' using errcode = 'restrict_violation';
end $function$
;
CREATE OR REPLACE FUNCTION public.transfer_is_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from customers c where c.org_id = new.org_id and c.customer_id = new.customer_id and c.owner_user_id = new.from_user_id) then
    raise exception 'insert of customer_transfers is refused: the customer is not of the shop that it passes on from' using errcode = 'restrict_violation';
  end if;
  if not exists (select from users u where u.org_id = new.org_id and u.user_id = new.to_user_id and u.user_type in ('retailer', 'miniretailer')) then
    raise exception 'insert of customer_transfers is refused: a customer passes on to a shop' using errcode = 'restrict_violation';
  end if;
  if new.made_by <> '00000000-0000-0000-0000-000000000000' and not exists (
    select from users u where u.org_id = new.org_id and u.user_id = new.made_by and kist_is_there(u.is_active, u.suspended_at) and (u.user_type = 'admin'
      or u.user_type in ('retailer', 'miniretailer') and (u.user_id = new.from_user_id or exists (
        select from users f where f.org_id = new.org_id and f.user_id = new.from_user_id and f.parent_user_id = u.user_id)))) then
    raise exception 'insert of customer_transfers is refused: made by nobody who answers for the shop that it passes on from' using errcode = 'restrict_violation';
  end if;
  new.clock_shift := kist_now() - now();
  -- Of when the customer is held, not of when the transaction began: of two at once the one that began first may be the second.
  new.made_at := clock_timestamp() + new.clock_shift;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.unreceipted_text_stays()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if new.proof -> 'before' is distinct from notice_set_aside(old)
    or not exists (select from agreements a left join reversals_view v on v.org_id = a.org_id and v.agreement_id = a.agreement_id
      where a.org_id = new.org_id and a.agreement_id = new.agreement_id and greatest(v.reversed_at, a.exchanged_at) > old.created_at) then
    raise exception 'update of notices is refused: what was written to somebody stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.user_comes_without_suspension()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  raise exception 'insert of users is refused: nobody comes suspended' using errcode = 'restrict_violation';
end $function$
;
CREATE OR REPLACE FUNCTION public.user_number_proved()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
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
end $function$
;
CREATE OR REPLACE FUNCTION public.version_counts_what_was_paid()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare paid record;
begin
  select coalesce(sum(i.paid_principal_paise) filter (where i.due_on = f.due_on), 0) as principal, coalesce(sum(i.paid_interest_paise), 0) as interest into paid
  from (select min(n.due_on) as due_on from instalments n where n.org_id = new.org_id and n.agreement_id = new.agreement_id and n.version = new.version) f
  join instalments i on i.org_id = new.org_id and i.agreement_id = new.agreement_id and i.version < new.version and i.due_on >= f.due_on;
  if new.counted_principal_paise > paid.principal or new.counted_interest_paise > paid.interest then
    raise exception 'version % of % counts more than was paid', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.version_is_fair()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare a record; r record;
begin
  select * into a from agreements g where g.org_id = new.org_id and g.agreement_id = new.agreement_id;
  if (new.after ->> 'total_payable_paise')::bigint is distinct from
    a.financed_paise + (new.after ->> 'total_interest_paise')::bigint + (new.after ->> 'fee_paise')::bigint then
    raise exception 'version % of % says another total than its sums', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  select min(i.due_on) filter (where i.version = new.version) as first_on, max(i.due_on) filter (where i.superseded_by is null) as last_on,
    min(i.due_on) filter (where i.superseded_by = new.version
      and i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise > 0) as dropped_from,
    count(*) filter (where i.superseded_by is null or i.principal_paise + i.interest_paise + i.fee_paise
      > i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise) as rows
    into r from instalments i where i.org_id = new.org_id and i.agreement_id = new.agreement_id;
  if r.first_on <= new.effective_on then
    raise exception 'version % of % asks for what is due already', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  if r.first_on > r.dropped_from then
    raise exception 'version % of % puts off what falls due on %', new.version, new.agreement_id, r.dropped_from using errcode = 'check_violation';
  end if;
  if a.schedule_version = new.version and (r.rows, r.last_on) is distinct from
    ((new.after ->> 'tenure')::bigint, (new.after ->> 'last_due_on')::date) then
    raise exception 'version % of % says another time than its rows', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  if new.consent_otp_id is null and schedule_version_asks_more(new.org_id, new.agreement_id, new.version) then
    raise exception 'version % of % asks more, and no code of the customer was used for it', new.version, new.agreement_id using errcode = 'restrict_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.version_is_what_its_rows_say()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare a record; r record; v record; name text := 'version:' || new.agreement_id || ':' || new.version;
begin
  select * into a from agreements g where g.org_id = new.org_id and g.agreement_id = new.agreement_id;
  select coalesce(sum(i.principal_paise) filter (where i.version = new.version), 0) as principal, coalesce(sum(i.interest_paise) filter (where i.version = new.version), 0) as interest,
    coalesce(sum(i.fee_paise) filter (where i.version = new.version), 0) as fee, sum(i.principal_paise - i.dropped_principal_paise) as financed,
    sum(i.interest_paise - i.dropped_interest_paise) as all_interest, sum(i.fee_paise - i.dropped_fee_paise) as all_fee,
    sum(i.dropped_principal_paise) as moved, sum(i.dropped_interest_paise) as dropped_interest, sum(i.dropped_fee_paise) as dropped_fee
    into r from instalments i where i.org_id = new.org_id and i.agreement_id = new.agreement_id;
  select sum(s.principal_paise) as moved, sum(s.dropped_interest_paise) as dropped_interest, sum(s.dropped_fee_paise) as dropped_fee
    into v from schedule_versions s where s.org_id = new.org_id and s.agreement_id = new.agreement_id;
  if a.schedule_version < new.version
    or (r.principal, r.interest, r.fee) is distinct from (new.principal_paise::numeric, new.interest_paise::numeric, new.fee_paise::numeric)
    or (r.financed, r.all_interest, r.all_fee) is distinct from (a.financed_paise::numeric, a.total_interest_paise::numeric, a.fee_paise::numeric)
    or (r.moved, r.dropped_interest, r.dropped_fee) is distinct from (v.moved, v.dropped_interest, v.dropped_fee)
    or debited_by(new.org_id, name, 'schedule_opened', 'receivable_interest', null, new.agreement_id) <> new.interest_paise
    or debited_by(new.org_id, name, 'schedule_opened', 'receivable_fee', null, new.agreement_id) <> new.fee_paise
    or debited_by(new.org_id, name || ':taken_back', 'schedule_taken_back', 'receivable_interest', null, new.agreement_id) <> -new.dropped_interest_paise
    or debited_by(new.org_id, name || ':taken_back', 'schedule_taken_back', 'receivable_fee', null, new.agreement_id) <> -new.dropped_fee_paise then
    raise exception 'version % of % is not what its rows and journals say', new.version, new.agreement_id using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.waiver_is_booked()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare waived bigint; whose uuid;
begin
  if not sum_is_booked(new.org_id, 'waiver:' || new.waiver_id, new.amount_paise)
    or debited_by(new.org_id, 'waiver:' || new.waiver_id, 'penal_waived', 'receivable_penal', null, new.agreement_id) <> -new.amount_paise then
    raise exception 'waiver % was granted without its journal', new.waiver_id using errcode = 'check_violation';
  end if;
  select c.waived_paise, c.agreement_id into waived, whose from charges c where c.org_id = new.org_id and c.charge_id = new.charge_id;
  if whose <> new.agreement_id
    or waived <> (select sum(w.amount_paise) from waivers w where w.org_id = new.org_id and w.charge_id = new.charge_id and w.state = 'granted') then
    raise exception 'charge % has % paise waived, and its waivers say another sum', new.charge_id, waived using errcode = 'check_violation';
  end if;
  if new.decided_by = new.asked_by and waived > new.limit_paise then
    raise exception 'waiver % makes % paise, more than one person waives alone', new.waiver_id, waived using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
CREATE OR REPLACE FUNCTION public.waiver_is_of_its_rule()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  new.limit_paise := coalesce((select r.waiver_limit_paise from penal_rules r where r.org_id = new.org_id order by r.version desc limit 1), 0);
  new.asked_at := kist_now();
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.waiver_is_of_now()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' and new.asked_at is distinct from kist_now() or new.decided_at is distinct from (case when new.state <> 'asked' then kist_now() end) then
    raise exception '% of waivers is refused: it is asked and decided when that is written', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.waiver_is_of_people()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (tg_op = 'INSERT' or new.state = 'granted') and not kist_shop_sees(new.org_id, new.asked_by, new.agreement_id) then
    raise exception '% of waivers is refused: who asks is nobody who sees this customer', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  if new.state = 'granted' and new.decided_by <> new.asked_by and not exists (
    select from users u where u.org_id = new.org_id and u.user_id = new.decided_by and kist_is_second(new.org_id, new.asked_by, u.user_id)
      and (u.user_type = 'admin' or kist_shop_sees(new.org_id, u.user_id, new.agreement_id))) then
    raise exception '% of waivers is refused: who grants it answers neither for the shop nor for the organisation', lower(tg_op) using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.waivers_are_decided_once()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
begin
  if (new.state, new.decided_by, new.decided_at) is not distinct from (old.state, old.decided_by, old.decided_at) then
    -- The words of somebody who was erased.
    if new.reason not in (old.reason, '—') or (new.refusal_note is distinct from old.refusal_note and (old.refusal_note is not null and new.refusal_note = '—') is not true)
      or not kist_is_agreement_of_erased(old.org_id, old.agreement_id) then
      raise exception 'update of waivers is refused: facts stay as they were written' using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if old.state <> 'asked' or new.state = 'asked' then
    raise exception 'update of waivers is refused: it was decided' using errcode = 'restrict_violation';
  end if;
  if new.reason <> old.reason then
    raise exception 'update of waivers is refused: facts stay as they were written' using errcode = 'restrict_violation';
  end if;
  return new;
end $function$
;
CREATE OR REPLACE FUNCTION public.wallet_is_what_the_ledger_says()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
declare said record; held record;
begin
  select available, reserved into held from wallets
  where org_id = new.org_id and user_id = new.user_id and plan_type = new.plan_type and lot = new.lot;
  select coalesce(sum(b.keys) filter (where a.code = 'keys_available'), 0) as available, coalesce(sum(b.keys) filter (where a.code = 'keys_reserved'), 0) as reserved
    into said from accounts a join key_balances b on b.org_id = a.org_id and b.account_id = a.account_id and b.lot = new.lot
  where a.org_id = new.org_id and a.owner_kind = 'user' and a.owner_id = new.user_id::text and a.unit = 'KEY:' || new.plan_type;
  if (held.available, held.reserved) is distinct from (said.available::int, said.reserved::int) then
    raise exception 'the wallet of % has % and % keys of plan type %, and the ledger says % and %', new.user_id, held.available, held.reserved,
      new.plan_type, said.available, said.reserved using errcode = 'check_violation';
  end if;
  return null;
end $function$
;
