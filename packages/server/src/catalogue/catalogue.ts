import { KistError } from '@kist/contract/errors';
import type { Tx } from '#server/platform/database.ts';
import { isOnSale } from './kinds.ts';
import { type Plane, RUNNING_PLANES } from './planes.ts';
import * as store from './store.ts';

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

export { brands } from './brands.ts';
export { isEmiPlan, provisioningOf } from './kinds.ts';
export { allPlans, changePlan, offer } from './offer.ts';
export { type Plane, RUNNING_PLANES, canDeliver } from './planes.ts';
export { createPlaces } from './places.ts';
export { appTypeOf, products } from './products.ts';
export { importModels, phoneModel } from './phone-models.ts';
export { presets, removePreset, setPreset } from './presets.ts';
export { keyPrices, setKeyPrice } from './prices.ts';
export { financer, financers, setFinancer } from './financers.ts';
