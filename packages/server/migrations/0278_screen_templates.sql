-- What an organisation lets its shops show on customers' screens besides the house's own words: texts in every language, added by its administrator on the
-- command line, chosen by name. A text is written once and ends once; which one a taken wallpaper shows is kept with the taking.
-- A million restrictions: one column without a value; the reference is checked for what is written from now on. Each table is held exclusively for a moment.
create table screen_templates (
  org_id integer not null references org_directory,
  template_id uuid not null,
  name text not null check (name ~ '^[a-z][a-z0-9_]{1,39}$'),
  -- By language code, all ten.
  texts jsonb not null,
  added_by uuid not null,
  added_at timestamptz not null,
  ended_by uuid,
  ended_at timestamptz,
  primary key (org_id, template_id),
  check ((ended_at is null) = (ended_by is null))
);
comment on table screen_templates is 'owner: notices';
create unique index screen_templates_live on screen_templates (org_id, name) where ended_at is null;
select kist_tenant('screen_templates', 'select, insert');
grant update (ended_by, ended_at) on screen_templates to kist_app;
create trigger screen_templates_facts_stay before update of org_id, template_id, name, texts, added_by, added_at on screen_templates for each row
  execute function kist_refuse('facts stay as they were written');
create trigger screen_templates_end_once before update on screen_templates for each row when (old.ended_at is not null)
  execute function kist_refuse('it is ended once');
create trigger screen_templates_stay before delete on screen_templates for each row execute function kist_refuse('what was written stays');
create trigger screen_templates_are_not_emptied before truncate on screen_templates for each statement execute function kist_refuse('what was written stays');
alter table screen_templates enable always trigger screen_templates_facts_stay;
alter table screen_templates enable always trigger screen_templates_end_once;
alter table screen_templates enable always trigger screen_templates_stay;
alter table screen_templates enable always trigger screen_templates_are_not_emptied;

create view screen_templates_view with (security_invoker = true) as
  select org_id, template_id, name, texts from screen_templates where ended_at is null;
comment on view screen_templates_view is 'owner: notices';
grant select on screen_templates_view to kist_app;

alter table restrictions add column template_id uuid;
comment on column restrictions.template_id is 'Whose words a taken wallpaper shows; null: the house''s own.';
alter table restrictions add constraint restrictions_template foreign key (org_id, template_id) references screen_templates not valid;
