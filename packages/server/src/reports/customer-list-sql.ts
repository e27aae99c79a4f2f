import type { z } from 'zod';
import { DPD_DAYS, DPD_STRETCHES, type DpdStretch } from '@kist/contract/dpd-stretches';
import type { CustomerFilter } from '@kist/contract/customer-filter';
import type { listCustomersQuery } from '@kist/contract/customers';
import { type IsoDate, isoDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import { as, bool, date, int2, int4, int8, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { type Bind, statementFamily } from '#server/platform/statement.ts';
import { ownersOf, type ScopeField, scopeParts, WHOLE_SCOPE, whenUsed } from './filter-sql.ts';
import { pattern, searchFit, searchParts } from './search-sql.ts';

export type ListQuery = z.output<typeof listCustomersQuery>;
type Sort = ListQuery['sort'];

/** Whose customers, on which day, and which of them. */
export interface Chosen {
  owner_ids: readonly string[];
  today: IsoDate;
  filter: CustomerFilter & { sort?: Sort };
}

/** Sorts → the expression each orders by (all with customer_id behind, so the key is unique) and its direction. */
const SORTS = {
  newest: { by: 'c.created_at', type: 'timestamptz', direction: 'desc' },
  name: { by: 'lower(c.first_name)', type: 'text', direction: 'asc' },
  due: { by: `coalesce(a.oldest_due_on, 'infinity'::date)`, type: 'date', direction: 'asc' },
  overdue: { by: `coalesce(a.oldest_due_on, 'infinity'::date)`, type: 'date', direction: 'asc' },
} as const satisfies Record<Sort, { by: string; type: string; direction: 'asc' | 'desc' }>;

/**
 * What conditions on customers `c` may name: the agreement that counts `a`, its phone `d` and what that last said `s`. Each is looked up for its customer (a `limit` keeps
 * the planner from reading all of the organisation's instead), so that a shop costs what it has. Which phone is reckoned beside: under row-level security no
 * index is searched for a coalesce.
 */
const JOINS = {
  a: `left join lateral (select * from agreements_view a where a.org_id = c.org_id and a.customer_id = c.customer_id and a.state <> 'cancelled'
    order by a.created_at desc limit 1) a on true`,
  n: `left join lateral (select coalesce(a.device_id, (select x.device_id from devices_view x where x.org_id = c.org_id and x.customer_id = c.customer_id
    order by x.created_at desc limit 1)) as device_id limit 1) n on true`,
  d: 'left join lateral (select * from devices_view d where d.org_id = c.org_id and d.device_id = n.device_id limit 1) d on true',
  s: 'left join lateral (select * from device_states_view s where s.org_id = c.org_id and s.device_id = n.device_id limit 1) s on true',
};

/** The owners whose customers are listed, as the statement names them (`ownersOf`). */
type Owners = string;

/** From so many shops on, an agreement is quicker looked up for its customer than found among theirs. */
const FEW_SHOPS = 20;

/**
 * The same `a` found by one pass over what a few shops have: who goes through all of their customers would else look up each. An agreement is of its customer's
 * shop (the check of the books says so).
 */
const agreementsOf = (owners: Owners) => `left join (select distinct on (a.customer_id) a.* from agreements_view a
    where a.org_id = $1 and a.owner_user_id = ${owners} and a.state <> 'cancelled' order by a.customer_id, a.created_at desc) a on a.customer_id = c.customer_id`;

/** What every condition on running agreements begins with. */
const RUNS = `a.state = 'active'`;

/** Only agreements that run are asked for: an index holds those of a shop together, in the order of what is due. Each sale is a customer of its own, so none has another. */
const runningOf = (owners: Owners) => `join (select a.* from agreements_view a
    where a.org_id = $1 and a.owner_user_id = ${owners} and ${RUNS}) a on a.customer_id = c.customer_id`;

/**
 * Customers `c` with just what a text names of them: the database looks up what stands in a lateral join even where nothing asks for it.
 * @param all whose customers are all gone through, and whether only those whose agreement runs are wanted; undefined: a few chosen ones are
 */
export function customersWith(
  text: string,
  all?: { owner_ids: readonly string[]; owners: Owners; isRunning?: boolean },
): string {
  const names = (alias: string) => new RegExp(`\\b${alias}\\.`).test(text);
  const [d, s] = [names('d'), names('s')];
  const n = d || s || names('n');
  const joined = { a: n || names('a'), n, d, s };
  const of =
    all && all.owner_ids.length <= FEW_SHOPS
      ? { ...JOINS, a: (all.isRunning ? runningOf : agreementsOf)(all.owners) }
      : JOINS;
  const joins = Object.entries(of).flatMap(([alias, join]) => (joined[alias as keyof typeof joined] ? [join] : []));
  return ['from customers_view c', ...joins].join('\n  ');
}

/** Whether there is a row: looked up for each customer, as above. */
const isThere = (rows: string) => `(select true from ${rows} limit 1) is true`;

/** Writes the day into the statement where it is used. */
export type Today = () => string;

/** What each status filter means; 5 and 6 come from the agreement. */
export const STATUS: Record<NonNullable<CustomerFilter['status']>, (today: Today) => string | undefined> = {
  all: () => undefined,
  0: () => 'c.status = 0',
  1: () => 'c.status = 1',
  2: () => 'c.status = 2',
  3: () => 'c.status = 3',
  4: () => 'c.status = 4',
  5: () => `a.state = 'completed'`,
  6: (today) => `${RUNS} and kist_is_maturing(a.last_due_on, ${today()})`,
};
/** Who has the oldest of what is unpaid behind the last day has nothing before it: most are told by that alone. */
const unpaidDue = (first: string, last: string) =>
  `${RUNS} and a.oldest_due_on <= ${last}
    and ${isThere(`instalments_view i where i.org_id = c.org_id and i.agreement_id = a.agreement_id and i.paid_on is null and i.due_on between ${first} and ${last}`)}`;
export const DUE: Record<NonNullable<CustomerFilter['due']>, (today: Today) => string> = {
  overdue: (today) => `${RUNS} and kist_is_overdue(a.oldest_due_on, ${today()})`,
  today: (today) => unpaidDue(today(), today()),
  week: (today) => unpaidDue(today(), `${today()} + 6`),
  month: (today) => unpaidDue(today(), `${today()} + 29`),
  open: () => RUNS,
};
/** Each stretch of days past due as a condition on agreements `a`. */
export const inDpd = (stretch: DpdStretch, today: Today): string => {
  const [first, last] = DPD_DAYS[stretch];
  const days = `kist_days_past_due(a.oldest_due_on, ${today()})`;
  return last === null ? `${days} >= ${first}` : `${days} between ${first} and ${last}`;
};
export const isInDpd = (stretch: DpdStretch, today: Today): string =>
  `${RUNS} and ${stretch === '0' ? '' : `${DUE.overdue(today)} and `}${inDpd(stretch, today)}`;
/** By what the phone last said; one that never said anything is neither. */
export const LOCKED = { '1': 's.is_locked', '0': 'not s.is_locked' };
export const IS_DISPUTED = isThere(
  'open_disputes_view x where x.org_id = c.org_id and x.agreement_id = a.agreement_id',
);

const dpd = (today: Today) => `kist_days_past_due(a.oldest_due_on, ${today()})`;
/** The first level that locks, by policy today or within two days; null of a policy that never locks. */
const isLockNear = (today: Today) => `(select min((n ->> 'fromDpd')::int)
    from jsonb_array_elements(a.policy -> 'steps') n where kist_locks((n ->> 'level')::int)) - ${dpd(today)} between 0 and 2`;
const isNoticeNear = (today: Today) =>
  `exists (select from jsonb_array_elements(a.policy -> 'notices') n where (n ->> 'fromDpd')::int - ${dpd(today)} between 1 and 2)`;
/** What is to be done first, each as the list behind it. A call is worth making while the policy's next notice or its first level that locks is two days away. */
export const CONDITIONS_OF_TASKS: Record<NonNullable<CustomerFilter['todo']>, (today: Today) => string> = {
  unlock_unconfirmed: () => 's.is_unlock_pending',
  // With a sum, or as the phone says it, without.
  claim_waiting: () =>
    `(${isThere('open_claims_view x where x.org_id = c.org_id and x.customer_id = c.customer_id')}
      or a.state = 'active' and ${isThere('open_phone_claims_view x where x.org_id = c.org_id and x.agreement_id = a.agreement_id')})`,
  dispute_open: () => IS_DISPUTED,
  call_before_lock: (today) => `${DUE.overdue(today)} and ${isLockNear(today)}`,
  call_before_notice: (today) => `${DUE.overdue(today)} and ${isNoticeNear(today)}`,
  due_today: (today) => DUE.today(today),
  refund_open: () => isThere('open_refunds_view x where x.org_id = c.org_id and x.customer_id = c.customer_id'),
  sim_changed: () =>
    isThere(
      `sim_changes_view e where e.org_id = c.org_id and e.device_id = n.device_id and e.at > kist_now() - interval '${LIMITS.simChangedDays} days'`,
    ),
  draft_unfinished: () => 'c.is_draft',
  // With the two calls everybody who is overdue: whoever owes stays in what is to be done until it is paid.
  overdue: (today) => `${DUE.overdue(today)} and (${isLockNear(today)}) is not true and not ${isNoticeNear(today)}`,
};

/** Some phone of the customer, the present one or one before. */
const phoneOf = (condition: string) =>
  isThere(`devices_view x where x.org_id = c.org_id and x.customer_id = c.customer_id and ${condition}`);

type Filter = Chosen['filter'];
interface Asked {
  bind: Bind;
  today: Today;
  owners: Owners;
}
/**
 * By a part of what some phone of the customer is called. What is searched of a customer holds the phone of today, so that only those whose phone was exchanged
 * are looked at beside those who have each word there.
 */
function byPhone(words: string, { bind, owners }: Asked): readonly string[] {
  const inSearch = words
    .trim()
    .split(/\s+/)
    .map((word) => `c.search like ${bind(text, pattern(word))}`);
  return [
    `(${inSearch.join(' and ')} or c.customer_id in (select e.customer_id from exchanged_customers_view e where e.org_id = $1 and e.owner_user_id = ${owners}))`,
    phoneOf(`lower(concat_ws(' ', x.brand, x.model, x.imei1, x.imei2, x.serial)) like ${bind(text, pattern(words))}`),
  ];
}

/** What each field of a filter asks of customers, beside those of `scopeParts`: orders and reminders to many go by the same, so none is passed over. */
const ASKS: {
  [K in Exclude<keyof Filter, ScopeField>]-?: (
    value: NonNullable<Filter[K]>,
    asked: Asked,
  ) => string | readonly string[] | undefined;
} = {
  status: (status, { today }) => STATUS[status](today),
  due: (due, { today }) => DUE[due](today),
  dpd: (stretch, { today }) => isInDpd(stretch, today),
  lock_status: (lock) => (lock === 'all' ? undefined : LOCKED[lock]),
  todo: (todo, { today }) => CONDITIONS_OF_TASKS[todo](today),
  disputed: () => IS_DISPUTED,
  search: (search, { bind }) => searchParts(search, bind),
  customer_id: (id, { bind }) => `c.customer_id = ${bind(uuid, id)}`,
  deviceQuery: byPhone,
  device_query: byPhone,
  // A number that names one phone or none is found first, not looked for among the phones of each customer.
  serial_number: (serial, { bind }) =>
    `c.customer_id in (select x.customer_id from devices_view x where x.org_id = $1 and x.serial = ${bind(text, serial)})`,
  sort: (sort, { today }) => (sort === 'overdue' ? DUE.overdue(today) : undefined),
};

/** The `where` of a list, and the customers that it goes through, with what it names of them. */
function whereOf(
  { owner_ids, filter }: Chosen,
  bind: Bind,
  today: Today,
): { where: string; from: (more?: string) => string } {
  const owners = ownersOf(owner_ids, bind);
  const asks = Object.entries(ASKS).flatMap(([field, ask]) => {
    const value = filter[field as keyof typeof ASKS];
    return value ? (ask(value as never, { bind, today, owners }) ?? []) : [];
  });
  const parts = ['c.org_id = $1', `c.owner_user_id = ${owners}`, ...scopeParts(filter, bind), ...asks];
  const where = parts.join(' and ');
  const isRunning = parts.some((part) => part.startsWith(RUNS));
  const all = filter.customer_id || filter.search ? undefined : { owner_ids, owners, isRunning };
  return { where, from: (more = '') => customersWith(`${where} ${more}`, all) };
}

const todayOf = ({ today }: Chosen, bind: Bind): Today => whenUsed(() => bind(date, today));

const chosen = (filter: Chosen['filter']): Chosen => ({ owner_ids: [], today: isoDate('2026-03-31'), filter });
const SAMPLES: readonly Chosen[] = [
  chosen({}),
  { ...chosen({ due: 'overdue', lock_status: '1' }), owner_ids: [WHOLE_SCOPE.user_id] },
  { ...chosen({ due: 'overdue' }), owner_ids: Array.from({ length: FEW_SHOPS + 1 }, () => WHOLE_SCOPE.user_id) },
  chosen({
    ...WHOLE_SCOPE,
    status: '1',
    lock_status: '1',
    due: 'overdue',
    dpd: '1_30',
    disputed: '1',
    todo: 'due_today',
    deviceQuery: 'redmi',
    device_query: 'redmi',
    serial_number: 'SN-1',
    sort: 'overdue',
  } satisfies Required<Chosen['filter']>),
  ...(['all', '0', '2', '3', '4', '5', '6'] as const).map((status) => chosen({ status, lock_status: '0' })),
  ...(['today', 'week', 'month', 'open'] as const).map((due) => chosen({ due })),
  ...DPD_STRETCHES.map((dpd) => chosen({ dpd })),
  ...(Object.keys(CONDITIONS_OF_TASKS) as (keyof typeof CONDITIONS_OF_TASKS)[]).map((todo) => chosen({ todo })),
];

export const countCustomers = statementFamily({
  name: 'reports.count_customers',
  gives: { count: int4 },
  samples: SAMPLES,
  build: (asked: Chosen, bind) => {
    const { where, from } = whereOf(asked, bind, todayOf(asked, bind));
    return `select count(*)::int as count ${from()} where ${where}`;
  },
});

export const customerIds = statementFamily({
  name: 'reports.customer_ids',
  gives: { customer_id: uuid },
  samples: SAMPLES.map((one) => ({ ...one, limit: 1 })),
  build: (asked: Chosen & { limit: number }, bind) => {
    const { where, from } = whereOf(asked, bind, todayOf(asked, bind));
    return `select c.customer_id ${from()} where ${where} limit ${bind(int8, asked.limit)}`;
  },
});

/** Where a page ends: how well the row fits what is searched (0 where nothing is), the sort's value as text, and the customer. */
export type PageKey = readonly [fit: number, sort_key: string, customer_id: string];

interface Page extends Chosen {
  sort: Sort;
  /** Begins behind this one; null: at the beginning. */
  after: PageKey | null;
  skip: number;
  limit: number;
}

const NEXT_DUE_ON = `case when a.state = 'active' then a.oldest_due_on end`;

/** As in a list of dues (`duesPage`). */
const REMINDED_AT = `(select max(x.created_at) from notices_view x
          where x.org_id = c.org_id and x.agreement_id = a.agreement_id and x.kind in ('reminder', 'notice', 'alert'))`;

export const customerPage = statementFamily({
  name: 'reports.customer_page',
  gives: {
    customer_id: uuid,
    first_name: text,
    last_name: text,
    mobile: text,
    status: int2,
    plan_type: int4,
    is_draft: bool,
    created_at: timestamptz,
    device_id: nullable(uuid),
    provisioning_type: nullable(int4),
    device: nullable(text),
    imei1: nullable(text),
    agreement_no: nullable(text),
    next_due_on: nullable(as<IsoDate>()(date)),
    next_due_paise: int8,
    days_past_due: int4,
    paid_count: int4,
    tenure: int4,
    overdue_paise: int8,
    is_disputed: bool,
    reminded_at: nullable(timestamptz),
    fit: int4,
    sort_key: text,
  },
  samples: [
    ...SAMPLES.map((one): Page => ({ ...one, sort: 'newest', after: null, skip: 0, limit: 1 })),
    ...(['newest', 'name', 'due', 'overdue'] as const).map((sort): Page => ({
      ...chosen({}),
      sort,
      after: [0, '', ''],
      skip: 0,
      limit: 1,
    })),
    { ...chosen({ search: '98700 00000' }), sort: 'newest', after: [-1, '', ''], skip: 0, limit: 1 },
    { ...chosen({ search: 'रोहित 20-00001' }), sort: 'name', after: [1, '', ''], skip: 0, limit: 1 },
  ],
  build: (asked: Page, bind) => {
    const today = todayOf(asked, bind);
    const { where, from } = whereOf(asked, bind, today);
    const { by, type, direction } = SORTS[asked.sort];
    // Who fits a search best comes first, in whichever direction the rest is sorted.
    const fit = asked.filter.search && `${direction === 'desc' ? '-' : ''}${searchFit(asked.filter.search, bind)}`;
    const [afterFit, afterPlace, afterId] = asked.after ?? [];
    const after =
      asked.after &&
      `(${fit ? `${fit}, ` : ''}${by}, c.customer_id) ${direction === 'desc' ? '<' : '>'}
        (${fit ? `${bind(int4, afterFit!)}, ` : ''}${bind(text, afterPlace!)}::${type}, ${bind(uuid, afterId!)})`;
    const chosen = [where, after].filter(Boolean).join(' and ');
    const shown = `
        c.customer_id, c.first_name, c.last_name, c.mobile, c.status, c.plan_type, c.is_draft, c.created_at,
        d.device_id, d.provisioning_type, d.name as device, d.imei1, a.agreement_no,
        ${NEXT_DUE_ON} as next_due_on, coalesce(case when a.state = 'active' then a.oldest_due_paise end, 0) as next_due_paise,
        kist_days_past_due(${NEXT_DUE_ON}, ${today()}) as days_past_due, coalesce(a.paid_count, 0) as paid_count, coalesce(a.tenure, 0) as tenure,
        coalesce((select sum(i.left_paise) from instalments_view i
          where i.org_id = c.org_id and i.agreement_id = a.agreement_id and a.state = 'active' and kist_is_overdue(i.due_on, ${today()})), 0)::bigint as overdue_paise,
        ${IS_DISPUTED} as is_disputed, ${asked.filter.due ? REMINDED_AT : 'null::timestamptz'} as reminded_at, p.fit, (${by})::text as sort_key`;
    // What a row shows is looked up for the rows of the page, not for all that are sorted to find them.
    return `
      with page as materialized (
        select c.customer_id, ${fit || '0'} as fit, ${by} as place ${from(by)} where ${chosen}
        order by ${fit ? `fit ${direction}, ` : ''}place ${direction}, c.customer_id ${direction} limit ${bind(int8, asked.limit)} offset ${bind(int8, asked.skip)}
      )
      select ${shown} ${customersWith(shown)} join page p on p.customer_id = c.customer_id where c.org_id = $1
      order by ${fit ? `p.fit ${direction}, ` : ''}p.place ${direction}, c.customer_id ${direction}`;
  },
});
