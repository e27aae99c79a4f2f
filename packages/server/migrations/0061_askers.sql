-- Who asks for codes about whom: by keyed hashes only, of the mobile too, so that nothing is kept about people who are not ours. A code lives five minutes
-- and cannot be converted (the key stands outside the database): who waits for one asks again.
truncate otps;
drop index otps_mobile;
alter table otps
  drop column mobile,
  add column mobile_hash bytea not null,
  -- Whose budget it draws on (docs/decisions/0006): a trusted device, an address of earlier sign-ins, a stranger, or a session (step-up).
  add column lane text not null check (lane in ('device', 'address', 'stranger', 'session')),
  add column asker bytea not null;
create index otps_mobile on otps (org_id, mobile_hash, purpose, created_at desc);

-- A session is over 30 days after its sign-in, however it is used: the look-up has to see when that was.
grant select (created_at) on sessions to kist_device;
