import { CUSTOMER_STATUS, type EditAction, planName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { editActionsFor } from '@kist/contract/features';
import type { Actor } from '#server/identity/identity.ts';
import type { CustomerRow } from './store.ts';

type Edited = Pick<CustomerRow, 'status' | 'plan_type'>;

/**
 * Section 6, "Edit options by plan", for what a shop changes of a sale whose phone is enrolled; until then the same steps finish the sale itself. Asking how
 * a phone stands finishes none.
 */
export const isEditOffered = (actor: Actor, customer: Edited, edit: EditAction): boolean =>
  actor.userType === 'system' ||
  (customer.status === CUSTOMER_STATUS.inactive && edit !== 'CHECK_STATUS') ||
  editActionsFor(planName(customer.plan_type) ?? 'DPC').includes(edit);

/** @throws KistError FEATURE_NOT_OFFERED when the plan has no such edit */
export function assertEditOffered(actor: Actor, customer: Edited, edit: EditAction): void {
  if (isEditOffered(actor, customer, edit)) return;
  const plan = planName(customer.plan_type) ?? 'DPC';
  throw new KistError('FEATURE_NOT_OFFERED', { details: { edit, plan, status: customer.status } });
}
