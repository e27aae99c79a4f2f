import { z } from 'zod';
import { NEEDS } from './access.ts';
import { SHOP_TYPES, THEFT_PURPOSES } from './codes.ts';
import { COMMAND_STATES } from './commands.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, noteSchema, otpSchema } from './fields.ts';
import { LIMITS } from './limits.ts';
import { levelSchema } from './lock-policy.ts';
import { PATHS } from './paths.ts';

/** How a stolen phone is told of at the counter, and how it is found again: by the customer's own code, never by the shop's word or its right to lock. */
export const theftEndpoints = {
  sendTheftCode: endpoint({
    ...PATHS.sendTheftCode,
    summary:
      'Send the customer, on the number they confirmed, the code with which a shop reports the theft (THEFT_REPORT) or lifts its lock (THEFT_LIFT).',
    auth: SHOP_TYPES,
    access: NEEDS.theft,
    body: z.strictObject({ customer_id: idSchema, purpose: z.enum(THEFT_PURPOSES) }),
    reply: z.object({ resend_after_s: z.int(), expires_in_s: z.int(), masked_mobile: z.string() }),
    errors: [
      'NOT_FOUND',
      'STATE_CONFLICT',
      'NUMBER_NOT_CONFIRMED',
      'NUMBER_IS_NEW',
      'OTP_TOO_SOON',
      'OTP_DAILY_LIMIT',
      'OTP_SHOP_LIMIT',
      'SMS_UNAVAILABLE',
    ],
  }),
  reportTheft: endpoint({
    ...PATHS.reportTheft,
    summary: 'Report the theft in the customer’s name, with the code that the customer got: the phone is held at once.',
    auth: SHOP_TYPES,
    access: NEEDS.theft,
    idempotent: true,
    body: z.strictObject({ customer_id: idSchema, otp: otpSchema, note: noteSchema().default('') }),
    reply: z.object({ command_id: z.uuid(), state: z.enum(COMMAND_STATES), revision: z.int().nullable() }),
    errors: [
      'NOT_FOUND',
      'STATE_CONFLICT',
      'NUMBER_NOT_CONFIRMED',
      'NUMBER_IS_NEW',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_USED_UP',
      'POLICY_REFUSED',
    ],
  }),
  liftTheft: endpoint({
    ...PATHS.liftTheft,
    summary:
      'Lift a theft lock: a shop with the code that the customer got, the administrator with a reason. What other causes hold stays.',
    auth: [...SHOP_TYPES, 'admin'],
    access: NEEDS.theft,
    idempotent: true,
    /** `otp`: always of a shop. */
    body: z.strictObject({
      customer_id: idSchema,
      otp: otpSchema.optional(),
      reason: noteSchema(LIMITS.reasonLengthMin),
    }),
    /** `level`: what other causes leave the phone on. */
    reply: z.object({ revision: z.int(), level: levelSchema }),
    errors: [
      'NOT_FOUND',
      'STATE_CONFLICT',
      'NUMBER_NOT_CONFIRMED',
      'NUMBER_IS_NEW',
      'OTP_INVALID',
      'OTP_EXPIRED',
      'OTP_USED_UP',
    ],
  }),
} as const;
