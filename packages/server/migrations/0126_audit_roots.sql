-- A chain that is deleted with its head is missed: each day every head that moved is written down and hashed, together with the day before's root, into a
-- root that is published. Whoever kept an old root can prove that nothing before it was changed or left out.
-- A million agreements: two new tables and no row read; the first root writes one row for each subject there is (some seconds).
create table audit_roots (
  org_id integer not null references organisations,
  day date not null,
  at timestamptz not null,
  heads bigint not null,
  prev_root bytea not null,
  root bytea not null,
  primary key (org_id, day)
);
comment on table audit_roots is 'owner: audit';
select kist_tenant('audit_roots', 'select, insert');

create table audit_root_heads (
  org_id integer not null,
  day date not null,
  subject_kind text not null,
  subject_id text not null,
  seq bigint not null,
  hash bytea not null,
  primary key (org_id, day, subject_kind, subject_id)
);
comment on table audit_root_heads is 'owner: audit';
create index audit_root_heads_subject on audit_root_heads (org_id, subject_kind, subject_id, seq);
select kist_tenant('audit_root_heads', 'select, insert');

-- What a root covers. Two levels, so that a million heads are hashed in parts of some thousand: first those whose ids' MD5 begins alike, then the parts.
create function audit_root_of(org integer, of_day date, prev bytea) returns bytea language sql stable as $$
  select sha256(prev || convert_to(concat_ws(E'\x1f', org, of_day, coalesce(sum(count), 0)), 'UTF8') || coalesce(string_agg(digest, ''::bytea order by part), ''::bytea))
  from (
    select left(md5(subject_id), 2) as part, count(*) as count, sha256(string_agg(
      convert_to(concat_ws(E'\x1f', subject_kind, subject_id, seq, ''), 'UTF8') || hash, ''::bytea
      order by subject_kind collate "C", subject_id collate "C")) as digest
    from audit_root_heads where org_id = org and day = of_day group by 1
  ) parts
$$;

-- A root is what its heads make it, and follows on the last one, whatever the statement says.
create function audit_root_fits() returns trigger language plpgsql as $$
declare
  last audit_roots%rowtype;
begin
  select * into last from audit_roots where org_id = new.org_id order by day desc limit 1;
  if new.day <> kist_today() or new.day <= last.day then
    raise exception 'insert of audit_roots is refused: % is not today, or not after %', new.day, last.day using errcode = 'restrict_violation';
  end if;
  new.at := kist_now();
  new.prev_root := coalesce(last.root, ''::bytea);
  new.heads := (select count(*) from audit_root_heads where org_id = new.org_id and day = new.day);
  new.root := audit_root_of(new.org_id, new.day, new.prev_root);
  return new;
end $$;
create trigger audit_root_fits before insert on audit_roots for each row execute function audit_root_fits();
alter table audit_roots enable always trigger audit_root_fits;

-- Heads come before their day's root, and are heads.
create function audit_root_heads_fit() returns trigger language plpgsql as $$
begin
  if exists (select from added a where a.day <> kist_today())
      or exists (select from audit_roots r where r.day >= kist_today() and r.org_id in (select org_id from added)) then
    raise exception 'insert of audit_root_heads is refused: the day is not open' using errcode = 'restrict_violation';
  end if;
  if exists (select from added a left join audit_heads h using (org_id, subject_kind, subject_id)
      where (h.seq, h.hash) is distinct from (a.seq, a.hash)) then
    raise exception 'insert of audit_root_heads is refused: not a head' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger audit_root_heads_fit after insert on audit_root_heads referencing new table as added
  for each statement execute function audit_root_heads_fit();
alter table audit_root_heads enable always trigger audit_root_heads_fit;

do $$ declare tab text; begin
  foreach tab in array array['audit_roots', 'audit_root_heads'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function kist_refuse(%L)', tab || '_stay', tab, 'what was written stays');
    execute format('alter table %I enable always trigger %I', tab, tab || '_stay');
    execute format('create trigger %I before truncate on %I for each statement execute function kist_refuse(%L)', tab || '_are_not_emptied', tab, 'what was written stays');
    execute format('alter table %I enable always trigger %I', tab, tab || '_are_not_emptied');
  end loop;
end $$;

-- When the chains were last looked at as a whole, and what was found: not looked at is as bad as a difference.
create table audit_checks (
  org_id integer not null references organisations,
  check_id uuid not null,
  checked_at timestamptz not null,
  is_whole boolean not null,
  faults integer not null check (faults >= 0),
  primary key (org_id, check_id)
);
comment on table audit_checks is 'owner: audit';
create index audit_checks_last on audit_checks (org_id, checked_at desc);
select kist_tenant('audit_checks', 'select, insert');
