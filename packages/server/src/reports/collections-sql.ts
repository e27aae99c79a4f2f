import { type IsoDate, isoDate } from '@kist/contract/dates';
import type { CustomerFilter } from '@kist/contract/customer-filter';
import type { KeptMethod } from '@kist/contract/payment-methods';
import { as, date, int4, int8, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { type Bind, statementFamily } from '#server/platform/statement.ts';
import { ownersOf, scopeOf, WHOLE_SCOPE } from './filter-sql.ts';

/** Whose payments, and of which days, both included. */
interface Collections {
  owner_ids: readonly string[];
  filter: CustomerFilter;
  first: IsoDate;
  last: IsoDate;
}

/** Where a page ends: latest first. */
export type CollectionKey = readonly [paidOn: IsoDate, paidAt: Date, paymentId: string];

interface CollectionsPage extends Collections {
  /** Begins behind this one; null: at the beginning. */
  after: CollectionKey | null;
  limit: number;
  skip: number;
}

const DAY = isoDate('2026-03-31');
const OF_A_DAY: Collections = { owner_ids: [], filter: {}, first: DAY, last: DAY };
const PAGE: CollectionsPage = { ...OF_A_DAY, after: null, limit: 1, skip: 0 };
const method = as<KeptMethod>()(text);

/** The payments that stand of these days: what the dashboard’s takings of each are the sum of. A claim's is taken by the shop that said yes, not by the customer who made it. */
const taken = ({ owner_ids, filter, first, last }: Collections, bind: Bind): string => `
  with mine as materialized (
    select a.org_id, a.agreement_id, a.customer_id, a.device_id from agreements_view a
    where a.org_id = $1 and a.owner_user_id = ${ownersOf(owner_ids, bind)}${scopeOf(filter, bind).on('a')}
  ), taken as (
    select p.payment_id, p.receipt_no, p.amount_paise, p.method, p.paid_on, p.paid_at, p.recorded_by, a.customer_id, a.device_id
    from receipts_view p join mine a using (org_id, agreement_id)
    where p.org_id = $1 and p.goes_to = 'dues' and p.state = 'posted' and p.paid_on between ${bind(date, first)} and ${bind(date, last)}
  )`;

/** Payments by who took them and how they came in. */
export const collectedByTaker = statementFamily({
  name: 'reports.collected_by_taker',
  gives: { user_id: uuid, name: text, shop_name: text, method, payments: int4, paise: int8 },
  samples: [OF_A_DAY, { ...OF_A_DAY, filter: WHOLE_SCOPE }],
  build: (asked: Collections, bind) => `
    ${taken(asked, bind)}, sums as (
      select recorded_by, method, count(*)::int as payments, sum(amount_paise)::bigint as paise from taken group by recorded_by, method
    )
    select s.recorded_by as user_id, coalesce(u.name, '') as name, coalesce(u.shop_name, '') as shop_name, s.method, s.payments, s.paise
    from sums s left join users_view u on u.org_id = $1 and u.user_id = s.recorded_by
    order by s.recorded_by, s.method`,
});

/** A page of payments, latest first. */
export const collectionsPage = statementFamily({
  name: 'reports.collections_page',
  gives: {
    payment_id: uuid,
    customer_id: uuid,
    first_name: text,
    last_name: text,
    device: text,
    receipt_no: nullable(text),
    amount_paise: int8,
    method,
    paid_on: date,
    paid_at: timestamptz,
    recorded_by: text,
  },
  samples: [PAGE, { ...PAGE, filter: WHOLE_SCOPE, after: [DAY, new Date(0), WHOLE_SCOPE.customer_id] }],
  build: (asked: CollectionsPage, bind) => {
    const [paidOn, paidAt, paymentId] = asked.after ?? [];
    const after = asked.after
      ? `where (paid_on, paid_at, payment_id) < (${bind(date, paidOn!)}, ${bind(timestamptz, paidAt!)}, ${bind(uuid, paymentId!)})`
      : '';
    return `
      ${taken(asked, bind)}, page as (
        select * from taken ${after} order by paid_on desc, paid_at desc, payment_id desc limit ${bind(int8, asked.limit)} offset ${bind(int8, asked.skip)}
      )
      select p.payment_id, p.customer_id, c.first_name, c.last_name, d.name as device, p.receipt_no, p.amount_paise, p.method, p.paid_on, p.paid_at,
        coalesce(u.name, '') as recorded_by
      from page p
        join customers_view c on c.org_id = $1 and c.customer_id = p.customer_id
        join devices_view d on d.org_id = $1 and d.device_id = p.device_id
        left join users_view u on u.org_id = $1 and u.user_id = p.recorded_by
      order by p.paid_on desc, p.paid_at desc, p.payment_id desc`;
  },
});
