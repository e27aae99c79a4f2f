import type { App } from '#server/http/app-types.ts';
import { pageOrigin } from '#server/http/page-origin.ts';
import { route } from '#server/http/route.ts';
import * as identity from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';

/** The device's own fingerprint in place of the M-PIN. */
export function passkeyRoutes(app: App): void {
  const { mode } = app.deps.settings;
  route(app, 'offerPasskey', async ({ actor, body, db, request }) => {
    const origin = await pageOrigin(app, request, actor.orgId);
    return db.transaction(actor.orgId, async (tx) => {
      const { aiName, orgName } = await organisations.config(tx, { mode });
      return identity.offerPasskey(tx, actor, { ...body, origin, shop: aiName || orgName });
    });
  });
  route(app, 'addPasskey', ({ actor, body, caller, db }) => identity.addPasskey(db, actor, caller.client, body));
  route(app, 'askPasskey', async ({ body, caller, db, request }) =>
    identity.askPasskey(db, caller, { ...body, origin: await pageOrigin(app, request, caller.orgId) }),
  );
  route(app, 'enterByPasskey', async ({ body, caller, db }) => ({
    session: await identity.enterByPasskey(db, caller, body),
  }));
  route(app, 'myPasskeys', ({ actor, db }) => db.read(actor.orgId, (tx) => identity.listPasskeys(tx, actor)));
  route(app, 'removePasskey', async ({ actor, body, db }) => {
    await db.transaction(actor.orgId, (tx) => identity.removePasskey(tx, actor, body.passkey_id));
    return {};
  });
}
