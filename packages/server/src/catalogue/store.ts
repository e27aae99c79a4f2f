import { as, bool, int4, int8, nullable, type RowOf, text } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const plan = {
  plan_id: int4,
  plan_type: int4,
  /** Null: as the plan type says. */
  provisioning_type: nullable(int4),
  name: text,
  app_type: nullable(int4),
  is_active: bool,
};
export type PlanRow = RowOf<typeof plan>;
const COLUMNS = 'plan_id, plan_type, provisioning_type, name, app_type, is_active';

export const allPlans = statement({
  name: 'catalogue.all_plans',
  gives: plan,
  text: `select ${COLUMNS} from plans where org_id = $1 order by plan_id`,
});

export const planById = statement({
  name: 'catalogue.plan_by_id',
  takes: { plan_id: int4 },
  gives: plan,
  text: `select ${COLUMNS} from plans where org_id = $1 and plan_id = $plan_id`,
});

/** What became of the plan of this number; no row where nothing changed. */
export const upsertPlan = statement({
  name: 'catalogue.upsert_plan',
  takes: { plan_id: int4, plan_type: int4, name: text, provisioning_type: nullable(int4) },
  gives: { change: as<'created' | 'changed'>()(text) },
  text: `
    insert into plans as p (org_id, plan_id, plan_type, name, provisioning_type) values ($1, $plan_id, $plan_type, $name, $provisioning_type)
    on conflict (org_id, plan_id) do update set name = excluded.name, is_active = true
      where (p.name, p.is_active) is distinct from (excluded.name, true)
    returning case when xmax = 0 then 'created' else 'changed' end as change`,
});

/** What the organisation takes for one key. */
export const keyPrices = statement({
  name: 'catalogue.key_prices',
  gives: { plan_type: int4, price_paise: int8 },
  text: 'select plan_type, price_paise from key_prices where org_id = $1 order by plan_type',
});

/** The type that was written; no row where it cost as much before. */
export const upsertKeyPrice = statement({
  name: 'catalogue.upsert_key_price',
  takes: { plan_type: int4, price_paise: int8 },
  gives: { plan_type: int4 },
  text: `
    insert into key_prices as p (org_id, plan_type, price_paise, set_at) values ($1, $plan_type, $price_paise, kist_now())
    on conflict (org_id, plan_type) do update set price_paise = excluded.price_paise, set_at = excluded.set_at
      where p.price_paise <> excluded.price_paise
    returning plan_type`,
});

export const deleteKeyPrice = statement({
  name: 'catalogue.delete_key_price',
  takes: { plan_type: int4 },
  gives: { plan_type: int4 },
  text: 'delete from key_prices where org_id = $1 and plan_type = $plan_type returning plan_type',
});

/** Takes a plan off sale or puts it back, renames it; null: as it is. No row where nothing changed. */
export const updatePlan = statement({
  name: 'catalogue.update_plan',
  takes: { plan_id: int4, name: nullable(text), app_type: nullable(int4), is_active: nullable(bool) },
  gives: { plan_id: int4 },
  text: `
    update plans p set name = coalesce($name, p.name), app_type = coalesce($app_type, p.app_type), is_active = coalesce($is_active, p.is_active)
    where p.org_id = $1 and p.plan_id = $plan_id
      and (p.name, p.app_type, p.is_active) is distinct from (coalesce($name, p.name), coalesce($app_type, p.app_type), coalesce($is_active, p.is_active))
    returning plan_id`,
});
