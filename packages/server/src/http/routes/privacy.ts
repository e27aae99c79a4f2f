import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import * as organisations from '#server/organisations/organisations.ts';
import * as reports from '#server/reports/reports.ts';
import * as sales from '#server/sales/sales.ts';

/** What an organisation promises, what is kept of a customer, and that it goes. */
export function privacyRoutes(app: App): void {
  route(app, 'getPrivacyPolicy', ({ caller, db, query }) =>
    db.read(caller.orgId, (tx) => organisations.privacyPolicy(tx, query)),
  );
  route(app, 'getCustomerData', ({ actor, db, query }) =>
    db.read(actor.orgId, (tx) => reports.customerData(tx, actor, query)),
  );
  route(app, 'previewErasure', ({ actor, db, query }) =>
    db.read(actor.orgId, (tx) => sales.previewErasure(tx, actor, query)),
  );
  route(app, 'eraseCustomer', ({ tx, actor, body }) => sales.eraseCustomer(tx, actor, body));
}
