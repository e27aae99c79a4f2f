-- The privacy policy of an organisation, in each of its languages, by versions that stay: who read one can show later which it was. The operator sets it.
-- A new table: no row is read or written, and no table held.
create table privacy_policies (
  org_id integer not null references organisations,
  language text not null check (language in ('en', 'hn', 'mr', 'gj', 'sp', 'bd', 'kn', 'tg', 'tm', 'pp')),
  version integer not null check (version > 0),
  text text not null check (char_length(text) between 1 and 20000),
  sha256 bytea not null,
  set_at timestamptz not null,
  primary key (org_id, language, version)
);
comment on table privacy_policies is 'owner: organisations';
select kist_tenant('privacy_policies', 'select');
grant select, insert on privacy_policies to kist_operator;

create function privacy_policy_follows() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.version := coalesce((select max(version) from privacy_policies where org_id = new.org_id and language = new.language), 0) + 1;
  new.sha256 := sha256(convert_to(new.text, 'UTF8'));
  new.set_at := kist_now();
  return new;
end $$;
create trigger privacy_policy_follows before insert on privacy_policies for each row execute function privacy_policy_follows();
create trigger privacy_policies_stay before update or delete on privacy_policies for each row execute function kist_refuse('what was published stays');
create trigger privacy_policies_are_not_emptied before truncate on privacy_policies for each statement execute function kist_refuse('what was published stays');
alter table privacy_policies enable always trigger privacy_policy_follows;
alter table privacy_policies enable always trigger privacy_policies_stay;
alter table privacy_policies enable always trigger privacy_policies_are_not_emptied;
