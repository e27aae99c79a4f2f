import {
  EMI_PLANS,
  PLAN,
  PROVISIONING,
  type PlanName,
  type ProvisioningType,
  planName,
  provisioningName,
} from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import type { Tx } from '#server/platform/database.ts';
import { type Plane, RUNNING_PLANES, canDeliver } from './planes.ts';
import * as store from './store.ts';

/** How the phone of a plan type is reached where the plan itself does not say. OLD_FL is LINKFL, read and release only; DPC_ANTITHEFT a device owner. */
const PROVISIONING_OF: Partial<Record<PlanName, ProvisioningType>> = {
  DPC: PROVISIONING.DPC,
  DPC_ANTITHEFT: PROVISIONING.DPC,
  LINKFL: PROVISIONING.LINKFL,
  OLD_FL: PROVISIONING.LINKFL,
  APPLE: PROVISIONING.APPLE,
};

/** @returns how the phones of a plan are reached; null for plans without a managed phone. */
export function provisioningOf(plan: Pick<store.PlanRow, 'plan_type' | 'provisioning_type'>): ProvisioningType | null {
  const name = planName(plan.plan_type);
  return (plan.provisioning_type as ProvisioningType | null) ?? (name && PROVISIONING_OF[name]) ?? null;
}

/** Whether a plan is sold on instalments. */
export const isEmiPlan = (planType: number): boolean => EMI_PLANS.some((name) => PLAN[name] === planType);

function isOnSale(plan: store.PlanRow, running: readonly Plane[]): boolean {
  const name = planName(plan.plan_type);
  const provisioning = provisioningOf(plan);
  return (
    plan.is_active &&
    name !== undefined &&
    canDeliver(name, provisioning === null ? undefined : provisioningName(provisioning), running)
  );
}

/** What a shop can sell here now: the organisation's plans whose planes all run. */
export async function plansOnOffer(tx: Tx, running: readonly Plane[] = RUNNING_PLANES): Promise<store.PlanRow[]> {
  return (await store.allPlans.all(tx, {})).filter((plan) => isOnSale(plan, running));
}

/** @throws KistError INVALID_INPUT naming `plan_id` when there is no such plan, PLAN_NOT_ON_SALE when it can not be delivered here or was withdrawn. */
export async function planForSale(
  tx: Tx,
  planId: number,
  running: readonly Plane[] = RUNNING_PLANES,
): Promise<store.PlanRow> {
  const plan = await store.planById.first(tx, { plan_id: planId });
  if (!plan) throw new KistError('INVALID_INPUT', { fields: [{ path: 'plan_id', key: 'field.plan' }] });
  if (!isOnSale(plan, running)) throw new KistError('PLAN_NOT_ON_SALE', { details: { plan_id: planId } });
  return plan;
}

export { allPlans, changePlan, offer } from './offer.ts';
export { type Plane, RUNNING_PLANES, canDeliver } from './planes.ts';
export { importModels, phoneModel } from './phone-models.ts';
export { presets, removePreset, setPreset } from './presets.ts';
export { keyPrices, setKeyPrice } from './prices.ts';
