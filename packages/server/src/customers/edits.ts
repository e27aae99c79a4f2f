import { CUSTOMER_STATUS, EDIT_ACTIONS, type EditAction, planName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { editActionsFor } from '@kist/contract/features';
import type { Actor } from '#server/identity/identity.ts';
import type { CustomerRow } from './store.ts';

type Edited = Pick<CustomerRow, 'status' | 'plan_type'>;

/**
 * Section 6, "Edit options by plan", for what a shop changes of a sale whose phone is enrolled; until then the same steps finish the sale itself. Asking how
 * a phone stands finishes none. @returns what this customer is offered, as every door asks and the app is told
 */
export function editsOffered(actor: Actor, customer: Edited): EditAction[] {
  const ofPlan = editActionsFor(planName(customer.plan_type) ?? 'DPC');
  return EDIT_ACTIONS.filter(
    (edit) =>
      actor.userType === 'system' ||
      (customer.status === CUSTOMER_STATUS.inactive && edit !== 'CHECK_STATUS') ||
      ofPlan.includes(edit),
  );
}

export const isEditOffered = (actor: Actor, customer: Edited, edit: EditAction): boolean =>
  editsOffered(actor, customer).includes(edit);

/** @throws KistError FEATURE_NOT_OFFERED when the plan has no such edit */
export function assertEditOffered(actor: Actor, customer: Edited, edit: EditAction): void {
  if (isEditOffered(actor, customer, edit)) return;
  const plan = planName(customer.plan_type) ?? 'DPC';
  throw new KistError('FEATURE_NOT_OFFERED', { details: { edit, plan, status: customer.status } });
}
