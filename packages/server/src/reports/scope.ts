import type { CustomerFilter } from '@kist/contract/customer-filter';
import { KistError } from '@kist/contract/errors';
import type { Actor } from '#server/identity/identity.ts';
import { pattern, scopeParts } from './customer-list-sql.ts';

/** Filters of figures, as conditions for statements that read customers or what belongs to one. */
export interface Scope {
  /** For a statement over customers `c`. */
  customers: string;
  /** For rows of that alias, which carry `org_id` and `customer_id`. */
  on(alias: string): string;
}

/**
 * @param values of the statement; what the filter binds is added behind them, so each statement that takes the scope takes these values.
 * @returns conditions that begin with ` and`; nothing where nothing is narrowed, so that figures of a whole shop cost what they always did.
 */
export function scopeOf(filter: CustomerFilter, values: unknown[]): Scope {
  const bind = (value: unknown) => `$${values.push(value)}`;
  const parts = scopeParts(filter, bind);
  if (filter.customer_id) parts.push(`c.customer_id = ${bind(filter.customer_id)}::uuid`);
  if (filter.search) parts.push(`c.search like ${bind(pattern(filter.search))}`);
  const all = parts.join(' and ');
  return {
    customers: all && ` and ${all}`,
    on: (alias) =>
      all &&
      ` and exists (select from customers c where c.org_id = ${alias}.org_id and c.customer_id = ${alias}.customer_id and ${all})`,
  };
}

/** @throws KistError NOT_FOUND for a shop that is not the caller's and not below it, the same as for none at all. */
export function ownersIn(actor: Actor, retailerId: string | undefined): readonly string[] {
  if (retailerId === undefined) return actor.visibleOwnerIds;
  if (!actor.visibleOwnerIds.includes(retailerId)) throw new KistError('NOT_FOUND');
  return [retailerId];
}
