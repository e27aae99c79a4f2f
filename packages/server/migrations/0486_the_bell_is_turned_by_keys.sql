-- The bell's list is read from where the page before ended, and no longer by counting off what lies before it.
-- A million notifications: an index reads them once; notifications is held against writes for some seconds.
create index notifications_bell on notifications (org_id, user_id, created_at desc, notification_id desc);
