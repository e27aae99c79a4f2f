import { KistError } from '@kist/contract/errors';
import type { App } from '#server/http/app-types.ts';
import { CommittedRefusal } from '#server/http/committed-refusal.ts';
import { gateRefusal } from '#server/http/gate-refusal.ts';
import { route } from '#server/http/route.ts';
import * as locking from '#server/locking/locking.ts';

/** A stolen phone, told of at the counter by the customer's code, and found again. In the own session: routes/locking.ts. */
export function theftRoutes(app: App, services: { locking: Pick<locking.Locking, 'reportTheft' | 'liftTheft'> }): void {
  // Kept under no idempotency key: a code that was asked for again is another.
  route(app, 'sendTheftCode', ({ db, actor, body }) =>
    db.transaction(actor.orgId, (tx) =>
      locking.sendTheftCode(tx, actor, { customerId: body.customer_id, purpose: body.purpose }),
    ),
  );
  route(app, 'reportTheft', async ({ tx, actor, body }) => {
    const told = { customerId: body.customer_id, otp: body.otp, note: body.note };
    const outcome = await services.locking.reportTheft(tx, actor, told);
    // A wrong code counts, and a refusal stands in the history.
    if (outcome instanceof KistError) return new CommittedRefusal(outcome);
    if ('refused' in outcome) return gateRefusal(actor, outcome.refused);
    return { command_id: outcome.commandId, state: outcome.state, revision: outcome.revision };
  });
  route(app, 'liftTheft', async ({ tx, actor, body }) => {
    const outcome = await services.locking.liftTheft(tx, actor, {
      customerId: body.customer_id,
      otp: body.otp,
      reason: body.reason,
    });
    return outcome instanceof KistError ? new CommittedRefusal(outcome) : outcome;
  });
}
