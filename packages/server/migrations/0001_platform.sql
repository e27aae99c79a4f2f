-- The ground floor: roles, time, isolation, idempotency, limits, outbox, audit. No business words.

-- kist_app serves people: row-level security binds it to one organisation a transaction.
-- kist_device serves machines (phones' check-ins, the outbox dispatcher): it crosses organisations, on the few tables it is granted.
do $$ begin
  if not exists (select from pg_roles where rolname = 'kist_app') then create role kist_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'kist_device') then create role kist_device nologin; end if;
end $$;
do $$ begin
  execute format('grant kist_app, kist_device to %I', current_user);
exception when others then null; -- a superuser needs no grant; an owner who created the roles already has it
end $$;

create extension if not exists pg_trgm;

-- One clock: every instant of the product is kist_now(). `shift` is zero in production (the boot refuses otherwise); the demo moves it.
create table clock_offset (
  one boolean primary key default true check (one),
  shift interval not null default '0'
);
insert into clock_offset default values;
create function kist_now() returns timestamptz language sql stable parallel safe
  as $$ select now() + (select shift from clock_offset) $$;

-- The organisation this transaction speaks for; null when none was set (then row-level security shows nothing).
create function kist_org() returns integer language sql stable parallel safe
  as $$ select nullif(current_setting('kist.org_id', true), '')::integer $$;

-- Makes a table a tenant table: forced row-level security on org_id, granted to kist_app.
create function kist_tenant(tab regclass, privileges text default 'select, insert, update, delete') returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tab);
  execute format('alter table %s force row level security', tab);
  execute format('create policy tenant on %s to public using (org_id = kist_org()) with check (org_id = kist_org())', tab);
  execute format('grant %s on %s to kist_app', privileges, tab);
end $$;

-- Lets the machine role cross organisations on one table.
create function kist_machine(tab regclass, privileges text) returns void language plpgsql as $$
begin
  execute format('create policy machine on %s to kist_device using (true) with check (true)', tab);
  execute format('grant %s on %s to kist_device', privileges, tab);
end $$;

-- Which organisations exist and how a request finds its own before anyone signed in. Global on purpose: no secrets, no people.
create table org_directory (
  org_id integer primary key check (org_id > 0),
  slug text not null unique,
  host text unique,
  name text not null
);
grant select on org_directory to kist_app, kist_device;
grant insert, update on org_directory to kist_app;

create table outbox (
  org_id integer not null,
  id uuid not null,
  topic text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  done_at timestamptz,
  last_error text,
  primary key (org_id, id)
);
create index outbox_due on outbox (next_attempt_at) where done_at is null;
select kist_tenant('outbox');
select kist_machine('outbox', 'select, update, delete');

create table idempotency_keys (
  org_id integer not null,
  actor text not null,
  key uuid not null,
  request_hash bytea not null,
  status integer,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (org_id, actor, key)
);
create index idempotency_age on idempotency_keys (created_at);
select kist_tenant('idempotency_keys');

-- Shared by every server process; unlogged because a crash may forget a window, never a payment.
create unlogged table rate_limits (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (key, window_start)
);
grant select, insert, update, delete on rate_limits to kist_app, kist_device;

-- Freshness values already used by changing requests (X-EMM-Auth-Session).
create unlogged table seen_requests (
  digest bytea primary key,
  seen_at timestamptz not null default now()
);
create index seen_requests_age on seen_requests (seen_at);
grant select, insert, delete on seen_requests to kist_app, kist_device;

-- Append-only, hash-chained for each subject (an agreement, a device, a user…): nobody but the owner of the database can update or delete.
create table audit_heads (
  org_id integer not null,
  subject_kind text not null,
  subject_id text not null,
  seq bigint not null,
  hash bytea not null,
  primary key (org_id, subject_kind, subject_id)
);
select kist_tenant('audit_heads', 'select, insert, update');

create table audit_lines (
  org_id integer not null,
  subject_kind text not null,
  subject_id text not null,
  seq bigint not null,
  at timestamptz not null,
  actor jsonb not null,
  action text not null,
  data jsonb not null,
  prev_hash bytea not null,
  hash bytea not null,
  primary key (org_id, subject_kind, subject_id, seq)
);
select kist_tenant('audit_lines', 'select, insert');
create index audit_at on audit_lines (org_id, at);

-- What a line's hash covers: everything that is in it, and the line before. Times as UTC text to the microsecond.
create function audit_hash(prev bytea, org integer, kind text, id text, n bigint, at timestamptz, actor jsonb, action text, data jsonb)
  returns bytea language sql immutable parallel safe as $$
  select sha256(prev || convert_to(concat_ws(E'\x1f', org, kind, id, n,
    to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), actor::text, action, data::text), 'UTF8'))
$$;

-- Appends one line to each subject of the arrays in one statement: the same path for one payment and for a bulk lock of 100,000 phones.
create function audit_append(kind text, ids text[], actor jsonb, act text, datas jsonb[]) returns void language sql as $$
  with given as (
    select id, data, kist_now() as at from unnest(ids, datas) as t(id, data) order by id
  ), chained as (
    select g.id, g.data, g.at, coalesce(h.seq, 0) + 1 as seq, coalesce(h.hash, ''::bytea) as prev
    from given g left join lateral (
      select seq, hash from audit_heads where org_id = kist_org() and subject_kind = kind and subject_id = g.id for update
    ) h on true
  ), hashed as (
    select *, audit_hash(prev, kist_org(), kind, id, seq, at, actor, act, data) as hash from chained
  ), lines as (
    insert into audit_lines (org_id, subject_kind, subject_id, seq, at, actor, action, data, prev_hash, hash)
    select kist_org(), kind, id, seq, at, actor, act, data, prev, hash from hashed
  )
  insert into audit_heads (org_id, subject_kind, subject_id, seq, hash)
  select kist_org(), kind, id, seq, hash from hashed
  on conflict (org_id, subject_kind, subject_id) do update set seq = excluded.seq, hash = excluded.hash
$$;
grant execute on function kist_now(), kist_org() to kist_app, kist_device;
grant select on clock_offset to kist_app, kist_device;
grant update on clock_offset to kist_app;
