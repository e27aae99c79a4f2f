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
