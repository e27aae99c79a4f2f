import type { App } from '#server/http/app-types.ts';
import { loginPage } from '#server/http/page-origin.ts';
import { route } from '#server/http/route.ts';
import * as identity from '#server/identity/identity.ts';

/** Sign-in with the organisation's own identity provider. */
export function organisationLoginRoutes(app: App): void {
  route(app, 'getOauthUrl', async ({ caller, db, request }) =>
    identity.beginOrganisationLogin(db, caller, await loginPage(app, request, caller.orgId)),
  );
  route(app, 'oauthCallback', ({ caller, db, query }) => identity.finishOrganisationLogin(db, caller, query));
}
