-- What SQL and TypeScript both reckon, once in each: `test/shared-truths.test.ts` holds the one against the other. All but kist_today() are put into
-- the statements that call them before these are planned, so that an index serves them as if the expression stood there.
-- And the views that reports, jobs and the demo read of the slices' tables: each is kept by the slice that owns what it shows, and is put into the statement likewise;
-- row-level security judges who asks, not who made the view.
-- A million rows change nothing here: functions and views are entries of the catalogue, and no table is locked beyond a read.
create function kist_today() returns date language sql stable parallel safe
  as $$ select (kist_now() at time zone 'utc' + interval '5 hours 30 minutes')::date $$;
comment on function kist_today is 'The calendar day in India on the product''s clock; dates.ts: businessDate. Ask it once a statement: (select kist_today()).';

create function kist_day_begins(day date) returns timestamptz language sql immutable parallel safe
  as $$ select (day::timestamp - interval '5 hours 30 minutes') at time zone 'utc' $$;
comment on function kist_day_begins is 'The instant at which a day begins in India; dates.ts: instantOf.';

create function kist_days_past_due(due_on date, today date) returns integer language sql immutable parallel safe
  as $$ select case when due_on < today then today - due_on else 0 end $$;
comment on function kist_days_past_due is 'Calendar days since the oldest unpaid due date, 0 on the day itself; dues.ts: daysPastDue.';

create function kist_is_maturing(last_due_on date, today date) returns boolean language sql immutable parallel safe
  as $$ select last_due_on between today and today + 30 $$;
comment on function kist_is_maturing is 'The last instalment falls due from today on, within 30 days; dues.ts: isMaturing.';

create function kist_locks(level integer) returns boolean language sql immutable parallel safe
  as $$ select level >= 3 $$;
comment on function kist_locks is 'Levels that count as locked; lock-policy.ts: LOCKED_FROM_LEVEL.';

create view plans_view with (security_invoker = true) as
  select org_id, plan_id, name, is_active from plans;
comment on view plans_view is 'owner: catalogue';

create view users_view with (security_invoker = true) as
  select org_id, user_id, user_type, parent_user_id, trim(first_name || ' ' || last_name) as name, is_active from users;
comment on view users_view is 'owner: identity';

create view customers_view with (security_invoker = true) as
  select org_id, customer_id, owner_user_id, status, is_draft, plan_type, plan_id, first_name, last_name, mobile, search, created_at from customers;
comment on view customers_view is 'owner: customers';

create view devices_view with (security_invoker = true) as
  select org_id, device_id, customer_id, provisioning_type, imei1, imei2, serial, brand, model, trim(brand || ' ' || model) as name, created_at, released_at
  from devices;
comment on view devices_view is 'owner: devices';

-- Null where there is nothing to compare: a phone that has never said anything is neither locked nor unlocked.
create view device_states_view with (security_invoker = true) as
  select r.org_id, r.device_id, r.is_strong and kist_locks(r.lock_level) as is_locked,
    r.is_strong and kist_locks(r.lock_level) and not kist_locks(w.lock_level) as is_unlock_pending,
    w.revision > r.revision or w.lease_seq > r.lease_seq as is_behind
  from device_reports r left join device_desired w on w.org_id = r.org_id and w.device_id = r.device_id;
comment on view device_states_view is 'owner: devices';

create view sim_changes_view with (security_invoker = true) as
  select org_id, device_id, at from device_events where kind = 'sim_changed';
comment on view sim_changes_view is 'owner: devices';

create view wallets_view with (security_invoker = true) as
  select org_id, user_id, plan_type, available from wallets;
comment on view wallets_view is 'owner: wallet';

create view agreements_view with (security_invoker = true) as
  select org_id, agreement_id, agreement_no, customer_id, device_id, owner_user_id, state, tenure, paid_count, oldest_due_on, oldest_due_paise, last_due_on,
    outstanding_paise, policy, created_at
  from agreements;
comment on view agreements_view is 'owner: agreements';

create view instalments_view with (security_invoker = true) as
  select org_id, agreement_id, no, due_on, paid_on,
    left_paise(i) as left_paise
  from instalments i;
comment on view instalments_view is 'owner: agreements';

create view consents_view with (security_invoker = true) as
  select org_id, agreement_id from consents;
comment on view consents_view is 'owner: agreements';

create view unanswered_commands_view with (security_invoker = true) as
  select org_id, device_id from commands where state in ('QUEUED', 'SENT', 'DELIVERED');
comment on view unanswered_commands_view is 'owner: commands';

create view notices_view with (security_invoker = true) as
  select org_id, notice_id, agreement_id, kind, channel, created_at, sent_at, delivered_at, failed_at from notices;
comment on view notices_view is 'owner: notices';

create view unread_notifications_view with (security_invoker = true) as
  select org_id, user_id from notifications where read_at is null;
comment on view unread_notifications_view is 'owner: notices';

create view open_disputes_view with (security_invoker = true) as
  select org_id, agreement_id from disputes where closed_at is null;
comment on view open_disputes_view is 'owner: locking';

create view payments_view with (security_invoker = true) as
  select org_id, payment_id, agreement_id, receipt_no, amount_paise, method, reference, paid_at, paid_on, state, reversed_at, reverse_reason, recorded_by
  from payments;
comment on view payments_view is 'owner: payments';

create view nightly_checks_view with (security_invoker = true) as
  select org_id, business_on, finished_at as checked_at, (result ->> 'is_balanced')::boolean as is_balanced from daily_steps where step = 'checks';
comment on view nightly_checks_view is 'owner: jobs';

grant select on plans_view, users_view, customers_view, devices_view, device_states_view, sim_changes_view, wallets_view, agreements_view, instalments_view,
  consents_view, unanswered_commands_view, notices_view, unread_notifications_view, open_disputes_view, payments_view, nightly_checks_view to kist_app;
