-- Whether a consent counts: its text, a stored signature, and the code told from the customer's own number. Only a dealer's own policy may do without the
-- code. Nothing is written: a function that queries see through.
create function kist_consent_counts(document_id uuid, confirmation_id uuid, needs_code boolean) returns boolean language sql immutable as $$
  select document_id is not null and (confirmation_id is not null or not needs_code)
$$;
create function kist_needs_consent_code(policy jsonb) returns boolean language sql immutable as $$
  select policy ->> 'preset' is distinct from 'dealer' or policy -> 'consentCodeRequired' is distinct from 'false'::jsonb
$$;
