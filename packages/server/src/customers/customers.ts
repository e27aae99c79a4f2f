import { KistError } from '@kist/contract/errors';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { canSee } from './policy.ts';
import { canChangeStatus } from './rules.ts';
import {
  type CustomerFields,
  type CustomerRecord,
  deleteCustomer,
  findCustomer,
  insertCustomer,
  updateCustomer,
} from './store.ts';

declare const authorized: unique symbol;
/** A customer that passed the check of who may see it. Whatever changes a customer takes this, so an unchecked row does not compile. */
export type AuthorizedCustomer = CustomerRecord & { readonly [authorized]: true };

/**
 * @param lock queue up with other changes of the same customer.
 * @throws KistError NOT_FOUND, the same whether the customer does not exist or belongs to somebody else.
 */
export async function authorize(tx: Tx, actor: Actor, customerId: string, lock = false): Promise<AuthorizedCustomer> {
  const customer = await findCustomer(tx, customerId, lock);
  if (!customer || !canSee(actor, customer)) throw new KistError('NOT_FOUND');
  return customer as AuthorizedCustomer;
}

/** Starts a customer of this shop as a draft. */
export async function begin(
  tx: Tx,
  actor: Actor,
  plan: { plan_id: number; plan_type: number },
): Promise<AuthorizedCustomer> {
  const customerId = newId();
  await insertCustomer(tx, { customer_id: customerId, owner_user_id: actor.userId, ...plan });
  await audit.append(tx, { kind: 'customer', id: customerId, actor, action: 'customer_begun', data: plan });
  return authorize(tx, actor, customerId);
}

/** Writes fields of a customer and notes which (never what) in the audit. */
export async function change(
  tx: Tx,
  actor: Actor,
  customer: AuthorizedCustomer,
  fields: CustomerFields,
): Promise<void> {
  await updateCustomer(tx, customer.customer_id, fields);
  await audit.append(tx, {
    kind: 'customer',
    id: customer.customer_id,
    actor,
    action: 'customer_changed',
    data: {
      fields: Object.keys(fields)
        .filter((name) => name !== 'search')
        .toSorted(),
    },
  });
}

/** @throws KistError STATE_CONFLICT when the product rules know no such step. */
export async function changeStatus(tx: Tx, actor: Actor, customerId: string, to: number): Promise<void> {
  const customer = await findCustomer(tx, customerId, true);
  if (!customer) throw new KistError('NOT_FOUND');
  if (customer.status === to) return;
  if (!canChangeStatus(customer.status, to))
    throw new KistError('STATE_CONFLICT', { params: { from: customer.status, to } });
  await updateCustomer(tx, customerId, { status: to, is_draft: false });
  await audit.append(tx, {
    kind: 'customer',
    id: customerId,
    actor,
    action: 'status_changed',
    data: { from: customer.status, to },
  });
}

/** Removes a draft for good. @throws KistError STATE_CONFLICT when an agreement or an enrolment stands behind it. */
export async function discard(tx: Tx, actor: Actor, customer: AuthorizedCustomer): Promise<void> {
  if (!customer.is_draft) throw new KistError('STATE_CONFLICT');
  await deleteCustomer(tx, customer.customer_id);
  await audit.append(tx, { kind: 'customer', id: customer.customer_id, actor, action: 'draft_deleted', data: {} });
}

export { assertEditOffered, isEditOffered } from './edits.ts';
export { identityFields, isUnpaidFor, searchText } from './rules.ts';
