-- The app type of a plan, for figures and lists of customers that are narrowed by it: the same that products and plans on sale are narrowed by.
-- A view is put in the place of another: no row is read or written, of a million plans as of ten; the view is held exclusively for a moment.
create or replace view plans_view with (security_invoker = true) as
  select org_id, plan_id, name, is_active, app_type from plans;
