-- Sessions are looked up by their token's hash for many requests in one statement, whatever their organisation: the machine role
-- may read them by that key, and of users exactly the columns an actor is made of (no names, no numbers, no M-PIN).
create policy machine on sessions to kist_device using (true) with check (true);
grant select (org_id, session_id, user_id, token_hash, last_seen_at, expires_at, revoked_at), update (last_seen_at, expires_at) on sessions to kist_device;
create policy machine on users for select to kist_device using (true);
grant select (org_id, user_id, user_type, parent_user_id, customer_id, language, is_active, user_access, lock_access) on users to kist_device;
