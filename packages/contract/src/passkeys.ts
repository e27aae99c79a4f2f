import { z } from 'zod';
import { deviceIdSchema, sessionGrantSchema } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { emptySchema } from './envelope.ts';
import { idSchema, mobileSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** Bytes as the browser's WebAuthn gives them, base64url. @param most bytes */
const bytes = (most: number) =>
  z
    .string()
    .max(Math.ceil((most * 4) / 3), 'field.invalid')
    .regex(/^[\w-]+$/, 'field.invalid');
const credentialBytes = bytes(1023);
const OWN = { none: 'one’s own sign-in' };
const SIGNING_IN = { none: 'signing in' };

/** What both ways begin with. The challenge counts once, for two minutes, for this user on this device, from the page that asked. */
const asked = { challenge: z.string(), rp_id: z.string() };

/** The phone's own fingerprint, face or screen lock in place of the M-PIN, on a device that a code and an M-PIN were used on before (WebAuthn, platform authenticators only). */
export const passkeyEndpoints = {
  offerPasskey: endpoint({
    ...PATHS.offerPasskey,
    summary:
      'Begin to sign in with this device’s own fingerprint: what its browser is to be asked for. Only on a device that is trusted.',
    auth: 'session',
    access: OWN,
    body: z.strictObject({ device_id: deviceIdSchema }),
    reply: z.object({ ...asked, rp_name: z.string(), user_handle: z.string(), user_name: z.string() }),
    errors: ['STATE_CONFLICT', 'PASSKEY_REFUSED'],
  }),
  addPasskey: endpoint({
    ...PATHS.addPasskey,
    summary: 'What the device made. It replaces what this device had.',
    auth: 'session',
    access: OWN,
    body: z.strictObject({
      device_id: deviceIdSchema,
      credential: credentialBytes,
      client_data: bytes(2048),
      authenticator_data: bytes(2048),
      public_key: bytes(1024),
    }),
    reply: z.object({ passkey_id: z.uuid() }),
    errors: ['PASSKEY_REFUSED'],
  }),
  askPasskey: endpoint({
    ...PATHS.askPasskey,
    summary:
      'Begin a sign-in by fingerprint. Empty where this device has none for this mobile; whether the mobile exists is not told.',
    auth: 'public',
    access: SIGNING_IN,
    body: z.strictObject({ mobile: mobileSchema, device_id: deviceIdSchema }),
    reply: z.object({ ...asked, credentials: z.array(z.string()) }),
    errors: ['PASSKEY_REFUSED'],
  }),
  enterByPasskey: endpoint({
    ...PATHS.enterByPasskey,
    summary: 'A session for what the device signed.',
    auth: 'public',
    access: SIGNING_IN,
    body: z.strictObject({
      mobile: mobileSchema,
      device_id: deviceIdSchema,
      credential: credentialBytes,
      client_data: bytes(2048),
      authenticator_data: bytes(2048),
      signature: bytes(1024),
    }),
    reply: z.object({ session: sessionGrantSchema }),
    errors: ['PASSKEY_REFUSED', 'OTP_LOCKED'],
  }),
  myPasskeys: endpoint({
    ...PATHS.myPasskeys,
    summary: 'Own devices that sign in by fingerprint, last used first.',
    auth: 'session',
    access: OWN,
    reply: z.array(
      z.object({
        passkey_id: z.uuid(),
        browser: z.string(),
        platform: z.string(),
        device: z.string(),
        created_at: z.string(),
        last_used_at: z.string(),
      }),
    ),
  }),
  removePasskey: endpoint({
    ...PATHS.removePasskey,
    summary: 'This device signs in by fingerprint no more.',
    auth: 'session',
    access: OWN,
    body: z.strictObject({ passkey_id: idSchema }),
    reply: emptySchema,
    errors: ['NOT_FOUND'],
  }),
} as const;
