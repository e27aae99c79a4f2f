import * as customers from '#server/customers/customers.ts';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';
import * as identity from '#server/identity/identity.ts';

/** Sign-in, M-PIN, step-up codes. */
export function authRoutes(app: App): void {
  route(app, 'loginWithOtp', ({ db, caller, body }) => identity.login(db, caller, body));
  route(app, 'verifyOtpAuth', ({ db, caller, body }) => identity.verifyOtp(db, caller, body));
  route(app, 'resendOtp', ({ db, caller, body }) => identity.requestOtp(db, caller, body));
  route(app, 'forgotPassword', ({ db, caller, body }) =>
    identity.requestOtp(db, caller, { ...body, purpose: 'FORGOT_PASSWORD' }),
  );
  route(app, 'resetPassword', async ({ db, caller, body }) => ({
    session: await identity.resetMpin(db, caller, body),
  }));
  route(app, 'setMpin', async ({ db, actor, body }) => ({
    mpin_set: true as const,
    sessions_ended: await identity.setMpin(db, actor, body),
  }));
  route(app, 'sendOtpToUser', ({ actor, body, db }) =>
    db.transaction(actor.orgId, async (tx) => {
      await customers.authorize(tx, actor, { customer_id: body.customer_id });
      return identity.sendStepUp(tx, actor, body);
    }),
  );
  route(app, 'logout', async ({ actor, db }) => {
    const { sessionId } = actor;
    if (sessionId !== undefined)
      await db.transaction(actor.orgId, (tx) => identity.endSessions(tx, actor, { only: sessionId }));
    return {};
  });
}
