-- Shops of an organisation sign in with its own identity provider (OpenID Connect): where it is and as whom the organisation is known there, the questions
-- that wait for its answer (a browser that went there and has not come back), and whose account there is whose here.
-- A million users: three new tables; the index reads them once and holds users against writing for about a second.
create table identity_providers (
  org_id integer primary key references organisations,
  issuer text not null check (issuer ~ '^https?://' and length(issuer) <= 500),
  client_id text not null check (length(client_id) between 1 and 300),
  -- Sealed; null: a client without a secret.
  secret_sealed bytea,
  -- By which verified word of the provider somebody is found here.
  claim text not null check (claim in ('email', 'phone_number')),
  set_at timestamptz not null default now()
);
select kist_tenant('identity_providers', 'select');
grant insert, update, delete on identity_providers to kist_operator;
comment on table identity_providers is 'owner: identity';

create table provider_questions (
  org_id integer not null references organisations,
  state_hash bytea not null check (octet_length(state_hash) = 32),
  -- Of what the browser keeps that went there: nobody else's brings the answer.
  ticket_hash bytea not null check (octet_length(ticket_hash) = 32),
  -- The page of the app that the answer comes back to.
  page text not null check (length(page) between 1 and 500),
  expires_at timestamptz not null,
  primary key (org_id, state_hash)
);
select kist_tenant('provider_questions', 'select, insert, delete');
comment on table provider_questions is 'owner: identity';

-- The first sign-in ties the provider's account to the user; the word that found the user may go to somebody else there, and does not take the user along.
create table provider_subjects (
  org_id integer not null,
  user_id uuid not null,
  issuer text not null,
  subject text not null check (length(subject) between 1 and 300),
  linked_at timestamptz not null,
  primary key (org_id, user_id),
  unique (org_id, issuer, subject),
  foreign key (org_id, user_id) references users on delete cascade
);
select kist_tenant('provider_subjects', 'select, insert');
grant delete on provider_subjects to kist_operator;
comment on table provider_subjects is 'owner: identity';

create index users_email on users (org_id, lower(email)) where user_type <> 'customer' and email is not null;
