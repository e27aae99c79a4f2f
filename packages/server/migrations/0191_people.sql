-- Shops that are suspended and let in again, applications for an account, and the pictures that a shop shows: its own UPI QR and its signature.
-- A million users: the columns come at once; the index of shops reads the table once (a second), in which users can be read but not written, and holds the
-- shops alone. Every other table is held exclusively for a moment.
alter table users
  -- May make shops beside its own, besides those below it.
  add column may_add_retailers boolean not null default false,
  add column suspended_at timestamptz,
  add column suspended_by uuid,
  add column suspend_reason text,
  -- Suspended along with this user, its retailer, and let in again along with it.
  add column suspended_with uuid,
  add column updated_at timestamptz;
create index users_shops on users (org_id, created_at desc, user_id desc) where user_type in ('retailer', 'miniretailer');
comment on column users.suspended_with is 'The retailer above, where this one was suspended along with it.';

create or replace view users_view with (security_invoker = true) as
  select org_id, user_id, user_type, parent_user_id, trim(first_name || ' ' || last_name) as name, is_active, first_name, last_name, shop_name, mobile,
    address ->> 'city' as city, suspended_at, created_at
  from users;

-- Whom a customer turns to: the shop; where it is suspended the retailer above it, where that one is too the organisation itself.
create view shop_contacts_view with (security_invoker = true) as
  select u.org_id, u.user_id,
    case when u.is_active then u.shop_name when p.is_active then p.shop_name else o.org_name end as shop_name,
    case when u.is_active then u.first_name when p.is_active then p.first_name else '' end as first_name,
    case when u.is_active then u.last_name when p.is_active then p.last_name else '' end as last_name,
    case when u.is_active then u.mobile when p.is_active then p.mobile else coalesce(o.support ->> 'phone', '') end as mobile,
    case when u.is_active then u.upi_id when p.is_active then p.upi_id end as upi_id
  from users u join organisations o on o.org_id = u.org_id left join users p on p.org_id = u.org_id and p.user_id = u.parent_user_id;
grant select on shop_contacts_view to kist_app;
comment on view shop_contacts_view is 'owner: identity';

create table signup_requests (
  org_id integer not null references organisations,
  request_id uuid not null,
  mobile text not null check (mobile ~ '^\+91[6-9][0-9]{9}$'),
  first_name text not null,
  last_name text not null default '',
  shop_name text not null,
  city text not null default '',
  pincode text not null default '',
  note text not null default '',
  requested_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'approved', 'refused')),
  decided_at timestamptz,
  reason text not null default '',
  user_id uuid,
  primary key (org_id, request_id),
  check ((state = 'open') = (decided_at is null)),
  check (state <> 'refused' or btrim(reason) <> ''),
  check ((state = 'approved') = (user_id is not null))
);
-- Whoever asks again changes what was asked, and makes no second row.
create unique index signup_requests_open on signup_requests (org_id, mobile) where state = 'open';
create index signup_requests_in_order on signup_requests (org_id, state, requested_at, request_id);
select kist_tenant('signup_requests', 'select, insert, delete');
grant update (first_name, last_name, shop_name, city, pincode, note, state, decided_at, reason, user_id) on signup_requests to kist_app;
comment on table signup_requests is 'owner: identity';
create trigger signup_requests_decided_stay before update on signup_requests for each row when (old.state <> 'open')
  execute function kist_refuse('what was decided stays');
alter table signup_requests enable always trigger signup_requests_decided_stay;

create table user_pictures (
  org_id integer not null,
  user_id uuid not null,
  kind text not null check (kind in ('qr', 'signature')),
  picture_id uuid not null,
  mime text not null check (mime in ('image/png', 'image/jpeg')),
  bytes integer not null check (bytes > 0),
  sealed bytea not null,
  kept_at timestamptz not null,
  primary key (org_id, user_id, kind),
  foreign key (org_id, user_id) references users
);
select kist_tenant('user_pictures', 'select, insert');
grant update (picture_id, mime, bytes, sealed, kept_at) on user_pictures to kist_app;
comment on table user_pictures is 'owner: documents';
