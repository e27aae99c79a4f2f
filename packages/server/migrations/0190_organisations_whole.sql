-- What an organisation chooses for itself is held: its layouts are ones that are drawn, its languages ones that are spoken, English among them (what no text
-- is written in falls back to it). And what it takes for a key of each plan type.
-- A row an organisation, tens of them: each table is held exclusively for a moment.
alter table organisations
  add column languages text[] not null default '{en,hn,mr,gj,sp,bd,kn,tg,tm,pp}',
  add constraint organisations_layout check (layout in ('classic', 'compact')),
  add constraint organisations_antihacking_layout check (antihacking_layout in ('classic', 'steps')),
  add constraint organisations_languages check (languages <@ '{en,hn,mr,gj,sp,bd,kn,tg,tm,pp}' and 'en' = any (languages));

create table key_prices (
  org_id integer not null references organisations,
  plan_type integer not null check (plan_type in (0, 1, 2, 4, 5, 6, 7, 8, 9, 12, 13)),
  -- For one key.
  price_paise bigint not null check (price_paise between 1 and 100000000),
  set_at timestamptz not null,
  primary key (org_id, plan_type)
);
select kist_tenant('key_prices', 'select, insert, delete');
grant update (price_paise, set_at) on key_prices to kist_app;
comment on table key_prices is 'owner: catalogue';
