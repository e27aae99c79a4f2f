import type { ShopType } from '@kist/contract/codes';
import type { IsoDate } from '@kist/contract/dates';
import { isoDate } from '@kist/contract/dates';
import { as, bool, date, int4, int8, jsonb, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { type Bind, statement, statementFamily } from '#server/platform/statement.ts';
import { pattern } from './search-sql.ts';

/** Which shops: those below one, or all of the organisation. */
export interface Shops {
  /** null: every shop. */
  below: string | null;
  search?: string | undefined;
  user_type?: ShopType | undefined;
  state: 'all' | 'active' | 'suspended';
}
/** Where a page ended: what it is sorted by, and whose row it was. */
export type ShopKey = readonly [string, string];
export interface ShopPage extends Shops {
  sort: 'newest' | 'name';
  today: IsoDate;
  after: ShopKey | null;
  skip: number;
  limit: number;
}

const SOMEBODY = '00000000-0000-4000-8000-000000000000';
const WHOLE: Shops = { below: SOMEBODY, search: 'asha', user_type: 'retailer', state: 'active' };
const NARROW: Shops = { below: null, state: 'suspended' };

function conditions({ below, search, user_type, state }: Shops, bind: Bind): string {
  const like = search ? bind(text, pattern(search)) : undefined;
  return [
    `u.org_id = $1 and u.user_type in ('retailer', 'miniretailer')`,
    below !== null && `u.parent_user_id = ${bind(uuid, below)}`,
    user_type && `u.user_type = ${bind(text, user_type)}`,
    state !== 'all' && `u.is_active = ${bind(bool, state === 'active')}`,
    like &&
      `(lower(u.shop_name) like ${like} or lower(u.name) like ${like} or u.mobile like ${like} or lower(coalesce(u.city, '')) like ${like})`,
  ]
    .filter(Boolean)
    .join(' and ');
}

export const countShops = statementFamily({
  name: 'reports.count_shops',
  gives: { count: int4 },
  samples: [WHOLE, NARROW],
  build: (asked: Shops, bind) => `select count(*)::int as count from users_view u where ${conditions(asked, bind)}`,
});

const figures = {
  customers: int4,
  installed: int4,
  overdue: int4,
  outstanding_paise: int8,
  collected_today_paise: int8,
  collected_month_paise: int8,
  keys_left: int4,
};

/** What the work of the shops of `page` comes to, each part in one look. Collected is what each took itself, as its till has it: money stays with whoever took it when customers pass on. */
const FIGURES = (today: string): string => `
  left join (select c.owner_user_id, count(*)::int as customers, (count(*) filter (where c.status = 1))::int as installed
    from customers_view c where c.org_id = $1 and c.owner_user_id in (select user_id from page) group by 1) c on c.owner_user_id = page.user_id
  left join (select a.owner_user_id, sum(a.outstanding_paise)::bigint as outstanding,
      (count(*) filter (where kist_is_overdue(a.oldest_due_on, ${today})))::int as overdue
    from agreements_view a where a.org_id = $1 and a.state = 'active' and a.owner_user_id in (select user_id from page) group by 1) a
    on a.owner_user_id = page.user_id
  left join (select p.recorded_by, sum(p.amount_paise)::bigint as month, sum(p.amount_paise) filter (where p.paid_on = ${today})::bigint as today
    from receipts_view p where p.org_id = $1 and p.goes_to = 'dues' and p.state = 'posted' and p.paid_on between date_trunc('month', ${today})::date and ${today}
      and p.recorded_by in (select user_id from page) group by 1) p on p.recorded_by = page.user_id
  left join (select w.user_id, sum(w.available)::int as keys from wallets_view w where w.org_id = $1 and w.user_id in (select user_id from page) group by 1) w
    on w.user_id = page.user_id`;
const FIGURE_COLUMNS = `coalesce(c.customers, 0) as customers, coalesce(c.installed, 0) as installed, coalesce(a.overdue, 0) as overdue,
  coalesce(a.outstanding, 0) as outstanding_paise, coalesce(p.today, 0) as collected_today_paise, coalesce(p.month, 0) as collected_month_paise,
  coalesce(w.keys, 0) as keys_left`;

const SORTS = {
  newest: { key: 'u.created_at', type: 'timestamptz', is: '<', order: 'desc' },
  name: { key: 'lower(u.shop_name)', type: 'text', is: '>', order: 'asc' },
} as const;

const PAGE: ShopPage = { ...NARROW, sort: 'name', today: isoDate('2026-03-31'), after: null, skip: 0, limit: 20 };
const PAGES: readonly ShopPage[] = [
  PAGE,
  { ...PAGE, after: ['asha', SOMEBODY] },
  { ...PAGE, ...WHOLE, sort: 'newest', after: ['2026-01-01T00:00:00Z', SOMEBODY] },
];

/** One page of shops, with what their work comes to. */
export const shopPage = statementFamily({
  name: 'reports.shop_page',
  gives: {
    user_id: uuid,
    user_type: as<ShopType>()(text),
    parent_user_id: nullable(uuid),
    first_name: text,
    last_name: text,
    shop_name: text,
    mobile: text,
    city: text,
    is_active: bool,
    created_at: timestamptz,
    sort_key: text,
    ...figures,
  },
  samples: PAGES,
  build: ({ sort, today: on, after, skip, limit, ...asked }: ShopPage, bind) => {
    const { key, type, is, order } = SORTS[sort];
    const today = bind(date, on);
    const behind = after
      ? ` and (${key}, u.user_id) ${is} (${bind(text, after[0])}::${type}, ${bind(uuid, after[1])})`
      : '';
    return `
      with page as materialized (
        select u.*, ${key}::text as sort_key from users_view u where ${conditions(asked, bind)}${behind}
        order by ${key} ${order}, u.user_id ${order} offset ${bind(int8, skip)} limit ${bind(int8, limit)}
      )
      select page.user_id, page.user_type, page.parent_user_id, page.first_name, page.last_name, page.shop_name, page.mobile,
        coalesce(page.city, '') as city, page.is_active, page.created_at, page.sort_key, ${FIGURE_COLUMNS}
      from page ${FIGURES(today)}
      order by page.${sort === 'newest' ? 'created_at' : 'sort_key'} ${order}, page.user_id ${order}`;
  },
});

/** What the work of one shop comes to. */
export const figuresOfShop = statement({
  name: 'reports.figures_of_shop',
  takes: { user_id: uuid, today: date },
  gives: { ...figures, mini_retailers: int4, by_status: jsonb<Record<string, number>>() },
  text: `
    with page as (select $user_id as user_id)
    select ${FIGURE_COLUMNS},
      (select count(*)::int from users_view u where u.org_id = $1 and u.parent_user_id = $user_id) as mini_retailers,
      (select coalesce(jsonb_object_agg(s.status, s.n), '{}') from (
        select x.status::text as status, count(*)::int as n from customers_view x where x.org_id = $1 and x.owner_user_id = $user_id group by 1) s) as by_status
    from page ${FIGURES('$today')}`,
});
