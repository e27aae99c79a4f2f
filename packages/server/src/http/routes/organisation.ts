import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import { profile } from '#server/identity/identity.ts';

/** What the app asks at its start: names, limits, what this user may do. */
export function registerOrganisationRoutes(app: App): void {
  const { organisations } = app.deps;
  route(app, 'getOrgAppConfig', ({ caller }) => organisations.orgConfig(caller.orgId));
  route(app, 'getAppConfigs', async () => organisations.appConfigs());
  route(app, 'getAccessConfig', async ({ actor }) => actor.lockAccess);
  route(app, 'getUserAccess', ({ actor, db }) => db.read(actor.orgId, (tx) => profile(tx, actor)));
}
