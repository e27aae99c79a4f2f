import type { z } from 'zod';
import type { listCustomersQuery } from '@kist/contract/customers';
import { LOCKED_FROM_LEVEL } from '@kist/contract/lock-policy';

export type CustomerFilter = z.output<typeof listCustomersQuery>;

/** Sorts → the expression each orders by (all with customer_id behind, so the key is unique) and its direction. */
export const SORTS = {
  newest: { by: 'c.created_at', type: 'timestamptz', direction: 'desc' },
  name: { by: 'lower(c.first_name)', type: 'text', direction: 'asc' },
  due: { by: `coalesce(a.oldest_due_on, 'infinity'::date)`, type: 'date', direction: 'asc' },
  overdue: { by: `coalesce(a.oldest_due_on, 'infinity'::date)`, type: 'date', direction: 'asc' },
} as const satisfies Record<CustomerFilter['sort'], { by: string; type: string; direction: 'asc' | 'desc' }>;

export const FROM = `from customers c
  left join lateral (select * from agreements a where a.customer_id = c.customer_id and a.org_id = c.org_id and a.state <> 'cancelled'
    order by a.created_at desc limit 1) a on true
  left join devices d on d.org_id = c.org_id and d.device_id = coalesce(a.device_id, (select x.device_id from devices x
    where x.org_id = c.org_id and x.customer_id = c.customer_id order by x.created_at desc limit 1))
  left join device_reports r on r.org_id = d.org_id and r.device_id = d.device_id`;

/** What each status filter means; 5 and 6 come from the agreement. */
const STATUS: Record<CustomerFilter['status'], string | undefined> = {
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
const pattern = (search: string) => `%${search.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/**
 * @param owners whose customers count.
 * @returns the `where` of a list with its values; every value is bound, no text of the caller reaches the statement.
 */
export function where(
  filter: CustomerFilter,
  owners: readonly string[],
  today: string,
): { sql: string; values: unknown[] } {
  const values: unknown[] = [owners, today];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const parts = ['c.owner_user_id = any($1::uuid[])'];
  const add = (sql: string | undefined) => sql && parts.push(sql.replaceAll(':today', '$2::date'));
  add(STATUS[filter.status]);
  if (filter.due) add(DUE[filter.due]);
  if (filter.lock_status)
    add(
      `${filter.lock_status === '1' ? '' : 'not '}coalesce(r.is_strong and r.lock_level >= ${LOCKED_FROM_LEVEL}, false)`,
    );
  if (filter.disputed)
    add(
      `exists (select from disputes x where x.org_id = c.org_id and x.agreement_id = a.agreement_id and x.closed_at is null)`,
    );
  if (filter.search) add(`c.search like ${bind(pattern(filter.search))}`);
  if (filter.retailer_id) add(`c.owner_user_id = ${bind(filter.retailer_id)}::uuid`);
  if (filter.user_type)
    add(
      `exists (select from users u where u.org_id = c.org_id and u.user_id = c.owner_user_id and u.user_type = ${bind(filter.user_type)})`,
    );
  if (filter.plan_id !== undefined) add(`c.plan_id = ${bind(filter.plan_id)}::int`);
  if (filter.app_type !== undefined) add(`c.plan_type = ${bind(filter.app_type)}::int`);
  if (filter.from) add(`c.created_at >= (${bind(filter.from)}::date::timestamp at time zone 'Asia/Kolkata')`);
  if (filter.to) add(`c.created_at < ((${bind(filter.to)}::date + 1)::timestamp at time zone 'Asia/Kolkata')`);
  if (filter.sort === 'overdue') add(DUE.overdue);
  // $2 is bound in any case; naming its type here keeps the statement valid for filters that do not use it.
  parts.push('$2::date is not null');
  return { sql: parts.join(' and '), values };
}
