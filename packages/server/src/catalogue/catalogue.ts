import { EMI_PLANS, PLAN, PROVISIONING, type PlanName, type ProvisioningType, planName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import type { Tx } from '#server/platform/database.ts';
import { type PlanRow, activePlans, planById } from './store.ts';

/** How the phone of a plan is reached. OLD_FL is LINKFL, read and release only; DPC_ANTITHEFT is a device owner. */
const PROVISIONING_OF: Partial<Record<PlanName, ProvisioningType>> = {
  DPC: PROVISIONING.DPC,
  DPC_ANTITHEFT: PROVISIONING.DPC,
  LINKFL: PROVISIONING.LINKFL,
  OLD_FL: PROVISIONING.LINKFL,
  APPLE: PROVISIONING.APPLE,
};

/** @returns the provisioning type of a plan type; null for plans without a managed phone. */
export function provisioningOf(planType: number): ProvisioningType | null {
  const name = planName(planType);
  return (name && PROVISIONING_OF[name]) ?? null;
}

/** Whether a plan is sold on instalments. */
export const isEmiPlan = (planType: number): boolean => EMI_PLANS.some((name) => PLAN[name] === planType);

export const plansOnOffer = (tx: Tx): Promise<PlanRow[]> => activePlans(tx);

/** @throws KistError INVALID_INPUT naming `plan_id` when there is no such plan. */
export async function planOf(tx: Tx, planId: number): Promise<PlanRow> {
  const plan = await planById(tx, planId);
  if (!plan) throw new KistError('INVALID_INPUT', { fields: [{ path: 'plan_id', key: 'field.plan' }] });
  return plan;
}
