import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import * as locking from '#server/locking/locking.ts';
import * as organisations from '#server/organisations/organisations.ts';

/** What an organisation's administrator decides about locking, the policy and the days on which nothing rises; and what its shops read of it. */
export function governingRoutes(app: App): void {
  route(app, 'getInvariants', ({ actor, db }) => db.read(actor.orgId, (tx) => locking.invariants(tx, actor)));
  route(app, 'getLockPolicy', ({ actor, db }) => db.read(actor.orgId, (tx) => locking.lockPolicy(tx, actor)));
  route(app, 'choosePolicy', ({ tx, actor, body }) => locking.decidePolicy(tx, actor, body));
  route(app, 'changePolicy', ({ tx, actor, body }) => locking.decidePolicy(tx, actor, body));
  route(app, 'previewPolicy', ({ actor, db, body: { preset, change, days, after } }) => {
    const wanted = preset === undefined && change === undefined ? null : { preset, change };
    return db.read(actor.orgId, (tx) => locking.previewPolicy(tx, actor, { wanted, days, after }));
  });
  route(app, 'getLockRules', ({ actor, db }) => db.read(actor.orgId, (tx) => locking.lockRules(tx, actor)));
  route(app, 'getComingSteps', ({ actor, db, body }) =>
    db.read(actor.orgId, (tx) => locking.comingSteps(tx, actor, body)),
  );
  route(app, 'listHolidays', ({ actor, db }) =>
    db.read(actor.orgId, async (tx) => ({ days: [...(await organisations.holidays(tx))] })),
  );
  route(app, 'addHolidays', async ({ tx, actor, body }) => ({
    days: [...(await locking.addHolidays(tx, actor, body.days))],
  }));
  route(app, 'removeHolidays', async ({ tx, actor, body }) => ({
    days: [...(await locking.removeHolidays(tx, actor, body.days))],
  }));
}
