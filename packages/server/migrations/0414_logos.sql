-- The logo of an organisation, as its pages, manifest and home screens show it: squares made anew from the pixels of what was brought, one row a size.
-- `theme.logo` says which they are, for addresses that may be kept: the beginning of a hash. Who runs the installation writes them, nobody else.
-- A row an organisation, tens of them: `organisations` is held exclusively for a moment; the other table is new and empty.
create table organisation_logos (
  org_id integer not null references organisations,
  edge integer not null check (edge in (192, 512)),
  png bytea not null check (octet_length(png) between 1 and 1048576),
  primary key (org_id, edge)
);
select kist_tenant('organisation_logos', 'select');
grant insert, update, delete on organisation_logos to kist_operator;
comment on table organisation_logos is 'owner: organisations';
alter table organisations add constraint organisations_logo check (theme ->> 'logo' ~ '^[0-9a-f]{12}$');
