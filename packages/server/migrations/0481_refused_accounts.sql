-- owner: commands. An account that its vendor refuses: since when, and when people were told. One row for each organisation and vendor, constants by default.
alter table vendor_budgets
  add column refused_since timestamptz, add column refused_why text check (length(refused_why) <= 200), add column refusal_told_at timestamptz,
  add constraint vendor_budgets_refused check ((refused_since is null) = (refused_why is null) and (refusal_told_at is null or refused_since is not null));
grant update (refused_since, refused_why, refusal_told_at) on vendor_budgets to kist_app;
