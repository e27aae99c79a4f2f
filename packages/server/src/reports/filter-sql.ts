import type { CustomerFilter } from '@kist/contract/customer-filter';
import { isoDate } from '@kist/contract/dates';
import { date, int4, listOf, text, uuid } from '#server/platform/column-types.ts';
import type { Bind } from '#server/platform/statement.ts';
import { searchParts } from './search-sql.ts';

/** Filters of figures, as conditions for statements that read customers or what belongs to one. */
export interface Scope {
  /** For a statement over customers `c`. */
  customers: string;
  /** For rows of that alias, which carry `org_id` and `customer_id`. */
  on(alias: string): string;
}

/** What stands behind `owner_user_id =`. One shop is told alone: of a list, even of one, no index gives its rows in their order. */
export const ownersOf = (ids: readonly string[], bind: Bind): string => {
  const [only, ...more] = ids;
  return only !== undefined && more.length === 0 ? bind(uuid, only) : `any(${bind(listOf(uuid), ids)})`;
};

/** @returns conditions that begin with ` and`; nothing where nothing is narrowed, so that figures of a whole shop cost what they always did. */
export function scopeOf(filter: CustomerFilter, bind: Bind): Scope {
  const parts = scopeParts(filter, bind);
  if (filter.customer_id) parts.push(`c.customer_id = ${bind(uuid, filter.customer_id)}`);
  if (filter.search) parts.push(...searchParts(filter.search, bind));
  const all = parts.join(' and ');
  return {
    customers: all && ` and ${all}`,
    on: (alias) =>
      all &&
      ` and exists (select from customers_view c where c.org_id = ${alias}.org_id and c.customer_id = ${alias}.customer_id and ${all})`,
  };
}

/** The fields of a filter that `scopeParts` reads. */
export type ScopeField =
  | 'retailer_id'
  | 'account_id'
  | 'user_id'
  | 'user_type'
  | 'plan_id'
  | 'product_id'
  | 'app_type'
  | 'from'
  | 'to';

/** What restricts customers `c` by who sold them, what and when: the part of a filter that figures share with lists. */
export function scopeParts(filter: Pick<CustomerFilter, ScopeField>, bind: Bind): string[] {
  const parts: string[] = [];
  const { retailer_id, user_type, plan_id, product_id, app_type, from, to } = filter;
  const soldBy = (condition: string) =>
    parts.push(`c.owner_user_id in (select u.user_id from users_view u where u.org_id = $1 and ${condition})`);
  if (retailer_id) parts.push(`c.owner_user_id = ${bind(uuid, retailer_id)}`);
  for (const id of [filter.account_id, filter.user_id]) {
    const place = id && bind(uuid, id);
    if (place) soldBy(`(u.user_id = ${place} or u.parent_user_id = ${place})`);
  }
  if (user_type && user_type !== 'customer') soldBy(`u.user_type = ${bind(text, user_type)}`);
  for (const id of [plan_id, product_id]) if (id !== undefined) parts.push(`c.plan_id = ${bind(int4, id)}`);
  if (app_type !== undefined) parts.push(isOfApp(bind(int4, app_type)));
  if (from) parts.push(`c.created_at >= kist_day_begins(${bind(date, from)})`);
  if (to) parts.push(`c.created_at < kist_day_begins(${bind(date, to)} + 1)`);
  return parts;
}

/** The app type of the customer's plan, whose type it is where the plan has none of its own (catalogue: `appTypeOf`). The few plans are read once, not a row. */
function isOfApp(wanted: string): string {
  const plans = (which: string) => `any (array(select p.plan_id from plans_view p where p.org_id = $1 and ${which}))`;
  return `case when c.plan_id = ${plans('p.app_type is not null')} then c.plan_id = ${plans(`p.app_type = ${wanted}`)} else c.plan_type = ${wanted} end`;
}

/** Binds a value when it is first asked for: PostgreSQL refuses a parameter that no part of the statement uses. */
export function whenUsed(bind: () => string): () => string {
  let place: string | undefined;
  return () => (place ??= bind());
}

const SOME_ID = '00000000-0000-4000-8000-000000000000';

/** A filter that uses every part of a scope, for the check of statements. */
export const WHOLE_SCOPE = {
  retailer_id: SOME_ID,
  plan_id: 1,
  product_id: 1,
  app_type: 1,
  user_type: 'retailer',
  account_id: SOME_ID,
  user_id: SOME_ID,
  from: isoDate('2026-03-31'),
  to: isoDate('2026-03-31'),
  search: 'asha',
  customer_id: SOME_ID,
} as const satisfies CustomerFilter;
