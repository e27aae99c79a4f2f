import { z } from 'zod';
import { NEEDS } from './access.ts';
import { PURPOSES, USER_TYPES } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema } from './envelope.ts';
import { idSchema, mobileSchema, mpinSchema, otpSchema, tokenSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** Whatever a client calls its device, or nothing. Only what nobody can guess is ever trusted (server, docs/decisions/0006). */
export const deviceIdSchema = z
  .string()
  .max(120, { error: 'field.device_id', abort: true })
  .regex(/^\P{C}*$/u, 'field.device_id');

/** A fresh session. `token` is shown once; the server keeps its hash. */
export const sessionGrantSchema = z.object({
  token: z.string(),
  account_id: z.uuid(),
  user_id: z.uuid(),
  user_type: z.enum(USER_TYPES),
  org_id: z.int(),
  first_name: z.string(),
  shop_name: z.string(),
  mpin_set: z.boolean(),
  /** Base64url of 32 bytes, the same at every sign-in of this user: what waits on a phone to be sent is sealed with it, and the phone keeps it no longer than the session. */
  seal_key: z.string().regex(/^[\w-]{43}$/),
});
export type SessionGrant = z.infer<typeof sessionGrantSchema>;

export const authEndpoints = {
  loginWithOtp: endpoint({
    ...PATHS.loginWithOtp,
    summary:
      'Sign in: with M-PIN on a device that was verified before, else an OTP is sent. The reply and its timing do not tell whether the mobile exists.',
    auth: 'public',
    access: { none: 'signing in' },
    body: z.strictObject({ mobile: mobileSchema, mpin: mpinSchema.optional(), device_id: deviceIdSchema.optional() }),
    reply: z.discriminatedUnion('step', [
      z.object({ step: z.literal('otp'), resend_after_s: z.int(), expires_in_s: z.int() }),
      z.object({ step: z.literal('session'), session: sessionGrantSchema }),
    ]),
    errors: ['MPIN_INVALID', 'MPIN_LOCKED', 'OTP_TOO_SOON', 'OTP_DAILY_LIMIT', 'SMS_UNAVAILABLE'],
  }),
  verifyOtpAuth: endpoint({
    ...PATHS.verifyOtpAuth,
    summary:
      'Verify an OTP for one of the four purposes; LOGIN answers the session itself. There `mpin` becomes the first M-PIN of who has none, by the rules of /api/auth/set-mpin; a refused one leaves the OTP unused. For the other purposes it says nothing.',
    auth: 'public',
    access: { none: 'signing in' },
    body: z.strictObject({
      mobile: mobileSchema,
      otp: otpSchema,
      purpose: z.enum(PURPOSES),
      mpin: mpinSchema.optional(),
      device_id: deviceIdSchema.optional(),
      customer_id: idSchema.optional(),
    }),
    reply: z.discriminatedUnion('purpose', [
      sessionGrantSchema.extend({ purpose: z.literal('LOGIN') }),
      z.object({ purpose: z.literal('FORGOT_PASSWORD'), reset_token: z.string(), expires_in_s: z.int() }),
      z.object({ purpose: z.literal('UNINSTALL'), step_up_token: z.string(), expires_in_s: z.int() }),
      z.object({ purpose: z.literal('BYPASS_CODE'), step_up_token: z.string(), expires_in_s: z.int() }),
    ]),
    errors: ['OTP_INVALID', 'OTP_EXPIRED', 'OTP_USED_UP', 'OTP_LOCKED', 'MPIN_TOO_SIMPLE'],
  }),
  resendOtp: endpoint({
    ...PATHS.resendOtp,
    summary: 'Send the code again: 30 s apart, 5 unused ones a day for who asks.',
    auth: 'public',
    access: { none: 'signing in' },
    body: z.strictObject({
      mobile: mobileSchema,
      purpose: z.enum(PURPOSES).default('LOGIN'),
      device_id: deviceIdSchema.optional(),
      customer_id: idSchema.optional(),
    }),
    reply: z.object({ resend_after_s: z.int(), expires_in_s: z.int() }),
    errors: ['OTP_TOO_SOON', 'OTP_DAILY_LIMIT', 'SMS_UNAVAILABLE'],
  }),
  forgotPassword: endpoint({
    ...PATHS.forgotPassword,
    summary: 'Ask for an OTP to set a new M-PIN.',
    auth: 'public',
    access: { none: 'signing in' },
    body: z.strictObject({ mobile: mobileSchema, device_id: deviceIdSchema.optional() }),
    reply: z.object({ resend_after_s: z.int(), expires_in_s: z.int() }),
    errors: ['OTP_TOO_SOON', 'OTP_DAILY_LIMIT', 'SMS_UNAVAILABLE'],
  }),
  resetPassword: endpoint({
    ...PATHS.resetPassword,
    summary: 'Set a new M-PIN with a reset token; all other sessions end.',
    auth: 'public',
    access: { none: 'signing in' },
    body: z.strictObject({ reset_token: tokenSchema, mpin: mpinSchema, device_id: deviceIdSchema.optional() }),
    reply: z.object({ session: sessionGrantSchema }),
    errors: ['RESET_TOKEN_INVALID', 'MPIN_TOO_SIMPLE'],
  }),
  setMpin: endpoint({
    ...PATHS.setMpin,
    summary:
      'Set the first M-PIN after an OTP sign-in; this device becomes trusted where its id is a secret (20 to 120 letters, digits, - and _). A changed M-PIN needs the current one, ends every other session and takes the trust from other devices.',
    auth: 'session',
    access: { none: 'one’s own sign-in' },
    body: z.strictObject({
      mpin: mpinSchema,
      current_mpin: mpinSchema.optional(),
      device_id: deviceIdSchema.optional(),
    }),
    reply: z.object({ mpin_set: z.literal(true), sessions_ended: z.int() }),
    errors: ['MPIN_TOO_SIMPLE', 'MPIN_INVALID', 'MPIN_LOCKED', 'STATE_CONFLICT'],
  }),
  sendOtpToUser: endpoint({
    ...PATHS.sendOtpToUser,
    summary:
      'Step-up OTP to the account holder (never to a helper at the counter), for what an order here asks one for; none does so yet.',
    auth: ['retailer', 'miniretailer'],
    access: { by: 'purpose', of: { UNINSTALL: NEEDS.uninstall, BYPASS_CODE: NEEDS.unlock } },
    body: z.strictObject({ purpose: z.enum(['UNINSTALL', 'BYPASS_CODE']), customer_id: idSchema }),
    reply: z.object({ resend_after_s: z.int(), expires_in_s: z.int(), masked_mobile: z.string() }),
    errors: ['NOT_FOUND', 'FEATURE_NOT_OFFERED', 'OTP_TOO_SOON', 'OTP_DAILY_LIMIT', 'SMS_UNAVAILABLE'],
  }),
  logout: endpoint({
    ...PATHS.logout,
    summary: 'End this session.',
    auth: 'session',
    access: { none: 'one’s own sign-in' },
    body: z.strictObject({}),
    reply: emptySchema,
  }),
  mySessions: endpoint({
    ...PATHS.mySessions,
    summary: 'Own sessions, newest first.',
    auth: 'session',
    access: { none: 'one’s own sign-in' },
    reply: z.array(
      z.object({
        session_id: z.uuid(),
        is_current: z.boolean(),
        browser: z.string(),
        platform: z.string(),
        device: z.string(),
        place: z.string(),
        created_at: z.string(),
        last_seen_at: z.string(),
      }),
    ),
  }),
  logoutMySession: endpoint({
    ...PATHS.logoutMySession,
    summary:
      'Log out one session, or all others; a device that is logged out from elsewhere loses its trust and asks for a code again.',
    auth: 'session',
    access: { none: 'one’s own sign-in' },
    body: z.union([z.strictObject({ session_id: idSchema }), z.strictObject({ all_others: z.literal(true) })]),
    reply: z.object({ ended: z.int() }),
    errors: ['NOT_FOUND'],
  }),
} as const;
