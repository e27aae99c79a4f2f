-- A device that its owner signed in on with a code and an M-PIN may be opened by its own fingerprint, face or screen lock after that (WebAuthn): the key that
-- only the device holds, and the question that it answers once. Both belong to a trusted device and end with its trust, whoever takes that away.
-- A million rows: two new tables, and their foreign keys hold trusted_devices against writing for a moment while it is empty of references.
create table passkeys (
  org_id integer not null,
  user_id uuid not null,
  device_hash bytea not null,
  passkey_id uuid not null,
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null check (octet_length(public_key) between 1 and 1024),
  -- The name of the pages that it opens.
  rp_id text not null check (length(rp_id) between 1 and 253),
  -- Some devices count what they sign, others say 0 for ever: one that goes back is a copy.
  sign_count bigint not null default 0 check (sign_count >= 0),
  device jsonb not null default '{}',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (org_id, user_id, device_hash),
  unique (org_id, passkey_id),
  unique (org_id, credential_id),
  foreign key (org_id, user_id, device_hash) references trusted_devices on delete cascade
);
select kist_tenant('passkeys');
comment on table passkeys is 'owner: identity';

create table passkey_challenges (
  org_id integer not null,
  user_id uuid not null,
  device_hash bytea not null,
  kind text not null check (kind in ('add', 'enter')),
  challenge_hash bytea not null check (octet_length(challenge_hash) = 32),
  -- The page that asked: what is signed on any other does not count.
  origin text not null check (length(origin) between 1 and 300),
  expires_at timestamptz not null,
  primary key (org_id, user_id, device_hash, kind),
  foreign key (org_id, user_id, device_hash) references trusted_devices on delete cascade
);
select kist_tenant('passkey_challenges');
comment on table passkey_challenges is 'owner: identity';
