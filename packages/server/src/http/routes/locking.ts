import type { App } from '#server/http/app-types.ts';
import { gateRefusal } from '#server/http/gate-refusal.ts';
import { route } from '#server/http/route.ts';
import type { Locking } from '#server/locking/locking.ts';
import * as locks from '#server/locking/locking.ts';
import { ownNotifications, readAll } from '#server/notices/notifications.ts';

/** Holds, what waits for a second person, their word on an override, an owner's word that the phone is lost, and the bell. Lock, unlock and bulk are orders to phones: routes/devices.ts. */
export function lockingRoutes(
  app: App,
  {
    locking,
  }: {
    locking: Pick<Locking, 'decideOverride' | 'hold' | 'liftHold' | 'reportLost' | 'withdrawLost' | 'unclaim'>;
  },
): void {
  route(app, 'setHold', ({ tx, actor, body }) =>
    locking.hold(tx, actor, {
      customerId: body.customer_id,
      kind: body.kind,
      untilOn: body.until_on,
      note: body.reason,
    }),
  );
  route(app, 'liftHold', ({ tx, actor, body }) =>
    locking.liftHold(tx, actor, { holdId: body.hold_id, note: body.reason }),
  );
  route(app, 'listWaiting', ({ db, actor, query }) => db.read(actor.orgId, (tx) => locks.whatWaits(tx, actor, query)));
  route(app, 'decideOverride', async ({ tx, actor, body }) => {
    const outcome = await locking.decideOverride(tx, actor, body);
    return 'refused' in outcome ? gateRefusal(actor, outcome.refused) : outcome;
  });
  route(app, 'reportLost', async ({ tx, actor, body }) => {
    const told = { customerId: body.customer_id, kind: body.kind, note: body.note };
    const outcome = await locking.reportLost(tx, actor, told);
    if ('refused' in outcome) return gateRefusal(actor, outcome.refused);
    return { command_id: outcome.commandId, state: outcome.state, revision: outcome.revision };
  });
  route(app, 'withdrawLost', ({ tx, actor, body }) =>
    locking.withdrawLost(tx, actor, { customerId: body.customer_id, kind: body.kind }),
  );
  for (const name of ['unclaimCustomer', 'unclaim'] as const)
    route(app, name, ({ tx, actor, body }) =>
      locking.unclaim(tx, actor, { customerId: body.customer_id, note: body.note }),
    );
  route(app, 'listNotifications', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => ownNotifications(tx, actor, query)),
  );
  route(app, 'readNotifications', ({ db, actor }) =>
    db.transaction(actor.orgId, async (tx) => ({ read: await readAll(tx, actor) })),
  );
}
