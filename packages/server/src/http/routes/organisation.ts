import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import * as identity from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';

/** What the app asks at its start: names, limits, what this user may do. */
export function organisationRoutes(app: App): void {
  const { mode, serverVersion, builtAt } = app.deps.settings;
  route(app, 'getOrgAppConfig', ({ caller, db }) =>
    db.read(caller.orgId, async (tx) => ({
      ...(await organisations.config(tx, { mode })),
      organisation_login: await identity.hasProvider(tx),
    })),
  );
  route(app, 'getAppConfigs', async () =>
    organisations.appConfigs({ server_version: serverVersion, built_at: builtAt }),
  );
  route(app, 'getAccessConfig', async ({ actor }) => actor.lockAccess);
  route(app, 'getUserAccess', ({ actor, db }) => db.read(actor.orgId, (tx) => identity.profile(tx, actor)));
}
