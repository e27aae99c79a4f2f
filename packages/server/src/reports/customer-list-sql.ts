import type { z } from 'zod';
import type { CustomerFilter } from '@kist/contract/customer-filter';
import type { listCustomersQuery } from '@kist/contract/customers';
import { LOCKED_FROM_LEVEL } from '@kist/contract/lock-policy';

export type ListQuery = z.output<typeof listCustomersQuery>;

/** Sorts → the expression each orders by (all with customer_id behind, so the key is unique) and its direction. */
export const SORTS = {
  newest: { by: 'c.created_at', type: 'timestamptz', direction: 'desc' },
  name: { by: 'lower(c.first_name)', type: 'text', direction: 'asc' },
  due: { by: `coalesce(a.oldest_due_on, 'infinity'::date)`, type: 'date', direction: 'asc' },
  overdue: { by: `coalesce(a.oldest_due_on, 'infinity'::date)`, type: 'date', direction: 'asc' },
} as const satisfies Record<ListQuery['sort'], { by: string; type: string; direction: 'asc' | 'desc' }>;

export const FROM = `from customers c
  left join lateral (select * from agreements a where a.customer_id = c.customer_id and a.org_id = c.org_id and a.state <> 'cancelled'
    order by a.created_at desc limit 1) a on true
  left join devices d on d.org_id = c.org_id and d.device_id = coalesce(a.device_id, (select x.device_id from devices x
    where x.org_id = c.org_id and x.customer_id = c.customer_id order by x.created_at desc limit 1))
  left join device_reports r on r.org_id = d.org_id and r.device_id = d.device_id`;

/** What each status filter means; 5 and 6 come from the agreement. */
const STATUS: Record<NonNullable<CustomerFilter['status']>, string | undefined> = {
  all: undefined,
  0: 'c.status = 0',
  1: 'c.status = 1',
  2: 'c.status = 2',
  3: 'c.status = 3',
  4: 'c.status = 4',
  5: `a.state = 'completed'`,
  6: `a.state = 'active' and a.last_due_on between :today and :today + 30`,
};
const unpaidDue = (range: string) =>
  `exists (select from instalments i where i.org_id = c.org_id and i.agreement_id = a.agreement_id and i.paid_on is null and i.due_on ${range})`;
const DUE: Record<NonNullable<CustomerFilter['due']>, string> = {
  overdue: `a.state = 'active' and a.oldest_due_on < :today`,
  today: `a.state = 'active' and ${unpaidDue('= :today')}`,
  week: `a.state = 'active' and ${unpaidDue('between :today and :today + 6')}`,
  month: `a.state = 'active' and ${unpaidDue('between :today and :today + 29')}`,
};

/** `like` pattern of what a person typed: its own wildcards are letters. */
export const pattern = (search: string) => `%${search.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** Writes a value into the statement's list and @returns its place in the statement. */
type Bind = (value: unknown) => string;

/**
 * What restricts customers `c` by who sold them, what and when: the part of a filter that figures share with lists.
 */
export function scopeParts(filter: CustomerFilter, bind: Bind): string[] {
  const parts: string[] = [];
  const { retailer_id, user_type, plan_id, product_id, app_type, from, to } = filter;
  const soldBy = (condition: string) =>
    parts.push(`c.owner_user_id in (select u.user_id from users u where u.org_id = kist_org() and ${condition})`);
  if (retailer_id) parts.push(`c.owner_user_id = ${bind(retailer_id)}::uuid`);
  for (const id of [filter.account_id, filter.user_id]) {
    const place = id && bind(id);
    if (place) soldBy(`(u.user_id = ${place}::uuid or u.parent_user_id = ${place}::uuid)`);
  }
  if (user_type && user_type !== 'customer') soldBy(`u.user_type = ${bind(user_type)}`);
  for (const id of [plan_id, product_id]) if (id !== undefined) parts.push(`c.plan_id = ${bind(id)}::int`);
  if (app_type !== undefined) parts.push(`c.plan_type = ${bind(app_type)}::int`);
  if (from) parts.push(`c.created_at >= (${bind(from)}::date::timestamp at time zone 'Asia/Kolkata')`);
  if (to) parts.push(`c.created_at < ((${bind(to)}::date + 1)::timestamp at time zone 'Asia/Kolkata')`);
  return parts;
}

/** Some phone of the customer, the present one or one before. */
const phoneOf = (condition: string) =>
  `exists (select from devices x where x.org_id = c.org_id and x.customer_id = c.customer_id and ${condition})`;

/**
 * @param owners whose customers count.
 * @returns the `where` of a list with its values; every value is bound, no text of the caller reaches the statement.
 */
export function where(
  filter: CustomerFilter & { sort?: ListQuery['sort'] },
  owners: readonly string[],
  today: string,
): { sql: string; values: unknown[] } {
  const values: unknown[] = [owners, today];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const parts = ['c.owner_user_id = any($1::uuid[])', ...scopeParts(filter, bind)];
  const add = (sql: string | undefined) => sql && parts.push(sql.replaceAll(':today', '$2::date'));
  add(STATUS[filter.status ?? 'all']);
  if (filter.due) add(DUE[filter.due]);
  if (filter.lock_status && filter.lock_status !== 'all')
    add(
      `${filter.lock_status === '1' ? '' : 'not '}coalesce(r.is_strong and r.lock_level >= ${LOCKED_FROM_LEVEL}, false)`,
    );
  if (filter.disputed)
    add(
      `exists (select from disputes x where x.org_id = c.org_id and x.agreement_id = a.agreement_id and x.closed_at is null)`,
    );
  if (filter.search) add(`c.search like ${bind(pattern(filter.search))}`);
  if (filter.customer_id) add(`c.customer_id = ${bind(filter.customer_id)}::uuid`);
  for (const words of [filter.deviceQuery, filter.device_query])
    if (words)
      add(phoneOf(`lower(concat_ws(' ', x.brand, x.model, x.imei1, x.imei2, x.serial)) like ${bind(pattern(words))}`));
  if (filter.serial_number) add(phoneOf(`x.serial = ${bind(filter.serial_number)}`));
  if (filter.sort === 'overdue') add(DUE.overdue);
  // $2 is bound in any case; naming its type here keeps the statement valid for filters that do not use it.
  parts.push('$2::date is not null');
  return { sql: parts.join(' and '), values };
}
