-- Terms that the organisation offers on a plan, each one press at the counter: what is agreed then still is what the sale says.
-- A million customers: a new table, nothing is read or written.
create table plan_presets (
  org_id integer not null references organisations,
  plan_id integer not null,
  name text not null check (name <> ''),
  method text not null check (method in ('FLAT', 'REDUCING', 'ZERO')),
  frequency text not null check (frequency in ('MONTHLY', 'FORTNIGHTLY', 'WEEKLY')),
  tenure integer not null check (tenure between 1 and 520),
  -- Of the cash price; a whole rupee is asked.
  down_bps integer not null check (down_bps between 0 and 9900),
  rate_bps integer not null check (rate_bps between 0 and 10000),
  set_at timestamptz not null,
  primary key (org_id, plan_id, name),
  foreign key (org_id, plan_id) references plans,
  check (method <> 'ZERO' or rate_bps = 0)
);
select kist_tenant('plan_presets', 'select, insert, delete');
grant update (method, frequency, tenure, down_bps, rate_bps, set_at) on plan_presets to kist_app;
comment on table plan_presets is 'owner: catalogue';
