-- Brand and model by the first eight digits of an IMEI (TAC), as an operator's table has them: what no phone sold here has taught yet is looked up in it.
-- A million customers: a new table, nothing is read or written.
create table phone_models (
  org_id integer not null references organisations,
  tac text not null check (tac ~ '^[0-9]{8}$'),
  brand text not null check (brand <> ''),
  model text not null check (model <> ''),
  set_at timestamptz not null,
  primary key (org_id, tac)
);
select kist_tenant('phone_models', 'select, insert');
grant update (brand, model, set_at) on phone_models to kist_app;
comment on table phone_models is 'owner: catalogue';
