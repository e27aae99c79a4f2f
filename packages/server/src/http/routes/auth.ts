import { authorize } from '#server/customers/customers.ts';
import { endSessions } from '#server/identity/identity.ts';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';

/** Sign-in, M-PIN, step-up codes. */
export function registerAuthRoutes(app: App): void {
  const { identity } = app.deps;

  route(app, 'loginWithOtp', ({ caller, body }) =>
    identity.login(caller, { mobile: body.mobile, mpin: body.mpin, deviceId: body.device_id }),
  );
  route(app, 'verifyOtpAuth', ({ caller, body }) =>
    identity.verifyOtp(caller, {
      mobile: body.mobile,
      otp: body.otp,
      purpose: body.purpose,
      deviceId: body.device_id,
      customerId: body.customer_id,
    }),
  );
  route(app, 'resendOtp', ({ caller, body }) =>
    identity.requestOtp(caller, {
      mobile: body.mobile,
      purpose: body.purpose,
      deviceId: body.device_id,
      customerId: body.customer_id,
    }),
  );
  route(app, 'forgotPassword', ({ caller, body }) =>
    identity.requestOtp(caller, { mobile: body.mobile, purpose: 'FORGOT_PASSWORD', deviceId: body.device_id }),
  );
  route(app, 'resetPassword', async ({ caller, body }) => ({
    session: await identity.resetMpin(caller, {
      resetToken: body.reset_token,
      mpin: body.mpin,
      deviceId: body.device_id,
    }),
  }));
  route(app, 'setMpin', async ({ actor, body }) => {
    const change = { mpin: body.mpin, currentMpin: body.current_mpin, deviceId: body.device_id };
    return { mpin_set: true as const, sessions_ended: await identity.setMpin(actor, change) };
  });
  route(app, 'sendOtpToUser', ({ actor, body, db }) =>
    db.transaction(actor.orgId, async (tx) => {
      await authorize(tx, actor, body.customer_id);
      return identity.sendStepUp(tx, actor, { purpose: body.purpose, customerId: body.customer_id });
    }),
  );
  route(app, 'logout', async ({ actor, db }) => {
    const { sessionId } = actor;
    if (sessionId !== undefined) await db.transaction(actor.orgId, (tx) => endSessions(tx, actor, { only: sessionId }));
    return {};
  });
}
