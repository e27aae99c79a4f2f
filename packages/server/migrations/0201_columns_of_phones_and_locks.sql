-- Of phones and locks the server's account changes the columns that its services change: whose phone it is, its type and its IMEIs stay as they were written, and so
-- does what a lock was taken on.
-- A million phones change nothing here: no row is read or written; both tables are held exclusively for a moment.
do $$ declare tab text; may text; who text; begin
  for tab, who, may in values
    ('devices', 'kist_app', 'enrolled_at, first_enrolled_at, serial, released_at, last_seq'),
    ('devices', 'kist_device', 'enrolled_at, first_enrolled_at, serial, released_at, last_seq'),
    ('locks', 'kist_app', 'level, level_since, agreement_id, reason, verdict_id, ends_at') loop
    execute format('revoke update on %I from %I', tab, who);
    execute format('grant update (%s) on %I to %I', may, tab, who);
  end loop;
end $$;
