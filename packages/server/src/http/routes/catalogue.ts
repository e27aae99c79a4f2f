import * as catalogue from '#server/catalogue/catalogue.ts';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import * as sales from '#server/sales/sales.ts';

/** What is sold, and what forms choose from. */
export function catalogueRoutes(app: App): void {
  route(app, 'getProducts', ({ actor, db, query }) =>
    db.read(actor.orgId, (tx) => catalogue.products(tx, tx.ports.sales.planes, query)),
  );
  route(app, 'readPlanById', ({ actor, db, body }) => db.read(actor.orgId, (tx) => sales.plan(tx, actor, body)));
  route(app, 'getBrands', ({ actor, db, query }) => db.read(actor.orgId, (tx) => catalogue.brands(tx, query)));
  route(app, 'getCountries', ({ db, query }) => db.ports.catalogue.places.countries(query));
  route(app, 'getStates', ({ db, query }) => db.ports.catalogue.places.states(query));
  route(app, 'getCities', ({ db, query }) => db.ports.catalogue.places.cities(query));
}
