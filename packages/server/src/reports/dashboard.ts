import { NEEDS } from '@kist/contract/access';
import { PLAN_NAMES, planName } from '@kist/contract/codes';
import { type IsoDate, addDays } from '@kist/contract/dates';
import type { Dashboard, DashboardQuery } from '@kist/contract/emi';
import { LOCKED_FROM_LEVEL } from '@kist/contract/lock-policy';
import { type Actor, requires } from '#server/identity/identity.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import { businessOn, now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { type Scope, ownersIn, scopeOf } from './scope.ts';

const LEFT =
  '(i.principal_paise + i.interest_paise + i.fee_paise - i.paid_principal_paise - i.paid_interest_paise - i.paid_fee_paise)';
const MINE = `a.org_id = kist_org() and a.owner_user_id = any($1::uuid[])`;

/** The longest run of days that is counted one by one. */
const SERIES_DAYS = 366;

/** Whose figures: $1 the owners, $2 today, then what the filter binds. */
interface View {
  values: unknown[];
  scope: Scope;
}

function viewOf(owners: readonly string[], today: string, filter: DashboardQuery): View {
  const values: unknown[] = [owners, today];
  return { values, scope: scopeOf(filter, values) };
}

/**
 * Money of the day. "To collect today" is what was still owed of today's instalments when the day began: what is left of them and what was paid on them
 * today, so the bar fills as the day goes. What was paid before its day is nobody's to collect, and an old instalment paid today is none of today's.
 */
async function money(tx: Tx, { values, scope }: View) {
  const { rows } = await tx.query<
    Record<
      | 'left_paise'
      | 'paid_paise'
      | 'due_customers'
      | 'overdue_paise'
      | 'overdue_customers'
      | 'outstanding_paise'
      | 'collected_paise',
      number
    >
  >(
    `with dues as (
       select i.agreement_id, i.due_on, ${LEFT} as left_paise
       from instalments i join agreements a on a.org_id = i.org_id and a.agreement_id = i.agreement_id
       where ${MINE}${scope.on('a')} and a.state <> 'cancelled' and i.due_on <= $2::date and i.paid_on is null
     )
     select coalesce(sum(left_paise) filter (where due_on = $2::date), 0)::bigint as left_paise,
       (select coalesce(sum(l.paise), 0)::bigint from payments p join agreements a using (org_id, agreement_id)
         join allocations l on l.org_id = p.org_id and l.payment_id = p.payment_id and l.bucket in ('interest', 'principal', 'fee')
         join instalments i on i.org_id = l.org_id and i.agreement_id = l.agreement_id and i.no = l.instalment_no
         where ${MINE}${scope.on('a')} and p.state = 'posted' and p.paid_on = $2::date and i.due_on = $2::date) as paid_paise,
       count(distinct agreement_id) filter (where due_on = $2::date and left_paise > 0)::int as due_customers,
       coalesce(sum(left_paise) filter (where due_on < $2::date), 0)::bigint as overdue_paise,
       count(distinct agreement_id) filter (where due_on < $2::date and left_paise > 0)::int as overdue_customers,
       (select coalesce(sum(a.outstanding_paise), 0)::bigint from agreements a where ${MINE}${scope.on('a')} and a.state = 'active') as outstanding_paise,
       (select coalesce(sum(p.amount_paise), 0)::bigint from payments p join agreements a using (org_id, agreement_id)
         where ${MINE}${scope.on('a')} and p.state = 'posted' and p.paid_on = $2::date) as collected_paise
     from dues`,
    values,
  );
  return rows[0]!;
}

/** Customers by status (the agreement's 5 and 6 beside the rest) and phones by what they last said. */
async function people(tx: Tx, { values, scope }: View) {
  const { rows } = await tx.query<
    Record<
      | 's0'
      | 's1'
      | 's2'
      | 's3'
      | 's4'
      | 's5'
      | 's6'
      | 'total'
      | 'drafts'
      | 'locked'
      | 'unlocked'
      | 'pending_unlock'
      | 'disputes'
      | 'sim_changes',
      number
    >
  >(
    `select count(*)::int as total, ${[0, 1, 2, 3, 4].map((code) => `count(*) filter (where c.status = ${code})::int as s${code}`).join(', ')},
       count(*) filter (where a.state = 'completed')::int as s5,
       count(*) filter (where a.state = 'active' and a.last_due_on between $2::date and $2::date + 30)::int as s6,
       count(*) filter (where c.is_draft)::int as drafts,
       count(*) filter (where c.status = 1 and r.is_strong and r.lock_level >= ${LOCKED_FROM_LEVEL})::int as locked,
       count(*) filter (where c.status = 1 and not (r.is_strong and r.lock_level >= ${LOCKED_FROM_LEVEL}))::int as unlocked,
       count(*) filter (where w.lock_level < ${LOCKED_FROM_LEVEL} and r.is_strong and r.lock_level >= ${LOCKED_FROM_LEVEL})::int as pending_unlock,
       count(*) filter (where exists (select from disputes x where x.org_id = a.org_id and x.agreement_id = a.agreement_id and x.closed_at is null))::int as disputes,
       (select count(*)::int from device_events e join devices d2 using (org_id, device_id) join customers c2 on c2.org_id = d2.org_id and c2.customer_id = d2.customer_id
         where e.org_id = kist_org() and e.kind = 'sim_changed' and e.at > kist_now() - interval '7 days' and c2.owner_user_id = any($1::uuid[])${scope.on('c2')}) as sim_changes
     from customers c
     left join agreements a on a.org_id = c.org_id and a.customer_id = c.customer_id and a.state <> 'cancelled'
     left join device_reports r on r.org_id = a.org_id and r.device_id = a.device_id
     left join device_desired w on w.org_id = a.org_id and w.device_id = a.device_id
     where c.org_id = kist_org() and c.owner_user_id = any($1::uuid[])${scope.customers}`,
    values,
  );
  return rows[0]!;
}

async function byDay(tx: Tx, { values, scope }: View, period: View, { from, to }: { from: string; to: string }) {
  const days = [...period.values];
  const [first, last] = [`$${days.push(from)}::date`, `$${days.push(to)}::date`];
  const collections = await tx.query<{ on: string; paise: number }>(
    `select d.on::date as "on", coalesce(sum(p.amount_paise), 0)::bigint as paise
     from generate_series(greatest(${first}, ${last} - ${SERIES_DAYS - 1}), ${last}, interval '1 day') as d("on")
     left join (payments p join agreements a using (org_id, agreement_id)) on p.org_id = kist_org() and p.paid_on = d.on::date and p.state = 'posted'
       and a.owner_user_id = any($1::uuid[])${period.scope.on('a')}
     where $2::date is not null
     group by d.on order by d.on`,
    days,
  );
  const upcoming = await tx.query<{ due_on: string; paise: number; customers: number }>(
    `select i.due_on, sum(${LEFT})::bigint as paise, count(*)::int as customers
     from instalments i join agreements a on a.org_id = i.org_id and a.agreement_id = i.agreement_id
     where ${MINE}${scope.on('a')} and a.state = 'active' and i.paid_on is null and i.due_on between $2::date + 1 and $2::date + 7 group by i.due_on order by i.due_on`,
    values,
  );
  return { collections: collections.rows, upcoming: upcoming.rows };
}

/** Overdue agreements whose next notice or restriction by policy comes within two days: worth a call before. */
async function callsWorthMaking(tx: Tx, { values, scope }: View) {
  const { rows } = await tx.query<{ before_notice: number; before_lock: number; days: number | null }>(
    `with late as (
       select $2::date - a.oldest_due_on as dpd, a.policy from agreements a
       where ${MINE}${scope.on('a')} and a.state = 'active' and a.oldest_due_on < $2::date
     )
     select count(*) filter (where exists (select from jsonb_array_elements(policy -> 'notices') n where (n ->> 'fromDpd')::int - dpd between 1 and 2))::int as before_notice,
       count(*) filter (where exists (select from jsonb_array_elements(policy -> 'steps') s where (s ->> 'level')::int = ${LOCKED_FROM_LEVEL} and (s ->> 'fromDpd')::int - dpd between 0 and 2))::int as before_lock,
       max(dpd) as days from late`,
    values,
  );
  return rows[0]!;
}

/**
 * The shop's day on one screen: figures, and what to do first.
 * @param query whose figures: customers narrowed as in the customer list, takings of the days from…to
 * @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND for a retailer_id that is not the caller or below
 */
export async function dashboard(tx: Tx, actor: Actor, query: DashboardQuery = {}): Promise<Dashboard> {
  requires(actor, NEEDS.read);
  const today = businessOn(await now(tx)) as IsoDate;
  const owners = ownersIn(actor, query.retailer_id);
  const view = viewOf(owners, today, query);
  const day = await money(tx, view);
  const crowd = await people(tx, view);
  const calls = await callsWorthMaking(tx, view);
  const to = (query.to as IsoDate | undefined) ?? today;
  const days = { from: query.from ?? addDays(to, -13), to };
  const series = await byDay(tx, view, viewOf(owners, today, { ...query, from: undefined, to: undefined }), days);
  const onSale = new Set((await catalogue.plansOnOffer(tx)).map((plan) => plan.plan_type));
  const keys = await wallet.keysOf(tx, actor.userId);
  const { rows } = await tx.query<{ unread: number; checked_at: Date | null; is_balanced: boolean | null }>(
    `select (select count(*)::int from notifications where user_id = $1 and read_at is null) as unread, s.finished_at as checked_at, (s.result ->> 'is_balanced')::boolean as is_balanced
     from (select 1) one left join lateral (select * from daily_steps where step = 'checks' order by business_on desc limit 1) s on true`,
    [actor.userId],
  );
  const todo: Dashboard['do_now'] = [
    { kind: 'unlock_unconfirmed', count: crowd.pending_unlock, params: {} },
    { kind: 'dispute_open', count: crowd.disputes, params: {} },
    { kind: 'call_before_lock', count: calls.before_lock, params: {} },
    { kind: 'call_before_notice', count: calls.before_notice, params: {} },
    { kind: 'due_today', count: day.due_customers, params: {} },
    { kind: 'sim_changed', count: crowd.sim_changes, params: {} },
    { kind: 'draft_unfinished', count: crowd.drafts, params: {} },
  ];
  return {
    business_on: today,
    today: {
      due_paise: day.left_paise + day.paid_paise,
      left_paise: day.left_paise,
      collected_paise: day.collected_paise,
      customers: day.due_customers,
    },
    overdue: { paise: day.overdue_paise, customers: day.overdue_customers },
    outstanding_paise: day.outstanding_paise,
    statuses: {
      all: crowd.total,
      0: crowd.s0,
      1: crowd.s1,
      2: crowd.s2,
      3: crowd.s3,
      4: crowd.s4,
      5: crowd.s5,
      6: crowd.s6,
    },
    locked: crowd.locked,
    unlocked: crowd.unlocked,
    pending_unlock: crowd.pending_unlock,
    // That there are none left of what nobody sells is no news.
    keys: keys
      .map((row) => ({
        plan_type: row.plan_type,
        name: planName(row.plan_type) ?? PLAN_NAMES[0]!,
        left: row.paid + row.granted,
      }))
      .filter(({ plan_type, left }) => left > 0 || onSale.has(plan_type)),
    upcoming: series.upcoming,
    collections: series.collections,
    do_now: todo.filter((item) => item.count > 0),
    unread: rows[0]!.unread,
    books: { is_balanced: rows[0]!.is_balanced ?? true, checked_at: rows[0]!.checked_at?.toISOString() ?? null },
  };
}

/** Outstanding and overdue of the caller's shop, or of the part of it that is asked for. */
export async function totalOutstanding(tx: Tx, actor: Actor, query: DashboardQuery = {}) {
  requires(actor, NEEDS.read);
  const view = viewOf(ownersIn(actor, query.retailer_id), businessOn(await now(tx)), query);
  const { outstanding_paise, overdue_paise } = await money(tx, view);
  const { rows } = await tx.query<{ agreements: number }>(
    `select count(*)::int as agreements from agreements a where ${MINE}${view.scope.on('a')} and a.state = 'active' and $2::date is not null`,
    view.values,
  );
  return { outstanding_paise, overdue_paise, agreements: rows[0]!.agreements };
}
