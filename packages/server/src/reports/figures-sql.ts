import { DPD_STRETCHES, type DpdStretch } from '@kist/contract/dpd-stretches';
import { type CustomerFilter, TODO_KINDS } from '@kist/contract/customer-filter';
import { type IsoDate, isoDate } from '@kist/contract/dates';
import { date, int4, int8 } from '#server/platform/column-types.ts';
import { type Bind, statementFamily } from '#server/platform/statement.ts';
import * as list from './customer-list-sql.ts';
import { type Scope, WHOLE_SCOPE, ownersOf, scopeOf } from './filter-sql.ts';

/** Whose figures, and of which day. */
export interface Figures {
  owner_ids: readonly string[];
  today: IsoDate;
  filter: CustomerFilter;
}

/** The longest run of days that is counted one by one. */
const SERIES_DAYS = 366;

const FIGURES: Figures = { owner_ids: [], today: isoDate('2026-03-31'), filter: {} };
const SAMPLES: readonly Figures[] = [
  FIGURES,
  { ...FIGURES, owner_ids: [WHOLE_SCOPE.user_id] },
  { ...FIGURES, filter: WHOLE_SCOPE },
];

/** What every figure begins with; `mine` are the owners' agreements `a`. */
function begin({ owner_ids, filter }: Figures, bind: Bind): { owners: string; scope: Scope; mine: string } {
  const owners = ownersOf(owner_ids, bind);
  const scope = scopeOf(filter, bind);
  return { owners, scope, mine: `a.org_id = $1 and a.owner_user_id = ${owners}${scope.on('a')}` };
}

/**
 * The agreements that figures are about, found once. Joined to in place, a database that has no statistics yet looks through them and their customers anew
 * for each payment: seconds for a hundred sales.
 */
const agreementsOf = (mine: string): string => `
  mine as materialized (
    select a.org_id, a.agreement_id, a.state, a.outstanding_paise, a.oldest_due_on from agreements_view a where ${mine}
  )`;

/** The stretches of days past due that owe something, and what a column of figures is called for each. */
export const OVERDUE_STRETCHES = DPD_STRETCHES.filter((stretch) => stretch !== '0');
export const dpdColumn = <Stretch extends DpdStretch>(stretch: Stretch): `dpd_${Stretch}` => `dpd_${stretch}`;
type DpdColumn = `dpd_${DpdStretch}`;
const DPD_PAISE = Object.fromEntries(OVERDUE_STRETCHES.map((stretch) => [dpdColumn(stretch), int8])) as Record<
  `dpd_${(typeof OVERDUE_STRETCHES)[number]}`,
  typeof int8
>;

/**
 * Money of the day. "To collect today" is what was still owed of today's instalments when the day began: what is left of them and what was paid on them
 * today, so the bar fills as the day goes. What was paid before its day is nobody's to collect, and an old instalment paid today is none of today's.
 */
export const money = statementFamily({
  name: 'reports.money',
  gives: {
    left_paise: int8,
    paid_paise: int8,
    overdue_paise: int8,
    outstanding_paise: int8,
    collected_paise: int8,
    ...DPD_PAISE,
  },
  samples: SAMPLES,
  build: (asked: Figures, bind) => {
    const { mine } = begin(asked, bind);
    const today = bind(date, asked.today);
    const byDpd = OVERDUE_STRETCHES.map(
      (stretch) =>
        `coalesce(sum(left_paise) filter (where kist_is_overdue(due_on, ${today}) and ${list.inDpd(stretch, () => today)}), 0)::bigint as ${dpdColumn(stretch)}`,
    );
    return `
      with ${agreementsOf(mine)}, dues as (
        select i.due_on, i.left_paise, a.oldest_due_on
        from instalments_view i join mine a on a.org_id = i.org_id and a.agreement_id = i.agreement_id
        where i.org_id = $1 and a.state <> 'cancelled' and a.oldest_due_on <= ${today} and i.due_on <= ${today} and i.paid_on is null
      )
      select coalesce(sum(left_paise) filter (where due_on = ${today}), 0)::bigint as left_paise,
        (select coalesce(sum((select sum(l.paise) from allocations l
            join instalments_view i on i.org_id = l.org_id and i.agreement_id = l.agreement_id and i.no = l.instalment_no and i.due_on = ${today}
            where l.org_id = p.org_id and l.agreement_id = p.agreement_id and l.payment_id = p.payment_id and l.bucket in ('interest', 'principal', 'fee'))), 0)::bigint
          from payments_view p join mine a using (org_id, agreement_id)
          where p.org_id = $1 and p.state = 'posted' and p.paid_on = ${today}) as paid_paise,
        coalesce(sum(left_paise) filter (where kist_is_overdue(due_on, ${today})), 0)::bigint as overdue_paise,
        (select coalesce(sum(a.outstanding_paise), 0)::bigint from mine a where a.state = 'active') as outstanding_paise,
        (select coalesce(sum(p.amount_paise), 0)::bigint from payments_view p join mine a using (org_id, agreement_id)
          where p.org_id = $1 and p.state = 'posted' and p.paid_on = ${today}) as collected_paise,
        ${byDpd.join(', ')}
      from dues a`;
  },
});

const STATUSES = ['0', '1', '2', '3', '4', '5', '6'] as const;
/** Figures that count customers → the condition of the list that each opens. */
const COUNTED: Record<string, (today: list.Today) => string> = {
  ...Object.fromEntries(
    STATUSES.map((status) => [`status_${status}`, (today) => list.STATUS[status](today) ?? 'true']),
  ),
  overdue: list.DUE.overdue,
  ...Object.fromEntries(
    DPD_STRETCHES.map((stretch) => [dpdColumn(stretch), (today: list.Today) => list.isInDpd(stretch, today)]),
  ),
  locked: () => list.LOCKED['1'],
  unlocked: () => list.LOCKED['0'],
  pending_unlock: list.CONDITIONS_OF_TASKS.unlock_unconfirmed,
  ...Object.fromEntries(TODO_KINDS.map((kind) => [`do_${kind}`, list.CONDITIONS_OF_TASKS[kind]])),
};
type Counted =
  | 'total'
  | `status_${(typeof STATUSES)[number]}`
  | 'overdue'
  | DpdColumn
  | 'locked'
  | 'unlocked'
  | 'pending_unlock'
  | `do_${(typeof TODO_KINDS)[number]}`;

/** Customers, counted by the conditions of the very lists that the figures open. */
export const headcount = statementFamily({
  name: 'reports.headcount',
  gives: Object.fromEntries(['total', ...Object.keys(COUNTED)].map((name) => [name, int4])) as Record<
    Counted,
    typeof int4
  >,
  samples: SAMPLES,
  build: (asked: Figures, bind) => {
    const { owners, scope } = begin(asked, bind);
    const today = bind(date, asked.today);
    const counts = Object.entries(COUNTED).map(
      ([name, condition]) => `count(*) filter (where ${condition(() => today)})::int as ${name}`,
    );
    const counted = counts.join(',\n        ');
    return `
      select count(*)::int as total, ${counted}
      ${list.customersWith(counted, { owner_ids: asked.owner_ids, owners })}
      where c.org_id = $1 and c.owner_user_id = ${owners}${scope.customers}`;
  },
});

/** What was collected of EMIs and late fees on each day from…to, the last 366 at most. */
export const collections = statementFamily({
  name: 'reports.collections',
  gives: { on: date, paise: int8 },
  samples: SAMPLES.map((one) => ({ ...one, from: one.today, to: one.today })),
  build: (asked: Figures & { from: IsoDate; to: IsoDate }, bind) => {
    const { mine } = begin(asked, bind);
    const [first, last] = [bind(date, asked.from), bind(date, asked.to)];
    return `
      with ${agreementsOf(mine)}
      select d.on::date as "on", coalesce(sum(p.amount_paise), 0)::bigint as paise
      from generate_series(greatest(${first}, ${last} - ${SERIES_DAYS - 1}), ${last}, interval '1 day') as d("on")
        left join (payments_view p join mine a using (org_id, agreement_id)) on p.org_id = $1 and p.paid_on = d.on::date and p.state = 'posted'
      group by d.on order by d.on`;
  },
});

/** The days that the week is told by, today the first: the bucket of the list of dues. */
export const WEEK_DAYS = 7;

/** What falls due on each day of the week. */
export const comingWeek = statementFamily({
  name: 'reports.coming_week',
  gives: { due_on: date, paise: int8, customers: int4 },
  samples: SAMPLES,
  build: (asked: Figures, bind) => {
    const { mine } = begin(asked, bind);
    const today = bind(date, asked.today);
    const last = `${today} + ${WEEK_DAYS - 1}`;
    return `
      select i.due_on, sum(i.left_paise)::bigint as paise, count(distinct i.agreement_id)::int as customers
      from instalments_view i join agreements_view a on a.org_id = i.org_id and a.agreement_id = i.agreement_id
      where ${mine} and a.state = 'active' and a.oldest_due_on <= ${last} and i.paid_on is null and i.due_on between ${today} and ${last}
      group by i.due_on order by i.due_on`;
  },
});

export const activeAgreements = statementFamily({
  name: 'reports.active_agreements',
  gives: { agreements: int4 },
  samples: SAMPLES,
  build: (asked: Figures, bind) =>
    `select count(*)::int as agreements from agreements_view a where ${begin(asked, bind).mine} and a.state = 'active'`,
});
