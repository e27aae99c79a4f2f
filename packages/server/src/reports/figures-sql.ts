import type { CustomerFilter } from '@kist/contract/customer-filter';
import { type IsoDate, isoDate } from '@kist/contract/dates';
import { date, int4, int8, listOf, nullable, uuid } from '#server/platform/column-types.ts';
import { type Bind, statementFamily } from '#server/platform/statement.ts';
import { type Scope, WHOLE_SCOPE, scopeOf } from './filter-sql.ts';

/** Whose figures, and of which day. */
export interface Figures {
  owner_ids: readonly string[];
  today: IsoDate;
  filter: CustomerFilter;
}

/** The longest run of days that is counted one by one. */
const SERIES_DAYS = 366;

const FIGURES: Figures = { owner_ids: [], today: isoDate('2026-03-31'), filter: {} };
const SAMPLES: readonly Figures[] = [FIGURES, { ...FIGURES, filter: WHOLE_SCOPE }];

/** What every figure begins with; `mine` are the owners' agreements `a`. */
function begin({ owner_ids, filter }: Figures, bind: Bind): { owners: string; scope: Scope; mine: string } {
  const owners = `any(${bind(listOf(uuid), owner_ids)})`;
  const scope = scopeOf(filter, bind);
  return { owners, scope, mine: `a.org_id = $1 and a.owner_user_id = ${owners}${scope.on('a')}` };
}

/**
 * Money of the day. "To collect today" is what was still owed of today's instalments when the day began: what is left of them and what was paid on them
 * today, so the bar fills as the day goes. What was paid before its day is nobody's to collect, and an old instalment paid today is none of today's.
 */
export const money = statementFamily({
  name: 'reports.money',
  gives: {
    left_paise: int8,
    paid_paise: int8,
    due_customers: int4,
    overdue_paise: int8,
    overdue_customers: int4,
    outstanding_paise: int8,
    collected_paise: int8,
  },
  samples: SAMPLES,
  build: (asked: Figures, bind) => {
    const { mine } = begin(asked, bind);
    const today = bind(date, asked.today);
    return `
      with dues as (
        select i.agreement_id, i.due_on, i.left_paise
        from instalments_view i join agreements_view a on a.org_id = i.org_id and a.agreement_id = i.agreement_id
        where ${mine} and a.state <> 'cancelled' and i.due_on <= ${today} and i.paid_on is null
      )
      select coalesce(sum(left_paise) filter (where due_on = ${today}), 0)::bigint as left_paise,
        (select coalesce(sum((select sum(l.paise) from allocations l
            join instalments_view i on i.org_id = l.org_id and i.agreement_id = l.agreement_id and i.no = l.instalment_no and i.due_on = ${today}
            where l.org_id = p.org_id and l.agreement_id = p.agreement_id and l.payment_id = p.payment_id and l.bucket in ('interest', 'principal', 'fee'))), 0)::bigint
          from payments_view p join agreements_view a using (org_id, agreement_id)
          where ${mine} and p.state = 'posted' and p.paid_on = ${today}) as paid_paise,
        count(distinct agreement_id) filter (where due_on = ${today} and left_paise > 0)::int as due_customers,
        coalesce(sum(left_paise) filter (where kist_is_overdue(due_on, ${today})), 0)::bigint as overdue_paise,
        count(distinct agreement_id) filter (where kist_is_overdue(due_on, ${today}) and left_paise > 0)::int as overdue_customers,
        (select coalesce(sum(a.outstanding_paise), 0)::bigint from agreements_view a where ${mine} and a.state = 'active') as outstanding_paise,
        (select coalesce(sum(p.amount_paise), 0)::bigint from payments_view p join agreements_view a using (org_id, agreement_id)
          where ${mine} and p.state = 'posted' and p.paid_on = ${today}) as collected_paise
      from dues`;
  },
});

/** Customers by status (the agreement's 5 and 6 beside the rest) and phones by what they last said. */
export const headcount = statementFamily({
  name: 'reports.headcount',
  gives: {
    total: int4,
    status_0: int4,
    status_1: int4,
    status_2: int4,
    status_3: int4,
    status_4: int4,
    status_5: int4,
    status_6: int4,
    drafts: int4,
    locked: int4,
    unlocked: int4,
    pending_unlock: int4,
    disputed: int4,
    sim_changes: int4,
  },
  samples: SAMPLES,
  build: (asked: Figures, bind) => {
    const { owners, scope } = begin(asked, bind);
    const of = (condition: string, name: string) => `count(*) filter (where ${condition})::int as ${name}`;
    const isDisputed = `exists (select from open_disputes_view x where x.org_id = a.org_id and x.agreement_id = a.agreement_id)`;
    return `
      select count(*)::int as total, ${[0, 1, 2, 3, 4].map((code) => of(`c.status = ${code}`, `status_${code}`)).join(', ')},
        ${of(`a.state = 'completed'`, 'status_5')},
        ${of(`a.state = 'active' and kist_is_maturing(a.last_due_on, ${bind(date, asked.today)})`, 'status_6')},
        ${of('c.is_draft', 'drafts')},
        ${of('c.status = 1 and s.is_locked', 'locked')}, ${of('c.status = 1 and not s.is_locked', 'unlocked')},
        ${of('s.is_unlock_pending', 'pending_unlock')}, ${of(isDisputed, 'disputed')},
        (select count(*)::int from sim_changes_view e join devices_view d using (org_id, device_id)
          join customers_view o on o.org_id = d.org_id and o.customer_id = d.customer_id
          where e.org_id = $1 and e.at > kist_now() - interval '7 days' and o.owner_user_id = ${owners}${scope.on('o')}) as sim_changes
      from customers_view c
        left join agreements_view a on a.org_id = c.org_id and a.customer_id = c.customer_id and a.state <> 'cancelled'
        left join device_states_view s on s.org_id = a.org_id and s.device_id = a.device_id
      where c.org_id = $1 and c.owner_user_id = ${owners}${scope.customers}`;
  },
});

/** Takings of each day from…to, the last 366 at most. */
export const collections = statementFamily({
  name: 'reports.collections',
  gives: { on: date, paise: int8 },
  samples: SAMPLES.map((one) => ({ ...one, from: one.today, to: one.today })),
  build: (asked: Figures & { from: IsoDate; to: IsoDate }, bind) => {
    const { owners, scope } = begin(asked, bind);
    const [first, last] = [bind(date, asked.from), bind(date, asked.to)];
    return `
      select d.on::date as "on", coalesce(sum(p.amount_paise), 0)::bigint as paise
      from generate_series(greatest(${first}, ${last} - ${SERIES_DAYS - 1}), ${last}, interval '1 day') as d("on")
        left join (payments_view p join agreements_view a using (org_id, agreement_id)) on p.org_id = $1 and p.paid_on = d.on::date and p.state = 'posted'
          and a.owner_user_id = ${owners}${scope.on('a')}
      group by d.on order by d.on`;
  },
});

/** What falls due on each of the next seven days. */
export const comingWeek = statementFamily({
  name: 'reports.coming_week',
  gives: { due_on: date, paise: int8, customers: int4 },
  samples: SAMPLES,
  build: (asked: Figures, bind) => {
    const { mine } = begin(asked, bind);
    const today = bind(date, asked.today);
    return `
      select i.due_on, sum(i.left_paise)::bigint as paise, count(*)::int as customers
      from instalments_view i join agreements_view a on a.org_id = i.org_id and a.agreement_id = i.agreement_id
      where ${mine} and a.state = 'active' and i.paid_on is null and i.due_on between ${today} + 1 and ${today} + 7
      group by i.due_on order by i.due_on`;
  },
});

/** Overdue agreements whose next notice, or the first level that locks, comes by policy today (a lock alone) or within two days: worth a call before. */
export const callsWorthMaking = statementFamily({
  name: 'reports.calls_worth_making',
  gives: { before_notice: int4, before_lock: int4, days: nullable(int4) },
  samples: SAMPLES,
  build: (asked: Figures, bind) => {
    const { mine } = begin(asked, bind);
    const today = bind(date, asked.today);
    return `
      with late as (
        select kist_days_past_due(a.oldest_due_on, ${today}) as dpd, a.policy from agreements_view a
        where ${mine} and a.state = 'active' and kist_is_overdue(a.oldest_due_on, ${today})
      )
      select
        count(*) filter (where exists (select from jsonb_array_elements(policy -> 'notices') n where (n ->> 'fromDpd')::int - dpd between 1 and 2))::int as before_notice,
        count(*) filter (where (
          select min((n ->> 'fromDpd')::int) from jsonb_array_elements(policy -> 'steps') n where kist_locks((n ->> 'level')::int)
        ) - dpd between 0 and 2)::int as before_lock,
        max(dpd) as days
      from late`;
  },
});

export const activeAgreements = statementFamily({
  name: 'reports.active_agreements',
  gives: { agreements: int4 },
  samples: SAMPLES,
  build: (asked: Figures, bind) =>
    `select count(*)::int as agreements from agreements_view a where ${begin(asked, bind).mine} and a.state = 'active'`,
});
