import { PLAN, type PlanName, planName, provisioningName } from '@kist/contract/codes';
import * as catalogue from '#server/catalogue/catalogue.ts';
import type { Tx } from '#server/platform/database.ts';

/** Of a plan that stands in the books and is sold by nobody yet. */
export const NOT_DELIVERED = 'cannot be delivered by this version';

/** How phones of this type are reached where nothing else was said; undefined for what is sold beside a phone. */
export function usualWayOf(plan: PlanName) {
  const type = catalogue.provisioningOf({ plan_type: PLAN[plan], provisioning_type: null });
  return type === null ? undefined : provisioningName(type);
}

/** Whether phones of this type, reached as they usually are, can be sold by this version. */
export const isDelivered = (plan: PlanName): boolean =>
  catalogue.canDeliver(plan, usualWayOf(plan), catalogue.RUNNING_PLANES);

/** @returns what to say of a plan that is meant to be on sale and is not, as `kist plan list` says it */
export async function warningsOfPlan(tx: Tx, plan_id: number): Promise<string[]> {
  const isMeant = (await catalogue.allPlans(tx)).some((plan) => plan.plan_id === plan_id && plan.is_active);
  const isOffered = (await catalogue.plansOnOffer(tx)).some((plan) => plan.plan_id === plan_id);
  return isMeant && !isOffered ? [`plan ${plan_id} ${NOT_DELIVERED}: no shop is offered it`] : [];
}

/** @returns what to say of keys that no plan of the organisation spends */
export async function warningsOfKeys(tx: Tx, plan: PlanName): Promise<string[]> {
  const isSpent = (await catalogue.plansOnOffer(tx)).some(({ plan_type }) => planName(plan_type) === plan);
  return isSpent || isDelivered(plan) ? [] : [`${plan} ${NOT_DELIVERED}: nobody can spend these keys`];
}

/** Warnings as a person reads them, below what was done. */
export const told = (warnings: readonly string[]): string[] => warnings.map((one) => `  Warning: ${one}`);
