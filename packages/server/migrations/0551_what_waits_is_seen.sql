-- Orders to many that wait for a second person can be read by others than who keeps them: whoever lists what waits. A view, and no row is touched.
create view waiting_batches_view with (security_invoker = true) as
  select org_id, batch_id, reason, requested_by, total, created_at from batches where state = 'waiting';
grant select on waiting_batches_view to kist_app;
comment on view waiting_batches_view is 'owner: commands';
