import { LIMITS } from '@kist/contract/limits';
import * as agreements from '#server/agreements/agreements.ts';
import * as ledger from '#server/ledger/ledger.ts';
import type { Payments } from '#server/payments/payments.ts';
import * as locking from '#server/locking/locking.ts';
import * as payments from '#server/payments/payments.ts';
import type { Notices } from '#server/notices/notices.ts';
import * as reports from '#server/reports/reports.ts';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';

export interface MoneyRouteDeps {
  payments: Payments;
  /** Reminds on every channel there is: one customer, or many of whom some may be refused. */
  notices: Pick<Notices, 'send' | 'sendAlert' | 'sendAlerts' | 'previewAlerts'>;
}

/** Instalments, payments, reminders, the shop's day. */
export function moneyRoutes(app: App, deps: MoneyRouteDeps): void {
  route(app, 'previewEmi', async ({ body }) => agreements.previewEmi(body));
  for (const name of ['getEmiDetails', 'customerEmiDetails'] as const)
    route(app, name, ({ db, actor, body }) => db.read(actor.orgId, (tx) => reports.emiDetails(tx, actor, body)));
  route(app, 'updateEmiStatus', ({ tx, actor, body }) => deps.payments.record(tx, actor, body));
  route(app, 'multipleEmiPaid', ({ tx, actor, body }) => deps.payments.recordMany(tx, actor, body));
  route(app, 'reversePayment', ({ tx, actor, body }) => deps.payments.reverse(tx, actor, body.payment_id, body.reason));
  route(app, 'claimPayment', ({ tx, actor, body }) => deps.payments.claim(tx, actor, body));
  route(app, 'answerClaim', ({ tx, actor, body }) => deps.payments.answerClaim(tx, actor, body));
  route(app, 'refusePhoneClaim', ({ tx, actor, body }) => locking.refusePhoneClaim(tx, actor, body));
  route(app, 'getPayTo', ({ db, actor, query }) => db.read(actor.orgId, (tx) => reports.payTo(tx, actor, query)));
  route(app, 'listRefunds', ({ db, actor }) => db.read(actor.orgId, (tx) => payments.refundTasks(tx, actor)));
  route(app, 'refundDone', ({ tx, actor, body }) => payments.refundDone(tx, actor, body));
  route(app, 'sendPenalty', ({ tx, actor, body }) => payments.chargeByHand(tx, deps.notices, actor, body));
  route(app, 'waivePenalty', ({ tx, actor, body }) => payments.waivePenalty(tx, deps.notices, actor, body));
  route(app, 'decideWaiver', ({ tx, actor, body }) => payments.decideWaiver(tx, deps.notices, actor, body));
  route(app, 'getUpcomingEmi', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => reports.upcoming(tx, actor, query)),
  );
  route(app, 'upcomingEmiCounts', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => reports.upcomingCounts(tx, actor, query)),
  );
  reminderRoutes(app, deps);
  route(app, 'getDashboard', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => reports.dashboard(tx, actor, query)),
  );
  route(app, 'listCollections', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => reports.collectionsOf(tx, actor, query)),
  );
  route(app, 'getTotalOutstanding', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => reports.totalOutstanding(tx, actor, query)),
  );
  route(app, 'trialBalance', async ({ db, actor, query }) => {
    const { rows, isBalanced, differences } = await db.read(actor.orgId, (tx) =>
      ledger.booksOf(tx, actor, { upTo: query.on ?? query.to ?? null, retailerId: query.retailer_id }),
    );
    return { rows, is_balanced: isBalanced, differences };
  });
}

function reminderRoutes(app: App, deps: Pick<MoneyRouteDeps, 'notices'>): void {
  route(app, 'previewEmiAlert', ({ db, actor, body }) =>
    db.read(actor.orgId, async (tx) =>
      deps.notices.previewAlerts(
        tx,
        actor,
        await reports.customerIds(tx, actor, { filter: body.filter, max: LIMITS.remindCustomers }),
      ),
    ),
  );
  route(app, 'sendEmiAlert', async ({ tx, actor, body }) =>
    'filter' in body
      ? deps.notices.sendAlerts(
          tx,
          actor,
          await reports.customerIds(tx, actor, { filter: body.filter, max: LIMITS.remindCustomers }),
        )
      : deps.notices.sendAlert(tx, actor, body.customer_id),
  );
}
