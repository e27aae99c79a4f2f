import type { Tx } from '#server/platform/database.ts';

export interface PlanRow {
  plan_id: number;
  plan_type: number;
  /** Null: as the plan type says. */
  provisioning_type: number | null;
  name: string;
  app_type: number | null;
  is_active: boolean;
}

const COLUMNS = 'plan_id, plan_type, provisioning_type, name, app_type, is_active';

export async function allPlans(tx: Tx): Promise<PlanRow[]> {
  const { rows } = await tx.query<PlanRow>(`select ${COLUMNS} from plans order by plan_id`, []);
  return rows;
}

export async function planById(tx: Tx, planId: number): Promise<PlanRow | null> {
  const { rows } = await tx.query<PlanRow>(`select ${COLUMNS} from plans where plan_id = $1`, [planId]);
  return rows[0] ?? null;
}

/** @returns what became of the plan of this number; undefined when nothing changed */
export async function upsertPlan(
  tx: Tx,
  plan: Pick<PlanRow, 'plan_id' | 'plan_type' | 'name'>,
): Promise<'created' | 'changed' | undefined> {
  const { rows } = await tx.query<{ change: 'created' | 'changed' }>(
    `insert into plans as p (org_id, plan_id, plan_type, name) values (kist_org(), $1, $2, $3)
     on conflict (org_id, plan_id) do update set name = excluded.name, is_active = true
       where (p.name, p.is_active) is distinct from (excluded.name, true)
     returning case when xmax = 0 then 'created' else 'changed' end as change`,
    [plan.plan_id, plan.plan_type, plan.name],
  );
  return rows[0]?.change;
}
