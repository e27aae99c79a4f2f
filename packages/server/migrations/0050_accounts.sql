-- Who may do what to the database. The server logs in as an account that is neither superuser nor owner and becomes kist_app or kist_device; the clock and
-- the directory of organisations belong to whoever runs the installation.

-- kist_operator serves the command line, and the demo server for its clock: what kist_app may in an organisation, and the clock and the directory besides.
do $$ begin
  if not exists (select from pg_roles where rolname = 'kist_operator') then create role kist_operator nologin; end if;
end $$;
do $$ begin
  execute format('grant kist_operator to %I', current_user);
exception when others then null; -- a superuser needs no grant; an owner who created the role already has it
end $$;
do $$ begin
  -- Roles are the server's, not the database's: on one that has served before, the owner of another database finds them made.
  if not exists (select from pg_auth_members where roleid = 'kist_app'::regrole and member = 'kist_operator'::regrole) then
    grant kist_app to kist_operator;
  end if;
end $$;

revoke update on clock_offset from kist_app;
grant update on clock_offset to kist_operator;
revoke insert, update on org_directory from kist_app;
grant insert, update on org_directory to kist_operator;

-- What this database is for, written once at its first start: a demo's data may be emptied, real people's never.
create table installation (
  one boolean primary key default true check (one),
  mode text not null check (mode in ('demo', 'production')),
  stamped_at timestamptz not null default now()
);
grant select on installation to kist_app, kist_device;

-- A server that was not given the owner's account compares these with its own files.
grant select on schema_migrations to kist_app;
