import { z } from 'zod';
import { NEEDS } from './access.ts';
import { refreshIn, scopeShape, searchIn, TODO_KINDS } from './customer-filter.ts';
import { DPD_STRETCHES } from './dpd-stretches.ts';
import { endpoint } from './endpoint.ts';
import { pageSchema } from './envelope.ts';
import { dateSchema, idSchema, numberInQuery, pagingShape } from './fields.ts';
import { PATHS } from './paths.ts';
import { KEPT_METHODS } from './payment-methods.ts';

const upcomingRowSchema = z.object({
  customer_id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  mobile: z.string(),
  device: z.string(),
  agreement_id: z.uuid(),
  instalment_no: z.int(),
  instalment_place: z.int(),
  due_on: z.string(),
  left_paise: z.int(),
  days_past_due: z.int(),
  reminded_at: z.string().nullable(),
});

const collectionSchema = z.object({
  payment_id: z.uuid(),
  customer_id: z.uuid(),
  first_name: z.string(),
  last_name: z.string(),
  device: z.string(),
  /** null: of an older agreement that was brought along, whose receipts are on its paper. */
  receipt_no: z.string().nullable(),
  amount_paise: z.int(),
  method: z.enum(KEPT_METHODS),
  paid_on: z.string(),
  paid_at: z.string(),
  /** Who took it. */
  recorded_by: z.string(),
});

const dashboardSchema = z.object({
  business_on: z.string(),
  /**
   * `due_paise`: owed of today's instalments when the day began; `left_paise`: still; `customers`: who owe it. `collected_paise`: all that was taken
   * today for EMIs and late fees, old ones too; what is paid down at a sale is no due, and what goes back is nobody's.
   */
  today: z.object({ due_paise: z.int(), left_paise: z.int(), collected_paise: z.int(), customers: z.int() }),
  overdue: z.object({ paise: z.int(), customers: z.int() }),
  /** Running agreements by days past due, with what is overdue on each; those of a day or more add up to `overdue`. */
  days_past_due: z.array(z.object({ dpd: z.enum(DPD_STRETCHES), customers: z.int(), paise: z.int() })),
  outstanding_paise: z.int(),
  statuses: z.record(z.string(), z.int()),
  locked: z.int(),
  unlocked: z.int(),
  pending_unlock: z.int(),
  keys: z.array(z.object({ plan_type: z.int(), name: z.string(), left: z.int() })),
  upcoming: z.array(z.object({ due_on: z.string(), paise: z.int(), customers: z.int() })),
  /** The same for each of the last 14 days, oldest first. */
  collections: z.array(z.object({ on: z.string(), paise: z.int() })),
  /** What to do first, most pressing first; each opens the list behind it. */
  do_now: z.array(
    z.object({
      kind: z.enum(TODO_KINDS),
      count: z.int(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
  /** Whose birthday is today, with the words to wish them, in their language. */
  birthdays: z.array(
    z.object({
      customer_id: z.uuid(),
      first_name: z.string(),
      last_name: z.string(),
      mobile: z.string(),
      greeting: z.string(),
    }),
  ),
  unread: z.int(),
  /** The nightly check: `is_checked` is false where it did not run for 26 hours, which is as bad as a paisa off. */
  books: z.object({ is_balanced: z.boolean(), is_checked: z.boolean(), checked_at: z.string().nullable() }),
});
export type Dashboard = z.infer<typeof dashboardSchema>;

/**
 * Whose figures. `from` and `to` count the customers who were added on these days, as they do in the customer list, and show the takings
 * of these days (the last 366 at most). Nothing is remembered between two calls, so `refresh` changes nothing.
 */
const dashboardQuery = z.strictObject({ ...scopeShape, refresh: refreshIn.optional() });
export type DashboardQuery = z.output<typeof dashboardQuery>;

/** Dues: `from` and `to` are days on which instalments fall due. */
const duesShape = { ...scopeShape, customer_id: idSchema.optional(), search: searchIn.optional() };

export const reportEndpoints = {
  getUpcomingEmi: endpoint({
    ...PATHS.getUpcomingEmi,
    summary: 'Dues by bucket.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    query: z.strictObject({
      ...pagingShape,
      ...duesShape,
      bucket: z.enum(['overdue', 'today', 'week', 'month']).default('today'),
    }),
    reply: pageSchema(upcomingRowSchema),
    errors: ['NOT_FOUND', 'PAGE_TOO_FAR'],
  }),
  upcomingEmiCounts: endpoint({
    ...PATHS.upcomingEmiCounts,
    summary: 'Count and sum of each bucket.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    query: z.strictObject(duesShape),
    reply: z.array(z.object({ bucket: z.string(), customers: z.int(), paise: z.int() })),
    errors: ['NOT_FOUND'],
  }),
  getDashboard: endpoint({
    ...PATHS.getDashboard,
    summary: 'The shop’s day.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    query: dashboardQuery,
    reply: dashboardSchema,
    errors: ['NOT_FOUND'],
  }),
  listCollections: endpoint({
    ...PATHS.listCollections,
    summary:
      'What came in on a day or several for EMIs and late fees, payment by payment, how and by who took it: what the dashboard’s collections count.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    query: z.strictObject({
      ...pagingShape,
      ...duesShape,
      /** The last day of the payments, today where none is said. `from` and `to` are days on which the customers were added, as for the dashboard. */
      on: dateSchema.optional(),
      /** How many days, the last among them. */
      days: numberInQuery(z.int('field.invalid').min(1).max(31)).default(1),
    }),
    reply: pageSchema(collectionSchema).extend({
      from: z.string(),
      to: z.string(),
      paise: z.int(),
      /** Of all these days, by how it came in. */
      methods: z.array(z.object({ method: z.enum(KEPT_METHODS), payments: z.int(), paise: z.int() })),
      /** Of the same, by who took it, the most first: cash lies in the till of whoever took it, whoever sold. */
      takers: z.array(
        z.object({
          user_id: z.uuid(),
          name: z.string(),
          shop_name: z.string(),
          payments: z.int(),
          paise: z.int(),
          /** That part of it which is cash. */
          cash_paise: z.int(),
        }),
      ),
    }),
    errors: ['NOT_FOUND', 'PAGE_TOO_FAR'],
  }),
  getTotalOutstanding: endpoint({
    ...PATHS.getTotalOutstanding,
    summary: 'Outstanding and overdue in total.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.read,
    query: dashboardQuery,
    reply: z.object({ outstanding_paise: z.int(), overdue_paise: z.int(), agreements: z.int() }),
    errors: ['NOT_FOUND'],
  }),
} as const;
