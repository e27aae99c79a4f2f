import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import { endSessions, listSessions } from '#server/identity/identity.ts';

export function registerSessionRoutes(app: App): void {
  route(app, 'mySessions', ({ actor, db }) => db.read(actor.orgId, (tx) => listSessions(tx, actor)));
  route(app, 'logoutMySession', async ({ actor, body, db }) => ({
    ended: await db.transaction(actor.orgId, (tx) =>
      endSessions(tx, actor, 'session_id' in body ? { only: body.session_id } : 'others'),
    ),
  }));
}
