import type { Actor } from '#server/identity/identity.ts';
import type { CustomerRow } from './store.ts';

/** A shop sees its own customers and those of its mini-retailers; a customer only what was sold to its own number; the system everyone of its organisation. */
export function canSee(actor: Actor, customer: Pick<CustomerRow, 'customer_id' | 'owner_user_id'>): boolean {
  if (actor.userType === 'system') return true;
  if (actor.userType === 'customer') return actor.customerIds?.includes(customer.customer_id) ?? false;
  return actor.visibleOwnerIds.includes(customer.owner_user_id);
}
