import {
  EMI_PLANS,
  PLAN,
  PROVISIONING,
  type PlanName,
  type ProvisioningType,
  planName,
  provisioningName,
} from '@kist/contract/codes';
import { type Plane, canDeliver } from './planes.ts';
import type { PlanRow } from './store.ts';

/** How the phone of a plan type is reached where the plan itself does not say. OLD_FL is LINKFL, read and release only; DPC_ANTITHEFT a device owner. */
const PROVISIONING_OF: Partial<Record<PlanName, ProvisioningType>> = {
  DPC: PROVISIONING.DPC,
  DPC_ANTITHEFT: PROVISIONING.DPC,
  LINKFL: PROVISIONING.LINKFL,
  OLD_FL: PROVISIONING.LINKFL,
  APPLE: PROVISIONING.APPLE,
};

const { DPC, AMAPI, LINKFL, APPLE } = PROVISIONING;
/** Every way that a plan of a type may name (the database holds the same, `plans_provisioning_fits`). */
export const WAYS: Readonly<Record<PlanName, readonly ProvisioningType[]>> = {
  DPC: [DPC, AMAPI],
  DPC_ANTITHEFT: [DPC],
  LINKFL: [LINKFL],
  OLD_FL: [LINKFL],
  APPLE: [APPLE],
  ANTI_THEFT: [LINKFL],
  EXTENDED_WARRANTY: [],
  FAMILYCARE: [LINKFL],
  ANTIHACKING: [LINKFL],
  ANTIHACKING_PRO: [LINKFL],
  ANTIHACKING_PREMIUM: [LINKFL],
};

/** @returns how the phones of a plan are reached; null for plans without a managed phone. */
export function provisioningOf(plan: Pick<PlanRow, 'plan_type' | 'provisioning_type'>): ProvisioningType | null {
  const name = planName(plan.plan_type);
  return (plan.provisioning_type as ProvisioningType | null) ?? (name && PROVISIONING_OF[name]) ?? null;
}

/** Whether a plan is sold on instalments. */
export const isEmiPlan = (planType: number): boolean => EMI_PLANS.some((name) => PLAN[name] === planType);

/** Whether a plan can be sold where these planes run. */
export function isOnSale(plan: PlanRow, running: readonly Plane[]): boolean {
  const name = planName(plan.plan_type);
  const provisioning = provisioningOf(plan);
  return (
    plan.is_active &&
    name !== undefined &&
    canDeliver(name, provisioning === null ? undefined : provisioningName(provisioning), running)
  );
}
