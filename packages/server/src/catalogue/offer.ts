import { type ProvisioningType, planName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { WAYS } from './kinds.ts';
import * as store from './store.ts';

/** Without a way its phones are reached as those of its type are. */
export type Offered = Pick<store.PlanRow, 'plan_id' | 'plan_type' | 'name'> & {
  provisioning_type?: ProvisioningType | null;
};

/**
 * Puts a plan on sale under its number; a second time with the same words does nothing.
 * @throws KistError STATE_CONFLICT when the number is a plan of another type or reached in another way: what was sold under it would change; INVALID_INPUT when
 * phones of its type are not reached so
 */
export async function offer(
  tx: Tx,
  actor: AuditActor,
  { provisioning_type = null, ...plan }: Offered,
): Promise<'created' | 'changed' | 'unchanged'> {
  const name = planName(plan.plan_type);
  if (provisioning_type !== null && !(name && WAYS[name].includes(provisioning_type)))
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'provisioning', key: 'field.choice' }] });
  const found = await store.planById.first(tx, plan);
  if (found && (found.plan_type !== plan.plan_type || found.provisioning_type !== provisioning_type))
    throw new KistError('STATE_CONFLICT', {
      internal: `plan ${plan.plan_id} is of another type or reached otherwise: give the new one a number of its own`,
    });
  const change = (await store.upsertPlan.first(tx, { ...plan, provisioning_type }))?.change;
  if (!change) return 'unchanged';
  await audit.append(tx, {
    kind: 'organisation',
    id: String(tx.orgId),
    actor,
    action: 'plan_offered',
    data: {
      plan_id: plan.plan_id,
      plan_type: plan.plan_type,
      ...(provisioning_type !== null && { provisioning_type }),
    },
  });
  return change;
}

/** What of a plan may change once it was sold: its type never. */
export interface PlanChange {
  plan_id: number;
  name?: string;
  app_type?: number;
  /** Off sale, or on it again. */
  is_active?: boolean;
}

/** @returns false where nothing changed. @throws KistError NOT_FOUND */
export async function changePlan(tx: Tx, actor: AuditActor, { plan_id, ...change }: PlanChange): Promise<boolean> {
  if (!(await store.planById.first(tx, { plan_id }))) throw new KistError('NOT_FOUND');
  const { name = null, app_type = null, is_active = null } = change;
  if (!(await store.updatePlan.first(tx, { plan_id, name, app_type, is_active }))) return false;
  const data = { plan_id, ...change };
  await audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action: 'plan_changed', data });
  return true;
}

/** Every plan of the organisation, on sale or not. */
export const allPlans = (tx: Tx): Promise<store.PlanRow[]> => store.allPlans.all(tx, {});
