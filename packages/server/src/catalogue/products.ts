import { type PlanName, planName, provisioningName } from '@kist/contract/codes';
import type { Tx } from '#server/platform/database.ts';
import { isEmiPlan, isOnSale, provisioningOf } from './kinds.ts';
import type { Plane } from './planes.ts';
import { keyPrices } from './prices.ts';
import * as store from './store.ts';

interface ProductFilter {
  app_type?: number | undefined;
  plan_id?: number | undefined;
  product_id?: number | undefined;
  search?: string | undefined;
}

/** What a plan is asked for by: its own app type, or its type where it has none. */
export const appTypeOf = ({ app_type, plan_type }: Pick<store.PlanRow, 'app_type' | 'plan_type'>): number =>
  app_type ?? plan_type;

/** Every plan of the organisation that fits, of all types, on sale or not. @param running the planes of this installation */
export async function products(tx: Tx, running: readonly Plane[], filter: ProductFilter) {
  const { app_type, plan_id, product_id, search = '' } = filter;
  const words = search.toLowerCase();
  const plans = (await store.allPlans.all(tx, {})).filter(
    (plan) =>
      (app_type === undefined || appTypeOf(plan) === app_type) &&
      [plan_id, product_id].every((id) => id === undefined || id === plan.plan_id) &&
      plan.name.toLowerCase().includes(words),
  );
  const prices = await keyPrices(tx);
  return plans.flatMap((plan) => {
    const name = planName(plan.plan_type);
    return name === undefined ? [] : [shown(plan, name, running, prices.get(plan.plan_type))];
  });
}

function shown(plan: store.PlanRow, plan_type_name: PlanName, running: readonly Plane[], price: number | undefined) {
  const { plan_id, name, plan_type, app_type } = plan;
  const provisioning_type = provisioningOf(plan);
  return {
    id: plan_id,
    plan_id,
    name,
    plan_type,
    plan_type_name,
    app_type,
    provisioning_type,
    provisioning: provisioning_type === null ? null : (provisioningName(provisioning_type) ?? null),
    is_emi: isEmiPlan(plan_type),
    is_on_sale: isOnSale(plan, running),
    price_paise: price ?? null,
  };
}
