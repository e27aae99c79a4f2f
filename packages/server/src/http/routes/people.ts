import * as documents from '#server/documents/documents.ts';
import * as identity from '#server/identity/identity.ts';
import type { Locking } from '#server/locking/locking.ts';
import * as reports from '#server/reports/reports.ts';
import * as sales from '#server/sales/sales.ts';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';

interface Deps {
  locking: Pick<Locking, 'contactsChanged'>;
}

/** Shops below the caller, and oneself. */
export function peopleRoutes(app: App, { locking }: Deps): void {
  for (const name of ['listUsers', 'getUsers'] as const)
    route(app, name, ({ db, actor, query }) => db.read(actor.orgId, (tx) => reports.shopList(tx, actor, query)));
  route(app, 'addUser', async ({ db, tx, actor, body }) => ({
    user_id: await identity.addPersonInBudget(db, tx, actor, body),
  }));
  route(app, 'updateUser', ({ db, tx, actor, body }) =>
    sales.changeShop({ db, contactsChanged: locking.contactsChanged }, tx, actor, body),
  );
  route(app, 'suspendUser', async ({ tx, actor, body }) => {
    const suspended = await sales.suspendShop(tx, actor, body, locking.contactsChanged);
    return { suspended: suspended.length };
  });
  route(app, 'activateUser', async ({ tx, actor, body }) => {
    const activated = await sales.activateShop(tx, actor, body, locking.contactsChanged);
    return { activated: activated.length };
  });
  route(app, 'readUserById', ({ db, actor, body }) =>
    db.read(actor.orgId, (tx) => reports.shopDetails(tx, actor, body)),
  );
  route(app, 'getUserDetails', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => reports.shopDetails(tx, actor, query)),
  );
  for (const name of ['getRetailerProfile', 'getRetailerProfileOfCountry'] as const)
    route(app, name, ({ db, actor, query }) => db.read(actor.orgId, (tx) => reports.shopProfile(tx, actor, query)));
  pictureRoutes(app);
  route(app, 'transferCustomers', ({ tx, actor, body }) =>
    sales.transferCustomers(tx, actor, body, locking.contactsChanged),
  );
  route(app, 'signupRequest', async ({ db, caller, body }) => {
    await app.deps.limits.signupRequest(caller.ip);
    await db.transaction(caller.orgId, (tx) => identity.requestSignup(tx, { ...body, language: caller.language }));
    return {};
  });
}

/** A shop's QR and signature. */
function pictureRoutes(app: App): void {
  for (const [name, kind] of [
    ['uploadRetailerQr', 'qr'],
    ['uploadRetailerSignature', 'signature'],
  ] as const)
    route(app, name, async ({ db, actor, body, file: { bytes } }) => {
      const { user_id } = await db.read(actor.orgId, (tx) => identity.personNamed(tx, actor, body));
      return { picture_id: await documents.keepPicture(db, actor, { user_id, kind, bytes }) };
    });
  route(app, 'getUserPicture', ({ db, actor, query: { kind, ...who } }) =>
    db.read(actor.orgId, async (tx) => {
      const { user_id } = await identity.personNamed(tx, actor, who);
      const { mime, bytes } = await documents.openPicture(tx, actor, { user_id, kind });
      return { mime, data_url: `data:${mime};base64,${bytes.toString('base64')}` };
    }),
  );
}
