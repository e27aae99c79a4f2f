-- Of people, customers, sessions and organisations the server's account changes the columns that its services change and no other: whose customer it is,
-- who stands below whom, what kind of user somebody is and whose session it is are as they were written. What an organisation is called, looks like and may do is the operator's:
-- the server notes the day that its daily run came to.
-- A million customers change nothing here: no row is read or written; each of the four tables is held exclusively for a moment.
do $$ declare tab text; may text; begin
  for tab, may in values
    ('users', 'first_name, last_name, shop_name, mobile, email, upi_id, birth_on, language, address, user_access, lock_access, may_add_retailers, updated_at, '
      'is_active, suspended_at, suspended_by, suspend_reason, suspended_with, mpin_hash, mpin_set_at, mpin_failed, mpin_locked_until'),
    ('customers', 'status, is_draft, plan_type, plan_id, first_name, last_name, mobile, alternate_mobile, email, address, birth_on, aadhaar_last4, pan_masked, '
      'photo_document_id, language, draft, search, updated_at, version'),
    ('sessions', 'last_seen_at, expires_at, revoked_at'),
    ('organisations', 'daily_run_on') loop
    execute format('revoke update on %I from kist_app', tab);
    execute format('grant update (%s) on %I to kist_app', may, tab);
  end loop;
end $$;

revoke insert on organisations from kist_app;
grant insert on organisations to kist_operator;
grant update (org_name, company_name, parent_company_name, ai_name, ai_agent_id, theme, support, privacy_policy, layout, antihacking_layout, languages, flags,
  allowed_features, holidays) on organisations to kist_operator;
