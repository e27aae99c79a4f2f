import { previewEmi } from '#server/agreements/rules/preview.ts';
import { booksOf } from '#server/ledger/ledger.ts';
import type { Payments } from '#server/payments/payments.ts';
import type { Actor } from '#server/identity/actor.ts';
import type { Tx } from '#server/platform/database.ts';
import { dashboard, totalOutstanding } from '#server/reports/dashboard.ts';
import { emiDetails } from '#server/reports/emi-details.ts';
import { upcoming, upcomingCounts } from '#server/reports/upcoming.ts';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';

export interface MoneyRouteDeps {
  payments: Payments;
  /** Reminds one customer on every channel there is. @throws KistError RATE_LIMITED, NOT_FOUND, STATE_CONFLICT. */
  remind(tx: Tx, actor: Actor, customerId: string): Promise<{ sent: ('sms' | 'phone')[]; next_allowed_at: string }>;
}

/** Instalments, payments, reminders, the shop's day. */
export function moneyRoutes(app: App, { payments, remind }: MoneyRouteDeps): void {
  route(app, 'previewEmi', async ({ body }) => previewEmi(body));
  route(app, 'getEmiDetails', ({ db, actor, body }) =>
    db.read(actor.orgId, (tx) => emiDetails(tx, actor, body.customer_id)),
  );
  route(app, 'updateEmiStatus', ({ tx, actor, body }) => payments.record(tx, actor, body));
  route(app, 'multipleEmiPaid', ({ tx, actor, body }) => payments.recordMany(tx, actor, body));
  route(app, 'reversePayment', ({ tx, actor, body }) => payments.reverse(tx, actor, body.payment_id, body.reason));
  route(app, 'getUpcomingEmi', ({ db, actor, query }) => db.read(actor.orgId, (tx) => upcoming(tx, actor, query)));
  route(app, 'upcomingEmiCounts', ({ db, actor }) => db.read(actor.orgId, (tx) => upcomingCounts(tx, actor)));
  route(app, 'sendEmiAlert', ({ tx, actor, body }) => remind(tx, actor, body.customer_id));
  route(app, 'getDashboard', ({ db, actor }) => db.read(actor.orgId, (tx) => dashboard(tx, actor)));
  route(app, 'getTotalOutstanding', ({ db, actor }) => db.read(actor.orgId, (tx) => totalOutstanding(tx, actor)));
  route(app, 'trialBalance', async ({ db, actor, query }) => {
    const { rows, isBalanced, differences } = await db.read(actor.orgId, (tx) => booksOf(tx, actor, query.on ?? null));
    return { rows, is_balanced: isBalanced, differences };
  });
}
