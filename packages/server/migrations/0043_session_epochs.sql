-- How often what a session answers with has changed in an organisation: a server that remembers a session asks for this one number, for all requests of a
-- turn at once, and looks the session up again when it has risen. It rises in the transaction of the change, so whoever sees the change sees the number.
create table session_epochs (
  org_id integer primary key references organisations,
  epoch bigint not null
);
select kist_tenant('session_epochs', 'select, insert, update');
select kist_machine('session_epochs', 'select');

create function session_epoch_rises() returns trigger language plpgsql as $$
begin
  insert into session_epochs as s (org_id, epoch) values (coalesce(new.org_id, old.org_id), 1)
  on conflict (org_id) do update set epoch = s.epoch + 1;
  return null;
end $$;

-- A new session is remembered by nobody; a touched one only lives longer.
create trigger sessions_epoch after update on sessions for each row
when (
  (old.org_id, old.session_id, old.user_id, old.token_hash, old.revoked_at) is distinct from (new.org_id, new.session_id, new.user_id, new.token_hash, new.revoked_at)
  or new.expires_at < old.expires_at
) execute function session_epoch_rises();
create trigger sessions_gone_epoch after delete on sessions for each row when (old.revoked_at is null) execute function session_epoch_rises();
create trigger users_epoch after update on users for each row
when (
  (old.org_id, old.user_id, old.user_type, old.parent_user_id, old.customer_id, old.language, old.is_active, old.user_access, old.lock_access)
  is distinct from
  (new.org_id, new.user_id, new.user_type, new.parent_user_id, new.customer_id, new.language, new.is_active, new.user_access, new.lock_access)
) execute function session_epoch_rises();
-- A mini-retailer's customers are its retailer's too.
create trigger users_new_epoch after insert on users for each row when (new.parent_user_id is not null) execute function session_epoch_rises();
create trigger users_gone_epoch after delete on users for each row execute function session_epoch_rises();
