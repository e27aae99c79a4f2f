import { NEEDS } from '@kist/contract/access';
import type { z } from 'zod';
import type { emiEndpoints } from '@kist/contract/emi';
import { type Actor, requires } from '#server/identity/identity.ts';
import { businessOn, now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { ownersIn, scopeOf } from './scope.ts';

type Query = z.output<(typeof emiEndpoints)['getUpcomingEmi']['query']>;

/** Days from today that each bucket spans; overdue is everything before today. */
const BUCKETS = {
  overdue: [-36_500, -1],
  today: [0, 0],
  week: [0, 6],
  month: [0, 29],
} as const satisfies Record<Query['bucket'], readonly [number, number]>;

const LEFT =
  '(i.principal_paise + i.interest_paise + i.fee_paise - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise)';
const OPEN = `from instalments i join agreements a on a.org_id = i.org_id and a.agreement_id = i.agreement_id
  where i.org_id = kist_org() and i.paid_on is null and a.state = 'active' and a.owner_user_id = any($1::uuid[])
    and i.due_on between $2::date + $3::int and $2::date + $4::int`;

/** Conditions on instalments `i` and agreements `a`; what they bind stands behind the statement's own values. */
function narrowed(actor: Actor, query: Omit<Query, 'bucket' | 'page' | 'page_size'>, values: unknown[]): string {
  const { from, to, retailer_id, ...rest } = query;
  values[0] = ownersIn(actor, retailer_id);
  const days = [
    from ? ` and i.due_on >= $${values.push(from)}::date` : '',
    to ? ` and i.due_on <= $${values.push(to)}::date` : '',
  ];
  return days.join('') + scopeOf(rest, values).on('a');
}

/** Dues of a bucket, oldest first, an instalment a row. */
export async function upcoming(tx: Tx, actor: Actor, { bucket, page, page_size, ...query }: Query) {
  requires(actor, NEEDS.read);
  const today = businessOn(await now(tx));
  const values: unknown[] = [null, today, ...BUCKETS[bucket], page_size, (page - 1) * page_size];
  const only = narrowed(actor, query, values);
  const { rows } = await tx.query<
    { total: number; due_on: string; reminded_at: Date | null } & Record<
      'customer_id' | 'first_name' | 'last_name' | 'mobile' | 'device' | 'agreement_id',
      string
    > &
      Record<'instalment_no' | 'left_paise' | 'days_past_due', number>
  >(
    `with open as (select i.agreement_id, i.no, i.due_on, ${LEFT} as left_paise, a.customer_id, a.device_id, count(*) over ()::int as total ${OPEN}${only}
       order by i.due_on, i.agreement_id, i.no limit $5 offset $6)
     select o.total, o.customer_id, c.first_name, c.last_name, c.mobile, trim(d.brand || ' ' || d.model) as device, o.agreement_id, o.no as instalment_no, o.due_on,
       o.left_paise::bigint, greatest($2::date - o.due_on, 0) as days_past_due,
       (select max(n.created_at) from notices n where n.org_id = kist_org() and n.agreement_id = o.agreement_id and n.kind in ('reminder', 'notice', 'alert')) as reminded_at
     from open o join customers c on c.org_id = kist_org() and c.customer_id = o.customer_id join devices d on d.org_id = kist_org() and d.device_id = o.device_id
     order by o.due_on, o.agreement_id, o.no`,
    values,
  );
  return {
    list: rows.map(({ total: _total, reminded_at, ...row }) => ({
      ...row,
      reminded_at: reminded_at?.toISOString() ?? null,
    })),
    total: rows[0]?.total ?? 0,
    page,
    page_size,
  };
}

/** Customers and paise of each bucket, in one pass. */
export async function upcomingCounts(
  tx: Tx,
  actor: Actor,
  query: z.output<(typeof emiEndpoints)['upcomingEmiCounts']['query']> = {},
) {
  requires(actor, NEEDS.read);
  const today = businessOn(await now(tx));
  const spans = Object.values(BUCKETS);
  const values: unknown[] = [
    null,
    today,
    Object.keys(BUCKETS),
    spans.map((span) => span[0]),
    spans.map((span) => span[1]),
  ];
  const only = narrowed(actor, query, values);
  const { rows } = await tx.query<{ bucket: string; customers: number; paise: number }>(
    `select b.bucket, count(distinct i.agreement_id)::int as customers, coalesce(sum(${LEFT}), 0)::bigint as paise
     from unnest($3::text[], $4::int[], $5::int[]) with ordinality as b(bucket, starts, ends, n)
     left join (instalments i join agreements a on a.org_id = i.org_id and a.agreement_id = i.agreement_id and a.state = 'active' and a.owner_user_id = any($1::uuid[]))
       on i.org_id = kist_org() and i.paid_on is null and i.due_on between $2::date + b.starts and $2::date + b.ends${only}
     group by b.bucket, b.n order by b.n`,
    values,
  );
  return rows;
}
