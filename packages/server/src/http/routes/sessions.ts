import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import * as identity from '#server/identity/identity.ts';

export function sessionRoutes(app: App): void {
  route(app, 'mySessions', ({ actor, db }) => db.read(actor.orgId, (tx) => identity.listSessions(tx, actor)));
  route(app, 'logoutMySession', async ({ actor, body, db }) => ({
    ended: await db.transaction(actor.orgId, (tx) =>
      identity.endSessions(tx, actor, 'session_id' in body ? { only: body.session_id } : 'others'),
    ),
  }));
}
