import { NEEDS } from '@kist/contract/access';
import { PLAN_NAMES, planName } from '@kist/contract/codes';
import { type IsoDate, addDays } from '@kist/contract/dates';
import { DPD_STRETCHES } from '@kist/contract/dpd-stretches';
import { TODO_KINDS } from '@kist/contract/customer-filter';
import type { Dashboard, DashboardQuery } from '@kist/contract/reports';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { birthdays } from './birthdays.ts';
import * as sql from './figures-sql.ts';
import { ownersIn } from './owners.ts';
import * as store from './store.ts';

const figuresOf = async (tx: Tx, actor: Actor, query: DashboardQuery): Promise<sql.Figures> => ({
  owner_ids: ownersIn(actor, query.retailer_id),
  today: await today(tx),
  filter: query,
});

type Headcount = NonNullable<Awaited<ReturnType<typeof sql.headcount.first>>>;

/** What to do first, most pressing first; each item is the list behind it. */
const doNow = (customers: Headcount): Dashboard['do_now'] =>
  TODO_KINDS.map((kind) => ({ kind, count: customers[`do_${kind}`], params: {} })).filter(({ count }) => count > 0);

/** Keys of the caller; that there are none left of what nobody sells is no news. */
async function keysLeft(tx: Tx, actor: Actor): Promise<Dashboard['keys']> {
  const onSale = new Set((await catalogue.plansOnOffer(tx)).map((plan) => plan.plan_type));
  const keys = await wallet.keysOf(tx, actor.userId);
  return keys
    .map((row) => ({
      plan_type: row.plan_type,
      name: planName(row.plan_type) ?? PLAN_NAMES[0]!,
      left: row.paid + row.granted,
    }))
    .filter(({ plan_type, left }) => left > 0 || onSale.has(plan_type));
}

/** Takings of the days that are asked for; those of the last fourteen where none are. */
function collections(tx: Tx, figures: sql.Figures): Promise<Dashboard['collections']> {
  const { from, to, ...filter } = figures.filter;
  const last = (to as IsoDate | undefined) ?? figures.today;
  return sql.collections.all(tx, {
    ...figures,
    filter,
    from: (from as IsoDate | undefined) ?? addDays(last, -13),
    to: last,
  });
}

/**
 * The shop's day on one screen: figures, and what to do first.
 * @param query whose figures: customers narrowed as in the customer list, takings of the days from…to
 * @throws KistError FEATURE_NOT_ALLOWED, NOT_FOUND for a retailer_id that is not the caller or below
 */
export async function dashboard(tx: Tx, actor: Actor, query: DashboardQuery = {}): Promise<Dashboard> {
  identity.requires(actor, NEEDS.read);
  const figures = await figuresOf(tx, actor, query);
  const money = (await sql.money.first(tx, figures))!;
  const customers = (await sql.headcount.first(tx, figures))!;
  const { unread, checked_at, is_balanced, is_checked } = await store.bellAndBooks.one(tx, { user_id: actor.userId });
  return {
    business_on: figures.today,
    today: {
      due_paise: money.left_paise + money.paid_paise,
      left_paise: money.left_paise,
      collected_paise: money.collected_paise,
      customers: customers.do_due_today,
    },
    overdue: { paise: money.overdue_paise, customers: customers.overdue },
    days_past_due: DPD_STRETCHES.map((dpd) => ({
      dpd,
      customers: customers[sql.dpdColumn(dpd)],
      paise: dpd === '0' ? 0 : money[sql.dpdColumn(dpd)],
    })),
    outstanding_paise: money.outstanding_paise,
    statuses: {
      all: customers.total,
      0: customers.status_0,
      1: customers.status_1,
      2: customers.status_2,
      3: customers.status_3,
      4: customers.status_4,
      5: customers.status_5,
      6: customers.status_6,
    },
    locked: customers.locked,
    unlocked: customers.unlocked,
    pending_unlock: customers.pending_unlock,
    keys: await keysLeft(tx, actor),
    upcoming: await sql.comingWeek.all(tx, figures),
    collections: await collections(tx, figures),
    do_now: doNow(customers),
    birthdays: await birthdays(tx, figures.owner_ids, figures.today),
    unread,
    books: { is_balanced: is_balanced ?? true, is_checked, checked_at: checked_at?.toISOString() ?? null },
  };
}

/** Outstanding and overdue of the caller's shop, or of the part of it that is asked for. */
export async function totalOutstanding(tx: Tx, actor: Actor, query: DashboardQuery = {}) {
  identity.requires(actor, NEEDS.read);
  const figures = await figuresOf(tx, actor, query);
  const { outstanding_paise, overdue_paise } = (await sql.money.first(tx, figures))!;
  const { agreements } = (await sql.activeAgreements.first(tx, figures))!;
  return { outstanding_paise, overdue_paise, agreements };
}
