import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import * as locking from '#server/locking/locking.ts';

/** What a customer says is wrong, the shop's answer and the organisation's, and what is owed for it. */
export function disputeRoutes(
  app: App,
  services: { locking: Pick<locking.Locking, 'openDispute' | 'escalateDispute' | 'closeDispute' | 'decideDispute'> },
): void {
  route(app, 'openDispute', ({ tx, actor, body }) =>
    services.locking.openDispute(tx, actor, {
      customerId: body.customer_id,
      instalmentId: body.instalment_id,
      text: body.text,
    }),
  );
  route(app, 'escalateDispute', ({ tx, actor, body }) =>
    services.locking.escalateDispute(tx, actor, { disputeId: body.dispute_id, text: body.text }),
  );
  route(app, 'closeDispute', ({ tx, actor, body }) =>
    services.locking.closeDispute(tx, actor, {
      disputeId: body.dispute_id,
      outcome: body.outcome,
      isUpheld: body.is_upheld,
    }),
  );
  route(app, 'decideDispute', ({ tx, actor, body }) =>
    services.locking.decideDispute(tx, actor, { disputeId: body.dispute_id, holds: body.holds, reason: body.reason }),
  );
  route(app, 'listDisputes', ({ db, actor }) => db.read(actor.orgId, (tx) => locking.disputesToDecide(tx, actor)));
  route(app, 'listCompensations', ({ db, actor }) => db.read(actor.orgId, (tx) => locking.compensations(tx, actor)));
  route(app, 'payCompensation', ({ tx, actor, body }) => locking.payCompensation(tx, actor, body));
}
