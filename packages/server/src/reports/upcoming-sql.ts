import type { CustomerFilter } from '@kist/contract/customer-filter';
import { type IsoDate, isoDate } from '@kist/contract/dates';
import { date, int4, int8, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { type Bind, statementFamily } from '#server/platform/statement.ts';
import { ownersOf, scopeOf, WHOLE_SCOPE } from './filter-sql.ts';

/** From the first day to the last, both included. */
export interface Days {
  first: IsoDate;
  last: IsoDate;
}

/** Whose dues; `from` and `to` are days on which instalments fall due. */
interface Dues {
  owner_ids: readonly string[];
  filter: CustomerFilter;
}

interface DuesOfDays extends Dues {
  days: Days;
}

/** Where a page ends: due day, agreement, number. */
export type DuesKey = readonly [due_on: IsoDate, agreement_id: string, no: number];

interface DuesPage extends DuesOfDays {
  today: IsoDate;
  /** Begins behind this one; null: at the beginning. */
  after: DuesKey | null;
  limit: number;
  skip: number;
}

interface Buckets extends Dues {
  buckets: readonly ({ bucket: string } & Days)[];
}

/** Conditions on agreements `a` and their unpaid instalments `i`. */
function narrowed({ owner_ids, filter }: Dues, bind: Bind): { agreements: string; instalments: string } {
  const { from, to, ...rest } = filter;
  return {
    agreements: `a.org_id = i.org_id and a.agreement_id = i.agreement_id and a.state = 'active' and a.owner_user_id = ${ownersOf(owner_ids, bind)}`,
    instalments: [
      'i.org_id = $1 and i.paid_on is null',
      from && ` and i.due_on >= ${bind(date, from)}`,
      to && ` and i.due_on <= ${bind(date, to)}`,
      scopeOf(rest, bind).on('a'),
    ]
      .filter(Boolean)
      .join(''),
  };
}

const DAY = isoDate('2026-03-31');
const OF_DAYS: DuesOfDays = { owner_ids: [], filter: {}, days: { first: DAY, last: DAY } };
const PAGE: DuesPage = { ...OF_DAYS, today: DAY, after: null, limit: 1, skip: 0 };

/** From so many shops on, a page is quicker found in the order of days than in what they have. */
const FEW_SHOPS = 20;

/** Who has the oldest of what is unpaid behind the last day has nothing in it: its instalments are not looked at. */
const between = ({ days }: DuesOfDays, bind: Bind) => {
  const last = bind(date, days.last);
  return `i.due_on between ${bind(date, days.first)} and ${last} and a.oldest_due_on <= ${last}`;
};

/** How many unpaid instalments a stretch of days has. */
export const countDues = statementFamily({
  name: 'reports.count_dues',
  gives: { count: int4 },
  samples: [OF_DAYS, { ...OF_DAYS, filter: WHOLE_SCOPE }],
  build: (asked: DuesOfDays, bind) => {
    const only = narrowed(asked, bind);
    return `
      select count(*)::int as count from instalments_view i join agreements_view a on ${only.agreements}
      where ${only.instalments} and ${between(asked, bind)}`;
  },
});

/** Unpaid instalments of a stretch of days, oldest first. */
export const duesPage = statementFamily({
  name: 'reports.dues_page',
  gives: {
    customer_id: uuid,
    first_name: text,
    last_name: text,
    mobile: text,
    device: text,
    agreement_id: uuid,
    instalment_no: int4,
    instalment_place: int4,
    due_on: date,
    left_paise: int8,
    days_past_due: int4,
    reminded_at: nullable(timestamptz),
    /** Of all pages, with the first page of a few shops: nothing is gone through twice. */
    total: nullable(int4),
  },
  samples: [
    PAGE,
    { ...PAGE, filter: WHOLE_SCOPE, after: [DAY, WHOLE_SCOPE.customer_id, 1] },
    { ...PAGE, owner_ids: Array.from({ length: FEW_SHOPS + 1 }, () => WHOLE_SCOPE.customer_id) },
  ],
  build: (asked: DuesPage, bind) => {
    const only = narrowed(asked, bind);
    const [dueOn, agreementId, no] = asked.after ?? [];
    const after = asked.after
      ? ` and (i.due_on, i.agreement_id, i.no) > (${bind(date, dueOn!)}, ${bind(uuid, agreementId!)}, ${bind(int4, no!)})`
      : '';
    const few = asked.owner_ids.length <= FEW_SHOPS;
    // A few shops are read by what they have: in the order of days the dues of everybody else would be gone through until a page is full.
    const mine = few
      ? `mine as materialized (select a.org_id, a.agreement_id, a.customer_id, a.device_id, a.oldest_due_on, a.owner_user_id, a.state
          from agreements_view a where a.org_id = $1 and a.state = 'active' and a.owner_user_id = ${ownersOf(asked.owner_ids, bind)}
            and a.oldest_due_on <= ${bind(date, asked.days.last)}), `
      : '';
    const total = few && !asked.after ? '(count(*) over ())::int' : 'null::int';
    return `
      with ${mine}open as (
        select i.agreement_id, i.no, i.due_on, i.left_paise, a.customer_id, a.device_id, ${total} as total
        from instalments_view i join ${mine ? 'mine' : 'agreements_view'} a on ${only.agreements}
        where ${only.instalments} and ${between(asked, bind)}${after}
        order by i.due_on, i.agreement_id, i.no limit ${bind(int8, asked.limit)} offset ${bind(int8, asked.skip)}
      )
      select o.customer_id, c.first_name, c.last_name, c.mobile, d.name as device, o.agreement_id, o.no as instalment_no,
        kist_instalment_place($1, o.agreement_id, o.no) as instalment_place, o.due_on, o.left_paise,
        kist_days_past_due(o.due_on, ${bind(date, asked.today)}) as days_past_due,
        (select max(n.created_at) from notices_view n
          where n.org_id = $1 and n.agreement_id = o.agreement_id and n.kind in ('reminder', 'notice', 'alert')) as reminded_at,
        o.total
      from open o
        join customers_view c on c.org_id = $1 and c.customer_id = o.customer_id
        join devices_view d on d.org_id = $1 and d.device_id = o.device_id
      order by o.due_on, o.agreement_id, o.no`;
  },
});

const BUCKETS: Buckets = { owner_ids: [], filter: {}, buckets: [{ bucket: 'today', first: DAY, last: DAY }] };

/** Customers and paise of each bucket, in one pass. */
export const duesByBucket = statementFamily({
  name: 'reports.dues_by_bucket',
  gives: { bucket: text, customers: int4, paise: int8 },
  samples: [BUCKETS, { ...BUCKETS, filter: WHOLE_SCOPE }],
  build: (asked: Buckets, bind) => {
    const only = narrowed(asked, bind);
    const column = (name: keyof Buckets['buckets'][number]) => asked.buckets.map((bucket) => bucket[name]);
    return `
      select b.bucket, count(distinct i.agreement_id)::int as customers, coalesce(sum(i.left_paise), 0)::bigint as paise
      from unnest(${bind(listOf(text), column('bucket'))}, ${bind(listOf(date), column('first'))}[], ${bind(listOf(date), column('last'))}[])
          with ordinality as b(bucket, first, last, n)
        left join (instalments_view i join agreements_view a on ${only.agreements}) on ${only.instalments} and i.due_on between b.first and b.last and a.oldest_due_on <= b.last
      group by b.bucket, b.n order by b.n`;
  },
});
