import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import * as reports from '#server/reports/reports.ts';

/** What proves that histories are whole. */
export function auditRoutes(app: App): void {
  route(app, 'getAuditRoots', ({ caller, db, query }) => db.read(caller.orgId, (tx) => reports.auditRoots(tx, query)));
  route(app, 'getCustomerHistory', ({ actor, db, query }) =>
    db.read(actor.orgId, (tx) => reports.customerHistory(tx, actor, query)),
  );
}
