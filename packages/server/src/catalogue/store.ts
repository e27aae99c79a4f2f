import { as, bool, int4, nullable, type RowOf, text } from '#server/platform/column-types.ts';
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
  takes: { plan_id: int4, plan_type: int4, name: text },
  gives: { change: as<'created' | 'changed'>()(text) },
  text: `
    insert into plans as p (org_id, plan_id, plan_type, name) values ($1, $plan_id, $plan_type, $name)
    on conflict (org_id, plan_id) do update set name = excluded.name, is_active = true
      where (p.name, p.is_active) is distinct from (excluded.name, true)
    returning case when xmax = 0 then 'created' else 'changed' end as change`,
});
