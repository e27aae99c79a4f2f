-- The colour of an organisation stands in its pages, its icon and its manifest, its short name and its host in their addresses: whoever writes them, a
-- colour is a colour and a name is letters, digits and hyphens. (The command line reads them by the same rules.)
-- A row an organisation, tens of them: both tables are held exclusively for a moment.
alter table organisations
  add constraint organisations_accent check (theme ->> 'accent' ~ '^#[0-9A-Fa-f]{6}$');
alter table org_directory
  add constraint org_directory_slug check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  add constraint org_directory_host check (host ~ '^[A-Za-z0-9.-]{1,253}$');
