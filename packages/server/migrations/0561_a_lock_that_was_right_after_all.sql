-- What shows that a lock was wrong can be money that is taken back: then the lock was right, and nothing is owed for its hours unless the money is written down
-- again. Since when it was held stays as it was found.
-- A million cures: columns that are nothing or one value, no row is written anew; the check looks over them once (a second), the table is held exclusively meanwhile.
alter table cures
  add column withdrawn_at timestamptz,
  -- A clock that began with nothing but that: nobody had to take the lock off in time.
  add column began_wrong boolean not null default false,
  add constraint cures_withdrawn_at_check check (withdrawn_at is null or held_since is not null);
grant update (withdrawn_at) on cures to kist_app;
