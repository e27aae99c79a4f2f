import type { Tx } from '#server/platform/database.ts';

export interface PlanRow {
  plan_id: number;
  plan_type: number;
  name: string;
  app_type: number | null;
}

export async function activePlans(tx: Tx): Promise<PlanRow[]> {
  const { rows } = await tx.query<PlanRow>(
    'select plan_id, plan_type, name, app_type from plans where is_active order by plan_id',
    [],
  );
  return rows;
}

export async function planById(tx: Tx, planId: number): Promise<PlanRow | null> {
  const { rows } = await tx.query<PlanRow>('select plan_id, plan_type, name, app_type from plans where plan_id = $1', [
    planId,
  ]);
  return rows[0] ?? null;
}
